"""Which variables stand in for each other, as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from siernet import inspection
from siernet.inspection import CoSelection
from siernet.plots.canvas import (
    DIVERGING,
    FAINT,
    INK,
    LITERAL,
    NORMAL,
    SMALL,
    Plot,
    axes_for,
    finish,
    given,
    short_names,
    write_note,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def co_selection(
    model: Any,
    X: Any = None,
    *,
    max_variables: int | None = None,
    feature_names: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Plot[Axes, CoSelection]:
    """Variables that some networks selected and some did not, and which of them stand in for which.

    Below the diagonal, how their selections go together: blue where networks choose one or the
    other. Above it, with rows, the correlation of their values. Frames mark the pairs found to
    stand in for each other.

    Parameters
    ----------
    model : fitted ensemble or CoSelection
    X : array-like of shape (n, d), optional
        Rows, such as those trained on.
    max_variables : int, default=25
    feature_names : sequence of str, optional
        By default those the model was fitted with.
    ax : matplotlib Axes, optional
    """
    data = given(model, CoSelection, X=X, max_variables=max_variables, feature_names=feature_names)
    if data is None:
        size = {} if max_variables is None else {"max_variables": max_variables}
        data = inspection.co_selection(model, X, feature_names=feature_names, **size)
    count = len(data.names)
    if count < 2:
        ax = axes_for(ax, 6.0, 1.6)
        agreed = "The networks agree on every variable" + (" but one" if count else "")
        write_note(ax, f"{agreed}: none can stand in for another.")
        return Plot(ax, data)
    side = max(4.6, 2.6 + 0.22 * count)
    ax = axes_for(ax, side + 2.2, side)
    image = ax.imshow(_halves(data), cmap=DIVERGING, vmin=-1, vmax=1, interpolation="nearest")
    ax.set_facecolor(FAINT)
    names = short_names(data.names, 20)
    ax.set_xticks(np.arange(count), names, rotation=90, **LITERAL)
    labels = [f"{name}  {rate:.0%}" for name, rate in zip(names, data.rates, strict=True)]
    ax.set_yticks(np.arange(count), labels, **LITERAL)
    _frame_pairs(ax, data)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.7, pad=0.02)
    bar.set_label("correlation", fontsize=SMALL, color=INK)
    bar.ax.tick_params(labelsize=SMALL)
    bar.outline.set_visible(False)
    below = "below the diagonal: of their selection\n(blue: one instead of the other)"
    above = "" if data.correlation is None else "; above it: of their values"
    finish(ax, title=_title(data), x=below + above, y="variable and its selection rate", grid=None)
    ax.xaxis.label.set_fontsize(NORMAL - 1)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return Plot(ax, data)


def _halves(data: CoSelection) -> np.ma.MaskedArray:
    matrix = np.tril(data.association, -1)
    hidden = np.eye(len(matrix), dtype=bool)
    if data.correlation is None:
        hidden |= np.triu(np.ones_like(hidden))
    else:
        matrix = matrix + np.triu(data.correlation, 1)
    return np.ma.masked_array(matrix, hidden)


def _frame_pairs(ax: Axes, data: CoSelection) -> None:
    from matplotlib.patches import Rectangle

    places = {str(name): place for place, name in enumerate(data.names)}
    for pair in data.pairs:
        if pair.first in places and pair.second in places:
            column, row = sorted((places[pair.first], places[pair.second]))
            box = Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, ec=INK, lw=1.1)
            ax.add_patch(box)


def _title(data: CoSelection) -> str:
    if not data.pairs:
        return "No two variables clearly stand in for each other"
    if len(data.pairs) == 1:
        return "One pair of variables (framed)\nstand in for each other"
    return f"{len(data.pairs):,} pairs of variables (framed)\nstand in for each other"
