"""Small fitted models for tests of what is shown of them, each fitted once for all test files."""

from __future__ import annotations

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np

from siernet import (
    EasierNetClassifier,
    EasierNetRegressor,
    EasierNetRegressorCV,
    SierNetClassifier,
)
from siernet.fit_record import FitRecord

SIZE = {"n_hidden_layers": 2, "n_hidden_nodes": 8, "max_epochs": 60, "random_state": 0}
PENALTIES = {"input_penalty": 0.02, "network_penalty": 0.003}

#: Column names that a careless page would run, break on, or show as something else.
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "$\\frac{a}{b}$ & co",
    '=HYPERLINK("http://x")',
    "<b>bold</b><a href='javascript:alert(1)'>x</a>",
    "{{ 7 * 7 }}",
    "two\nlines\u202egnp",
    "2020-01-01",
)


class Fitted(NamedTuple):
    """A model with the rows it was fitted to."""

    model: object
    X: np.ndarray
    y: np.ndarray


def rows(n_rows=60, n_columns=8, seed=0):
    """The response needs columns 0 (of which 1 is a near copy), 2 and 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=n_rows)
    return X, 2 * X[:, 0] + 1.5 * X[:, 2] + X[:, 4] + 0.3 * rng.normal(size=n_rows)


def quietly(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small networks, few epochs
        return Fitted(model.fit(X, y), X, y)


@cache
def regressor():
    import pandas as pd

    X, y = rows()
    model = EasierNetRegressor(n_estimators=8, input_penalty=0.1, network_penalty=0.003, **SIZE)
    return quietly(model, pd.DataFrame(X, columns=list(HOSTILE)), y)


@cache
def classifier():
    import pandas as pd

    X, y = rows()
    labels = np.array(["</script><b>low</b>", "$mid_{dle}$", "<script>alert(3)</script>"])
    y = labels[np.digitize(y, [-1.5, 1.5])]
    model = EasierNetClassifier(n_estimators=4, input_penalty=0.01, network_penalty=0.003, **SIZE)
    return quietly(model, pd.DataFrame(X, columns=list(HOSTILE)), y)


@cache
def tuned():
    X, y = rows()
    model = EasierNetRegressorCV(
        n_estimators=3,
        n_estimators_tuning=2,
        input_penalties=[0.01, 0.05],
        network_penalties=[0.001, 0.005, 0.02],
        search="grid",
        cv=2,
        **SIZE,
    )
    return quietly(model, X, y)


@cache
def single():
    X, y = rows()
    return quietly(SierNetClassifier(**SIZE, **PENALTIES), X, y > 0)


@cache
def constant():
    X, y = rows()
    model = EasierNetRegressor(n_estimators=3, input_penalty=50.0, network_penalty=0.003, **SIZE)
    return quietly(model, X, y)


@cache
def wide():
    """20,000 variables, of which some hundred are selected."""
    X, y = rows(40, 20_000)
    model = EasierNetRegressor(
        n_estimators=3,
        n_hidden_layers=1,
        n_hidden_nodes=4,
        input_penalty=0.005,
        network_penalty=0.003,
        learning_rate=0.02,
        max_epochs=30,
        max_prox_iter=50,
        random_state=0,
    )
    return quietly(model, X, y)


def record(fitted, n_rows=40, **changes):
    """What the command line would store of a fit to the first ``n_rows`` rows."""
    model, X, y = fitted
    classes = hasattr(model, "classes_")
    names, counts = np.unique(y[:n_rows], return_counts=True) if classes else ((), ())
    facts = {
        "task": "classification" if classes else "regression",
        "target": "yield",
        "source": "table.csv",
        "command": "siernet fit table.csv --target yield --seed 0",
        "created": "2025-01-02T03:04:05+00:00",
        "siernet_version": "0.1.0",
        "seed": 0,
        "n_rows": n_rows,
        "n_test_rows": len(y) - n_rows,
        "n_rows_dropped": 0,
        "n_columns": X.shape[1],
        "class_counts": {str(k): int(v) for k, v in zip(names, counts, strict=True)},
        "test_y": y[n_rows:].astype(str) if classes else y[n_rows:],
        "test_members": model.predict_members(X[n_rows:]),
        "sample_rows": np.asarray(X)[:n_rows],
    }
    return FitRecord(**{**facts, **changes})
