"""Theorem 2: how often any procedure misses relevant variables, at the least."""

from __future__ import annotations

from typing import Any

import numpy as np

from siernet.theory.checks import numbers, one_of

# What n gamma(2m) / sigma^2 is divided by under the root.
_DIVISORS = {"proof": 2.0, "derived": 4.0}


def screening_lower_bound(
    n_samples: Any, gamma: Any, *, noise_variance: Any, constants: str = "proof"
) -> np.ndarray:
    """Least worst-case probability of missing m or more relevant variables (Theorem 2).

    ``max(0, (1 - sqrt(n gamma(2m) / (2 sigma^2))) / 2)``: whatever is fitted, as long as it selects
    at most k variables, there is a distribution with k relevant variables and predictive values of
    at least gamma for which m are missed with this probability. It says nothing about one
    distribution alone, and nothing where it is zero. Arguments broadcast.

    Parameters
    ----------
    n_samples : array-like
        n.
    gamma : array-like
        The predictive value gamma(2m): twice as many variables as may be missed.
    noise_variance : array-like
        sigma^2.
    constants : {"proof", "derived"}, default="proof"
        ``"derived"`` has ``n gamma(2m) / (4 sigma^2)`` under the root, which is larger and holds
        too: the Kullback-Leibler divergence of two Gaussian responses is half of what the proof
        takes it for. The theorem's statement, ``n sigma^2 gamma(2m) / 2``, does not hold.

    Returns
    -------
    ndarray
        Between 0 and 1/2.

    Notes
    -----
    The argument needs two distributions of the class whose supports have k variables each and
    differ in 2m: ``2 m <= k`` and ``k + 2 m <= d``.

    Examples
    --------
    >>> from siernet.theory import screening_lower_bound
    >>> float(screening_lower_bound(8, 0.01, noise_variance=1.0))
    0.4
    """
    n = numbers(n_samples, "n_samples", least=1)
    value = numbers(gamma, "gamma")
    variance = numbers(noise_variance, "noise_variance", above=True)
    if constants == "stated":
        raise ValueError(
            "constants='stated': Theorem 2's statement has the noise variance on the wrong side "
            "and is no bound. Use 'proof' or 'derived'."
        )
    divisor = _DIVISORS[one_of(constants, "constants", _DIVISORS)]
    return np.maximum(0.0, (1 - np.sqrt(n * value / (divisor * variance))) / 2)
