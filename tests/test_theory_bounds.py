"""The bounds of Theorems 1 and 2 against grids, exact tests and simulated suprema."""

import numpy as np
import pytest
from scipy.stats import norm

from siernet.theory import (
    best_delta,
    complexity_bound,
    screening_lower_bound,
    screening_upper_bound,
)

NETWORKS = {"n_features": 8, "sup_norm": 1.0, "total_variation": 2.0, "noise_variance": 0.25}


def test_theorem_1_by_hand():
    # L = 7, d = 8, B0 = 1, B1 = 2, sigma = 1/2, n = 1e8, delta = 0.005, gamma = 0.05.
    threshold = 2 * (4 + 0.5) * 7 * np.sqrt(2 * (7 * np.log(2) + np.log(16)) / 1e8)
    assert 0.024 < threshold < 0.025
    tails = np.exp(-1e8 * 2.5e-5 / 2) + 2 * np.exp(-1e8 * 2.5e-5 / (8 * 0.25))
    assert screening_upper_bound(1e8, 0.05, delta=0.005, **NETWORKS) == pytest.approx(tails)
    assert screening_upper_bound(1e8, 0.05, delta=0.013, **NETWORKS) == 1  # the indicator


@pytest.mark.parametrize("constants", ["stated", "proof", "derived"])
@pytest.mark.parametrize("gamma", [0.03, 0.3, 1.0])
def test_infimum_over_delta_is_that_of_a_fine_grid(constants, gamma):
    n = np.logspace(2, 10, 33)
    options = {**NETWORKS, "constants": constants}
    grid = np.linspace(0, gamma / 2, 20_001)[:, None]
    on_grid = screening_upper_bound(n, gamma, delta=grid, **options).min(axis=0)
    infimum = screening_upper_bound(n, gamma, **options)
    assert (infimum <= on_grid + 1e-12).all()
    # Just below the best delta the bound is attained up to the step.
    step = np.maximum(best_delta(n, gamma, **options) * (1 - 1e-9), 0)
    np.testing.assert_allclose(
        infimum, screening_upper_bound(n, gamma, delta=step, **options), atol=1e-6
    )
    assert (infimum < 1).any()
    assert (infimum == 1).any()


@pytest.mark.parametrize("constants", ["stated", "proof", "derived"])
def test_upper_bound_falls_with_rows_and_with_predictive_value(constants):
    options = {**NETWORKS, "constants": constants}
    bounds = screening_upper_bound(np.logspace(0, 12, 50), 0.05, **options)
    assert ((bounds >= 0) & (bounds <= 1)).all()
    assert (np.diff(bounds) <= 0).all()
    assert bounds[0] == 1
    assert bounds[-1] < 1e-6
    bounds = screening_upper_bound(1e8, np.linspace(0, 0.1, 50), **options)
    assert (np.diff(bounds) <= 0).all()
    assert bounds[0] == 1
    assert bounds[-1] < bounds[0]
    assert screening_upper_bound(1e8, 0.05, delta=np.inf, **options) == 1


def test_statement_is_looser_than_its_proof():
    n = np.logspace(6, 9, 30)
    stated = screening_upper_bound(n, 0.05, constants="stated", **NETWORKS)
    assert (screening_upper_bound(n, 0.05, constants="proof", **NETWORKS) <= stated).all()
    # Statement with B_0 for |f - mu|, which is twice that of |f|, is no tighter than "derived".
    doubled = screening_upper_bound(n, 0.05, **{**NETWORKS, "sup_norm": 2.0})
    derived = screening_upper_bound(n, 0.05, constants="derived", **NETWORKS)
    assert (derived <= doubled).all()
    assert (derived < doubled).any()


@pytest.mark.parametrize("deviation", [2.0, 2.5, 3.0])
def test_noise_tail_against_an_exact_one(deviation):
    """One pair f, mu = +B0, -B0 everywhere: (P - P_n) 2 eps (f - mu) is N(0, 16 B0^2 s2 / n)."""
    B0, variance, n = 1.5, 0.7, 50
    delta = deviation * 4 * B0 * np.sqrt(variance / n)
    exact = norm.sf(deviation)
    assert exact <= np.exp(-n * delta**2 / (32 * B0**2 * variance))  # "derived"
    assert exact > 2 * np.exp(-n * delta**2 / (8 * B0**2 * variance))  # the paper's


def test_squares_tail_against_simulation():
    """(f - mu)^2 is 0 or 4 B0^2 with equal chance, for mu = -B0 and f = +-B0 by a coin x."""
    n, draws = 20, 200_000
    heads = np.random.default_rng(0).binomial(n, 0.5, size=draws)
    deviations = 4 * (0.5 - heads / n)  # (P - P_n) of the square, with B0 = 1
    for delta in (0.4, 0.8, 1.2):
        observed = (deviations >= delta).mean()
        assert observed <= np.exp(-n * delta**2 / 8)  # "derived"
    assert (deviations >= 1.2).mean() > np.exp(-n * 1.2**2 / 2)  # the paper's


def test_complexity_bound_covers_linear_networks():
    """The l1-ball of linear functions is among the networks; its supremum is the largest mean."""
    rng = np.random.default_rng(0)
    n, d = 60, 12
    X = rng.choice([-1.0, 1.0], size=(n, d))
    suprema = np.abs(rng.normal(size=(4000, n)) @ X / n).max(axis=1)
    for layers in (2, 7):
        bound = complexity_bound(n, n_features=d, total_variation=1.0, n_layers=layers)
        assert suprema.mean() < bound
    assert suprema.mean() > 0.2 * bound  # of the right order


def test_lower_bound_by_hand_and_its_shape():
    assert screening_lower_bound(8, 0.01, noise_variance=1.0) == pytest.approx(0.4)
    bounds = screening_lower_bound(np.logspace(0, 6, 40), 0.01, noise_variance=1.0)
    assert (np.diff(bounds) <= 0).all()
    assert bounds[-1] == 0
    assert screening_lower_bound(1000, 0.0, noise_variance=1.0) == 0.5
    assert screening_lower_bound(8, 0.01, noise_variance=4.0) > 0.4  # more noise, more misses


@pytest.mark.parametrize("variance", [0.05, 1.0, 20.0])
def test_lower_bounds_stay_below_the_best_possible_test(variance):
    """Two means that differ by sqrt(gamma) everywhere: the best test errs exactly this often."""
    gamma, n = 0.01, np.arange(1, 400)
    exact = norm.sf(np.sqrt(n * gamma / variance) / 2)
    proof = screening_lower_bound(n, gamma, noise_variance=variance)
    derived = screening_lower_bound(n, gamma, noise_variance=variance, constants="derived")
    assert (derived <= exact).all()
    assert (proof <= derived).all()
    assert (proof < derived).any()
    stated = (1 - np.sqrt(n * variance / 2 * gamma)) / 2  # sigma^2 on the wrong side
    if variance < 1:
        assert (stated > exact).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_samples": 0}, "n_samples has to be at least 1"),
        ({"gamma": -0.1}, "gamma has to be at least 0 and finite, got -0.1"),
        ({"gamma": [0.1, np.nan]}, "gamma .* got nan"),
        ({"gamma": "much"}, "gamma='much' has to be a number"),
        ({"noise_variance": 0}, "noise_variance has to be above 0"),
        ({"sup_norm": 0}, "sup_norm has to be above 0"),
        ({"total_variation": np.inf}, "total_variation .* finite"),
        ({"n_features": 2.5}, "n_features=2.5 has to be a whole number"),
        ({"n_layers": 1}, "n_layers=1 has to be a whole number of at least 2"),
        ({"delta": -1}, "delta has to be at least 0"),
        ({"constants": "best"}, "constants='best' has to be one of"),
    ],
)
def test_upper_bound_names_bad_input(change, message):
    arguments = {"n_samples": 100, "gamma": 0.1, **NETWORKS, **change}
    with pytest.raises((ValueError, TypeError), match=message):
        screening_upper_bound(**arguments)


def test_lower_bound_refuses_the_statement():
    with pytest.raises(ValueError, match="wrong side"):
        screening_lower_bound(10, 0.1, noise_variance=1.0, constants="stated")
    with pytest.raises(ValueError, match="noise_variance has to be above 0"):
        screening_lower_bound(10, 0.1, noise_variance=-1.0)
