"""Partial dependence of the predictions on single variables, by network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.inspection.checks import (
    fitted_model,
    is_classifier,
    positive_count,
    scaled_rows,
    variable_names,
)
from siernet.inspection.effects import compact, variable_effects


@dataclass(frozen=True)
class PartialDependence:
    """Average predictions as one variable is set to each value of a grid, for several variables.

    Parameters
    ----------
    names : tuple of str
    columns : tuple of int
    grids : tuple of (points,) arrays
        Values of each variable.
    members : tuple of (B, points) arrays
        Each network's average prediction; for classes, of the probability of ``outputs``.
    outputs : tuple of str
        What is predicted: empty text in regression, else the class.
    observed : tuple of arrays
        The variable's values in the rows used.
    """

    names: tuple[str, ...]
    columns: tuple[int, ...]
    grids: tuple[np.ndarray, ...]
    members: tuple[np.ndarray, ...]
    outputs: tuple[str, ...]
    observed: tuple[np.ndarray, ...]


def partial_dependence(
    model: Any,
    X: Any,
    *,
    variables: Sequence[Any] | None = None,
    n_variables: int = 6,
    output: Any = None,
    n_points: int = 25,
    max_rows: int = 200,
    feature_names: Sequence[Any] | None = None,
) -> PartialDependence:
    """Partial dependence on the most selected variables, or on those named.

    Parameters
    ----------
    model : fitted estimator
    X : array-like of shape (n, d)
        Rows to average over.
    variables : sequence of str or int, optional
        Names or column numbers.
    n_variables : int, default=6
        How many of the most selected variables, if none is named.
    output : class label, optional
        Whose probability; by default the second of two classes, or, of more, for each variable
        the class whose probability it moves most.
    n_points, max_rows : int
        Values in a grid, from the 2nd to the 98th percentile, and rows averaged over.
    """
    model = fitted_model(model)
    names = variable_names(model, feature_names)
    for value, label in (
        (n_variables, "n_variables"),
        (n_points, "n_points"),
        (max_rows, "max_rows"),
    ):
        positive_count(value, label)
    scaled = scaled_rows(model, X)
    spread = np.linspace(0, len(scaled) - 1, min(len(scaled), max_rows)).astype(int)
    scaled = scaled[spread]
    if variables is None:
        columns = _most_selected(model, n_variables)
    else:
        columns = [_column(variable, names) for variable in variables]
    wanted = _wanted_output(model, output)
    parts = []
    for column in columns:
        grid = _grid(scaled[:, column], n_points)
        curves = np.stack([_curve(model, m, scaled, column, grid) for m in model.members_])
        chosen = np.ptp(curves.mean(axis=0), axis=0).argmax() if wanted is None else wanted
        scale, mean = model.x_scale_[column], model.x_mean_[column]
        parts.append(
            (
                grid * scale + mean,
                curves[..., chosen],
                str(model.classes_[chosen]) if is_classifier(model) else "",
                scaled[:, column] * scale + mean,
            )
        )
    grids, members, outputs, observed = (tuple(part) for part in zip(*parts, strict=True))
    return PartialDependence(
        tuple(names[columns]), tuple(columns), grids, members, outputs, observed
    )


def _most_selected(model: Any, count: int) -> list[int]:
    """The variables of highest rate; of equals, those that weigh most. If none, the first."""
    share = variable_effects(model).share
    order = np.lexsort((-share, -model.selection_rates_))[:count]
    return order[model.selection_rates_[order] > 0].tolist() or order[:1].tolist()


def _column(variable: Any, names: np.ndarray) -> int:
    matches = np.flatnonzero(names == variable)
    if len(matches):
        return int(matches[0])
    if isinstance(variable, (int, np.integer)) and 0 <= variable < len(names):
        return int(variable)
    raise ValueError(
        f"The model has no variable {variable!r}. Pass names, or column numbers below {len(names)}."
    )


def _wanted_output(model: Any, output: Any) -> int | None:
    """The place of the output; None to choose by variable."""
    if not is_classifier(model):
        if output is not None:
            raise ValueError(f"output={output!r} is for classifiers; the model is a regression.")
        return 0
    classes = model.classes_.tolist()
    if output is None:
        return 1 if len(classes) == 2 else None
    if output not in classes:
        raise ValueError(f"output={output!r} is not one of the classes {classes[:10]}.")
    return classes.index(output)


def _grid(values: np.ndarray, n_points: int) -> np.ndarray:
    distinct = np.unique(values)
    if len(distinct) <= n_points:
        return distinct
    return np.linspace(np.quantile(values, 0.02), np.quantile(values, 0.98), n_points)


def _curve(
    model: Any, member: Any, scaled: np.ndarray, column: int, grid: np.ndarray
) -> np.ndarray:
    """A network's average predictions, shape (points, outputs)."""
    kept = member.nodes[0]
    network, rows, place = compact(member), scaled[:, kept], kept == column
    curve = []
    for value in grid if place.any() else grid[:1]:  # one value at a time: rows may be wide
        rows[:, place] = value
        predictions = model._as_predictions(network.outputs(rows), vars(model))
        curve.append(predictions.reshape(len(rows), -1).mean(axis=0))
    return np.broadcast_to(np.stack(curve), (len(grid), len(curve[0])))
