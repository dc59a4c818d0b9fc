"""The validation loss that a search found, over the two penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from siernet import inspection
from siernet.inspection import LossSurface
from siernet.inspection.surface import log_positions
from siernet.plots.canvas import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    SMALL,
    Plot,
    axes_for,
    counted,
    finish,
    given,
    legend,
)
from siernet.plots.layers import log_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INPUT = "input penalty λ₁ (larger: fewer variables)"
_NETWORK = "network penalty λ₂ (larger: smaller networks)"
_FEWEST_INTERPOLATED = 8


def loss_surface(model: Any, *, ax: Axes | None = None) -> Plot[Axes, LossSurface]:
    """Every pair of penalties tried, coloured by its loss, with the pair chosen.

    Larger dots were averaged over more networks; a search drops poor pairs early, with few.
    Rings mark pairs within one standard error of the best. Between many dots the loss is
    interpolated. If only one penalty varied, the loss is drawn against it, with standard errors.

    Parameters
    ----------
    model : fitted CV estimator or LossSurface
    ax : matplotlib Axes, optional
    """
    data = given(model, LossSurface) or inspection.loss_surface(model)
    if not np.isfinite(data.value).any():
        raise ValueError("No candidate has a finite value: training diverged for all of them.")
    n_inputs, n_networks = (
        len(np.unique(p)) for p in (data.input_penalties, data.network_penalties)
    )
    if min(n_inputs, n_networks) == 1 and max(n_inputs, n_networks) > 1:
        return _line(data, ax, over_inputs=n_inputs > 1)
    ax = axes_for(ax, 6.6, 4.6)
    _scatter(ax, data)
    log_axis(ax, "x", data.input_penalties)
    log_axis(ax, "y", data.network_penalties)
    for values, limit in (
        (data.input_penalties, ax.set_xlim),
        (data.network_penalties, ax.set_ylim),
    ):
        place = log_positions(values)
        margin = 0.08 * np.ptp(place) or 0.5
        limit(place.min() - margin, place.max() + margin)
    finish(ax, title=_title(data), x=_INPUT, y=_NETWORK, grid=None)
    legend(ax, loc="upper left", bbox_to_anchor=(0.0, -0.14), ncols=2, borderaxespad=0.2)
    return Plot(ax, data)


def _scatter(ax: Axes, data: LossSurface) -> None:
    from matplotlib.colors import Normalize

    x, y = log_positions(data.input_penalties), log_positions(data.network_penalties)
    finite = np.isfinite(data.value)
    values = data.value[finite]
    # Collapsed networks lose so much more that they would leave one colour for all the others.
    worst = np.quantile(values, 0.85 if data.lower_is_better else 0.15)
    norm = Normalize(*sorted((values[_best(values, data)], worst)))
    colours = SEQUENTIAL if data.lower_is_better else f"{SEQUENTIAL}_r"
    style: dict[str, Any] = {"cmap": colours, "norm": norm}
    _interpolate(ax, x[finite], y[finite], values, data, style)
    size = 26 + 60 * np.sqrt(data.n_members / data.n_members.max())
    dots = ax.scatter(
        x[finite], y[finite], c=values, s=size[finite], edgecolors="white", lw=0.6, **style
    )
    if not finite.all():
        ax.scatter(x[~finite], y[~finite], marker="x", s=26, color=MUTED, label="diverged")
    near = data.within_one_se & finite
    ax.scatter(
        x[near],
        y[near],
        s=size[near] + 34,
        facecolors="none",
        edgecolors=INK,
        lw=1.2,
        label="within one standard error of the best",
    )
    for count in np.unique([data.n_members.min(), data.n_members.max()]):
        dot = size[data.n_members == count][0]
        ax.scatter(
            [], [], s=dot, color=MUTED, lw=0, label=f"ensembles of {counted(int(count), 'network')}"
        )
    star: dict[str, Any] = {
        "marker": "*",
        "s": 190,
        "color": ORANGE,
        "edgecolors": "white",
        "lw": 0.8,
        "zorder": 4,
    }
    ax.scatter(x[data.chosen], y[data.chosen], label="chosen", **star)
    if data.chosen != data.best:
        ax.scatter(
            x[data.best], y[data.best], marker="D", s=26, color=ORANGE, zorder=4, label="best mean"
        )
    ends = "max" if data.lower_is_better else "min"
    bar = ax.figure.colorbar(dots, ax=ax, extend=ends, pad=0.02)
    bar.set_label(data.label, fontsize=SMALL, color=INK)
    bar.ax.tick_params(labelsize=SMALL)
    bar.outline.set_visible(False)


def _best(values: np.ndarray, data: LossSurface) -> int:
    return int(values.argmin() if data.lower_is_better else values.argmax())


def _interpolate(
    ax: Axes,
    x: np.ndarray,
    y: np.ndarray,
    values: np.ndarray,
    data: LossSurface,
    style: dict[str, Any],
) -> None:
    """Colours the plane between candidates, if these are many and not on a line."""
    from matplotlib import colormaps

    spread = np.linalg.matrix_rank(np.stack([x - x.mean(), y - y.mean()]), tol=1e-6)
    if len(values) < _FEWEST_INTERPOLATED or spread < 2:
        return
    norm = style["norm"]
    if norm.vmax == norm.vmin:
        return
    levels = np.linspace(norm.vmin, norm.vmax, 16)
    colours = colormaps[style["cmap"]](np.linspace(0, 1, len(levels) + 1))[:, :3]
    pale = [*(1 - 0.4 * (1 - colours))]  # alpha would show seams between the levels
    ax.tricontourf(x, y, values, levels=levels, colors=pale, extend="both", zorder=0)
    if values.min() < data.bound < values.max():
        ax.tricontour(x, y, values, levels=[data.bound], colors=INK, linewidths=0.9, linestyles=":")


def _line(data: LossSurface, ax: Axes | None, *, over_inputs: bool) -> Plot[Axes, LossSurface]:
    penalties = data.input_penalties if over_inputs else data.network_penalties
    ax = axes_for(ax, 6.0, 3.6)
    finite = np.isfinite(data.value)
    place = log_positions(penalties)
    order = np.argsort(place[finite])
    ax.errorbar(
        place[finite][order],
        data.value[finite][order],
        yerr=data.standard_error[finite][order],
        fmt="o-",
        color=BLUE,
        ms=4,
        lw=1.2,
        elinewidth=0.9,
        capsize=2,
        label="mean and standard error over the folds",
    )
    bound = "one standard error from the best"
    ax.axhline(data.bound, color=MUTED, lw=1, ls="--", label=bound)
    ax.plot(place[data.chosen], data.value[data.chosen], "*", color=ORANGE, ms=13, label="chosen")
    log_axis(ax, "x", penalties)
    finish(ax, title=_title(data), x=_INPUT if over_inputs else _NETWORK, y=data.label)
    legend(ax, loc="best")
    return Plot(ax, data)


def _title(data: LossSurface) -> str:
    chosen = data.chosen
    title = (
        f"{counted(len(data.value), 'pair')} of penalties tried; chosen λ₁ = "
        f"{data.input_penalties[chosen]:.2g}, λ₂ = {data.network_penalties[chosen]:.2g}"
    )
    edges = [name.replace("_penalty", " penalty") for name in data.at_edge()]
    return title + (f"\n(at the edge of what was searched: {', '.join(edges)})" if edges else "")
