"""The demonstration: simulated data, a quick fit, and the truth beside what was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from siernet.cli.errors import CommandError, named, os_error_line, printable
from siernet.cli.estimators import Effort
from siernet.cli.fit_job import FitJob, FitResult, run_fit
from siernet.cli.outputs import report_path
from siernet.cli.screen import fit_screen, labelled
from siernet.cli.terminal import TITLE, Line, number
from siernet.cli.training_data import DataRequest
from siernet.datasets import Simulation, make_section_4_1
from siernet.files import whole_file

_N_ROWS, _N_COLUMNS, _N_RELEVANT = 300, 40, 8
_FILES = ("demo.csv", "demo.siernet", "demo.html")
_TARGET = "response"
EFFORT = Effort(quick=True)


@dataclass(frozen=True)
class Demonstration:
    """Where it is written, and from which seed."""

    folder: Path
    seed: int = 0
    jobs: int | None = None
    with_report: bool = True


def run_demonstration(demonstration: Demonstration) -> list[Line]:
    """Writes data, model and report; returns the screen with the truth below it."""
    folder = demonstration.folder
    _check_folder(folder)
    csv, model, html = (folder / name for name in _FILES)
    report, _ = report_path(model, None, wanted=demonstration.with_report)
    truth = make_section_4_1(
        _N_ROWS,
        n_features=_N_COLUMNS,
        n_relevant=_N_RELEVANT,
        random_state=demonstration.seed,
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_table(truth, csv)
    except OSError as error:
        raise CommandError(os_error_line(error)) from error
    job = FitJob(
        request=DataRequest(csv, _TARGET, seed=demonstration.seed),
        effort=replace(EFFORT, jobs=demonstration.jobs),
        model=model,
        report=None if report is None else html,
        command=f"siernet fit {csv} --target {_TARGET} --quick --seed {demonstration.seed}",
    )
    result = run_fit(job)
    screen = fit_screen(
        result.model_facts, result.fit_facts, model=model, report=job.report, n_top=4
    )
    return [*screen, *_truth_lines(result, truth)]


def _check_folder(folder: Path) -> None:
    """Refuses a folder that holds something else; what a demonstration wrote is replaced."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise CommandError(f"{printable(folder)} is a file. Name a folder with --out.")
    others = sorted(path.name for path in folder.iterdir() if path.name not in _FILES)
    if others:
        raise CommandError(
            f"{printable(folder)} holds other files ({named(others, 3)}). Name a new folder with "
            "--out."
        )


def _write_table(truth: Simulation, path: Path) -> None:
    import pandas as pd

    names = [f"x{number}" for number in range(1, truth.X.shape[1] + 1)]
    frame = pd.DataFrame(truth.X, columns=names)
    frame[_TARGET] = truth.y
    with whole_file(path) as file:
        file.write(frame.to_csv(index=False, float_format="%.6g").encode())


def _truth_lines(result: FitResult, truth: Simulation) -> list[Line]:
    """What the data were made from, and how much of it was found."""
    rates = result.fit.estimator.selection_rates_
    chosen = rates >= 0.5
    relevant = truth.relevant
    best = float(1 - _noise_share(truth))
    return [
        labelled(
            "The truth",
            f"{relevant.sum()} of {len(relevant)} columns matter, x1 to x{relevant.sum()}; no "
            f"model can exceed R² {number(best, 2)} by much",
            TITLE,
        ),
        labelled(
            "Found",
            f"{(chosen & relevant).sum()} of the {relevant.sum()}, and "
            f"{(chosen & ~relevant).sum()} of the {(~relevant).sum()} that do not matter; mean "
            f"rates {rates[relevant].mean():.2f}, {rates[~relevant].mean():.2f}",
            TITLE,
        ),
    ]


def _noise_share(truth: Simulation) -> Any:
    return np.var(truth.y - truth.mean) / np.var(truth.y)
