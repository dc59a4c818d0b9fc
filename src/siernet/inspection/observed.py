"""Predictions beside what was observed: numbers, or how well probabilities are calibrated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest

from siernet.inspection.checks import class_codes, fitted_model, is_classifier, positive_count


@dataclass(frozen=True)
class PredictedObserved:
    """A regression's predictions of rows whose response is known.

    Parameters
    ----------
    observed, predicted : (n,) arrays
    spread : (n,) array
        Standard deviation of the networks' predictions, not of the error.
    r2, rmse : float
        Share of the variance of these rows that is explained, and root mean squared error.
    """

    observed: np.ndarray
    predicted: np.ndarray
    spread: np.ndarray
    r2: float
    rmse: float


@dataclass(frozen=True)
class Calibration:
    """Whether predicted probabilities come true, in bins of equal width that hold rows.

    Parameters
    ----------
    predicted : (bins,) array
        Mean probability in the bin.
    observed, low, high : (bins,) arrays
        Share of its rows where it came true, and Wilson's 95% interval.
    counts : (bins,) int array
        Rows in the bin.
    event : str
        What the probability is of.
    accuracy : float
        Share of the rows whose most probable class is the one observed.
    confusion : (K, K) int array
        Rows by observed class (first axis) and most probable class.
    """

    predicted: np.ndarray
    observed: np.ndarray
    low: np.ndarray
    high: np.ndarray
    counts: np.ndarray
    event: str
    accuracy: float
    confusion: np.ndarray


def observed_and_members(model: Any, X: Any, y: Any, record: Any) -> tuple[np.ndarray, np.ndarray]:
    """The response (n,), as class codes for classes, and the networks' predictions of it."""
    model = fitted_model(model)
    if record is not None:
        if X is not None or y is not None:
            raise ValueError("Pass X and y, or a record that holds held-out rows; not both.")
        y, members = record.test_y, np.asarray(record.test_members, dtype=np.float64)
        if len(y) == 0:
            raise ValueError("The record holds no held-out rows. Pass X and y of such rows.")
        if members.ndim != 2 + is_classifier(model) or members.shape[1] != len(y):
            raise ValueError(
                f"The record's predictions have shape {members.shape}, which does not fit this "
                f"{type(model).__name__} and {len(y)} held-out rows. It belongs to another model."
            )
    elif X is None or y is None:
        raise ValueError("Pass both X and y, of rows that were not trained on, or a record.")
    else:
        members = model.predict_members(X)
    observed = class_codes(model, y) if is_classifier(model) else _numbers(y)
    if len(observed) != members.shape[1]:
        raise ValueError(f"X has {members.shape[1]} rows, but y has {len(observed)}.")
    return observed, members


def _numbers(y: Any) -> np.ndarray:
    try:
        values = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("y has to hold numbers: the model is a regression.") from None
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"y has to be one column of finite numbers; its shape is {values.shape}.")
    return values


def predicted_observed(
    model: Any, X: Any = None, y: Any = None, *, record: Any = None
) -> PredictedObserved:
    """A fitted regression's predictions of held-out rows, from data or from a fit's record."""
    if is_classifier(fitted_model(model)):
        raise TypeError(f"{type(model).__name__} predicts classes: use calibration instead.")
    observed, members = observed_and_members(model, X, y, record)
    predicted = members.mean(axis=0)
    error = np.mean((observed - predicted) ** 2)
    variance = observed.var()
    return PredictedObserved(
        observed=observed,
        predicted=predicted,
        spread=members.std(axis=0, ddof=1) if len(members) > 1 else np.zeros(len(observed)),
        r2=float(1 - error / variance) if variance > 0 else float("nan"),
        rmse=float(np.sqrt(error)),
    )


def calibration(
    model: Any, X: Any = None, y: Any = None, *, record: Any = None, n_bins: int = 10
) -> Calibration:
    """How a fitted classifier's probabilities compare with what happened on held-out rows.

    With two classes, the second's probability; with more, that of the most probable class.
    """
    if not is_classifier(fitted_model(model)):
        raise TypeError(f"{type(model).__name__} predicts numbers: use predicted_observed instead.")
    positive_count(n_bins, "n_bins")
    codes, members = observed_and_members(model, X, y, record)
    classes = model.classes_
    probability = members.mean(axis=0)
    guess = probability.argmax(axis=1)
    if len(classes) == 2:
        chance, came_true, event = probability[:, 1], codes == 1, f"{classes[1]}"
    else:
        chance, came_true, event = probability.max(axis=1), codes == guess, "the predicted class"
    bins = np.minimum((chance * n_bins).astype(int), n_bins - 1)
    counts = np.bincount(bins, minlength=n_bins)
    filled = counts > 0
    hits = np.bincount(bins, weights=came_true, minlength=n_bins)[filled].astype(int)
    counts = counts[filled]
    sums = np.bincount(bins, weights=chance, minlength=n_bins)[filled]
    intervals = np.array(
        [
            binomtest(hit, count).proportion_ci(method="wilson")
            for hit, count in zip(hits.tolist(), counts.tolist(), strict=True)
        ]
    )
    confusion = np.zeros((len(classes), len(classes)), dtype=np.int64)
    np.add.at(confusion, (codes, guess), 1)
    return Calibration(
        predicted=sums / counts,
        observed=hits / counts,
        low=intervals[:, 0],
        high=intervals[:, 1],
        counts=counts,
        event=event,
        accuracy=float((codes == guess).mean()),
        confusion=confusion,
    )
