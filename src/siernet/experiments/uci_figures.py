"""Figures 3 and 4: losses and selection rates by data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from siernet.experiments.uci_tables import OURS, FittedStructure, Losses

_MARKERS = "osv^<>pDhHd*P"


def draw_losses(figure: Any, *, losses: Mapping[str, Losses], titles: Mapping[str, str]) -> None:
    """A panel a task; EASIER-net as a cross, as in the paper."""
    most = max(len(found.values) for found in losses.values())
    figure.set_size_inches(max(4.5, 1.1 * most + 1.2) * len(losses), 4.8)
    panels = figure.subplots(1, len(losses), squeeze=False)[0]
    methods = list(dict.fromkeys(m for found in losses.values() for m in found.methods))
    styles = {method: _style(method, place) for place, method in enumerate(methods)}
    shifts = dict(zip(methods, np.linspace(-0.25, 0.25, len(methods)), strict=True))
    handles = {}
    for panel, (task, found) in zip(panels, losses.items(), strict=True):
        names = sorted(found.values, key=lambda name: _lowest(found, name))
        for place, name in enumerate(names):
            for method in found.values[name]:
                mean = found.mean(name, method)
                (handles[method], *_) = panel.errorbar(
                    place + shifts[method],
                    mean.value,
                    yerr=None if np.isnan(mean.error) else mean.error,
                    elinewidth=0.8,
                    linestyle="",
                    **styles[method],
                )
            if place:
                panel.axvline(place - 0.5, color="0.92", lw=0.8, zorder=0)
        panel.set_yscale("log")
        for axis_part in (panel.yaxis.set_major_formatter, panel.yaxis.set_minor_formatter):
            axis_part(_plain_number)
        panel.tick_params(axis="y", which="both", labelsize=8)
        panel.set_xticks(range(len(names)), names, rotation=20, ha="right", fontsize=8)
        panel.set_title(f"{task.capitalize()}", fontsize=10)
        panel.set_ylabel("test loss", fontsize=9)
        panel.grid(axis="y", which="both", color="0.93")
        panel.set_axisbelow(True)
    figure.legend(
        [handles[method] for method in methods],
        [titles.get(method, method) for method in methods],
        loc="outside lower center",
        ncols=min(len(methods), 5),
        fontsize=8,
        frameon=False,
    )


def _style(method: str, place: int) -> dict[str, Any]:
    if method == OURS:
        return {"marker": "X", "color": "C3", "markersize": 9, "zorder": 5}
    # Without the red of EASIER-net; markers tell apart what colours repeat.
    colors = [f"C{number}" for number in range(10) if number != 3]
    return {
        "marker": _MARKERS[place % len(_MARKERS)],
        "color": colors[place % len(colors)],
        "markersize": 5,
        "zorder": 3,
    }


def _plain_number(value: float, place: int | None) -> str:
    """Ticks as plain numbers; of those between powers of ten only 2 and 5, which do not crowd."""
    return f"{value:g}" if f"{value:e}"[0] in "125" else ""


def _lowest(losses: Losses, name: str) -> float:
    return min(losses.mean(name, method).value for method in losses.values[name])


def draw_rates(
    figure: Any,
    *,
    rates: Mapping[str, Mapping[int, np.ndarray]],
    structures: Mapping[str, FittedStructure],
) -> None:
    """A panel a data set: selection rates, the largest first."""
    n_columns = min(4, len(rates))
    n_rows = -(-len(rates) // n_columns)
    figure.set_size_inches(2.8 * n_columns, 2.4 * n_rows)
    panels = figure.subplots(n_rows, n_columns, squeeze=False, sharey=True).ravel()
    for panel, (name, splits) in zip(panels, rates.items(), strict=False):
        for values in splits.values():
            # Steps: each variable has its own width, so few variables fill the panel too.
            panel.stairs(values, np.arange(len(values) + 1), baseline=None, color="C0", alpha=0.6)
        size = structures[name].support_size
        title = name if size is None else f"{name}\n{size.value:.1f} ({size.error:.1f})"
        panel.set_title(title, fontsize=9)
        panel.set_ylim(-0.03, 1.05)
        panel.set_xlim(0, max(len(values) for values in splits.values()))
        panel.tick_params(labelsize=8)
        panel.grid(color="0.93")
        panel.set_axisbelow(True)
    for panel in panels[len(rates) :]:
        panel.set_visible(False)
    figure.supxlabel("columns, sorted by selection rate", fontsize=9)
    figure.supylabel("selection rate", fontsize=9)
