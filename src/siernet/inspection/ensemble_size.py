"""Loss against the number of networks: whether more of them would help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.inspection.checks import fitted_model, is_classifier, positive_count
from siernet.inspection.observed import observed_and_members


@dataclass(frozen=True)
class EnsembleSizeLoss:
    """Loss of averages of 1 to B networks.

    Parameters
    ----------
    n_members : (B,) int array
    mean, low, high : (B,) arrays
        Over random orders of the networks: the mean, and the 10th and 90th percentiles. Near B
        the orders share most networks, so the spread there says little.
    limit : float or None
        In regression, the loss that ever more networks would approach, estimated without bias
        from how much the networks differ; None for classes or a single network.
    label : str
    """

    n_members: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    limit: float | None
    label: str

    @property
    def gain_of_last_half(self) -> float:
        """Share of the loss that the second half of the networks took off."""
        half = self.mean[(len(self.mean) - 1) // 2]
        return float((half - self.mean[-1]) / half) if half > 0 else 0.0


def ensemble_size_loss(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    record: Any = None,
    n_orders: int = 100,
    random_state: int = 0,
) -> EnsembleSizeLoss:
    """Loss on held-out rows as networks are added, from ``X`` and ``y`` or from a fit's record.

    Parameters
    ----------
    model : fitted estimator
    X, y : array-like, optional
        Rows that were not trained on.
    record : FitRecord, optional
        Used in place of X and y.
    n_orders : int, default=100
        Random orders of the networks.
    random_state : int, default=0
    """
    model = fitted_model(model)
    positive_count(n_orders, "n_orders")
    y, members = observed_and_members(model, X, y, record)
    if is_classifier(model):
        rows = np.arange(len(y))
        members = members[:, rows, y]

        def losses(predictions: np.ndarray) -> np.ndarray:
            tiny = np.finfo(np.float64).tiny
            return -np.log(np.maximum(predictions, tiny)).mean(axis=1)
    else:

        def losses(predictions: np.ndarray) -> np.ndarray:
            return ((predictions - y) ** 2).mean(axis=1)

    counts = np.arange(1, len(members) + 1)
    rng = np.random.default_rng(random_state)
    curves = np.stack(
        [
            losses(members[rng.permutation(len(members))].cumsum(axis=0) / counts[:, None])
            for _ in range(n_orders if len(members) > 1 else 1)
        ]
    )
    limit = None
    if not is_classifier(model) and len(members) > 1:
        # E loss of m networks = limit + variance / m, for networks drawn independently.
        limit = float(curves[0, -1] - members.var(axis=0, ddof=1).mean() / len(members))
    return EnsembleSizeLoss(
        n_members=counts,
        mean=curves.mean(axis=0),
        low=np.quantile(curves, 0.1, axis=0),
        high=np.quantile(curves, 0.9, axis=0),
        limit=limit,
        label="negative log-likelihood" if is_classifier(model) else "squared error",
    )
