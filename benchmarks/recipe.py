"""The default training recipe against long training at the paper's constant rate.

Both train the same candidates on the same rows from the same initial weights; what counts is the
validation loss of the best candidate, chosen for each recipe by its mean over the seeds. Made for
a GPU; it was not run on a CPU.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from benchmarks import command
from benchmarks.record import report, shown
from siernet import (
    PAPER_SETTINGS,
    EasierNetClassifierCV,
    EasierNetRegressorCV,
)
from siernet.datasets import load_uci, make_section_4_1, preparation

SIMULATED = {
    "20-600": (600, 20),
    "100-600": (600, 100),
    "20-3000": (3000, 20),
    "100-3000": (3000, 100),
}
REAL = ("boston", "iran_house", "crime", "wine", "soybean", "arrhythmia", "semeion", "hill_valley")
SEEDS, MEMBERS = 5, 4
INPUT_PENALTIES, NETWORK_PENALTIES = 5.0 ** -np.arange(1.0, 6), 5.0 ** -np.arange(3.0, 7)
SMALLER = {"hill_valley": 5.0**-2}  # where all of these are too large
N_CANDIDATES = len(INPUT_PENALTIES) * len(NETWORK_PENALTIES)
VALIDATION_ROWS = 2000  # of a simulated draw, with no noise
# The published scripts take 1500 epochs for simulated data and 3000 for real data.
RECIPES: dict[str, dict[str, Any]] = {
    "default": {},
    "constant, 1500": {**PAPER_SETTINGS, "max_epochs": 1500},
    "constant, 3000": {**PAPER_SETTINGS, "max_epochs": 3000},
}


@dataclass(frozen=True)
class Problem:
    """A table, with the rows to train on and to validate with for each seed."""

    name: str
    X: np.ndarray
    y: np.ndarray
    splits: list[tuple[np.ndarray, np.ndarray]]
    classes: bool = False


def simulated(name: str, seeds: int) -> Problem:
    """Draws below each other; a split trains on its own draw alone."""
    n_rows, n_relevant = SIMULATED[name]
    X, y, splits, start = [], [], [], 0
    for seed in range(seeds):
        train = make_section_4_1(n_rows, n_relevant=n_relevant, random_state=100 + seed)
        test = make_section_4_1(VALIDATION_ROWS, n_relevant=n_relevant, random_state=200 + seed)
        scale = train.y.std()
        X += [train.X, test.X]
        y += [train.y / scale, test.mean / scale]
        middle, end = start + n_rows, start + n_rows + VALIDATION_ROWS
        splits.append((np.arange(start, middle), np.arange(middle, end)))
        start = end
    return Problem(f"Table 1, {name}", np.concatenate(X), np.concatenate(y), splits)


def real(name: str, seeds: int, data: str | None) -> Problem:
    """Random quarters to validate with."""
    dataset = load_uci(name, data)
    X, y = preparation(dataset).fit_transform(dataset.X), np.asarray(dataset.y)
    classes = dataset.task == "classification"
    if classes:
        _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
        several = counts[codes] >= 4  # rows of the others would not be on both sides
        X, y = X[several], y[several]
        splitter: Any = StratifiedShuffleSplit(seeds, test_size=0.25, random_state=0)
    else:
        y = (y - y.mean()) / y.std()
        splitter = ShuffleSplit(seeds, test_size=0.25, random_state=0)
    return Problem(name, X, y, list(splitter.split(X, y)), classes)


def losses(
    problem: Problem, settings: dict[str, Any], device: str
) -> tuple[np.ndarray, float, float]:
    """Validation losses (seeds, candidates), mean epochs of the best's refit, seconds."""
    Estimator = EasierNetClassifierCV if problem.classes else EasierNetRegressorCV
    model = Estimator(
        search="grid",
        input_penalties=SMALLER.get(problem.name, 1) * INPUT_PENALTIES,
        network_penalties=SMALLER.get(problem.name, 1) * NETWORK_PENALTIES,
        cv=problem.splits,
        n_estimators=MEMBERS,
        n_estimators_tuning=MEMBERS,
        device=device,
        random_state=0,
        **({"temperatures": [1.0], "prior_powers": [0.0]} if problem.classes else {}),
        **settings,
    )
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(problem.X, problem.y)
    seconds = time.perf_counter() - start
    table = model.cv_results_
    scores = [table[f"split{seed}_test_score"] for seed in range(len(problem.splits))]
    return -np.array(scores), float(model.n_iter_.mean()), seconds


def told(found: dict[str, tuple[np.ndarray, float, float]]) -> str:
    """Each recipe's loss, that of its best candidate, with the paired difference to the first."""
    first: np.ndarray | None = None
    texts = []
    for label, (values, epochs, _) in found.items():
        own = values[:, values.mean(axis=0).argmin()]
        text = f"{label} {shown(float(own.mean()))}"
        if first is None:
            first = own
        else:
            difference = own - first
            error = difference.std(ddof=1) / np.sqrt(len(own)) if len(own) > 1 else 0
            text += f" ({difference.mean():+.4f}, se {error:.4f})"
        texts.append(f"{text} in {epochs:.0f}")
    return "; ".join(texts)


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(
        __doc__, None, arguments, seeds=SEEDS, device="auto", data="", sets="", seconds=1e9
    )
    names = chosen.sets.split(",") if chosen.sets else [*SIMULATED, *REAL]
    recipes, end = RECIPES, time.perf_counter() + chosen.seconds
    if chosen.quick:
        names, small = ["20-600"], {"n_hidden_nodes": 5, "n_hidden_layers": 1}
        recipes = {name: {**own, **small, "max_epochs": 20} for name, own in RECIPES.items()}
    rows: list[tuple[str, object]] = [
        ("candidates, seeds, members", f"{N_CANDIDATES}, {chosen.seeds}, {MEMBERS}")
    ]
    for name in names:
        if name in SIMULATED:
            problem = simulated(name, chosen.seeds)
        else:
            problem = real(name, chosen.seeds, chosen.data or None)
        found: dict[str, tuple[np.ndarray, float, float]] = {}
        for label, settings in recipes.items():
            if time.perf_counter() > end or (label.endswith("3000") and name in SIMULATED):
                continue
            found[label] = losses(problem, settings, chosen.device)
            print(f"{problem.name}: {told(found)} ({found[label][2]:.0f} s)", flush=True)
        if found:
            rows.append((problem.name, told(found)))
    report(
        "recipe",
        "The default recipe against long training at a constant rate: loss in epochs and steps",
        rows,
        headline=(),
        write=not chosen.quick,
    )
    return rows


if __name__ == "__main__":
    main()
