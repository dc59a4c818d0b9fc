"""Figures of what the networks are: their layers, one of them drawn, and what they learnt."""

from __future__ import annotations

from typing import Any

import numpy as np

from siernet.inspection import (
    NetworkGraph,
    layer_contributions,
    network_graph,
    partial_dependence,
)
from siernet.report.figure import Figure, axis, hover, named_axis
from siernet.report.subject import Subject
from siernet.report.text import count, label, number, percent, plain, rounded

_WIDTHS = (0.6, 1.2, 2.2, 3.6)
_MOST_MEMBER_LINES = 20


def layers_figure(subject: Subject) -> Figure:
    """Each layer's part of the variance of the predictions."""
    layers = layer_contributions(subject.model)
    mean = layers.mean
    places = list(range(len(layers.layers)))
    jitter = np.random.default_rng(0).uniform(-0.18, 0.18, layers.contributions.shape)
    bars = {
        "type": "bar", "x": places, "y": rounded(mean), "marker": {"color": "accent-soft"},
        **hover([f"{a}<br>mean {percent(v)}" for a, v in zip(layers.layers, mean, strict=True)]),
        "textposition": "none",
    }  # fmt: skip
    dots = {
        "type": "scatter", "mode": "markers", "x": rounded((jitter + places).ravel(), 4),
        "y": rounded(layers.contributions.ravel()),
        "marker": {"color": "ink", "size": 5, "opacity": 0.55},
        **hover([
            f"network {member}, {name}<br>{percent(value)}"
            for member, row in enumerate(layers.contributions)
            for name, value in zip(layers.layers, row, strict=True)
        ]),
    }  # fmt: skip
    words = ", ".join(f"{name} {percent(v)}" for name, v in zip(layers.layers, mean, strict=True))
    return Figure(
        key="layers",
        title="How deep the networks are",
        caption=(
            "Variance of each layer's part of the prediction, as a share of the prediction's; the "
            "inputs' part is linear. Bars: mean over the networks, dots: single networks. Parts "
            "can add up to more or less than 100% because they are correlated."
        ),
        alt=f"Bars of the variance that each layer contributes: {words}.",
        traces=[bars, dots],
        layout={
            "xaxis": named_axis("", layers.layers, showgrid=False),
            "yaxis": axis("share of variance", tickformat=".0%", rangemode="tozero"),
            "bargap": 0.35,
        },
        columns=("Layer", "Mean", "Lowest", "Highest"),
        cells=tuple(
            (name, percent(m), percent(column.min()), percent(column.max()))
            for name, m, column in zip(
                layers.layers, mean, layers.contributions.T, strict=True
            )
        ),
        height=360,
    )  # fmt: skip


def network_figure(subject: Subject) -> Figure:
    """The most typical network, as in the paper's Figure 1."""
    graph = network_graph(subject.model, feature_names=subject.names.tolist())
    depth = sum(len(layer.labels) > 0 for layer in graph.layers)  # the layers that are left
    tallest = max(len(layer.labels) for layer in graph.layers)
    traces = [*_edges(graph, depth), *_nodes(graph, depth, subject)]
    hidden = sum(layer.n_hidden for layer in graph.layers)
    signs = "Blue raises, orange lowers" if graph.signed else "Wider is stronger"
    more = f" {count(hidden, 'weaker node')} not drawn." if hidden else ""
    words = graph.describe()
    return Figure(
        key="network",
        title="One of the networks",
        caption=(
            f"The network whose selection is nearest to the ensemble's (number {graph.member}): "
            f"{words}. Inputs on the left, what is predicted on the right; lines are weights that "
            f"are not zero, dashed ones skip to the output. {signs}; wider lines are larger "
            f"weights.{more}"
        ),
        alt=f"Drawing of network {graph.member}: {words}; the strongest inputs are "
        + ", ".join(plain(name) for name in graph.layers[0].labels[:5])
        + ".",
        traces=traces,
        layout={
            "xaxis": axis("", visible=False, range=[-0.25 - 0.2 * depth, 1.15 * depth]),
            "yaxis": axis("", visible=False, range=[-tallest / 2 - 2, tallest / 2 + 0.5]),
            "hovermode": "closest",
        },
        columns=("Layer", "Nodes", "Part of the output"),
        cells=tuple(
            (
                layer.name,
                f"{len(layer.labels) + layer.n_hidden}",
                percent(layer.skip_share),
            )
            for layer in graph.layers
        ),
        height=max(360, 130 + 26 * tallest),
    )


def _heights(n_nodes: int) -> np.ndarray:
    return (np.arange(n_nodes)[::-1] - (n_nodes - 1) / 2).astype(float)


def _edges(graph: NetworkGraph, depth: int) -> list[dict[str, Any]]:
    """Lines in few traces: one for each sign, width and kind."""
    heights = [_heights(len(layer.labels)) for layer in graph.layers]
    parts = []  # (left, right, their heights, weights between them, whether a skip)
    for place, layer in enumerate(graph.layers[:depth]):
        if place + 1 < depth:
            scaled = graph.connections[place] * layer.scale[:, None]
            parts.append((place, place + 1, heights[place], heights[place + 1], scaled, False))
        reach = (layer.to_output * layer.scale * (layer.skip_share > 0))[:, None]
        parts.append((place, depth, heights[place], np.zeros(1), reach, True))
    lines = []
    for left, right, starts, ends, weights, is_skip in parts:
        rows, columns = np.nonzero(weights)
        values = weights[rows, columns]
        for row, column, value in zip(rows, columns, values, strict=True):
            size = value / np.abs(values).max()
            lines.append((left, right, starts[row], ends[column], size, is_skip))
    if not lines:
        return []
    x0, x1, y0, y1, size, skip = np.array(lines, dtype=float).T
    bins = np.digitize(np.abs(size), [0.15, 0.4, 0.75])
    traces = []
    for positive in (True, False):
        for kind in (False, True):
            for width in range(len(_WIDTHS)):
                chosen = ((size > 0) == positive) & (skip == kind) & (bins == width)
                if chosen.any():
                    ends_of = np.stack([x0, x1, y0, y1])[:, chosen]
                    traces.append(_lines(ends_of, positive, kind, width))
    return traces


def _lines(ends: np.ndarray, positive: bool, skip: bool, width: int) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for a, b, c, d in ends.T.tolist():
        x += [a, b, None]
        y += [c, d, None]
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": y, "hoverinfo": "skip",
        "opacity": 0.3 + 0.2 * width,
        "line": {"color": "accent" if positive else "warm", "width": _WIDTHS[width],
                 "dash": "dot" if skip else "solid"},
    }  # fmt: skip


def _nodes(graph: NetworkGraph, depth: int, subject: Subject) -> list[dict[str, Any]]:
    traces = []
    for place, layer in enumerate(graph.layers[:depth]):
        size = 9 + 15 * np.sqrt(layer.weight / max(layer.weight.max(), 1e-12))
        names = [label(name, 22) if place == 0 else "" for name in layer.labels]
        texts = [
            f"{label(name, 60) if place == 0 else f'node {name} of {layer.name}'}<br>"
            f"{percent(w)} of the weight of all paths"
            for name, w in zip(layer.labels, layer.weight, strict=True)
        ]
        traces.append(
            {
                "type": "scatter", "mode": "markers+text", "x": [place] * len(names),
                "y": _heights(len(names)).tolist(), "text": names, "textposition": "middle left",
                "customdata": texts, "hovertemplate": "%{customdata}<extra></extra>",
                "marker": {"size": rounded(size, 3), "color": "node",
                           "line": {"color": "accent", "width": 1.5}},
            }
        )  # fmt: skip
        rest = f"<br>+ {layer.n_hidden} weaker" if layer.n_hidden else ""
        traces.append(
            {
                "type": "scatter", "mode": "text", "x": [place], "hoverinfo": "skip",
                "y": [-_heights(len(names))[0] - 1.1], "text": [f"{layer.name}{rest}"],
                "textposition": "bottom center", "textfont": {"color": "muted", "size": 11},
            }
        )  # fmt: skip
    title = label(subject.target, 18) if subject.record is not None else "output"
    traces.append(
        {
            "type": "scatter", "mode": "markers+text", "x": [depth], "y": [0],
            "text": [title], "textposition": "top center", "hoverinfo": "skip",
            "marker": {"size": 22, "color": "accent"},
        }
    )  # fmt: skip
    return traces


def dependence_figure(subject: Subject) -> Figure | None:
    """Partial dependence on the most selected variables; None without rows."""
    if subject.rows is None or subject.is_constant or not len(subject.rows):
        return None
    result = partial_dependence(subject.model, subject.rows, feature_names=subject.names.tolist())
    n_panels = len(result.names)
    n_across = min(3, n_panels)
    n_down = -(-n_panels // n_across)
    gap = 0.24 if subject.classes else 0.19  # between rows of panels, for their titles
    traces: list[dict[str, Any]] = []
    above = 72 if subject.classes else 58  # pixels, for titles beneath plotly's buttons
    layout: dict[str, Any] = {"annotations": [], "margin": {"t": above}}
    ends = [float(f(np.stack([f(m) for m in result.members]))) for f in (np.min, np.max)]
    margin = 0.05 * (ends[1] - ends[0]) or 1.0
    for panel in range(n_panels):
        down, across = divmod(panel, n_across)
        suffix = "" if panel == 0 else str(panel + 1)
        width, height = (1 - 0.07 * (n_across - 1)) / n_across, (1 - gap * (n_down - 1)) / n_down
        left, top = across * (width + 0.07), 1 - down * (height + gap)
        layout[f"xaxis{suffix}"] = axis(
            "", domain=[left, min(1.0, left + width)], anchor=f"y{suffix}"
        )
        layout[f"yaxis{suffix}"] = axis(
            "", domain=[max(0.0, top - height), top], anchor=f"x{suffix}",
            range=[ends[0] - margin, ends[1] + margin],
        )  # fmt: skip
        event = result.outputs[panel]
        of = f"<br>chance of {label(event, 24)}" if event else ""
        layout["annotations"].append(
            {
                "text": f"{label(result.names[panel], 24)}{of}", "xref": "paper", "yref": "paper",
                "x": left, "y": top, "xanchor": "left", "yanchor": "bottom", "yshift": 3,
                "showarrow": False, "align": "left",
            }
        )  # fmt: skip
        traces += _curves(result.grids[panel], result.members[panel], result.observed[panel],
                          suffix, ends[0] - margin)  # fmt: skip
    what = "the predicted probability of the class named" if subject.classes else "the prediction"
    names = ", ".join(plain(name) for name in result.names)
    return Figure(
        key="dependence",
        title="How the prediction changes with a variable",
        caption=(
            f"The average of {what} as one variable is moved and the others stay as they are "
            "(partial dependence). Thick: the ensemble, thin: single networks, ticks: observed "
            "values. It describes the model, not causes; for correlated variables it includes "
            "combinations that may not occur."
        ),
        alt=f"Partial dependence curves of {count(n_panels, 'variable')}: {names}.",
        traces=traces,
        layout=layout,
        columns=("Variable", "Class", "Lowest at", "Average there", "Highest at", "Average there"),
        cells=tuple(
            _extremes(plain(name), event or "\N{EN DASH}", grid, members.mean(axis=0))
            for name, event, grid, members in zip(
                result.names, result.outputs, result.grids, result.members, strict=True
            )
        ),
        height=90 + (270 if subject.classes else 250) * n_down,
    )


def _curves(
    grid: np.ndarray, members: np.ndarray, observed: np.ndarray, suffix: str, floor: float
) -> list[dict[str, Any]]:
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "type": "scatter"}
    x: list[Any] = []
    y: list[Any] = []
    if len(members) > 1:
        for curve in members[:_MOST_MEMBER_LINES]:
            x += [*rounded(grid), None]
            y += [*rounded(curve, 5), None]
    mean = members.mean(axis=0)
    texts = [f"at {number(g)}<br>{number(v)}" for g, v in zip(grid, mean, strict=True)]
    few = np.unique(observed)
    few = few[np.linspace(0, len(few) - 1, min(len(few), 80)).astype(int)]
    return [
        {**axes, "mode": "lines", "x": x, "y": y, "hoverinfo": "skip", "opacity": 0.35,
         "line": {"color": "accent", "width": 1}},
        {**axes, "mode": "lines+markers" if len(grid) < 6 else "lines", "x": rounded(grid),
         "y": rounded(mean), "line": {"color": "accent", "width": 3}, "marker": {"color": "accent"},
         **hover(texts)},
        {**axes, "mode": "markers", "x": rounded(few), "y": [floor] * len(few),
         "hoverinfo": "skip",
         "marker": {"symbol": "line-ns", "size": 7, "color": "muted",
                    "line": {"width": 1, "color": "muted"}}},
    ]  # fmt: skip


def _extremes(name: str, event: str, grid: np.ndarray, mean: np.ndarray) -> tuple[str, ...]:
    low, high = int(mean.argmin()), int(mean.argmax())
    return (
        name,
        event,
        number(grid[low]),
        number(mean[low]),
        number(grid[high]),
        number(mean[high]),
    )
