"""The default search against the full grid of its finest step: loss lost, work saved.

Both see the same folds, the same networks at the same penalties, and as many members at the end.
The networks are small ones, so that the grid can be afforded.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import command
from benchmarks.record import report, with_error
from siernet import EasierNetRegressorCV
from siernet.datasets import make_section_4_1

# Halving's first look spans 2.5 powers of 5; its last step is 5^0.3125.
STEP, WIDTH = 0.3125, 9


def networks_trained(model: Any) -> int:
    """Over all candidates, folds and members."""
    return int(model.cv_results_["n_resources"].sum()) * model.n_splits_


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(__doc__, 7, arguments, draws=3)
    n_rows, n_columns, width, draws = 300, 40, WIDTH, chosen.draws
    parameters = {"n_estimators_tuning": 4, "n_hidden_layers": 3, "n_hidden_nodes": 30}
    if chosen.quick:
        n_rows, n_columns, width, draws = 60, 10, 2, 1
        parameters = {
            "n_estimators": 2,
            "n_estimators_tuning": 1,
            "n_hidden_layers": 1,
            "n_hidden_nodes": 5,
            "max_epochs": 30,
        }
    found: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        found.setdefault(name, []).append(value)

    for draw in range(draws):
        size = {"n_relevant": 8, "n_features": n_columns}
        train = make_section_4_1(n_rows, random_state=draw, **size)
        test = make_section_4_1(10_000, random_state=1000 + draw, **size)
        losses, networks, seconds = {}, {}, {}
        grid: dict[str, Any] = {}
        for search in ("halving", "grid"):
            model = EasierNetRegressorCV(search=search, random_state=draw, **grid, **parameters)
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(train.X, train.y)
            seconds[search] = time.perf_counter() - start
            networks[search] = networks_trained(model)
            error = np.mean((model.predict(test.X) - test.mean) ** 2) / train.y.var()
            losses[search] = (-model.best_score_ / train.y.var(), float(error))
            note(f"{search}: validation loss", losses[search][0])
            note(f"{search}: test loss, without noise", losses[search][1])
            note(f"{search}: networks trained while tuning", networks[search])
            note(f"{search}: seconds, with the refit", seconds[search])
            print(f"draw {draw}, {search}: {seconds[search]:.0f} s", flush=True)
            # The candidate that halving looks at first is the corner of its first look.
            corner = float(model.cv_results_["param_input_penalty"][0])
            values = (corner * 5.0 ** (-STEP * np.arange(width))).tolist()
            grid = {"input_penalties": values, "network_penalties": values}
        note("validation loss lost by halving, %", 100 * _excess(losses, 0))
        note("test loss lost by halving, %", 100 * _excess(losses, 1))
        note("share of the grid's networks that halving trained", _ratio(networks))
        note("share of the grid's time that halving took", _ratio(seconds))
    rows: list[tuple[str, object]] = [("draws", draws)]
    rows += [(name, with_error(values)) for name, values in found.items()]
    report(
        "halving_against_grid",
        f"Halving against the grid of {width} x {width}, {n_rows} x {n_columns}",
        rows,
        headline=["draws", *(name for name in found if "halving" in name and ":" not in name)],
        write=not chosen.quick,
    )
    return rows


def _excess(losses: dict[str, tuple[float, float]], which: int) -> float:
    return losses["halving"][which] / losses["grid"][which] - 1


def _ratio(values: dict[str, float]) -> float:
    return values["halving"] / values["grid"]


if __name__ == "__main__":
    main()
