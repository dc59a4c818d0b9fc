"""What is needed to repeat the run: parameters, versions, seed, command."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

import siernet
from siernet.report.subject import Subject
from siernet.report.text import count, number, plain

_PACKAGES = ("numpy", "scipy", "scikit-learn", "torch", "plotly")
_LONGEST_VALUE = 400


@dataclass(frozen=True)
class Settings:
    """Pairs of a name and a value, in groups, and the command or code that repeats the fit.

    Parameters
    ----------
    groups : tuple of (str, tuple of (str, str))
    code_title, code : str
    """

    groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    code_title: str
    code: str


def settings_of(subject: Subject) -> Settings:
    """The settings of a subject's fit."""
    model = subject.model
    parameters = [
        (name, _shown(value)) for name, value in sorted(model.get_params(deep=False).items())
    ]
    groups = [
        ("The fit", tuple(_facts(subject))),
        (f"Parameters of {type(model).__name__}", tuple(parameters)),
        ("Versions", tuple(_versions(subject))),
    ]
    if subject.given is not model:
        steps = [(name, _shown(step)) for name, step in subject.given.steps[:-1]]
        groups.insert(1, ("Preparation of the columns", tuple(steps)))
    if subject.record is not None:
        return Settings(tuple(groups), "Command that repeats the fit", subject.record.command)
    code = f"from siernet import {type(model).__name__}\n\nmodel = {model!r}\nmodel.fit(X, y)"
    return Settings(tuple(groups), "Code that repeats the fit, given the same X and y", code)


def _facts(subject: Subject) -> list[tuple[str, str]]:
    model: Any = subject.model
    facts = []
    record = subject.record
    if record is not None:
        facts = [
            ("fitted", record.created),
            ("source", plain(record.source)),
            ("target", plain(record.target)),
            ("task", " \N{EN DASH} ".join(filter(None, [record.task, plain(record.task_reason)]))),
            ("seed", str(record.seed)),
            ("rows for training", f"{record.n_rows:,}"),
            ("rows held out", f"{record.n_test_rows:,}"),
            ("time", _duration(record.seconds)),
        ]
    if subject.surface is not None:
        facts += [
            ("λ1, input penalty, chosen", repr(float(model.input_penalty_))),
            ("λ2, network penalty, chosen", repr(float(model.network_penalty_))),
            *(
                [
                    ("temperature of the probabilities, chosen", f"{model.temperature_:.3g}"),
                    ("power of the classes' shares, chosen", f"{model.prior_power_:.3g}"),
                ]
                if hasattr(model, "prior_power_")
                else []
            ),
            ("pairs of penalties tried", f"{len(subject.surface.value):,}"),
            ("folds", f"{model.n_splits_}"),
        ]
    iterations = np.asarray(model.n_iter_)
    return [
        *facts,
        ("variables", f"{subject.n_variables:,}"),
        ("networks", f"{subject.n_members}"),
        ("largest residual", f"{number(np.max(model.residuals_))} (tolerance {model.tol:g})"),
        ("iterations a network", f"{iterations.min():,} to {iterations.max():,}"),
    ]


def _versions(subject: Subject) -> list[tuple[str, str]]:
    """Of the fit, where that is recorded, and of what made the report."""
    recorded = []
    if subject.record is not None:
        recorded = [("siernet, for the fit", subject.record.siernet_version)]
    made_with = [("siernet, for this report", siernet.__version__)]
    made_with.append(("python", platform.python_version()))
    for package in _PACKAGES:
        try:
            made_with.append((package, version(package)))
        except PackageNotFoundError:  # vendored without metadata
            made_with.append((package, "unknown"))
    return [*recorded, *made_with]


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} seconds"
    minutes = round(seconds / 60)
    return (
        f"{minutes} minutes"
        if minutes < 120
        else f"{count(minutes // 60, 'hour')} {minutes % 60} min"
    )


def _shown(value: Any) -> str:
    if isinstance(value, (np.ndarray, list, tuple)) and len(value) > 12:
        head = list(value[:6])
        return f"{', '.join(map(repr, head))}, … ({len(value)} values)"
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
