"""What ``siernet reproduce`` and ``python -m siernet.experiments`` share."""

from __future__ import annotations

from pathlib import Path

from siernet.experiments.running import StudyResult, render_study, run_study
from siernet.experiments.study import counted


def execute(
    study: str,
    *,
    scale: str = "quick",
    seeds: int | None = None,
    data: Path | None = None,
    out: Path | None = None,
    methods: str | None = None,
    sets: str | None = None,
    device: str = "auto",
    jobs: int | None = None,
    workers: int = 1,
    render_only: bool = False,
    progress: bool = False,
) -> StudyResult:
    """Runs a study, or only renders it; names are separated by commas, as in an option."""
    folder = Path("results") / scale if out is None else out
    if render_only:
        return render_study(study, folder)
    return run_study(
        study,
        out=folder,
        scale=scale,
        seeds=seeds,
        data=data,
        methods=_names(methods),
        sets=_names(sets),
        device=device,
        n_jobs=jobs,
        workers=workers,
        progress=progress,
    )


def lines_of(result: StudyResult) -> list[str]:
    """What to tell about a study at its end; the last line says what matched."""
    lines = [f"Left out: {name}: {reason}" for name, reason in result.skipped.items()]
    lines += [f"Could not be computed: {cell}: {error}" for cell, error in result.failures.items()]
    lines += result.notes
    lines.append(f"{counted(result.n_cells, 'cell')}. Page: {result.page}")
    return [*lines, result.summary]


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
