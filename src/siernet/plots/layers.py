"""Which layers the prediction comes from: of one model, and along the network penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from siernet import inspection
from siernet.inspection import ContributionPath, LayerContributions
from siernet.inspection.surface import log_positions
from siernet.plots.canvas import (
    BLUE,
    LITERAL,
    Plot,
    axes_for,
    counted,
    depth_colours,
    finish,
    given,
    legend,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARE = "variance of the layer's part\n÷ variance of the prediction"
_MARKERS = "osD^vP*X"


def layer_contributions(model: Any, *, ax: Axes | None = None) -> Plot[Axes, LayerContributions]:
    """The proportion of variance that each layer contributes: the mean, and every network.

    The inputs' part is linear. Parts of several layers are correlated, so that the proportions
    need not add up to one.

    Parameters
    ----------
    model : fitted estimator or LayerContributions
    ax : matplotlib Axes, optional
    """
    data = given(model, LayerContributions) or inspection.layer_contributions(model)
    table = data.contributions
    ax = axes_for(ax, 6.0, 3.6)
    place = np.arange(len(data.layers))
    ax.bar(place, data.mean, width=0.62, color=BLUE, alpha=0.35, linewidth=0)
    if len(table) > 1:
        for layer, values in enumerate(table.T):
            ax.plot(layer + _spread_out(len(values)), values, "o", color=BLUE, ms=3, mew=0)
    ax.set_xticks(place, data.layers, **LITERAL)
    ax.set_ylim(0, max(1.0, table.max()) * 1.05)
    finish(ax, title=_title(data), x="layer", y=_SHARE)
    ax.tick_params(axis="x", length=0)
    return Plot(ax, data)


def contribution_path(models: Any, *, ax: Axes | None = None) -> Plot[Axes, ContributionPath]:
    """The proportion of variance by layer against lambda_2 (Figure 2 of the paper).

    Parameters
    ----------
    models : sequence of fitted estimators, mapping or ContributionPath
        Models of several network penalties; a mapping leads from lambda_2 to contributions.
    ax : matplotlib Axes, optional
    """
    data = given(models, ContributionPath) or inspection.contribution_path(models)
    ax = axes_for(ax, 6.4, 3.8)
    place = log_positions(data.network_penalties)
    for layer, colour in enumerate(depth_colours(len(data.layers))):
        ax.fill_between(
            place, data.low[:, layer], data.high[:, layer], color=colour, alpha=0.10, linewidth=0
        )
        marker = _MARKERS[layer % len(_MARKERS)]
        ax.plot(
            place,
            data.mean[:, layer],
            color=colour,
            marker=marker,
            markersize=4.5,
            linewidth=1.6,
            linestyle="--" if layer == 0 else "-",
            label=data.layers[layer] + (" (linear)" if layer == 0 else ""),
        )
    log_axis(ax, "x", data.network_penalties)
    ax.set_ylim(0, None if data.high.any() else 1)
    finish(
        ax,
        title="How the network penalty decides which layers predict",
        x="network penalty λ₂ (larger: smaller networks)",
        y=_SHARE,
    )
    legend(ax, loc="upper left", bbox_to_anchor=(1.0, 1.0), title=None)
    return Plot(ax, data)


def log_axis(ax: Axes, which: str, penalties: np.ndarray) -> None:
    """Ticks of an axis of ``log_positions``: powers of ten, and zero where a penalty is zero."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    places = log_positions(penalties)
    zero = places.min() if (penalties == 0).any() else None

    def text(place: float, _: Any = None) -> str:
        if zero is not None and place <= zero + 1e-9:
            return "0" if abs(place - zero) < 1e-9 else ""
        return f"{10**place:.1g}" if np.ptp(places) > 0.8 else f"{10**place:.2g}"

    axis = ax.xaxis if which == "x" else ax.yaxis
    if np.ptp(places) == 0:
        axis.set_ticks([float(places[0])])
    else:
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(text))


def _spread_out(count: int) -> np.ndarray:
    """Places side by side, the same at every call."""
    return np.linspace(-0.2, 0.2, count) if count > 1 else np.zeros(1)


def _title(data: LayerContributions) -> str:
    if not data.contributions.any():
        return "No layer contributes anything: every network predicts a constant"
    place = int(data.mean.argmax())
    top = f"hidden layer {place}" if place else "the inputs, linearly"
    if len(data.contributions) == 1:
        return f"Which layers the prediction comes from: most from {top}"
    return (
        f"Which layers the prediction comes from: most from {top}\n"
        f"(bars: mean, dots: {counted(len(data.contributions), 'network')})"
    )
