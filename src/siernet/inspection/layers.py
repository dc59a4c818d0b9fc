"""The proportion of variance that each layer contributes to the prediction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.base import BaseSierNet
from siernet.inspection.checks import fitted_model


@dataclass(frozen=True)
class LayerContributions:
    """Contributions of one model.

    Parameters
    ----------
    layers : tuple of str
    contributions : (B, L-1) array
        Each layer's variance over that of the prediction, by network; zeros for a constant one.
    """

    layers: tuple[str, ...]
    contributions: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Over the networks, shape (L-1,)."""
        return self.contributions.mean(axis=0)


@dataclass(frozen=True)
class ContributionPath:
    """Contributions at several network penalties, in ascending order (Figure 2 of the paper).

    Parameters
    ----------
    layers : tuple of str
    network_penalties : (m,) array
    mean, low, high : (m, L-1) arrays
        Over the networks: the mean, and the 10th and 90th percentiles.
    """

    layers: tuple[str, ...]
    network_penalties: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


def layer_names(n_layers: int) -> tuple[str, ...]:
    """The inputs, whose part is linear, then the hidden layers."""
    return ("inputs", *(f"hidden {layer}" for layer in range(1, n_layers)))


def layer_contributions(model: Any) -> LayerContributions:
    """Contributions by layer and network of a fitted estimator."""
    model = fitted_model(model)
    contributions = np.array(model.layer_contributions_)
    contributions[~model.supports_.any(axis=1)] = 0  # there, rounding over rounding
    return LayerContributions(layer_names(contributions.shape[1]), contributions)


def contribution_path(models: Any) -> ContributionPath:
    """Contributions against lambda_2.

    Parameters
    ----------
    models : sequence of fitted estimators, or mapping
        A mapping leads from lambda_2 to contributions, of shape (L-1,) or (B, L-1).
    """
    by_penalty = _from_mapping(models) if isinstance(models, Mapping) else _from_models(models)
    if not by_penalty:
        raise ValueError("No model given. Pass at least one fitted estimator.")
    penalties = sorted(by_penalty)
    tables = [np.concatenate(by_penalty[penalty]) for penalty in penalties]
    return ContributionPath(
        layers=layer_names(tables[0].shape[1]),
        network_penalties=np.array(penalties),
        mean=np.stack([table.mean(axis=0) for table in tables]),
        low=np.stack([np.quantile(table, 0.1, axis=0) for table in tables]),
        high=np.stack([np.quantile(table, 0.9, axis=0) for table in tables]),
    )


def _from_models(models: Iterable[Any]) -> dict[float, list[np.ndarray]]:
    by_penalty: dict[float, list[np.ndarray]] = {}
    if isinstance(models, BaseSierNet):  # an ensemble is iterable too, over its networks
        models = [models]
    for model in models:
        table = layer_contributions(model).contributions
        penalty = getattr(model, "network_penalty_", None)
        penalty = model.network_penalty if penalty is None else penalty
        by_penalty.setdefault(float(penalty), []).append(table)
    _check_same_depth(by_penalty)
    return by_penalty


def _from_mapping(models: Mapping[Any, Any]) -> dict[float, list[np.ndarray]]:
    by_penalty = {
        float(penalty): [np.atleast_2d(np.asarray(table, dtype=np.float64))]
        for penalty, table in models.items()
    }
    _check_same_depth(by_penalty)
    return by_penalty


def _check_same_depth(by_penalty: dict[float, list[np.ndarray]]) -> None:
    depths = sorted({table.shape[1] for tables in by_penalty.values() for table in tables})
    if len(depths) > 1:
        raise ValueError(
            f"The models have different numbers of layers: {depths}. Fit all with the same "
            "n_hidden_layers."
        )
