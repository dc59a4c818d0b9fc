"""A fit from its files to its files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from siernet.cli.errors import CommandError, os_error_line, printable
from siernet.cli.estimators import Effort
from siernet.cli.fitting import Fit, fit_model
from siernet.cli.model_facts import model_facts, record_facts
from siernet.cli.training_data import DataRequest, training_data
from siernet.cli.waiting import waiting
from siernet.persistence import save


@dataclass(frozen=True)
class FitJob:
    """What a fit reads, does and writes."""

    request: DataRequest
    effort: Effort
    model: Path
    report: Path | None
    command: str
    keep_rows: bool = True
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class FitResult:
    """What a fit says at its end."""

    fit: Fit
    model: Path
    report: Path | None

    @property
    def model_facts(self) -> dict[str, Any]:
        return model_facts(self.fit.estimator)

    @property
    def fit_facts(self) -> dict[str, Any]:
        return record_facts(self.fit.record)

    def as_json(self) -> dict[str, Any]:
        """All of it as one dictionary."""
        files = {"model": self.model, "report": self.report}
        return {**self.fit_facts, **self.model_facts, "files": files}


def run_fit(job: FitJob) -> FitResult:
    """Reads, trains, and writes the model and the report."""
    with waiting() as display:
        data = training_data(job.request)
        for remark in (*job.notes, *data.notes):
            display.note(remark)
        fit = fit_model(
            data,
            job.effort,
            seed=job.request.seed,
            command=job.command,
            verbose=display.verbose,
            tell=display.tell,
        )
        for remark in fit.record.notes[len(data.notes) :]:
            display.note(remark)
        if not job.keep_rows:
            fit = replace(fit, record=fit.without_rows())
        save_model(fit, job.model)
        if job.report is not None:
            display.tell("Writing the report")
            _write_report(fit, job.report, job.model)
    return FitResult(fit, job.model, job.report)


def save_model(fit: Fit, path: Path) -> None:
    """Writes the model file."""
    try:
        save(fit.model, path, record=fit.record)
    except OSError as error:
        raise CommandError(os_error_line(error, path)) from error


def _write_report(fit: Fit, path: Path, model: Path) -> None:
    from siernet.report import write_report

    try:
        write_report(fit.model, path, record=fit.record, force=True)
    except OSError as error:
        raise CommandError(
            f"The model is in {printable(model)}, but its report was not written: "
            + os_error_line(error, path)
        ) from error
