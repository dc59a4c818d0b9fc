"""LassoNet, by its authors' package."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch
from sklearn.preprocessing import StandardScaler

from siernet.engine import resolve_device
from siernet.experiments.methods.cross_validation import splits
from siernet.experiments.methods.method import TASKS, Method, Outcome, Training
from siernet.rows import Scaling


def _describe(task: str, scale: str) -> dict[str, Any]:
    """The package's defaults but for the number of folds; a coarse path for a quick look."""
    quick = scale == "quick"
    return {
        "n_folds": 4,
        "hidden_dims": [100],
        "M": 10.0,
        "path_multiplier": 1.1 if quick else 1.02,
        "n_iters": [200, 50] if quick else [1000, 100],
        "patience": [20, 5] if quick else [100, 10],
    }


def _train(training: Training) -> Outcome:
    scaler = StandardScaler().fit(training.X)
    X = scaler.transform(training.X)
    y, mean, scale = training.y, 0.0, 1.0
    if not training.classes:
        scaling = Scaling.learn(training.y[:, None], np.ones(len(X)))
        mean, scale = float(scaling.mean[0]), float(scaling.scale[0])
        y = scaling.apply(training.y[:, None])
    with torch.random.fork_rng(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the path starts too high, mostly
        model = _estimator(training).fit(X, y)

    def predict(X: np.ndarray) -> np.ndarray:
        X = scaler.transform(np.asarray(X, dtype=np.float64))
        if not training.classes:
            return model.predict(X).ravel() * scale + mean
        probabilities = model.predict_proba(X).astype(np.float64)
        return probabilities / probabilities.sum(axis=1, keepdims=True)

    selected = np.asarray(model.best_selected_)
    details = {
        "validation_loss": -float(model.best_cv_score_) * scale**2,
        "penalty": float(model.best_lambda_),
        "support_size": float(selected.sum()),
        "selection_rates": selected.astype(float).tolist(),
    }
    return Outcome(predict, details)


def _estimator(training: Training) -> Any:
    """The package's CV estimator, told the loss and how many classes there are.

    It would choose by R² or accuracy, and count the classes among the rows at hand, of which it
    holds some out itself.
    """
    import lassonet

    settings = training.settings
    common = {
        "cv": splits(training, settings["n_folds"]),
        "hidden_dims": tuple(settings["hidden_dims"]),
        "M": settings["M"],
        "path_multiplier": settings["path_multiplier"],
        "n_iters": tuple(settings["n_iters"]),
        "patience": tuple(settings["patience"]),
        "device": resolve_device(training.device),
        "random_state": training.seed,
        "torch_seed": training.seed,
        "verbose": 0,
    }

    class Regressor(lassonet.LassoNetRegressorCV):
        def score(self, X: np.ndarray, y: np.ndarray) -> float:
            return -float(np.mean((self.predict(X) - y) ** 2))

    class Classifier(lassonet.LassoNetClassifierCV):
        @staticmethod
        def _output_shape(y: torch.Tensor) -> int:
            return training.n_classes

        def score(self, X: np.ndarray, y: np.ndarray) -> float:
            observed = self.predict_proba(X).astype(np.float64)[np.arange(len(y)), y]
            return float(np.log(np.maximum(observed, np.finfo(np.float64).tiny)).mean())

    return Classifier(**common) if training.classes else Regressor(**common)


LASSO_NET = (Method("lassonet", "LassoNet", ("lassonet",), TASKS, _describe, _train),)
