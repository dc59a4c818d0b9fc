"""Figures of which variables were selected, and which stand in for each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from siernet.inspection import CoSelection, co_selection
from siernet.report.figure import Figure, axis, hover, named_axis
from siernet.report.subject import Subject
from siernet.report.text import count, label, number, percent, plain, rounded

_MOST_BARS = 25
_MOST_PAIRS = 12


def rate_bars(subject: Subject) -> Figure:
    """The highest selection rates, with intervals."""
    rates = subject.rates
    shown = min(_MOST_BARS, rates.n_ever_selected)
    top = subject.ranking[:shown]
    full = rates.names[top]
    names = [label(name) for name in full]
    values, low, high = rates.rates[top], rates.low[top], rates.high[top]
    places = list(range(shown))
    strong = values >= 0.5
    texts = [
        f"{label(name, 60)}<br>{percent(rate)} ({percent(a)} to {percent(b)})"
        for name, rate, a, b in zip(full, values, low, high, strict=True)
    ]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": rounded(values),
        "y": places,
        "marker": {
            "color": ["accent-soft" if s else "node" for s in strong],
            "line": {"color": "accent-soft", "width": 1},
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": rounded(high - values),
            "arrayminus": rounded(values - low),
            "color": "ink",
            "thickness": 1.2,
            "width": 3,
        },
        **hover(texts),
        "textposition": "none",
    }
    first = ", ".join(
        f"{plain(name)} {percent(rate)}" for name, rate in zip(full[:5], values, strict=False)
    )
    return Figure(
        key="rates",
        title="The most often selected variables",
        caption=(
            f"Share of the {count(rates.n_members, 'network')} that selected each variable, the "
            f"{shown} highest of {rates.n_ever_selected:,} that any selected. Whiskers: Wilson's "
            "95% interval for the luck of the starting weights. Darker bars: at least half."
        ),
        alt=f"Horizontal bars of the {shown} highest selection rates. The first: {first}.",
        traces=[bars],
        layout={
            "xaxis": axis("share of networks", range=[0, 1.02], tickformat=".0%"),
            "yaxis": named_axis("", names, autorange="reversed", showgrid=False),
            "shapes": [_half_line("x")],
            "bargap": 0.35,
        },
        columns=("Variable", "Rate", "95% interval"),
        cells=tuple(
            (plain(name), percent(rate), f"{percent(a)} to {percent(b)}")
            for name, rate, a, b in zip(full, values, low, high, strict=True)
        ),
        height=130 + 22 * shown,
    )


def rate_curve(subject: Subject) -> Figure:
    """All selection rates in descending order; a step for each number of networks."""
    rates = subject.rates
    counts = np.rint(rates.rates * rates.n_members).astype(int)
    levels, sizes = np.unique(counts, return_counts=True)
    levels, reached = levels[::-1], sizes[::-1].cumsum()
    starts = np.concatenate([[0], reached[:-1]]) + 1
    x = np.stack([starts, reached], axis=1).ravel()
    y = np.repeat(levels / rates.n_members, 2)
    texts = [
        f"{count(int(size), 'variable')} selected by<br>{level} of {rates.n_members} networks"
        for level, size in zip(levels, sizes[::-1], strict=True)
    ]
    wide = rates.n_ever_selected > 0 and len(counts) > 20 * rates.n_ever_selected
    curve = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x.tolist(),
        "y": rounded(y),
        "line": {"color": "accent", "width": 2},
        "marker": {"color": "accent", "size": 5},
        "fill": "tozeroy",
        "fillcolor": "accent-wash",
        **hover(np.repeat(texts, 2).tolist()),
    }
    never = len(counts) - rates.n_ever_selected
    halves = int((rates.rates >= 0.5).sum())
    return Figure(
        key="curve",
        title="All variables, by how often they were selected",
        caption=(
            f"{halves:,} of {count(len(counts), 'variable')} were selected by at least half of the "
            f"networks, {never:,} by none. A cliff means that the networks agree on what matters; "
            "a slope, that many variables serve about as well."
            + (" The horizontal axis is logarithmic." if wide else "")
        ),
        alt=(
            f"Selection rates in descending order: {halves:,} variables at one half or more, "
            f"{rates.n_ever_selected - halves:,} below, {never:,} at zero."
        ),
        traces=[curve],
        layout={
            "xaxis": {**axis("rank of the variable"), **({"type": "log"} if wide else {})},
            "yaxis": axis("share of networks", range=[0, 1.03], tickformat=".0%"),
            "shapes": [_half_line("y")],
        },
        columns=("Selected by", "Variables"),
        cells=tuple(
            (f"{level} of {rates.n_members}", f"{size:,}")
            for level, size in zip(levels, sizes[::-1], strict=True)
        ),
        height=360,
    )


def _half_line(along: str) -> dict[str, object]:
    across = "y" if along == "x" else "x"
    return {
        "type": "line",
        f"{along}0": 0.5,
        f"{along}1": 0.5,
        f"{across}0": 0,
        f"{across}1": 1,
        f"{across}ref": "paper",
        "line": {"color": "muted", "width": 1, "dash": "dot"},
    }


def contested(subject: Subject) -> int:
    """Variables that some networks selected and others did not."""
    rates = subject.model.selection_rates_
    return int(((rates > 0) & (rates < 1)).sum())


def co_selection_of(subject: Subject) -> CoSelection | None:
    """Co-selection, with the correlations if there are rows for them; None if none is contested."""
    if contested(subject) < 2:
        return None
    rows = subject.rows if subject.rows is not None and len(subject.rows) >= 3 else None
    return co_selection(subject.model, rows, feature_names=subject.names.tolist())


def co_selection_figure(subject: Subject, together: CoSelection) -> Figure:
    """Association of selections, and correlation of values where rows are known."""
    names = [label(name, 18) for name in together.names]
    panels = [("Selected together (+) or instead (\N{MINUS SIGN})", together.association)]
    if together.correlation is not None:
        panels.append(("Correlation of the values", together.correlation))
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    for place, (_, matrix) in enumerate(panels):
        suffix = "" if place == 0 else str(place + 1)
        traces.append(
            _heat_map(names, together.names, matrix, suffix, last=place == len(panels) - 1)
        )
        width = 0.45 if len(panels) == 2 else 1.0
        layout[f"xaxis{suffix}"] = named_axis(
            "",
            names,
            tickangle=-60,
            domain=[0.55 * place, 0.55 * place + width],
            anchor=f"y{suffix}",
            showgrid=False,
            constrain="domain",
        )
        layout[f"yaxis{suffix}"] = named_axis(
            "",
            names,
            autorange="reversed",
            anchor=f"x{suffix}",
            showgrid=False,
            showticklabels=place == 0,
        )
    layout["annotations"] = [
        {
            "text": title,
            "xref": "paper",
            "yref": "paper",
            "showarrow": False,
            "x": 0.55 * place,
            "y": 1.0,
            "xanchor": "left",
            "yanchor": "bottom",
            "yshift": 6,
        }
        for place, (title, _) in enumerate(panels)
    ]
    pairs = together.pairs[:_MOST_PAIRS]
    found = (
        f"{count(len(together.pairs), 'pair')} of variables stand in for each other: networks tend "
        "to select one or the other"
        + (", and their values are correlated." if together.correlation is not None else ".")
        if together.pairs
        else "No pair of variables clearly stands in for each other."
    )
    return Figure(
        key="coselection",
        title="Variables that stand in for each other",
        caption=(
            f"The {len(names)} variables on which the networks disagree most. {found}"
            + (
                " Such variables share their selection rates: read the pair's “either” rate "
                "among the numbers."
                if pairs
                else ""
            )
        ),
        alt=f"Heat map of how the selections of {len(names)} variables go together. {found}",
        traces=traces,
        layout=layout,
        columns=("First", "Second", "Rates", "Either", "Association", "Correlation"),
        cells=tuple(
            (
                plain(pair.first),
                plain(pair.second),
                f"{percent(pair.rates[0])}, {percent(pair.rates[1])}",
                percent(pair.either),
                number(pair.association, 2),
                "\N{EN DASH}" if np.isnan(pair.correlation) else number(pair.correlation, 2),
            )
            for pair in pairs
        ),
        height=260 + 15 * len(names),
    )


def _heat_map(
    names: list[str], full: np.ndarray, matrix: np.ndarray, suffix: str, *, last: bool
) -> dict[str, object]:
    texts = [
        [
            f"{label(a, 60)}<br>{label(b, 60)}<br>{number(value, 2)}"
            for b, value in zip(full, row, strict=True)
        ]
        for a, row in zip(full, matrix, strict=True)
    ]
    places = list(range(len(names)))
    return {
        "type": "heatmap",
        "x": places,
        "y": places,
        "z": rounded(matrix, 3),
        "zmin": -1,
        "zmax": 1,
        "colorscale": "diverging",
        "showscale": last,
        "colorbar": {"thickness": 12, "tickvals": [-1, 0, 1], "outlinewidth": 0},
        "xgap": 1,
        "ygap": 1,
        "xaxis": f"x{suffix}",
        "yaxis": f"y{suffix}",
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
    }
