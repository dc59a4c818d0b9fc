"""Distributions of covariates and their mean response, whose conditional draws are exact."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from siernet.theory.checks import whole_number


class Design(Protocol):
    """What `predictive_value` needs to know of a distribution; any object with these will do.

    Parameters
    ----------
    n_features : int
        d.
    relevant : tuple of int
        Columns of the true support.
    noise_variance : float
        sigma^2.
    """

    n_features: int
    relevant: tuple[int, ...]
    noise_variance: float

    def sample(self, n_samples: int, rng: np.random.Generator) -> np.ndarray:
        """Covariates, shape (n, d)."""

    def mean(self, X: np.ndarray) -> np.ndarray:
        """The mean response, shape (n,)."""

    def resample(
        self, X: np.ndarray, columns: tuple[int, ...], rng: np.random.Generator
    ) -> np.ndarray:
        """A copy of X whose ``columns`` are drawn anew from their law given the other columns."""


class Section41Design:
    """The paper's section 4.1: independent covariates on [0, 1], a sum over groups of four.

    Parameters
    ----------
    n_relevant : int, default=20
        A multiple of four.
    n_features : int, default=100
    signal_to_noise : float, default=2.0
        The mean's standard deviation over the noise's.
    """

    def __init__(
        self, *, n_relevant: int = 20, n_features: int = 100, signal_to_noise: float = 2.0
    ) -> None:
        self.n_features = whole_number(n_features, "n_features", least=4)
        if whole_number(n_relevant, "n_relevant") % 4 or n_relevant > n_features:
            raise ValueError(
                f"n_relevant={n_relevant} has to be a multiple of 4 and at most n_features="
                f"{n_features}."
            )
        self.relevant = tuple(range(n_relevant))
        bends = (0.25**3 + 0.75**3) / 3  # E (x - 0.25)^2
        product = 25 * (bends / 3 - ((0.25**2 + 0.75**2) / 4) ** 2)
        variance = n_relevant / 4 * (_sine_of_sum_variance(2.0) + product)
        self.noise_variance = variance / _checked_ratio(signal_to_noise) ** 2

    def sample(self, n_samples: int, rng: np.random.Generator) -> np.ndarray:
        """Covariates, shape (n, d)."""
        return rng.uniform(size=(n_samples, self.n_features))

    def mean(self, X: np.ndarray) -> np.ndarray:
        """The mean response, shape (n,)."""
        first, second, third, fourth = (X[:, i : len(self.relevant) : 4] for i in range(4))
        waves, bends = np.sin(2 * first + 2 * second), 5 * third * np.abs(fourth - 0.25)
        return (waves + bends).sum(axis=1)

    def resample(
        self, X: np.ndarray, columns: tuple[int, ...], rng: np.random.Generator
    ) -> np.ndarray:
        """A copy of X whose ``columns`` are drawn anew from their law given the other columns."""
        drawn = X.copy()
        drawn[:, list(columns)] = rng.uniform(size=(len(X), len(columns)))
        return drawn


class Section42Design:
    """The paper's section 4.2: ``x_1 x_2 + sin(x_3 + x_4)``, and x_5..x_8 resemble x_1..x_4.

    Parameters
    ----------
    rho : float, default=0.0
        ``x_{i+4} = rho x_i + (1 - rho) u_i``: 0 for independent, 1 for identical covariates.
    signal_to_noise : float, default=2.0
        The mean's standard deviation over the noise's.
    """

    def __init__(self, rho: float = 0.0, *, signal_to_noise: float = 2.0) -> None:
        if not 0 <= rho <= 1:
            raise ValueError(f"rho={rho} has to be between 0 and 1.")
        self.rho = float(rho)
        self.n_features = 8
        self.relevant = (0, 1, 2, 3)
        variance = 1 / 9 - 1 / 16 + _sine_of_sum_variance(1.0)
        self.noise_variance = variance / _checked_ratio(signal_to_noise) ** 2

    def sample(self, n_samples: int, rng: np.random.Generator) -> np.ndarray:
        """Covariates, shape (n, 8)."""
        X = rng.uniform(size=(n_samples, 8))
        X[:, 4:] = self.rho * X[:, :4] + (1 - self.rho) * X[:, 4:]
        return X

    def mean(self, X: np.ndarray) -> np.ndarray:
        """The mean response, shape (n,)."""
        return X[:, 0] * X[:, 1] + np.sin(X[:, 2] + X[:, 3])

    def resample(
        self, X: np.ndarray, columns: tuple[int, ...], rng: np.random.Generator
    ) -> np.ndarray:
        """A copy of X whose ``columns`` are drawn anew from their law given the other columns."""
        if self.rho == 0:
            drawn = X.copy()
            drawn[:, list(columns)] = rng.uniform(size=(len(X), len(columns)))
            return drawn
        drawn = X.copy()
        for i in range(4):
            first, second = i in columns, i + 4 in columns
            if first:
                # Given x_{i+4}, x_i is uniform where both x_i and u_i lie in [0, 1].
                low = np.zeros(len(X)) if second else np.maximum(0, self._least(X[:, i + 4]))
                high = np.ones(len(X)) if second else np.minimum(1, X[:, i + 4] / self.rho)
                drawn[:, i] = rng.uniform(low, np.maximum(low, high))
            if second:
                own = rng.uniform(size=len(X))
                drawn[:, i + 4] = self.rho * drawn[:, i] + (1 - self.rho) * own
        return drawn

    def _least(self, copies: np.ndarray) -> np.ndarray:
        return (copies - (1 - self.rho)) / self.rho


class GaussianDesign:
    """Gaussian covariates and a linear mean: the case where gamma has a closed form.

    Parameters
    ----------
    coefficients : (d,) array-like
        The mean is ``X @ coefficients``; the columns with a coefficient are the support.
    covariance : (d, d) array-like
    noise_variance : float, default=1.0
    """

    def __init__(self, coefficients: Any, covariance: Any, *, noise_variance: float = 1.0) -> None:
        self.coefficients = np.asarray(coefficients, dtype=np.float64)
        self.covariance = np.asarray(covariance, dtype=np.float64)
        self.n_features = self.coefficients.size
        if self.covariance.shape != (self.n_features, self.n_features):
            raise ValueError(
                f"covariance has shape {self.covariance.shape}; with {self.n_features} "
                f"coefficients it has to be {(self.n_features, self.n_features)}."
            )
        if not np.allclose(self.covariance, self.covariance.T):
            raise ValueError("covariance has to be symmetric.")
        smallest = np.linalg.eigvalsh(self.covariance)[0]
        if smallest < -1e-10 * max(1.0, np.abs(self.covariance).max()):
            raise ValueError(f"covariance has the negative eigenvalue {smallest:.3g}.")
        self.relevant = tuple(np.flatnonzero(self.coefficients).tolist())
        self.noise_variance = float(noise_variance)

    def sample(self, n_samples: int, rng: np.random.Generator) -> np.ndarray:
        """Covariates, shape (n, d)."""
        return rng.normal(size=(n_samples, self.n_features)) @ _root(self.covariance)

    def mean(self, X: np.ndarray) -> np.ndarray:
        """The mean response, shape (n,)."""
        return X @ self.coefficients

    def resample(
        self, X: np.ndarray, columns: tuple[int, ...], rng: np.random.Generator
    ) -> np.ndarray:
        """A copy of X whose ``columns`` are drawn anew from their law given the other columns."""
        left = list(columns)
        kept = np.setdiff1d(np.arange(self.n_features), left)
        slopes, residual = self.regression(columns)
        drawn = X.copy()
        noise = rng.normal(size=(len(X), len(left))) @ _root(residual)
        drawn[:, left] = X[:, kept] @ slopes + noise
        return drawn

    def regression(self, columns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Slopes of ``columns`` on all others, and their covariance that is left."""
        left = np.array(columns)
        kept = np.setdiff1d(np.arange(self.n_features), left)
        across = self.covariance[np.ix_(kept, left)]
        slopes = np.linalg.pinv(self.covariance[np.ix_(kept, kept)], hermitian=True) @ across
        return slopes, self.covariance[np.ix_(left, left)] - across.T @ slopes


def _sine_of_sum_variance(frequency: float) -> float:
    """Variance of ``sin(t (u + v))`` for independent uniform u, v on [0, 1]."""

    def mean_of_wave(t: float) -> complex:  # E exp(i t (u + v))
        return complex(((np.exp(1j * t) - 1) / (1j * t)) ** 2)

    return (1 - mean_of_wave(2 * frequency).real) / 2 - mean_of_wave(frequency).imag ** 2


def _root(covariance: np.ndarray) -> np.ndarray:
    """Symmetric square root, also of a singular matrix."""
    values, vectors = np.linalg.eigh(covariance)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def _checked_ratio(signal_to_noise: float) -> float:
    if not signal_to_noise > 0 or np.isinf(signal_to_noise):
        raise ValueError(f"signal_to_noise={signal_to_noise} has to be above 0 and finite.")
    return float(signal_to_noise)
