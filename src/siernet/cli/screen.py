"""The screen a fit ends with; it fits a terminal of 80 columns and 24 lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from siernet.cli.errors import printable
from siernet.cli.terminal import (
    FAINT,
    GOOD,
    LABEL,
    TITLE,
    WARNING,
    Line,
    bar,
    fitted,
    number,
    width_of,
)

_LABEL_WIDTH = 11
_BAR_WIDTH = 20
_CELL_WIDTH = 13
_METHODS = {"siernet": "siernet", "lasso": "Lasso", "baseline": "baseline"}
_METRICS = {
    "r2": "R²",
    "mse": "squared err.",
    "rmse": "RMSE",
    "mae": "abs. error",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced",
    "log_loss": "log loss",
    "auc": "AUC",
}
_SHOWN_METRICS = {
    "regression": ("r2", "rmse", "mae"),
    "classification": ("accuracy", "balanced_accuracy", "log_loss", "auc"),
}
_SHARES = ("r2", "accuracy", "balanced_accuracy", "auc")
_BASELINES = {"regression": "mean", "classification": "class shares"}


def fit_screen(
    facts: dict[str, Any],
    fit: dict[str, Any],
    *,
    model: Path,
    report: Path | None,
    n_top: int = 7,
) -> list[Line]:
    """The screen.

    Parameters
    ----------
    facts, fit : dict
        As ``model_facts`` and ``record_facts`` give them.
    model : Path
    report : Path or None
    n_top : int, default=7
        Most variables to list.
    """
    lines = [
        *fit_lines(facts, fit),
        [],
        *score_lines(fit),
        [],
        *variable_lines(facts, n_top, lasso_selected=fit["lasso_selected"]),
        *network_lines(facts),
        _file("Model", model),
    ]
    if report is not None:
        lines.append(_file("Report", report))
    return lines


def _file(label: str, path: Path) -> Line:
    """Never cut: it is there to be copied."""
    return [(label.ljust(_LABEL_WIDTH), LABEL), (printable(path), "")]


def labelled(label: str, text: str, style: str = "") -> Line:
    """A line with its label at the left."""
    room = max(20, width_of(sys.stdout) - _LABEL_WIDTH)
    return [(label.ljust(_LABEL_WIDTH), LABEL), (fitted(printable(text), room).rstrip(), style)]


def fit_lines(facts: dict[str, Any], fit: dict[str, Any]) -> list[Line]:
    """Task, rows, columns and penalties."""
    rows = f"{fit['n_rows']:,} to learn, {fit['n_test_rows']:,} to test"
    if fit["n_rows_dropped"]:
        rows += f"; {fit['n_rows_dropped']:,} without a target dropped"
    n_used = fit["n_columns"] - len(fit["left_out"])
    columns = f"{fit['n_columns']:,}: {n_used:,} used"
    if facts["n_variables"] != n_used:
        columns += f", as {facts['n_variables']:,} variables"
    if fit["left_out"]:
        columns += f"; {len(fit['left_out']):,} left out"
    counts = [f"{label} ({count:,})" for label, count in fit["class_counts"].items()]
    return [
        labelled("Target", fit["target"], TITLE),
        labelled("Task", f"{fit['task']} ({fit['task_reason']})"),
        *([labelled("Classes", f"{len(counts)}: {', '.join(counts)}")] if counts else []),
        labelled("Rows", rows),
        labelled("Columns", columns),
        *penalty_lines(facts["penalties"]),
    ]


def penalty_lines(penalties: dict[str, Any]) -> list[Line]:
    """The two penalties and how they were found; of tuned classes also how sure they may be."""
    how = "as given"
    if penalties["tuned"]:
        how = f"best of {penalties['pairs_tried']} pairs in {penalties['folds']}-fold CV"
    both = f"λ1 {number(penalties['input_penalty'])}, λ2 {number(penalties['network_penalty'])}"
    lines = [labelled("Penalties", f"{both} ({how})")]
    if penalties["tuned"] and "temperature" in penalties:
        temperature, power = number(penalties["temperature"]), number(penalties["prior_power"])
        text = f"temperature {temperature}, power of the class shares {power} (same folds)"
        lines.append(labelled("Calibrated", text))
    return lines


def score_lines(fit: dict[str, Any]) -> list[Line]:
    """A table of scores, this model's first; the metrics a person knows."""
    scores = fit["test_scores"] or fit["cv_scores"]
    if not scores:
        return [labelled("Test", fit["tested_on"])]
    where = fit["tested_on"] if fit["test_scores"] else f"cross-validated ({fit['tested_on']})"
    own = scores["siernet"]
    metrics = [name for name in _SHOWN_METRICS[fit["task"]] if name in own] or list(own)
    header: Line = [
        (fitted("Scores", _LABEL_WIDTH + 14), LABEL),
        ("".join(_METRICS.get(name, name).rjust(_CELL_WIDTH) for name in metrics), FAINT),
    ]
    lines = [labelled("Tested on", where), header]
    for method, shown in _METHODS.items():
        if method in scores:
            name = f"{shown} ({_BASELINES[fit['task']]})" if method == "baseline" else shown
            cells = "".join(
                _score(metric, scores[method].get(metric)).rjust(_CELL_WIDTH) for metric in metrics
            )
            style = TITLE if method == "siernet" else ""
            lines.append([("  " + fitted(name, _LABEL_WIDTH + 12), style), (cells, style)])
    tuned = next(iter(own))
    if own[tuned] >= scores.get("baseline", {}).get(tuned, float("inf")):
        title = _METRICS.get(tuned, tuned)
        lines.append(
            [(f"  by {title}, no better than the baseline: do not rely on the variables", WARNING)]
        )
    return lines


def _score(metric: str, value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if metric in _SHARES else number(value)


def variable_lines(
    facts: dict[str, Any], n_top: int, *, lasso_selected: int = 0, intervals: bool = False
) -> list[Line]:
    """How many variables were selected, and the first of them with their rates."""
    n_members = facts["network"]["n_members"]
    whose = "one network" if n_members == 1 else f"at least half of {n_members} networks"
    text = f"{facts['n_selected']:,} of {facts['n_variables']:,} selected by {whose}"
    text += f" (Lasso: {lasso_selected:,})" if lasso_selected else ""
    if not facts["variables"]:
        return [labelled("Variables", "none selected: every network predicts a constant", TITLE)]
    lines = [labelled("Variables", text)]
    shown = facts["variables"][:n_top]
    width = width_of(sys.stdout) - _BAR_WIDTH - (30 if intervals else 10)
    width = min(width, max((len(variable["name"]) for variable in shown), default=0) + 1)
    for variable in shown:
        line = [
            ("  " + fitted(printable(variable["name"]), max(10, width)), ""),
            (f" {variable['rate']:4.2f} ", ""),
        ]
        if intervals:
            line.append((f"{variable['low']:.2f} to {variable['high']:.2f}  ", FAINT))
        line.append((bar(variable["rate"], _BAR_WIDTH), GOOD))
        lines.append(line)
    rest = facts["n_ever_selected"] - len(shown)
    if rest > 0:
        lines.append([(f"  and {rest:,} more that at least one network selected", FAINT)])
    return lines


def network_lines(facts: dict[str, Any]) -> list[Line]:
    """The effective size of the networks."""
    network = facts["network"]
    if not facts["variables"]:
        return []
    text = (
        f"{number(network['inputs'])} of {facts['n_variables']:,} inputs, "
        f"{number(network['hidden_nodes'])} of {sum(network['largest']):,} nodes, "
        f"{number(network['hidden_layers'], 2)} of {len(network['largest'])} hidden layers (means)"
    )
    return [labelled("Network", text)]
