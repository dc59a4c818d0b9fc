"""Validation loss over the two penalties, as a CV estimator measured it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.inspection.checks import fitted_model, is_classifier


@dataclass(frozen=True)
class LossSurface:
    """What each candidate pair of penalties scored.

    Parameters
    ----------
    input_penalties, network_penalties : (m,) arrays
    value, standard_error : (m,) arrays
        Mean validation loss over the folds; or the score, with the user's own ``scoring``.
    n_members : (m,) int array
        Networks in the ensembles that were compared; a search drops poor candidates early.
    n_selected : (m,) array
        Variables that a network selected, on average.
    within_one_se : (m,) bool array
        Whether the value is within one standard error of the best.
    chosen, best : int
        Places of the pair chosen and of the best pair (of most members).
    label : str
        What the value is.
    lower_is_better : bool
    """

    input_penalties: np.ndarray
    network_penalties: np.ndarray
    value: np.ndarray
    standard_error: np.ndarray
    n_members: np.ndarray
    n_selected: np.ndarray
    within_one_se: np.ndarray
    chosen: int
    best: int
    label: str
    lower_is_better: bool

    @property
    def bound(self) -> float:
        """The best value worsened by one of its standard errors."""
        sign = 1 if self.lower_is_better else -1
        return float(self.value[self.best] + sign * self.standard_error[self.best])

    def at_edge(self) -> tuple[str, ...]:
        """Penalties chosen at the smallest or largest value searched, of several."""
        return tuple(
            name
            for name, values in (
                ("input_penalty", self.input_penalties),
                ("network_penalty", self.network_penalties),
            )
            if np.ptp(values) > 0 and values[self.chosen] in (values.min(), values.max())
        )


def loss_surface(model: Any) -> LossSurface:
    """The search of a fitted CV estimator."""
    model = fitted_model(model)
    if not hasattr(model, "cv_results_"):
        raise TypeError(
            f"{type(model).__name__} did not search for its penalties, so there is no loss "
            f"surface. Fit {type(model).__name__.removesuffix('CV')}CV."
        )
    results = model.cv_results_
    own_scoring = getattr(model, "scoring", None) is not None
    score = np.asarray(results["mean_test_score"], dtype=np.float64)
    error = np.asarray(results["se_test_score"], dtype=np.float64)
    members = np.asarray(results["n_resources"])
    best = int(np.nanargmax(np.where(members == members.max(), score, np.nan)))
    loss_name = "negative log-likelihood" if is_classifier(model) else "squared error"
    return LossSurface(
        input_penalties=np.asarray(results["param_input_penalty"], dtype=np.float64),
        network_penalties=np.asarray(results["param_network_penalty"], dtype=np.float64),
        value=score if own_scoring else -score,
        standard_error=error,
        n_members=members,
        n_selected=np.asarray(results["mean_n_selected"], dtype=np.float64),
        within_one_se=score >= score[best] - error[best],
        chosen=int(model.best_index_),
        best=best,
        label="validation score" if own_scoring else f"validation {loss_name}",
        lower_is_better=not own_scoring,
    )


def log_positions(penalties: np.ndarray) -> np.ndarray:
    """Logarithms to base 10; a penalty of zero goes one step of ten below the smallest other."""
    positive = penalties[penalties > 0]
    floor = positive.min() / 10 if len(positive) else 1e-4
    return np.log10(np.maximum(penalties, floor))
