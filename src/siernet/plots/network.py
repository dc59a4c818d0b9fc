"""One fitted network drawn as in Figure 1 of the paper: what is left of it after training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from siernet import inspection
from siernet.inspection import NetworkGraph
from siernet.plots.canvas import (
    AMBER,
    BLUE,
    INK,
    LITERAL,
    MUTED,
    NORMAL,
    ORANGE,
    SMALL,
    Plot,
    axes_for,
    counted,
    given,
    short,
    write_note,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SKIP = "#cfe3f1"
_STEP = 1.0  # from a layer to the next
_SAG = 0.5  # of the lines to the output, beneath that row, for each layer
_BEND = 0.16
_GAP = 1.6  # from the lowest node to the row of skip-connections, in nodes


def network(
    model: Any,
    *,
    member: int | None = None,
    max_inputs: int | None = None,
    max_nodes: int | None = None,
    feature_names: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Plot[Axes, NetworkGraph]:
    """The inputs, nodes and weights that a network still has, and each layer's way to the output.

    Circles are selected variables and active nodes, larger with more of the network's weight.
    Squares are the skip-connections ``zeta_l`` with the share of ``|alpha_l|``; a white one has no
    weights left and only adds a constant. Weights are drawn relative to the largest of their layer.

    Parameters
    ----------
    model : fitted estimator or NetworkGraph
    member : int, optional
        The network's place in ``members_``; by default the most typical one.
    max_inputs, max_nodes : int, default=15 and 12
        Shown inputs, and shown nodes of every hidden layer: those with most weight.
    feature_names : sequence of str, optional
        By default those the model was fitted with.
    ax : matplotlib Axes, optional
    """
    options = {"member": member, "max_inputs": max_inputs, "max_nodes": max_nodes}
    data = given(model, NetworkGraph, feature_names=feature_names, **options)
    if data is None:
        chosen: dict[str, Any] = {k: v for k, v in options.items() if v is not None}
        data = inspection.network_graph(model, feature_names=feature_names, **chosen)
    if not data.n_inputs:
        ax = axes_for(ax, 6.0, 1.6)
        write_note(ax, f"Network {data.member} selected no variable: it predicts a constant.")
        return Plot(ax, data)
    depth = max(place for place, layer in enumerate(data.layers) if len(layer.labels))
    tallest = max(len(layer.labels) for layer in data.layers)
    ax = axes_for(ax, max(5.2, 3.4 + 1.15 * (depth + 1)), 2.4 + 0.27 * tallest)
    nodes = [_column(len(layer.labels), tallest) for layer in data.layers[: depth + 1]]
    bottom = -_GAP
    sag = _SAG * depth
    for place in range(depth + 1):
        _draw_edges(ax, data, nodes, place, bottom)
    _draw_output(ax, data, depth, bottom)
    _draw_nodes(ax, data, nodes, tallest)
    _key(ax, data)
    ax.set_xlim(-2.3, (depth + 1) * _STEP + 0.75)
    ax.set_ylim(bottom - sag - 0.6, tallest + 0.7)
    ax.set_axis_off()
    pruned = len(data.layers) - 1 - depth
    rest = "" if not pruned else f"\n({counted(pruned, 'hidden layer')} pruned)"
    ax.set_title(
        f"Network {data.member}: {data.describe()}{rest}",
        fontsize=NORMAL + 1,
        loc="left",
        color=INK,
    )
    return Plot(ax, data)


def _column(count: int, tallest: int) -> np.ndarray:
    """Heights of a layer's nodes, the first at the top, centred."""
    return (tallest - 1) / 2 + (count - 1) / 2 - np.arange(count)


def _lines(
    ax: Axes, starts: Any, ends: Any, weight: np.ndarray, colour: Any, *, signed: bool = True
) -> None:
    """Lines as wide as their weights; those of weight zero are left out."""
    from matplotlib.collections import LineCollection

    size = np.abs(weight)
    largest = size.max(initial=0.0)
    if largest == 0:
        return
    kept = np.flatnonzero(size)
    kept = kept[np.argsort(size[kept])]
    strength = size[kept] / largest
    colours = [colour if not signed else (BLUE if weight[k] > 0 else ORANGE) for k in kept]
    ax.add_collection(
        LineCollection(
            [(starts[k], ends[k]) for k in kept],
            linewidths=0.3 + 2.2 * strength,
            alpha=0.15 + 0.65 * strength,
            colors=colours,
            zorder=1,
        )
    )


def _draw_edges(
    ax: Axes, data: NetworkGraph, nodes: list[np.ndarray], place: int, bottom: float
) -> None:
    """From a layer to the next and to its skip-connection; the input filter before the first."""
    layer, x, heights = data.layers[place], place * _STEP, nodes[place]
    if place == 0:
        starts = [(x - 0.42, height) for height in heights]
        _lines(ax, starts, [(x, h) for h in heights], layer.scale, AMBER, signed=False)
    if place + 1 < len(nodes):
        pairs = [((x, a), (x + _STEP, b)) for a in heights for b in nodes[place + 1]]
        starts, ends = ([pair[side] for pair in pairs] for side in (0, 1))
        _lines(ax, starts, ends, data.connections[place].ravel(), INK)
    if layer.skip_share > 0:
        foot = [(x + 0.3, bottom)] * len(heights)
        _lines(ax, [(x, h) for h in heights], foot, layer.to_output, MUTED, signed=data.signed)


def _draw_output(ax: Axes, data: NetworkGraph, depth: int, bottom: float) -> None:
    """The row of skip-connections, each joined to the output by a line as wide as its share."""
    end = ((depth + 1) * _STEP + 0.3, bottom)
    for place, layer in enumerate(data.layers[: depth + 1]):
        if layer.skip_share <= 0:
            continue
        x = place * _STEP + 0.3
        ax.annotate(
            "",
            end,
            xytext=(x, bottom),
            arrowprops={
                "arrowstyle": "-",
                "color": MUTED,
                "linewidth": 0.5 + 3 * layer.skip_share,
                "alpha": 0.6,
                "connectionstyle": f"arc3,rad={_BEND * (1 - 1 / (depth - place + 1))}",
                "shrinkA": 0,
                "shrinkB": 0,
            },
            zorder=1,
        )
        fill = "white" if layer.constant else _SKIP
        ax.plot(x, bottom, "s", ms=8, color=fill, mec=INK, mew=0.8, zorder=3)
        text = f"{layer.skip_share:.0%}" + ("\n(constant)" if layer.constant else "")
        ax.text(x + 0.12, bottom + 0.35, text, ha="left", va="bottom", fontsize=SMALL, color=INK)
    ax.plot(*end, "o", ms=11, color="white", mec=INK, mew=1.2, zorder=3)
    ax.text(end[0], bottom + 0.6, "output", ha="center", va="bottom", fontsize=SMALL, color=INK)


def _draw_nodes(ax: Axes, data: NetworkGraph, nodes: list[np.ndarray], tallest: int) -> None:
    for place, (layer, heights) in enumerate(zip(data.layers, nodes, strict=False)):
        x = place * _STEP
        ax.scatter(
            np.full(len(heights), x),
            heights,
            s=22 + 150 * np.sqrt(layer.weight.clip(0, 1)),
            color="white",
            edgecolors=INK,
            linewidths=0.9,
            zorder=3,
        )
        head = layer.name if place == 0 else f"hidden\nlayer {place}"
        ax.text(x, tallest - 0.1, head, ha="center", va="bottom", fontsize=SMALL, color=INK)
        if place == 0:
            for label, height in zip(layer.labels, heights, strict=True):
                ax.text(
                    x - 0.48,
                    height,
                    short(label, 24),
                    ha="right",
                    va="center",
                    fontsize=SMALL,
                    color=INK,
                    **LITERAL,
                )
        if layer.n_hidden:
            low = heights[-1] - 0.8 if len(heights) else 0.0
            ax.text(
                x - (0.48 if place == 0 else 0),
                low,
                f"+ {layer.n_hidden:,} more",
                ha="right" if place == 0 else "center",
                va="center",
                fontsize=SMALL - 1,
                color=MUTED,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
                zorder=2,
            )


def _key(ax: Axes, data: NetworkGraph) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=AMBER, lw=2, label="input filter β"),
        Line2D([], [], color=BLUE, lw=2, label="positive weight"),
        Line2D([], [], color=ORANGE, lw=2, label="negative weight"),
    ]
    if not data.signed:
        handles.append(Line2D([], [], color=MUTED, lw=2, label="weights to all classes"))
    square = Line2D([], [], marker="s", color=_SKIP, mec=INK, ls="none")
    square.set_label("skip-connection and its share")
    ax.legend(
        handles=[*handles, square],
        loc="upper center",
        bbox_to_anchor=(0.5, 0.02),
        ncols=3,
        fontsize=SMALL - 1,
        frameon=False,
        labelcolor=INK,
    )
