"""Time and peak memory over a decade each in rows, columns, members and candidates.

"Fixed work" trains every network for the same number of Adam epochs, so that its growth is the cost
of a step. "Default fits" are what users get, whose epochs follow convergence. Each point is a
process of its own; memory is the peak above that of a process that has trained a tiny network.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import command, isolated
from benchmarks.record import RESULTS, report

BASE = {
    "fixed work": {"rows": 300, "columns": 100, "members": 10, "candidates": 1},
    "default fits": {"rows": 300, "columns": 100, "members": 4, "candidates": 1},
}
CANDIDATES = 4  # the least number of candidates; elsewhere penalties are given
DIMENSIONS = ("rows", "columns", "members", "candidates")
COLOURS = {"fixed work": "#1b6ca8", "default fits": "#d1495b"}


def points(kind: str, dimension: str, n_points: int, base: dict[str, int]) -> list[dict[str, Any]]:
    """Sizes from the base to ten times that."""
    start = {**base, "kind": kind, "epochs": 30}
    if dimension == "candidates":
        start |= {"candidates": CANDIDATES, "members": min(2, base["members"])}
        if kind == "default fits":
            start["members"] = 1
    if dimension == "members" and kind == "default fits":
        start["members"] = 2
    factors = 10 ** np.linspace(0, 1, n_points)
    return [{**start, dimension: round(start[dimension] * factor)} for factor in factors]


def train_fixed(work: dict[str, Any]) -> None:
    """Every candidate and member for the same epochs, on the rows of one training set."""
    import torch

    from siernet.datasets import make_section_4_1
    from siernet.engine import train
    from siernet.losses import SquaredError
    from siernet.objective import TrainingRows
    from siernet.random_streams import task_key
    from siernet.tasks import Recipe, Task
    from siernet.training.schedules import Schedule

    drawn = make_section_4_1(work["rows"], n_features=work["columns"], random_state=0)
    y = (drawn.y - drawn.y.mean()) / drawn.y.std()
    rows = TrainingRows(
        torch.tensor((drawn.X - drawn.X.mean(0)) / drawn.X.std(0), dtype=torch.float32),
        torch.tensor(y[:, None], dtype=torch.float32),
        torch.full((len(y),), 1 / len(y)),
    )
    tasks = [
        Task(task_key(0, member), 0.01 * 0.9**candidate, 0.002 * 0.9**candidate)
        for candidate in range(work["candidates"])
        for member in range(work["members"])
    ]
    epochs = work["epochs"]
    schedule = Schedule(1e-3, epochs, decay=False)
    train(tasks, [rows], SquaredError(), Recipe(5, 100, 3, schedule, 0, 1e-2))


def fit_default(work: dict[str, Any]) -> None:
    """A default ensemble; with several candidates, a random search with one network a fold."""
    from siernet import EasierNetRegressor, EasierNetRegressorCV
    from siernet.datasets import make_section_4_1

    drawn = make_section_4_1(work["rows"], n_features=work["columns"], random_state=0)
    model: Any = EasierNetRegressor(n_estimators=work["members"], random_state=0)
    if work["candidates"] > 1:
        model = EasierNetRegressorCV(
            search="random",
            n_candidates=work["candidates"],
            n_estimators=1,
            n_estimators_tuning=1,
            random_state=0,
        )
    model.fit(drawn.X, drawn.y)


def one_point(work: dict[str, Any]) -> None:
    """A point, in the process that was started for it."""
    warnings.simplefilter("ignore")
    run = {"fixed work": train_fixed, "default fits": fit_default}[work["kind"]]
    run({"rows": 60, "columns": 20, "members": 2, "candidates": 1, "epochs": 2})  # imports, pools
    isolated.measured(lambda: run(work))


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Slope of a straight line through the logarithms."""
    floor = 1e-3  # seconds or MB that cannot be told from none
    slope, _ = np.polyfit(np.log(sizes), np.log(np.maximum(values, floor)), 1)
    return float(slope)


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(__doc__, 6, arguments, points=4)
    kinds, dimensions, n_points = tuple(BASE), DIMENSIONS, chosen.points
    bases = BASE
    if chosen.quick:
        kinds, dimensions, n_points = ("fixed work",), ("members",), 2
        bases = {"fixed work": {"rows": 60, "columns": 20, "members": 2, "candidates": 1}}
    curves: dict[tuple[str, str], dict[str, list[float]]] = {}
    rows: list[tuple[str, object]] = []
    for dimension in dimensions:
        for kind in kinds:
            curve: dict[str, list[float]] = {"sizes": [], "seconds": [], "megabytes": []}
            for work in points(kind, dimension, n_points, bases[kind]):
                facts = isolated.in_own_process("benchmarks.growth", work)
                curve["sizes"].append(work[dimension])
                for what in ("seconds", "megabytes"):
                    curve[what].append(facts[what])
                print(
                    f"{kind}, {work[dimension]} {dimension}: {facts['seconds']:.2f} s", flush=True
                )
            curves[kind, dimension] = curve
            ends = f"{curve['sizes'][0]} to {curve['sizes'][-1]} {dimension}"
            for what, unit in (("seconds", "s"), ("megabytes", "MB")):
                values = curve[what]
                name = "time" if what == "seconds" else "memory"
                rows += [
                    (
                        f"{kind}, {ends}: {name}, {unit}",
                        " ".join(f"{value:.3g}" for value in values),
                    ),
                    (f"{kind}, {ends}: exponent of {name}", exponent(curve["sizes"], values)),
                ]
    report(
        "growth",
        "Growth over a decade (1 is linear)",
        rows,
        headline=[label for label, _ in rows if "exponent" in label],
        write=not chosen.quick,
    )
    if not chosen.quick:
        draw(curves)
    return rows


def draw(curves: dict[tuple[str, str], dict[str, list[float]]]) -> None:
    """Time above, memory below; grey lines are linear."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib import ticker

    figure, panels = plt.subplots(2, 4, figsize=(11, 5), sharex="col", layout="constrained")
    for (kind, dimension), curve in curves.items():
        column = DIMENSIONS.index(dimension)
        for axes, what in zip(panels[:, column], ("seconds", "megabytes"), strict=True):
            sizes, values = np.array(curve["sizes"]), np.array(curve[what])
            axes.plot(sizes, values[0] * sizes / sizes[0], color="0.8", zorder=0)
            slope = f"{kind}: {exponent(sizes, values):.2f}"
            axes.plot(sizes, values, "o-", color=COLOURS[kind], label=slope)
            axes.set(xscale="log", yscale="log")
            axes.spines[["top", "right"]].set_visible(False)
            axes.legend(  # above the axes, where no curve is
                frameon=False,
                fontsize=8,
                loc="lower left",
                bbox_to_anchor=(-0.1, 1.0),
                ncols=2,
                handlelength=1.2,
                columnspacing=1.0,
            )
            axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
            ends = {round(end) for line in axes.lines for end in line.get_xdata()[[0, -1]]}
            axes.set_xticks(sorted(ends))
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter("{x:g}")
                axis.set_minor_locator(ticker.NullLocator())
        panels[1, column].set_xlabel(dimension)
    panels[0, 0].set_ylabel("seconds")
    panels[1, 0].set_ylabel("peak memory, MB")
    figure.suptitle("Numbers: fitted exponents. Grey lines: linear growth", fontsize=10)
    figure.savefig(RESULTS / "growth.png", dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        one_point(json.loads(sys.argv[2]))
    else:
        main()
