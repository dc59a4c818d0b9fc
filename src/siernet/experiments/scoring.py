"""Losses of predictions, as the studies report them."""

from __future__ import annotations

from typing import Any

import numpy as np

#: The least probability in the forgiving variant of the negative log-likelihood.
FLOOR = 1e-3


def squared_error(y: np.ndarray, predicted: Any, scale: float) -> float:
    """Mean squared error in units of ``scale``, the training response's standard deviation."""
    predicted = _finite(predicted, (len(y),))
    return float(np.mean(((y - predicted) / scale) ** 2))


def class_losses(y: np.ndarray, probabilities: Any, classes: np.ndarray) -> dict[str, float]:
    """Negative log-likelihood, the same with probabilities of at least ``FLOOR``, and error rate.

    A probability of zero counts as the smallest float step, as in scikit-learn's ``log_loss``; a
    class that was not among the training rows has probability zero.
    """
    probabilities = _finite(probabilities, (len(y), len(classes)))
    column = np.searchsorted(classes, y)
    column = np.minimum(column, len(classes) - 1)
    known = classes[column] == y
    given = np.where(known, probabilities[np.arange(len(y)), column], 0.0)
    right = known & (probabilities.argmax(axis=1) == column)
    return {
        "loss": float(-np.log(np.clip(given, np.finfo(np.float64).eps, 1)).mean()),
        "floored_loss": float(-np.log(np.clip(given, FLOOR, 1)).mean()),
        "error_rate": float(1 - right.mean()),
    }


def _finite(predicted: Any, shape: tuple[int, ...]) -> np.ndarray:
    predicted = np.asarray(predicted, dtype=np.float64)
    if predicted.shape != shape:
        raise ValueError(f"The predictions have shape {predicted.shape}, not {shape}.")
    if not np.isfinite(predicted).all():
        raise ValueError(f"{(~np.isfinite(predicted)).sum()} predictions are not finite.")
    return predicted
