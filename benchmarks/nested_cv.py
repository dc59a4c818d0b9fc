"""How optimistic the search's own validation loss is, beside LassoCV's, by nested cross-validation.

The loss of the chosen candidate is the least of many, so it is too low; but the refit has more
rows and members than what was validated, so it may also be too high. Outer folds tell: the excess
of the outer loss over the inner one, on the same splits for both.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import LassoCV
from sklearn.model_selection import KFold

from benchmarks import command
from benchmarks.record import report, with_error
from siernet import EasierNetRegressorCV
from siernet.datasets import make_section_4_1


def inner_loss(model: Any) -> float:
    """The mean squared error that made the model choose as it did."""
    if isinstance(model, LassoCV):
        return float(model.mse_path_.mean(axis=1).min())
    return -float(model.best_score_)


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(__doc__, 6, arguments, draws=6)
    n_rows, n_columns, outer, draws = 200, 20, 4, chosen.draws
    parameters = {"n_estimators_tuning": 4, "n_hidden_layers": 3, "n_hidden_nodes": 30}
    if chosen.quick:
        n_rows, n_columns, outer, draws = 60, 8, 2, 2
        parameters = {
            "n_estimators": 2,
            "n_estimators_tuning": 1,
            "n_hidden_layers": 1,
            "n_hidden_nodes": 5,
            "max_epochs": 30,
        }
    makers = {
        "EasierNetRegressorCV": lambda seed: EasierNetRegressorCV(random_state=seed, **parameters),
        "LassoCV": lambda _: LassoCV(cv=4),
    }
    # Of each draw, the mean over its outer folds: draws are independent, folds are not.
    inner = {name: np.zeros((draws, outer)) for name in makers}
    beyond = {name: np.zeros((draws, outer)) for name in makers}
    for draw in range(draws):
        size = {"n_relevant": 4, "n_features": n_columns}
        drawn = make_section_4_1(n_rows, random_state=draw, **size)
        folds = KFold(outer, shuffle=True, random_state=draw).split(drawn.X)
        for fold, (train, test) in enumerate(folds):
            for name, make in makers.items():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model = make(draw).fit(drawn.X[train], drawn.y[train])
                inner[name][draw, fold] = inner_loss(model)
                errors = (model.predict(drawn.X[test]) - drawn.y[test]) ** 2
                beyond[name][draw, fold] = errors.mean()
        print(f"draw {draw} of {draws}", flush=True)
    rows: list[tuple[str, object]] = [("draws, outer folds", f"{draws}, {outer}")]
    optimism = {}
    for name in makers:
        optimism[name] = 100 * (beyond[name].mean(axis=1) / inner[name].mean(axis=1) - 1)
        rows += [
            (f"{name}: inner loss (mean squared error)", float(inner[name].mean())),
            (f"{name}: outer loss", float(beyond[name].mean())),
            (f"{name}: optimism, %", with_error(optimism[name])),
        ]
    difference = optimism["EasierNetRegressorCV"] - optimism["LassoCV"]
    rows.append(("EasierNetRegressorCV's optimism less LassoCV's, points", with_error(difference)))
    report(
        "nested_cv",
        f"Optimism of the validation loss, nested cross-validation, {n_rows} x {n_columns}",
        rows,
        headline=[label for label, _ in rows if "optimism" in label],
        write=not chosen.quick,
    )
    return rows


if __name__ == "__main__":
    main()
