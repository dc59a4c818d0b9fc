"""The Lasso, and logistic regression with its penalty."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LassoCV, LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from siernet.experiments.methods.cross_validation import Split, mean_loss, splits
from siernet.experiments.methods.method import TASKS, Method, Outcome, Training


def _describe(task: str, scale: str) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "n_folds": 4,
        "decades": 4,
        "n_penalties": 100 if scale == "paper" else 30,
    }
    if task == "classification":
        settings |= {
            "n_penalties": 20 if scale == "paper" else 10,
            "max_iter": 2000 if scale == "paper" else 300,
            "tol": 1e-3,
        }
    return settings


def _train(training: Training) -> Outcome:
    return _train_logistic(training) if training.classes else _train_linear(training)


def _penalties(training: Training, largest: float) -> np.ndarray:
    """From the smallest that leaves no variable, down some decades."""
    settings = training.settings
    return (largest or 1.0) * np.logspace(0, -settings["decades"], settings["n_penalties"])


def _train_linear(training: Training) -> Outcome:
    scaler = StandardScaler().fit(training.X)
    X, y = scaler.transform(training.X), training.y
    largest = np.abs(X.T @ (y - y.mean())).max() / len(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LassoCV(
            alphas=_penalties(training, largest),
            cv=splits(training, training.settings["n_folds"]),
            max_iter=10_000,
            n_jobs=training.n_jobs,
        ).fit(X, y)
    selected = model.coef_ != 0
    return Outcome(
        lambda X: model.predict(scaler.transform(X)),
        {
            "validation_loss": float(model.mse_path_.mean(axis=1).min()),
            "penalty": float(model.alpha_),
            "support_size": float(selected.sum()),
            "selection_rates": selected.astype(float).tolist(),
        },
    )


def _train_logistic(training: Training) -> Outcome:
    X, y = StandardScaler().fit_transform(training.X), training.y
    one_hot = np.eye(training.n_classes)[y]
    largest = np.abs(X.T @ (one_hot - one_hot.mean(axis=0))).max()
    penalties = _penalties(training, largest)
    folds = splits(training, training.settings["n_folds"])
    # saga leaves Python's lock, so threads do.
    losses = joblib.Parallel(n_jobs=training.n_jobs, prefer="threads")(
        joblib.delayed(_losses)(training, fold, penalties) for fold in folds
    )
    mean = np.mean(losses, axis=0)
    best = int(mean.argmin())
    # The path again, so that the last fit starts from near its solution as those of the folds did.
    *_, (scaler, model) = _path(training, np.arange(len(y)), penalties[: best + 1])
    selected = (model.coef_ != 0).any(axis=0)
    return Outcome(
        lambda X: model.predict_proba(scaler.transform(X)),
        {
            "validation_loss": float(mean[best]),
            "penalty": float(penalties[best]),
            "support_size": float(selected.sum()),
            "selection_rates": selected.astype(float).tolist(),
        },
    )


def _losses(training: Training, fold: Split, penalties: np.ndarray) -> list[float]:
    train, test = fold
    return [
        mean_loss(training, model.predict_proba(scaler.transform(training.X[test])), test)
        for scaler, model in _path(training, train, penalties)
    ]


def _path(
    training: Training, rows: np.ndarray, penalties: np.ndarray
) -> Iterator[tuple[StandardScaler, LogisticRegression]]:
    """Models from large penalties to small, each starting from the one before."""
    scaler = StandardScaler().fit(training.X[rows])
    X, y = scaler.transform(training.X[rows]), training.y[rows]
    by_l1 = parse_version(sklearn.__version__) >= parse_version("1.8")
    model = LogisticRegression(
        **({"l1_ratio": 1.0} if by_l1 else {"penalty": "l1"}),
        solver="saga",
        tol=training.settings["tol"],
        max_iter=training.settings["max_iter"],
        warm_start=True,
        random_state=training.seed,
    )
    for penalty in penalties:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.set_params(C=1 / penalty).fit(X, y)
        yield scaler, model


LINEAR = (Method("lasso", "Lasso", (), TASKS, describe=_describe, train=_train),)
