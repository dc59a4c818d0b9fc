"""The paper's study: every table and figure from one command, or from ``run_study``."""

from siernet.experiments.running import STUDIES, StudyResult, render_study, run_study

__all__ = ["STUDIES", "StudyResult", "render_study", "run_study"]
