"""Loss against the number of networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from siernet import inspection
from siernet.inspection import EnsembleSizeLoss
from siernet.plots.canvas import (
    BLUE,
    ORANGE,
    Plot,
    axes_for,
    finish,
    given,
    legend,
    padded,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def ensemble_size(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    record: Any = None,
    ax: Axes | None = None,
) -> Plot[Axes, EnsembleSizeLoss]:
    """Loss on held-out rows as networks are added: whether more of them would help.

    Parameters
    ----------
    model : fitted ensemble or EnsembleSizeLoss
    X, y : array-like, optional
        Rows that were not trained on.
    record : FitRecord, optional
        Used in place of X and y.
    ax : matplotlib Axes, optional
    """
    data = given(model, EnsembleSizeLoss, X=X, y=y, record=record)
    if data is None:
        data = inspection.ensemble_size_loss(model, X, y, record=record)
    count = len(data.n_members)
    ax = axes_for(ax, 6.0, 3.6)
    ax.fill_between(
        data.n_members,
        data.low,
        data.high,
        color=BLUE,
        alpha=0.15,
        linewidth=0,
        label="8 of 10 choices of networks",
    )
    marker = "o" if count <= 40 else None
    ax.plot(data.n_members, data.mean, color=BLUE, lw=1.6, marker=marker, ms=3, label="mean")
    if data.limit is not None:
        ax.axhline(
            data.limit, color=ORANGE, lw=1.2, ls="--", label=f"ever more networks: {data.limit:.3g}"
        )
    ax.set_xlim(min(0.5, 1 - 0.02 * count), count + max(0.5, 0.02 * count))
    ax.set_ylim(*padded(*ax.dataLim.intervaly))
    whole_numbers(ax)
    finish(
        ax,
        title=_title(data),
        x="networks in the ensemble",
        y=f"{data.label}, held-out rows",
    )
    legend(ax, loc="upper right")
    return Plot(ax, data)


def _title(data: EnsembleSizeLoss) -> str:
    count, half = len(data.n_members), (len(data.n_members) - 1) // 2 + 1
    if count == 1:
        return "A single network does not say what more of them would bring"
    gain = data.gain_of_last_half
    change = f"took {gain:.1%} off the loss" if gain >= 0 else f"added {-gain:.1%} to the loss"
    return f"Are {count} networks enough? Going from {half} to {count} {change}"
