"""The arithmetic of the real-data study: means, paired differences, averages, structure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from siernet.experiments.cells import Cell
from siernet.experiments.published import FIGURE_3_AVERAGES
from siernet.experiments.study import Mean, by, mean_of

OURS = "easier"
# A method that finished less than this share of the sets is left out of the averages.
_ENOUGH = 0.5
# Places of the tasks in the paper's table of averages.
_PAPER_COLUMN = {"regression": 0, "classification": 1}


@dataclass(frozen=True)
class Losses:
    """The losses of one task, by data set, method and split.

    Parameters
    ----------
    values : dict
        Data set -> method -> split -> loss.
    """

    values: dict[str, dict[str, dict[int, float]]]

    @property
    def methods(self) -> list[str]:
        """All methods, in the order in which they were met."""
        return list(dict.fromkeys(m for methods in self.values.values() for m in methods))

    def mean(self, name: str, method: str) -> Mean:
        """A method's mean loss on a set; NaN where it has none."""
        return mean_of(self.values[name].get(method, {}).values())

    def difference(self, name: str, method: str) -> Mean:
        """Mean over common splits of the method's loss less EASIER-net's."""
        ours, theirs = (self.values[name].get(m, {}) for m in (OURS, method))
        return mean_of(theirs[seed] - ours[seed] for seed in ours if seed in theirs)

    def finished(self, name: str, method: str) -> bool:
        """Whether the method has a loss for every split that EASIER-net (or any) has."""
        methods = self.values[name]
        wanted = methods[OURS] if OURS in methods else {s for m in methods.values() for s in m}
        return set(wanted) <= set(methods.get(method, {}))


def losses_of(cells: Sequence[Cell], task: str, column: str = "loss") -> Losses:
    """The losses of one task's cells."""
    values: dict[str, dict[str, dict[int, float]]] = {}
    for cell in cells:
        if cell.result["task"] == task:
            methods = values.setdefault(cell.key.setting, {})
            methods.setdefault(cell.key.method, {})[cell.key.seed] = cell.result[column]
    return Losses(values)


@dataclass(frozen=True)
class Averages:
    """Average losses over the data sets that all the methods shown have finished.

    Parameters
    ----------
    sets : tuple of str
    means : dict
        Method -> its average over sets; the standard error is over splits.
    differences : dict
        Method -> the average less EASIER-net's, paired by split.
    left_out : dict
        Method -> sets that it did not finish, for methods left out because of these.
    """

    sets: tuple[str, ...]
    means: dict[str, Mean]
    differences: dict[str, Mean]
    left_out: dict[str, tuple[str, ...]]


def averages(losses: Losses, only: Sequence[str]) -> Averages:
    """Averages over those of the sets ``only`` that all methods have finished.

    A method that finished less than half of the sets would leave too few for the others, so it is
    left out, and so is one that shares no set with the rest.
    """
    names = [name for name in losses.values if name in only]
    done = {m: {n for n in names if losses.finished(n, m)} for m in losses.methods}
    kept = [m for m in losses.methods if done[m] and len(done[m]) >= _ENOUGH * len(names)]
    common = [name for name in names if all(name in done[method] for method in kept)]
    left_out = {
        method: tuple(name for name in names if name not in done[method])
        for method in losses.methods
        if method not in kept
    }
    if not common:
        return Averages((), {}, {}, left_out)
    seeds = sorted(set.intersection(*(set(losses.values[n][m]) for n in common for m in kept)))
    by_split = {}
    for method in kept:
        table = np.array([[losses.values[name][method][s] for name in common] for s in seeds])
        by_split[method] = table.mean(axis=1)
    ours = by_split.get(OURS)
    return Averages(
        sets=tuple(common),
        means={method: mean_of(values) for method, values in by_split.items()},
        differences={}
        if ours is None
        else {m: mean_of(values - ours) for m, values in by_split.items() if m != OURS},
        left_out=left_out,
    )


class MemberMean(NamedTuple):
    """A mean over networks and splits, and the standard error of one ensemble's mean."""

    value: float
    error: float


@dataclass(frozen=True)
class FittedStructure:
    """What EASIER-net's networks look like on a data set; None where unknown."""

    n_layers: MemberMean | None
    support_size: MemberMean | None
    n_hidden_nodes: MemberMean | None
    contributions: tuple[MemberMean, ...]


def structure_of(cells: Sequence[Cell]) -> FittedStructure:
    """The structure over the splits of one data set.

    Means are over networks, then over splits. As in the paper, the standard error is that over
    the networks of one ensemble: its root mean square over splits.
    """

    def of(name: str) -> list[MemberMean]:
        found = [cell.result["details"] for cell in cells if name in cell.result["details"]]
        if not found:
            return []
        values = np.array([np.atleast_1d(details[name]) for details in found])
        errors = np.array([np.atleast_1d(details[f"{name}_se"]) for details in found])
        pooled = np.sqrt((errors**2).mean(axis=0))
        return [MemberMean(*pair) for pair in zip(values.mean(axis=0), pooled, strict=True)]

    def first(name: str) -> MemberMean | None:
        return next(iter(of(name)), None)

    return FittedStructure(
        first("n_layers"),
        first("support_size"),
        first("n_hidden_nodes"),
        tuple(of("contributions")),
    )


def sorted_rates(cells: Sequence[Cell]) -> dict[int, np.ndarray]:
    """For each split the selection rates, the largest first."""
    return {
        cell.key.seed: np.sort(np.asarray(cell.result["details"]["selection_rates"]))[::-1]
        for cell in cells
        if cell.result["details"].get("selection_rates") is not None
    }


def ours_by_set(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """EASIER-net's cells by data set."""
    return by((c for c in cells if c.key.method == OURS), lambda cell: cell.key.setting)


def winners(losses: Losses) -> list[tuple[str, str, Mean]]:
    """For each set the method of the lowest mean loss, and its difference to EASIER-net's."""
    found = []
    for name, methods in losses.values.items():
        finished = [method for method in methods if losses.finished(name, method)]
        if finished:
            best = min(finished, key=lambda method: losses.mean(name, method).value)
            found.append((name, best, losses.difference(name, best)))
    return found


def csv_rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Every cell as a row."""
    columns = ("task", "loss", "floored_loss", "error_rate", "n_train", "n_test", "n_columns")
    return [
        {
            "set": cell.key.setting,
            "method": cell.key.method,
            "split": cell.key.seed,
            **{name: cell.result.get(name) for name in columns},
            "seconds": cell.result["seconds"],
        }
        for cell in cells
    ]


def structure_rows(cells: Mapping[str, Sequence[Cell]]) -> list[dict[str, Any]]:
    """EASIER-net's structure, a row a data set and split."""
    rows = []
    for name, group in cells.items():
        for cell in group:
            found = structure_of([cell])
            parts = {
                "n_layers": found.n_layers,
                "support_size": found.support_size,
                "n_hidden_nodes": found.n_hidden_nodes,
                **{f"layer_{n}": part for n, part in enumerate(found.contributions, start=1)},
            }
            row: dict[str, Any] = {"set": name, "split": cell.key.seed}
            for column, part in parts.items():
                row[column] = None if part is None else part.value
                row[f"{column}_se"] = None if part is None else part.error
            rows.append(row)
    return rows


def difference_rows(losses: Mapping[str, Losses]) -> list[dict[str, Any]]:
    """Mean losses and paired differences, a row a task, data set and method."""
    rows = []
    for task, found in losses.items():
        for name, values in found.values.items():
            for method in values:
                mean, difference = found.mean(name, method), found.difference(name, method)
                rows.append(
                    {
                        "task": task,
                        "set": name,
                        "method": method,
                        "splits": mean.n,
                        "loss": mean.value,
                        "loss_se": mean.error,
                        "less_easier": difference.value,
                        "less_easier_se": difference.error,
                    }
                )
    return rows


def average_rows(average: Mapping[str, Averages]) -> list[dict[str, Any]]:
    """Averages over data sets, a row a task and method."""
    return [
        {
            "task": task,
            "method": method,
            "sets": " ".join(found.sets),
            "loss": mean.value,
            "loss_se": mean.error,
            "less_easier": found.differences[method].value if method in found.differences else None,
            "less_easier_se": found.differences[method].error
            if method in found.differences
            else None,
            "paper_over_all_sets": FIGURE_3_AVERAGES[method][_PAPER_COLUMN[task]]
            if method in FIGURE_3_AVERAGES
            else None,
        }
        for task, found in average.items()
        for method, mean in found.means.items()
    ]


def rate_rows(rates: Mapping[str, Mapping[int, np.ndarray]]) -> list[dict[str, Any]]:
    """Sorted selection rates, a row a rank."""
    return [
        {"set": name, "split": seed, "rank": rank, "selection_rate": rate}
        for name, splits in rates.items()
        for seed, values in splits.items()
        for rank, rate in enumerate(values.tolist(), start=1)
    ]
