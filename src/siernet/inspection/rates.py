"""How often each variable was selected, and how precisely that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest

from siernet.inspection.checks import fitted_model, variable_names


@dataclass(frozen=True)
class SelectionRates:
    """Selection rates, the largest first (equal ones in the order of the columns).

    Parameters
    ----------
    names : (d,) array of str
    columns : (d,) int array
        The variables' places among the model's columns.
    rates : (d,) array
        Share of the networks that selected the variable.
    low, high : (d,) arrays
        Wilson's 95% interval: what other initial weights would have given. It does not cover
        what other rows would have given.
    support_sizes : (B,) int array
        Variables selected by each network.
    """

    names: np.ndarray
    columns: np.ndarray
    rates: np.ndarray
    low: np.ndarray
    high: np.ndarray
    support_sizes: np.ndarray

    @property
    def n_members(self) -> int:
        """Networks in the ensemble."""
        return len(self.support_sizes)

    @property
    def n_ever_selected(self) -> int:
        """Variables that at least one network selected."""
        return int((self.rates > 0).sum())


def selection_rates(model: Any, *, feature_names: Sequence[Any] | None = None) -> SelectionRates:
    """Selection rates of a fitted estimator, the largest first."""
    model = fitted_model(model)
    names = variable_names(model, feature_names)
    counts = model.supports_.sum(axis=0)
    order = np.argsort(-counts, kind="stable")
    n_members = len(model.supports_)
    intervals = np.array([_wilson(count, n_members) for count in range(n_members + 1)])
    return SelectionRates(
        names=names[order],
        columns=order,
        rates=counts[order] / n_members,
        low=intervals[counts[order], 0],
        high=intervals[counts[order], 1],
        support_sizes=model.supports_.sum(axis=1),
    )


def _wilson(count: int, total: int) -> tuple[float, float]:
    interval = binomtest(count, total).proportion_ci(method="wilson")
    return interval.low, interval.high
