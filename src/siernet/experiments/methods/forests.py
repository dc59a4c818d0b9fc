"""Random forests as the paper ran them, and extra trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from siernet.experiments.methods.cross_validation import best_candidate, splits
from siernet.experiments.methods.method import TASKS, Method, Outcome, Predict, Training


def _forest_settings(task: str, scale: str) -> dict[str, Any]:
    return {
        "n_folds": 4,
        "n_trees": 1000 if scale == "paper" else 200,
        "candidates": [{"max_features": "sqrt", "max_depth": 9}],
    }


def _extra_trees_settings(task: str, scale: str) -> dict[str, Any]:
    shares = ["sqrt", 1 / 3, 1.0] if scale == "paper" else ["sqrt", 1.0]
    return {
        "n_folds": 4,
        "n_trees": 1000 if scale == "paper" else 200,
        "candidates": [
            {"max_features": share, "min_samples_leaf": leaf} for share in shares for leaf in (1, 3)
        ],
    }


def _train(training: Training, Regressor: Any, Classifier: Any) -> Outcome:
    settings = training.settings
    Forest = Classifier if training.classes else Regressor

    def fit(X: np.ndarray, y: np.ndarray, candidate: dict[str, Any]) -> Predict:
        forest = Forest(
            settings["n_trees"], **candidate, n_jobs=training.n_jobs, random_state=training.seed
        ).fit(X, y)
        return _probabilities(forest) if training.classes else forest.predict

    folds = splits(training, settings["n_folds"])
    best, loss = best_candidate(training, folds, fit, settings["candidates"])
    return Outcome(fit(training.X, training.y, best), {"validation_loss": loss, **best})


def _probabilities(forest: Any) -> Predict:
    """The trees' mean probabilities with one more tree that gives all classes the same.

    Without it a class that no tree votes for has probability zero and its likelihood, by which
    the methods are compared, is nought.
    """

    def predict(X: np.ndarray) -> np.ndarray:
        n_trees, n_classes = len(forest.estimators_), len(forest.classes_)
        return (n_trees * forest.predict_proba(X) + 1 / n_classes) / (n_trees + 1)

    return predict


FORESTS = (
    Method(
        "random_forest",
        "Random forest",
        (),
        TASKS,
        describe=_forest_settings,
        train=lambda training: _train(training, RandomForestRegressor, RandomForestClassifier),
    ),
    Method(
        "extra_trees",
        "Extra trees",
        (),
        TASKS,
        describe=_extra_trees_settings,
        train=lambda training: _train(training, ExtraTreesRegressor, ExtraTreesClassifier),
    ),
)
