"""Partial dependence on the most selected variables, a panel for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from siernet import inspection
from siernet.inspection import PartialDependence
from siernet.plots.canvas import (
    BLUE,
    MUTED,
    Plot,
    finish,
    given,
    new_figure,
    padded,
    require_matplotlib,
    short,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = 3


def partial_dependence(
    model: Any,
    X: Any = None,
    *,
    variables: Sequence[Any] | None = None,
    n_variables: int | None = None,
    output: Any = None,
    response: str = "prediction",
    feature_names: Sequence[Any] | None = None,
    ax: Any = None,
) -> Plot[np.ndarray, PartialDependence]:
    """The average prediction as one variable changes: the ensemble's, and every network's.

    Ticks beneath a curve are the deciles of the variable; where there are none, nothing was
    observed and the curve is a guess.

    Parameters
    ----------
    model : fitted estimator or PartialDependence
    X : array-like of shape (n, d)
        Rows to average over.
    variables : sequence of str or int, optional
        Names or column numbers.
    n_variables : int, default=6
        How many of the most selected variables, if none is named.
    output : class label, optional
        Whose probability; see ``siernet.inspection.partial_dependence``.
    response : str, default="prediction"
        What a regression predicts, with its unit.
    feature_names : sequence of str, optional
        By default those the model was fitted with.
    ax : Axes or array of Axes, optional
        As many as variables.

    Returns
    -------
    Plot
        Its ``axes`` are an array, one for each variable.
    """
    data = given(
        model,
        PartialDependence,
        X=X,
        variables=variables,
        n_variables=n_variables,
        output=output,
        feature_names=feature_names,
    )
    if data is None:
        if X is None:
            raise ValueError("Pass X, the rows to average the predictions over.")
        count = {} if n_variables is None else {"n_variables": n_variables}
        data = inspection.partial_dependence(
            model, X, variables=variables, output=output, feature_names=feature_names, **count
        )
    panels = _panels(ax, len(data.names))
    for place, panel in enumerate(panels):
        _draw(panel, data, place, response)
    low, high = 0.0, 1.0  # one scale, so that effects can be compared
    if not any(data.outputs):
        low = min(curves.min() for curves in data.members)
        high = max(curves.max() for curves in data.members)
    for panel in panels:
        panel.set_ylim(*padded(low, high))
    return Plot(panels, data)


def _panels(ax: Any, count: int) -> np.ndarray:
    require_matplotlib()
    from matplotlib.axes import Axes

    if ax is None:
        columns = min(count, _COLUMNS)
        rows = -(-count // columns)
        figure = new_figure(0.6 + 2.5 * columns, 0.3 + 2.3 * rows)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for unused in axes[count:]:
            unused.remove()
        return axes[:count]
    axes = np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
    if not all(isinstance(panel, Axes) for panel in axes):
        raise TypeError("ax has to be matplotlib Axes, or an array of them.")
    if len(axes) < count:
        raise ValueError(
            f"ax holds {len(axes)} Axes for {count} variables. Pass one for each, or set "
            f"n_variables={len(axes)}."
        )
    return axes[:count]


def _draw(ax: Axes, data: PartialDependence, place: int, response: str) -> None:
    grid, curves, output = data.grids[place], data.members[place], data.outputs[place]
    mark = "o" if len(grid) < 8 else None  # a variable of few values
    if len(curves) > 1:
        faint = max(0.12, min(0.45, 6 / len(curves)))
        ax.plot(grid, curves.T, color=BLUE, alpha=faint, lw=0.7)
    ax.plot(grid, curves.mean(axis=0), color=BLUE, lw=2, marker=mark, ms=4)
    deciles = np.quantile(data.observed[place], np.linspace(0.1, 0.9, 9))
    deciles = deciles[(deciles >= grid.min()) & (deciles <= grid.max())]
    ax.plot(
        deciles,
        np.zeros(len(deciles)),
        "|",
        color=MUTED,
        ms=7,
        mew=1,
        transform=ax.get_xaxis_transform(),
        clip_on=False,
    )
    finish(
        ax,
        title=short(data.names[place], 23),
        x="value of the variable",
        y=f"probability of\n{short(output, 26)}" if output else short(response, 28),
    )
