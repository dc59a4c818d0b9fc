"""Predictions beside what was observed, on rows that were not trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from siernet import inspection
from siernet.inspection import Calibration, PredictedObserved
from siernet.plots.canvas import (
    BLUE,
    MUTED,
    SMALL,
    Plot,
    axes_for,
    counted,
    finish,
    given,
    short,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MANY_ROWS = 300  # above, the networks' spread would only blur the points


def predicted_observed(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    record: Any = None,
    response: str | None = None,
    ax: Axes | None = None,
) -> Plot[Axes, PredictedObserved]:
    """Observed against predicted values of a regression.

    Horizontal lines reach one standard deviation of the networks' predictions to either side:
    how much the networks differ, which is less than the error of prediction.

    Parameters
    ----------
    model : fitted regressor or PredictedObserved
    X, y : array-like, optional
        Rows that were not trained on.
    record : FitRecord, optional
        Used in place of X and y.
    response : str, optional
        What is predicted, with its unit; by default the record's target.
    ax : matplotlib Axes, optional
    """
    data = given(model, PredictedObserved, X=X, y=y, record=record)
    if data is None:
        data = inspection.predicted_observed(model, X, y, record=record)
    response = short(response or getattr(record, "target", None) or "response", 40)
    ax = axes_for(ax, 4.8, 4.8)
    count = len(data.observed)
    values = np.concatenate([data.observed, data.predicted])
    ends = np.array([values.min(), values.max()])
    margin = 0.04 * np.ptp(ends) or 1.0
    ends += [-margin, margin]
    ax.plot(ends, ends, color=MUTED, lw=1, ls="--", zorder=1)
    if count <= _MANY_ROWS and data.spread.any():
        ax.hlines(
            data.observed,
            data.predicted - data.spread,
            data.predicted + data.spread,
            color=BLUE,
            alpha=0.3,
            lw=0.8,
        )
    ax.scatter(
        data.predicted,
        data.observed,
        s=16 if count <= _MANY_ROWS else 6,
        color=BLUE,
        alpha=max(0.08, min(0.75, 400 / count)),
        linewidths=0,
        rasterized=count > 5000,
        zorder=2,
    )
    ax.set_xlim(*ends)
    ax.set_ylim(*ends)
    ax.set_aspect("equal")
    explained = "" if np.isnan(data.r2) else f"R² = {data.r2:.2f}, "
    finish(
        ax,
        title=f"Observed against predicted, {counted(count, 'row')}\n"
        f"{explained}root mean squared error {data.rmse:.3g}",
        x=f"predicted {response}",
        y=f"observed {response}",
        grid="both",
    )
    return Plot(ax, data)


def calibration(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    record: Any = None,
    n_bins: int | None = None,
    ax: Axes | None = None,
) -> Plot[Axes, Calibration]:
    """How often predicted probabilities came true, with Wilson's 95% intervals.

    With two classes, the second's probability; with more, that of the most probable class.

    Parameters
    ----------
    model : fitted classifier or Calibration
    X, y : array-like, optional
        Rows that were not trained on.
    record : FitRecord, optional
        Used in place of X and y.
    n_bins : int, default=10
        Bins of equal width.
    ax : matplotlib Axes, optional
    """
    data = given(model, Calibration, X=X, y=y, record=record, n_bins=n_bins)
    if data is None:
        bins = {} if n_bins is None else {"n_bins": n_bins}
        data = inspection.calibration(model, X, y, record=record, **bins)
    ax = axes_for(ax, 5.0, 4.8)
    ax.plot([0, 1], [0, 1], color=MUTED, lw=1, ls="--", zorder=1)
    spread = np.stack([data.observed - data.low, data.high - data.observed]).clip(min=0)
    ax.errorbar(
        data.predicted,
        data.observed,
        yerr=spread,
        fmt="o",
        color=BLUE,
        ms=5,
        elinewidth=1,
        capsize=2,
    )
    ax.plot(data.predicted, data.observed, color=BLUE, lw=1, alpha=0.35)
    for x, rows in zip(data.predicted, data.counts, strict=True):
        ax.annotate(
            f"{rows:,}",
            (x, 0),
            xytext=(x, -0.045),
            ha="center",
            va="center",
            fontsize=SMALL - 1,
            color=MUTED,
        )
    ax.text(0.0, -0.1, "rows in the bin (numbers above)", fontsize=SMALL - 1, color=MUTED)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.13, 1.02)
    ax.set_aspect("equal")
    event = f"of {data.event}" if data.event == "the predicted class" else f"of “{data.event}”"
    finish(
        ax,
        title=f"Do the probabilities come true? {counted(int(data.counts.sum()), 'row')},\n"
        f"{data.accuracy:.0%} classified correctly",
        x=short(f"predicted probability {event}", 60),
        y="share of rows where it came true",
        grid="both",
    )
    return Plot(ax, data)
