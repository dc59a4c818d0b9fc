"""Figures of how well the model fits: the search, the ensemble's size, held-out predictions."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import LinearNDInterpolator
from scipy.spatial import QhullError

from siernet.inspection import (
    Calibration,
    LossSurface,
    calibration,
    ensemble_size_loss,
    predicted_observed,
)
from siernet.inspection.surface import log_positions
from siernet.report.figure import Figure, axis, hover, named_axis
from siernet.report.subject import Subject
from siernet.report.text import count, label, number, percent, plain, r_squared, rounded

_GRID = 90
_MOST_POINTS = 2000
_MOST_CLASSES = 40


def surface_figure(surface: LossSurface) -> Figure:
    """The search over the two penalties."""
    x, y = log_positions(surface.input_penalties), log_positions(surface.network_penalties)
    value = surface.value
    worst = np.nanquantile(value, 0.8 if surface.lower_is_better else 0.2)
    span = sorted([float(value[surface.best]), float(worst)])
    scale: dict[str, object] = {
        "zmin": span[0],
        "zmax": span[1],
        "colorscale": "sequential" if surface.lower_is_better else "sequential-reversed",
    }
    order = ", the lower the better" if surface.lower_is_better else ", the higher the better"
    texts = [
        f"λ1 {number(a)}, λ2 {number(b)}<br>{surface.label} {number(v)} ± {number(e, 2)}<br>"
        f"{count(int(m), 'network')} a fold, {number(s, 2)} variables selected"
        for a, b, v, e, m, s in zip(
            surface.input_penalties,
            surface.network_penalties,
            value,
            surface.standard_error,
            surface.n_members,
            surface.n_selected,
            strict=True,
        )
    ]
    points = {
        "type": "scatter",
        "mode": "markers",
        "name": "candidates",
        "x": rounded(x),
        "y": rounded(y),
        "marker": {
            "size": rounded(9 + 9 * np.sqrt(surface.n_members / surface.n_members.max())),
            "color": rounded(value),
            "cmin": span[0],
            "cmax": span[1],
            "colorscale": scale["colorscale"],
            "showscale": True,
            "colorbar": {"thickness": 12, "outlinewidth": 0},
            "line": {"width": 1, "color": "muted"},
        },
        **hover(texts),
    }
    near = np.flatnonzero(surface.within_one_se)
    rings = {
        "type": "scatter", "mode": "markers", "name": "within one standard error of the best",
        "x": rounded(x[near]), "y": rounded(y[near]), "hoverinfo": "skip",
        "marker": {"symbol": "circle-open", "size": 25, "color": "ink", "line": {"width": 1.5}},
    }  # fmt: skip
    chosen = {
        "type": "scatter", "mode": "markers", "name": "chosen", "hoverinfo": "skip",
        "x": rounded(x[[surface.chosen]]), "y": rounded(y[[surface.chosen]]),
        "marker": {"symbol": "x-thin", "size": 11, "color": "ink",
                   "line": {"width": 2.5, "color": "ink"}},
    }  # fmt: skip
    ticks = [
        {
            "tickmode": "array",
            "tickvals": rounded(at),
            "ticktext": [number(p, 2) for p in penalties],
        }
        for at, penalties in (
            _spread_ticks(x, surface.input_penalties),
            _spread_ticks(y, surface.network_penalties),
        )
    ]
    best = surface.chosen
    return Figure(
        key="surface",
        title="The search for the two penalties",
        caption=(
            f"Each dot is a pair of penalties that cross-validation tried; colour: {surface.label}"
            f"{order}; larger dots were measured with more networks. The cross marks the choice, "
            f"λ1 = {number(surface.input_penalties[best])} and λ2 = "
            f"{number(surface.network_penalties[best])}; rings are within one standard error of "
            "the best. The background interpolates between the dots."
        ),
        alt=(
            f"Scatter of {count(len(value), 'pair')} of penalties coloured by {surface.label}, "
            f"chosen {number(value[best])}, {count(len(near), 'pair')} within one standard error."
        ),
        traces=[*_background(x, y, value, scale), points, rings, chosen],
        layout={
            "xaxis": axis("λ1, input penalty", showgrid=False, **ticks[0]),
            "yaxis": axis("λ2, network penalty", showgrid=False, **ticks[1]),
            "showlegend": False,
        },
        columns=("λ1", "λ2", surface.label, "Standard error", "Networks", "Variables selected"),
        cells=tuple(
            (
                number(surface.input_penalties[i]), number(surface.network_penalties[i]),
                number(value[i]), number(surface.standard_error[i], 2),
                f"{surface.n_members[i]}", number(surface.n_selected[i], 2),
            )
            for i in np.argsort(value if surface.lower_is_better else -value, kind="stable")
        ),
        height=480,
    )  # fmt: skip


def _spread_ticks(positions: np.ndarray, penalties: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most seven ticks, at values that were tried."""
    at, first = np.unique(positions, return_index=True)
    kept = np.unique(np.linspace(0, len(at) - 1, min(len(at), 7)).round().astype(int))
    return at[kept], penalties[first[kept]]


def _background(
    x: np.ndarray, y: np.ndarray, value: np.ndarray, scale: dict[str, object]
) -> list[dict[str, object]]:
    """A heat map between the candidates; none if they lie on a line."""
    known = np.isfinite(value)
    try:
        surface = LinearNDInterpolator(np.stack([x, y], axis=1)[known], value[known])
    except (QhullError, ValueError):
        return []
    across, up = np.linspace(x.min(), x.max(), _GRID), np.linspace(y.min(), y.max(), _GRID)
    heat = {
        "type": "heatmap", "x": rounded(across, 5), "y": rounded(up, 5),
        "z": rounded(surface(*np.meshgrid(across, up)), 4), "zsmooth": "best",
        "opacity": 0.45, "showscale": False, "hoverinfo": "skip", **scale,
    }  # fmt: skip
    return [heat]


def size_figure(subject: Subject) -> Figure | None:
    """Loss on held-out rows against the number of networks; None for a single network."""
    if subject.n_members < 2 or not subject.held_out:
        return None
    size = ensemble_size_loss(subject.model, **subject.held_out)
    x = size.n_members.tolist()
    band = {
        "type": "scatter", "mode": "lines", "x": x + x[::-1],
        "y": rounded(np.concatenate([size.high, size.low[::-1]])), "fill": "toself",
        "fillcolor": "accent-wash", "line": {"width": 0, "color": "accent-wash"},
        "hoverinfo": "skip",
    }  # fmt: skip
    texts = [f"{count(m, 'network')}<br>{number(v)}" for m, v in zip(x, size.mean, strict=True)]
    line = {
        "type": "scatter", "mode": "lines+markers", "x": x, "y": rounded(size.mean),
        "line": {"color": "accent", "width": 2}, "marker": {"color": "accent", "size": 6},
        **hover(texts),
    }  # fmt: skip
    shapes, limit = [], ""
    if size.limit is not None:
        limit = f" Dotted: what ever more networks would approach, {number(size.limit)}."
        shapes = [
            {
                "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": size.limit,
                "y1": size.limit, "line": {"color": "muted", "width": 1.5, "dash": "dot"},
            }
        ]  # fmt: skip
    gain = size.gain_of_last_half
    verdict = (
        f"The second half of the networks took {percent(gain)} off the loss"
        + (": more may still help." if gain > 0.02 else ": the plateau is reached.")
        if gain > 0
        else "The second half of the networks took nothing off the loss: there are enough."
    )
    return Figure(
        key="size",
        title="Are there enough networks?",
        caption=(
            f"Held-out {size.label} of averages of networks, over random orders (line: mean, band: "
            f"middle 80%).{limit} {verdict}"
        ),
        alt=(
            f"Line of the held-out {size.label}, from {number(size.mean[0])} for one network to "
            f"{number(size.mean[-1])} for all {x[-1]}. {verdict}"
        ),
        traces=[band, line],
        layout={
            "xaxis": axis("networks averaged"),
            "yaxis": axis(f"held-out {size.label}"),
            "shapes": shapes,
        },
        columns=("Networks", "Mean loss", "10th percentile", "90th percentile"),
        cells=tuple(
            (f"{m}", number(a), number(b), number(c))
            for m, a, b, c in zip(x, size.mean, size.low, size.high, strict=True)
        ),
        height=360,
    )


def observed_figures(subject: Subject) -> list[Figure]:
    """Predicted against observed, or calibration and confusion; none without held-out rows."""
    if not subject.held_out:
        return []
    if subject.classes is None:
        return [_predicted_figure(subject)]
    result = calibration(subject.model, **subject.held_out)
    return [_calibration_figure(result), _confusion_figure(result, subject.classes)]


def _predicted_figure(subject: Subject) -> Figure:
    result = predicted_observed(subject.model, **subject.held_out)
    n_rows = len(result.observed)
    shown = np.unique(np.linspace(0, n_rows - 1, min(n_rows, _MOST_POINTS)).astype(int))
    observed, predicted, spread = (
        part[shown] for part in (result.observed, result.predicted, result.spread)
    )
    ends = [
        float(min(observed.min(), predicted.min())), float(max(observed.max(), predicted.max()))
    ]  # fmt: skip
    texts = [
        f"observed {number(o, 4)}<br>predicted {number(p, 4)} ± {number(s, 2)}"
        for o, p, s in zip(observed, predicted, spread, strict=True)
    ]
    points = {
        "type": "scatter", "mode": "markers", "x": rounded(predicted), "y": rounded(observed),
        "marker": {"color": "accent", "size": 7, "opacity": 0.65},
        "error_x": {"type": "data", "array": rounded(spread, 4), "color": "faint", "thickness": 1,
                    "width": 0},
        **hover(texts),
    }  # fmt: skip
    diagonal = {
        "type": "scatter", "mode": "lines", "x": ends, "y": ends, "hoverinfo": "skip",
        "line": {"color": "muted", "width": 1, "dash": "dot"},
    }  # fmt: skip
    part = "" if len(shown) == n_rows else f" {len(shown):,} of the {n_rows:,} rows are drawn."
    return Figure(
        key="predicted",
        title="Predicted and observed",
        caption=(
            f"Held-out rows; on the dotted line a prediction is exact. R² {r_squared(result.r2)}, "
            f"typical error {number(result.rmse)} (root mean square). Horizontal bars: one "
            "standard deviation between the networks, which is not the error of the "
            f"prediction.{part}"
        ),
        alt=(
            f"Scatter of observed against predicted values of {count(n_rows, 'held-out row')}: R² "
            f"{r_squared(result.r2)}, root mean squared error {number(result.rmse)}."
        ),
        traces=[diagonal, points],
        layout={"xaxis": axis("predicted"), "yaxis": axis("observed")},
        columns=("Observed", "Predicted", "Spread"),
        cells=tuple(
            (number(o, 4), number(p, 4), number(s, 2))
            for o, p, s in zip(observed[:200], predicted[:200], spread[:200], strict=True)
        ),
        height=460,
    )


def _calibration_figure(result: Calibration) -> Figure:
    diagonal = {
        "type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, 1], "hoverinfo": "skip",
        "line": {"color": "muted", "width": 1, "dash": "dot"},
    }  # fmt: skip
    texts = [
        f"predicted {percent(p)}<br>came true {percent(o)} ({percent(a)} to {percent(b)})<br>"
        f"{count(int(n), 'row')}"
        for p, o, a, b, n in zip(
            result.predicted, result.observed, result.low, result.high, result.counts, strict=True
        )
    ]
    points = {
        "type": "scatter", "mode": "lines+markers", "x": rounded(result.predicted),
        "y": rounded(result.observed), "line": {"color": "accent", "width": 1.5},
        "marker": {"color": "accent",
                   "size": rounded(7 + 15 * np.sqrt(result.counts / result.counts.max()))},
        "error_y": {"type": "data", "symmetric": False, "color": "muted", "thickness": 1,
                    "width": 3, "array": rounded(result.high - result.observed),
                    "arrayminus": rounded(result.observed - result.low)},
        **hover(texts),
    }  # fmt: skip
    return Figure(
        key="calibration",
        title="Do the probabilities come true?",
        caption=(
            f"Held-out rows in bins of the predicted probability of {plain(result.event)}, "
            "against how often it came true (whiskers: 95% intervals; larger dots hold more rows). "
            "On the dotted line probabilities are exact."
        ),
        alt=(
            f"Calibration in {count(len(result.counts), 'bin')}: "
            + "; ".join(
                f"predicted {percent(p)}, came true {percent(o)}"
                for p, o in zip(result.predicted, result.observed, strict=True)
            )
        ),
        traces=[diagonal, points],
        layout={
            "xaxis": axis("predicted probability", range=[-0.02, 1.02], tickformat=".0%"),
            "yaxis": axis("came true", range=[-0.02, 1.05], tickformat=".0%"),
        },
        columns=("Predicted", "Came true", "95% interval", "Rows"),
        cells=tuple(
            (percent(p), percent(o), f"{percent(a)} to {percent(b)}", f"{n:,}")
            for p, o, a, b, n in zip(
                result.predicted, result.observed, result.low, result.high, result.counts,
                strict=True,
            )
        ),
        height=420,
    )  # fmt: skip


def _confusion_figure(result: Calibration, classes: list[str]) -> Figure:
    n_classes = len(classes)
    labels = [label(name, 16) for name in classes]
    totals = result.confusion.sum(axis=1)
    share = result.confusion / np.maximum(totals, 1)[:, None]
    heat = {
        "type": "heatmap", "x": list(range(n_classes)), "y": list(range(n_classes)),
        "z": rounded(share, 3), "zmin": 0, "zmax": 1, "colorscale": "share",
        "xgap": 2, "ygap": 2, "showscale": False,
        "text": [[f"{n:,}" for n in row] for row in result.confusion.tolist()],
        "texttemplate": "%{text}" if n_classes <= 12 else "",
        "customdata": [
            [f"observed {label(a, 40)}<br>predicted {label(b, 40)}<br>{count(int(n), 'row')}"
             for b, n in zip(classes, row, strict=True)]
            for a, row in zip(classes, result.confusion.tolist(), strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }  # fmt: skip
    right = int(np.trace(result.confusion))
    return Figure(
        key="confusion",
        title="Which classes are mistaken for which",
        caption=(
            f"Held-out rows by observed class (down) and most probable class (across); {right:,} "
            f"of {totals.sum():,} are on the diagonal. "
            "The colour is the share of the observed class."
        ),
        alt=(f"Confusion matrix of {n_classes} classes: {right:,} of {totals.sum():,} rows right."),
        traces=[heat],
        layout={
            "xaxis": named_axis("predicted", labels, showgrid=False, side="bottom"),
            "yaxis": named_axis("observed", labels, showgrid=False, autorange="reversed"),
        },
        columns=("Observed", "Rows", "Right", "Most often taken for"),
        cells=tuple(_confusion_row(place, classes, result.confusion) for place in range(n_classes)),
        height=max(360, 200 + 24 * min(n_classes, _MOST_CLASSES)),
    )


def _confusion_row(place: int, classes: list[str], confusion: np.ndarray) -> tuple[str, ...]:
    row = confusion[place].copy()
    right, row[place] = row[place], 0
    mistaken = (
        f"{plain(classes[int(row.argmax())])} ({row.max():,})" if row.max() else "\N{EN DASH}"
    )
    return (plain(classes[place]), f"{right + row.sum():,}", f"{right:,}", mistaken)
