"""What a study is: cells to compute, and a report that is a pure function of finished cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from siernet.experiments.cells import Cell, Work
from siernet.experiments.methods.method import Method


@dataclass(frozen=True)
class Request:
    """What of a study is asked for, checked."""

    scale: str
    seeds: int
    sets: tuple[str, ...]
    methods: Mapping[str, Method]
    data: str | None = None
    device: str = "auto"
    n_jobs: int | None = None


@dataclass(frozen=True)
class Plan:
    """The cells of a request, and what had to be left out with the reason."""

    works: list[Work]
    skipped: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """A statement that a study's numbers bear out, or do not.

    Parameters
    ----------
    against : {"paper", "target"}
    statement : str
    holds : bool
    found : str
        The numbers that decide.
    """

    against: str
    statement: str
    holds: bool
    found: str


@dataclass(frozen=True)
class Report:
    """A study's page, as a pure function of its cells.

    Parameters
    ----------
    title : str
    blocks : list of str
        Markdown paragraphs, tables and pictures, in order.
    tables : mapping of file name to rows
        What the CSV files hold.
    figures : mapping of file name to a function that draws it
        The function gets a new matplotlib figure.
    checks : list of Check
    wins : list of str
        A line for each place where another method does better than EASIER-net.
    """

    title: str
    blocks: list[str]
    tables: Mapping[str, list[dict[str, Any]]]
    figures: Mapping[str, Callable[[Any], None]]
    checks: list[Check]
    wins: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Study:
    """A study by its parts.

    Parameters
    ----------
    name, title : str
    seeds : mapping of scale to the usual number of seeds
    known_sets : tuple of str
        What ``sets`` may name.
    usual_sets, usual_methods : mapping of scale to names
        ``usual_methods`` is empty where the study is of one method only, EASIER-net.
    settings : function of the scale
        The study's own settings, which every cell records.
    plan : function of a request
    report : function of cells and of methods' titles
    """

    name: str
    title: str
    seeds: Mapping[str, int]
    known_sets: tuple[str, ...]
    usual_sets: Mapping[str, tuple[str, ...]]
    usual_methods: Mapping[str, tuple[str, ...]]
    settings: Callable[[str], dict[str, Any]]
    plan: Callable[[Request], Plan]
    report: Callable[[list[Cell], Mapping[str, str]], Report]


class Mean(NamedTuple):
    """A mean and its standard error, NaN where there is one value only."""

    value: float
    error: float
    n: int


def mean_of(values: Iterable[float]) -> Mean:
    """The mean with its standard error."""
    array = np.asarray(list(values), dtype=np.float64)
    if not len(array):
        return Mean(math.nan, math.nan, 0)
    error = array.std(ddof=1) / math.sqrt(len(array)) if len(array) > 1 else math.nan
    return Mean(float(array.mean()), float(error), len(array))


def shown(mean: Mean, digits: int = 3, *, sign: bool = False) -> str:
    """A mean as text, with its standard error where there is one."""
    if math.isnan(mean.value):
        return ""
    text = f"{mean.value:{'+' if sign else ''}.{digits}f}"
    return text if math.isnan(mean.error) else f"{text} ± {mean.error:.{digits}f}"


def win_line(name: str, title: str, difference: Mean) -> str:
    """Says that another method than EASIER-net has the lowest loss, and by how much.

    ``difference`` is its loss less EASIER-net's.
    """
    text = f"- {name}: **{title}** has the lowest loss"
    if difference.n:
        text += f", {shown(difference, sign=True)} against EASIER-net's"
        if not math.isnan(difference.error):
            beyond = abs(difference.value) > 2 * difference.error
            text += f", {'more' if beyond else 'less'} than two standard errors"
    return f"{text}."


def counted(count: int, what: str) -> str:
    """A number of things; the word gets its s where there is not just one."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def number(value: float | None, digits: int) -> str:
    """A number as text; empty for None."""
    return "" if value is None else f"{value:.{digits}f}"


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first column is aligned to the left, the others to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def picture(file_name: str, what: str) -> str:
    """A picture on a page."""
    return f"![{what}]({file_name})"


def by(cells: Iterable[Cell], part: Callable[[Cell], Any]) -> dict[Any, list[Cell]]:
    """Cells grouped, groups and cells in the order in which they come."""
    groups: dict[Any, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(part(cell), []).append(cell)
    return groups


def seeds_in_words(cells: Iterable[Cell], what: str) -> str:
    """How many draws or splits the cells are of."""
    return counted(len({cell.key.seed for cell in cells}), what)


def scale_note(cells: Sequence[Cell]) -> str:
    """A warning where the cells are not of the paper's scale; empty otherwise."""
    scale = cells[0].settings["study"]["scale"]
    if scale == "paper":
        return ""
    return (
        f"> **`--scale {scale}`: not the paper's scale.** Fewer settings, networks and draws; the "
        "numbers show that the study runs, not how well a method does."
    )
