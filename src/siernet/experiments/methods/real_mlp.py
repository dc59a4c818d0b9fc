"""RealMLP, a network of today for tables with defaults tuned on many of them."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from siernet.engine import resolve_device
from siernet.experiments.methods.cross_validation import Split, mean_loss, splits
from siernet.experiments.methods.method import TASKS, Method, Outcome, Predict, Training


def _describe(task: str, scale: str) -> dict[str, Any]:
    """The package's tuned defaults, but chosen and stopped by the loss that is compared."""
    settings: dict[str, Any] = {"n_folds": 4, "n_epochs": 256 if scale == "paper" else 32}
    if task == "classification":
        # Smoothed labels help accuracy and spoil the likelihood.
        settings |= {"val_metric_name": "cross_entropy", "use_ls": False}
    return settings


def _train(training: Training) -> Outcome:
    """Each fold's network is stopped by the rows it leaves out, and all are averaged."""
    folds = splits(training, training.settings["n_folds"])
    with torch.random.fork_rng(), _quiet_trainer():
        predictors = [_fold(training, fold, number) for number, fold in enumerate(folds)]
        losses = [
            mean_loss(training, predictor(training.X[test]), test)
            for predictor, (_, test) in zip(predictors, folds, strict=True)
        ]

    def predict(X: np.ndarray) -> np.ndarray:
        with _quiet_trainer():
            return np.mean([predictor(X) for predictor in predictors], axis=0)

    return Outcome(predict, {"validation_loss": float(np.mean(losses))})


def _fold(training: Training, fold: Split, number: int) -> Predict:
    from pytabkit import RealMLP_TD_Classifier, RealMLP_TD_Regressor

    parameters = {name: value for name, value in training.settings.items() if name != "n_folds"}
    train, test = fold
    X, y = training.X, training.y
    Model = RealMLP_TD_Classifier if training.classes else RealMLP_TD_Regressor
    model = Model(
        **parameters,
        n_cv=1,
        device=resolve_device(training.device),
        random_state=training.seed * training.settings["n_folds"] + number,
        n_threads=1 if training.n_jobs is None else max(1, training.n_jobs),
        verbosity=0,
    )
    model.fit(X[train], y[train], X_val=X[test], y_val=y[test])

    def predict(X: np.ndarray) -> np.ndarray:
        if not training.classes:
            return np.asarray(model.predict(X), dtype=np.float64).reshape(-1)
        return np.asarray(model.predict_proba(X), dtype=np.float64)

    return predict


@contextlib.contextmanager
def _quiet_trainer() -> Iterator[None]:
    """Keeps the library that drives the training from telling of every fit, by many loggers."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


REAL_MLP = (Method("realmlp", "RealMLP", ("pytabkit",), TASKS, describe=_describe, train=_train),)
