"""What ``siernet inspect`` shows."""

from __future__ import annotations

from typing import Any

from siernet.cli.errors import printable
from siernet.cli.screen import (
    fit_lines,
    labelled,
    network_lines,
    penalty_lines,
    score_lines,
    variable_lines,
)
from siernet.cli.terminal import FAINT, GOOD, TITLE, Line, bar, fitted

_MOST_SUPPORTS = 3
_NAMES_IN_SUPPORT = 6
_BAR_WIDTH = 20


def inspection_lines(facts: dict[str, Any], fit: dict[str, Any], top: int) -> list[Line]:
    """The lines, given ``model_facts`` and ``record_facts``."""
    lines = [*_about_fit(facts, fit), []]
    if fit:
        lines += [*score_lines(fit), []]
    lasso = fit.get("lasso_selected", 0)
    lines += [*variable_lines(facts, top, lasso_selected=lasso, intervals=True), []]
    if facts["variables"]:
        lines += [*_support_lines(facts), [], *network_lines(facts), *_layer_lines(facts)]
    unfinished = facts["network"]["n_members"] - facts["network"]["converged"]
    if unfinished:
        lines.append(labelled("Training", f"{unfinished} networks were still improving at the end"))
    return lines


def _about_fit(facts: dict[str, Any], fit: dict[str, Any]) -> list[Line]:
    if not fit:
        task = "regression"
        if facts["classes"]:
            task = f"classification, {len(facts['classes'])} classes"
        return [
            labelled("Model", f"{facts['estimator']}, saved from Python", TITLE),
            labelled("Task", task),
            *penalty_lines(facts["penalties"]),
        ]
    lines = fit_lines(facts, fit)
    lines.append(
        labelled(
            "Fitted", f"{fit['created']} from {fit['source']}, siernet {fit['siernet_version']}"
        )
    )
    return lines


def _support_lines(facts: dict[str, Any]) -> list[Line]:
    """The sets of variables chosen most often."""
    supports = facts["supports"]
    n_members = facts["network"]["n_members"]
    different = f"{len(supports)} different ones in {n_members} networks"
    alike = "of one network" if n_members == 1 else f"the same in all {n_members} networks"
    lines = [labelled("Sets", alike if len(supports) == 1 else different)]
    for support in supports[:_MOST_SUPPORTS]:
        names = [printable(name) for name in support["variables"]]
        text = ", ".join(names[:_NAMES_IN_SUPPORT]) or "no variable"
        if len(names) > _NAMES_IN_SUPPORT:
            text += f" and {len(names) - _NAMES_IN_SUPPORT} more"
        lines.append(labelled(f"  {support['share']:4.2f}", text))
    return lines


def _layer_lines(facts: dict[str, Any]) -> list[Line]:
    """Each layer's part in the variance of the predictions, and its nodes in use."""
    network = facts["network"]
    nodes = ["", *(f"{count:.1f} nodes" for count in network["nodes_by_layer"])]
    lines: list[Line] = [[("  variance explained by each layer, and its nodes in use", FAINT)]]
    for (layer, share), count in zip(network["variance_by_layer"].items(), nodes, strict=True):
        lines.append(
            [
                ("  " + fitted(layer, 10), ""),
                (f" {share:4.2f} ", ""),
                (bar(min(1, share), _BAR_WIDTH).ljust(_BAR_WIDTH), GOOD),
                (f"  {count}", FAINT),
            ]
        )
    return lines
