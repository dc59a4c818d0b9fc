"""Choosing among candidates by cross-validation on the training rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from siernet.experiments.methods.method import Predict, Training
from siernet.tuning.folds import stratified_splits

Split = tuple[np.ndarray, np.ndarray]  # rows to train on, rows to validate with
Fit = Callable[[np.ndarray, np.ndarray, Any], Predict]


def splits(training: Training, n_splits: int) -> list[Split]:
    """Shuffled folds, stratified for classes; fewer where even the largest class has fewer rows."""
    if not training.classes:
        n_splits = min(n_splits, len(training.y))
        return list(KFold(n_splits, shuffle=True, random_state=training.seed).split(training.X))
    counts = np.bincount(training.y)
    n_splits = min(n_splits, int(counts.max()))
    if n_splits < 2:
        raise ValueError("No class has two rows, so there is nothing to validate with.")
    return stratified_splits(training.y, n_splits, training.seed)


def mean_loss(training: Training, predictions: np.ndarray, rows: np.ndarray) -> float:
    """Squared error, or negative log-likelihood, of predictions for some of the rows."""
    y = training.y[rows]
    if not training.classes:
        return float(np.mean((predictions - y) ** 2))
    observed = predictions[np.arange(len(y)), y]
    return -float(np.log(np.maximum(observed, np.finfo(np.float64).tiny)).mean())


def validation_loss(training: Training, folds: Sequence[Split], fit: Fit, candidate: Any) -> float:
    """Mean over the folds of a candidate's loss on the rows left out."""
    X, y = training.X, training.y
    return float(
        np.mean(
            [
                mean_loss(training, fit(X[train], y[train], candidate)(X[test]), test)
                for train, test in folds
            ]
        )
    )


def best_candidate(
    training: Training, folds: Sequence[Split], fit: Fit, candidates: Sequence[Any]
) -> tuple[Any, float]:
    """The candidate of the lowest validation loss, and that loss."""
    losses = [validation_loss(training, folds, fit, candidate) for candidate in candidates]
    best = int(np.argmin(losses))
    return candidates[best], losses[best]
