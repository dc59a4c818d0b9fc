"""Theorem 1: how often the best-fitting network misses relevant variables, at the most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from siernet.theory.checks import numbers, one_of, whole_number


class _Constants(NamedTuple):
    """The theorem's numbers: threshold = factor * complexity, tails exp(-n delta^2 / ...)."""

    factor: Callable[[np.ndarray, np.ndarray, int], np.ndarray]  # of B_0, sigma, L
    square: float  # the squares' tail is exp(-n delta^2 / (square B_0^4))
    cross: float  # the noise's is copies * exp(-n delta^2 / (cross B_0^2 sigma^2))
    copies: float


_CONSTANTS = {
    "stated": _Constants(lambda B0, sigma, L: L * (4 * B0 + sigma), 2, 8, 2),
    "proof": _Constants(lambda B0, sigma, _: 4 * B0 + sigma, 2, 8, 2),
    "derived": _Constants(lambda B0, sigma, _: 8 * B0 + 2 * sigma, 8, 32, 1),
}


def complexity_bound(
    n_samples: Any, *, n_features: int, total_variation: Any, n_layers: int = 7
) -> np.ndarray:
    """Bound on the networks' Rademacher and Gaussian complexity.

    ``B_1 sqrt(2 (L log 2 + log(2 d)) / n)``, of Barron and Klusowski (2019), for inputs in [-1, 1].

    Parameters
    ----------
    n_samples : array-like
        n.
    n_features : int
        d.
    total_variation : array-like
        B_1, the bound on the networks' total path variation.
    n_layers : int, default=7
        L: the hidden layers and two.
    """
    n = numbers(n_samples, "n_samples", least=1)
    features = whole_number(n_features, "n_features")
    layers = whole_number(n_layers, "n_layers", least=2)
    variation = numbers(total_variation, "total_variation", above=True)
    return variation * np.sqrt(2 * (layers * np.log(2) + np.log(2 * features)) / n)


def best_delta(
    n_samples: Any,
    gamma: Any,
    *,
    n_features: int,
    sup_norm: Any,
    total_variation: Any,
    noise_variance: Any,
    n_layers: int = 7,
    constants: str = "stated",
) -> np.ndarray:
    """The delta at which Theorem 1's bound is least; zero where no delta brings it below one.

    The two tails fall in delta, so the least bound lies where the indicator is about to become
    one: ``delta = (gamma - threshold) / 2``. Parameters are those of `screening_upper_bound`.
    """
    chosen = _CONSTANTS[one_of(constants, "constants", _CONSTANTS)]
    complexity = complexity_bound(
        n_samples, n_features=n_features, total_variation=total_variation, n_layers=n_layers
    )
    bound = numbers(sup_norm, "sup_norm", above=True)
    sigma = np.sqrt(numbers(noise_variance, "noise_variance", above=True))
    threshold = chosen.factor(bound, sigma, int(n_layers)) * complexity
    return np.maximum(0.0, (numbers(gamma, "gamma") - threshold) / 2)


def screening_upper_bound(
    n_samples: Any,
    gamma: Any,
    *,
    n_features: int,
    sup_norm: Any,
    total_variation: Any,
    noise_variance: Any,
    n_layers: int = 7,
    delta: Any = None,
    constants: str = "stated",
) -> np.ndarray:
    """Bound on the probability that m or more relevant variables are missed (Theorem 1).

    It is for the global minimiser of the empirical risk over all sparse-input hierarchical
    networks with L layers, sup-norm B_0 and total variation B_1, when the true mean is one of
    them, covariates lie in [-1, 1] and the noise is Gaussian. It is not for what penalised training
    finds, and its constants are large: it is informative from very large n on. Arguments broadcast.

    Parameters
    ----------
    n_samples : array-like
        n.
    gamma : array-like
        The predictive value gamma(m).
    n_features : int
        d.
    sup_norm : array-like
        B_0. The stated constants hold if it bounds ``|f - mu|``; if, as in the paper's words, it
        bounds ``|f|`` and ``|mu|`` each, use ``constants="derived"``.
    total_variation : array-like
        B_1.
    noise_variance : array-like
        sigma^2.
    n_layers : int, default=7
        L: the hidden layers and two.
    delta : array-like, optional
        The theorem holds for every delta; by default, the infimum over delta.
    constants : {"stated", "proof", "derived"}, default="stated"
        Those of the theorem, those of its proof (no factor L), or those that the proof's argument
        gives when every step is written out (docs/theory.md).

    Returns
    -------
    ndarray
        Between 0 and 1; one says nothing.
    """
    chosen = _CONSTANTS[one_of(constants, "constants", _CONSTANTS)]
    limit = 2 * best_delta(
        n_samples,
        gamma,
        n_features=n_features,
        sup_norm=sup_norm,
        total_variation=total_variation,
        noise_variance=noise_variance,
        n_layers=n_layers,
        constants=constants,
    )
    n, bound, variance = (
        np.asarray(part, dtype=np.float64) for part in (n_samples, sup_norm, noise_variance)
    )
    if delta is None:
        step = limit / 2
        exceeded = limit <= 0
    else:
        step = numbers(delta, "delta", infinite=True)
        exceeded = 2 * step >= limit
    tails = np.exp(-n * step**2 / (chosen.square * bound**4))
    tails = tails + chosen.copies * np.exp(-n * step**2 / (chosen.cross * bound**2 * variance))
    return np.minimum(1.0, exceeded + tails)
