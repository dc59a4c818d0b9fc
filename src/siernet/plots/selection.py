"""How often each variable was selected: the sorted curve, and bars of the most selected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from siernet import inspection
from siernet.inspection import SelectionRates
from siernet.inspection.checks import positive_count
from siernet.plots.canvas import (
    BLUE,
    BLUE_PALE,
    BLUE_SOFT,
    INK,
    LITERAL,
    MUTED,
    SMALL,
    Plot,
    axes_for,
    counted,
    finish,
    given,
    short_names,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TEXT_HEIGHT = 0.055  # of a line of names, in selection rates
_LINE_LENGTH = 44  # characters of names on a line
_ALL_SHOWN = 60  # so many variables or fewer are all drawn


def selection_curve(
    model: Any,
    *,
    n_names: int = 12,
    n_variables: int | None = None,
    feature_names: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Plot[Axes, SelectionRates]:
    """Selection rates from the largest to the smallest (Figure 4 of the paper).

    A curve that falls at once from one to zero means that the networks agree on the variables;
    a long slope, that the data leave open which they are.

    Parameters
    ----------
    model : fitted estimator or SelectionRates
    n_names : int, default=12
        Variables named beside the curve; zero for none.
    n_variables : int, optional
        Length of the axis; by default all variables of a few, or those ever selected and half as
        many more.
    feature_names : sequence of str, optional
        By default those the model was fitted with.
    ax : matplotlib Axes, optional
    """
    rates = _rates(model, feature_names)
    if n_variables is not None:
        positive_count(n_variables, "n_variables")
    shown = min(n_variables or _shown_by_default(rates), len(rates.rates))
    ax = axes_for(ax, 7.2, 3.8)
    rank = np.arange(1, shown + 1)
    marker = "o" if shown <= _ALL_SHOWN else None
    steps: dict[str, Any] = {
        "x": rank,
        "y1": rates.low[:shown],
        "y2": rates.high[:shown],
        "step": "mid",
    }
    if rates.n_members > 1:
        ax.fill_between(**steps, color=BLUE, alpha=0.10, linewidth=0)
    ax.step(rank, rates.rates[:shown], where="mid", color=BLUE, linewidth=1.5)
    ax.plot(rank, rates.rates[:shown], color=BLUE, linestyle="none", marker=marker, markersize=3)
    ax.set_xlim(0.5, shown + 0.5)
    ax.set_ylim(0, 1.04)
    whole_numbers(ax)
    if n_names:
        _name_plateaus(ax, rates, min(positive_count(n_names, "n_names"), shown), shown)
    rest = len(rates.rates) - shown
    more = "" if not rest else f" (the other {rest:,} {_described_rest(rates, shown)})"
    finish(
        ax,
        title=_support_title(rates),
        x=f"variables, the most selected first{more}",
        y=_rate_label(rates),
    )
    return Plot(ax, rates)


def selection_bars(
    model: Any,
    *,
    n_variables: int = 20,
    feature_names: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Plot[Axes, SelectionRates]:
    """The most selected variables as bars, with Wilson's 95% intervals.

    The intervals say what other initial weights would have given, not what other rows would.

    Parameters
    ----------
    model : fitted estimator or SelectionRates
    n_variables : int, default=20
        Bars at most. Variables that no network selected get one only if all fit in.
    feature_names : sequence of str, optional
        By default those the model was fitted with.
    ax : matplotlib Axes, optional
    """
    rates = _rates(model, feature_names)
    positive_count(n_variables, "n_variables")
    total = len(rates.rates)
    shown = min(n_variables, total if total <= n_variables else rates.n_ever_selected or total)
    ax = axes_for(ax, 6.4, 1.4 + 0.23 * shown)
    place, value = np.arange(shown), rates.rates[:shown]
    often = value >= 0.5
    ax.barh(place, value, height=0.68, color=np.where(often, BLUE_SOFT, BLUE_PALE), linewidth=0)
    label = _rate_label(rates)
    if rates.n_members > 1:
        spread = np.stack([value - rates.low[:shown], rates.high[:shown] - value]).clip(min=0)
        whiskers: dict[str, Any] = {"ecolor": INK, "elinewidth": 0.9, "capsize": 2, "alpha": 0.75}
        ax.errorbar(value, place, xerr=spread, fmt="none", **whiskers)
        label += "\n(whiskers: where other initial weights would put it, 95%)"
    ax.set_yticks(place, short_names(rates.names[:shown]), **LITERAL)
    ax.set_xlim(0, 1.02)
    ax.set_ylim(shown - 0.4, -0.6)
    finish(ax, title=_bars_title(rates, shown), x=label, y="", grid="x")
    ax.tick_params(axis="y", length=0)
    return Plot(ax, rates)


def _rates(model: Any, feature_names: Sequence[Any] | None) -> SelectionRates:
    rates = given(model, SelectionRates, feature_names=feature_names)
    return rates or inspection.selection_rates(model, feature_names=feature_names)


def _shown_by_default(rates: SelectionRates) -> int:
    if len(rates.rates) <= _ALL_SHOWN:
        return len(rates.rates)
    room = int(np.ceil(1.5 * rates.n_ever_selected))  # for names beside the curve
    return min(max(room, _ALL_SHOWN // 2), len(rates.rates))


def _rate_label(rates: SelectionRates) -> str:
    if rates.n_members == 1:
        return "selected (1) or not (0) by the network"
    return f"selection rate: share of {rates.n_members} networks"


def _support_title(rates: SelectionRates) -> str:
    """What the paper puts there: the average support's size and its standard error."""
    total = counted(len(rates.rates), "variable")
    if not rates.n_ever_selected:
        return f"No network selected any of {total}: the prediction is a constant"
    if rates.n_members == 1:
        return f"The network selected {rates.n_ever_selected:,} of {total}"
    error = rates.support_sizes.std(ddof=1) / np.sqrt(rates.n_members)
    return (
        f"A network selects {rates.support_sizes.mean():.1f} (s.e. {error:.1f}) of {total} on "
        f"average; {rates.n_ever_selected:,} are selected by any"
    )


def _described_rest(rates: SelectionRates, shown: int) -> str:
    low = max(rates.n_ever_selected - shown, 0)
    if not low:
        return "were never selected"
    return f"at most {rates.rates[shown]:.0%}"


def _bars_title(rates: SelectionRates, shown: int) -> str:
    total = len(rates.rates)
    if not rates.n_ever_selected:
        return f"No network selected any of {counted(total, 'variable')}"
    if shown == total:
        return f"How often each of {counted(total, 'variable')} was selected"
    less = rates.n_ever_selected - shown
    if not less:
        return f"The {shown} of {counted(total, 'variable')} that were selected"
    return f"The {shown} most selected of {counted(total, 'variable')}; {less:,} more were selected"


def _name_plateaus(ax: Axes, rates: SelectionRates, n_names: int, shown: int) -> None:
    """Writes names where their plateau ends: to its right, or beneath it if there is no room."""
    start, left = 0, n_names
    while left > 0 and start < min(shown, rates.n_ever_selected):
        level = rates.rates[start]
        # Plateaus too near for a line of text each share one.
        end = int(np.searchsorted(-rates.rates, -(level - _TEXT_HEIGHT), side="left"))
        end = min(max(end, start + 1), rates.n_ever_selected)
        names = _fitting(rates.names[start : min(end, start + left)])
        others = end - start - len(names)
        left -= len(names)
        place: dict[str, Any] = {"xytext": (5, 0), "ha": "left", "va": "center"}
        x = min(end, shown) + 0.5
        if end > 0.5 * shown:  # too little room to the right
            beneath = level > 3 * _TEXT_HEIGHT
            place = {"xytext": (-5, -4 if beneath else 3), "ha": "right"}
            place["va"] = "top" if beneath else "bottom"
            x = x if beneath else shown + 0.5
        ax.annotate(
            ", ".join(names) + (f" and {others:,} more" if others else ""),
            (x, rates.rates[end - 1]),
            textcoords="offset points",
            **place,
            fontsize=SMALL,
            color=INK if level >= 0.5 else MUTED,
            **LITERAL,
        )
        start = end


def _fitting(names: Any) -> list[str]:
    """The names that fit on a line, at least one."""
    parts: list[str] = []
    for name in short_names(names, 22):
        if parts and len(", ".join([*parts, name])) > _LINE_LENGTH:
            break
        parts.append(name)
    return parts
