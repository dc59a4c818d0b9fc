"""gamma(m; P) against closed forms, quadrature and brute force over every support."""

from itertools import combinations

import numpy as np
import pytest
from scipy.integrate import quad

from siernet.datasets import make_section_4_1, make_section_4_2
from siernet.theory import GaussianDesign, Section41Design, Section42Design, predictive_value


@pytest.fixture(scope="module")
def gaussian():
    """Four of seven correlated columns matter."""
    mixing = np.random.default_rng(0).normal(size=(7, 7))
    coefficients = np.array([1.0, -0.7, 0.4, 2.0, 0, 0, 0])
    return GaussianDesign(coefficients, mixing @ mixing.T / 7 + 0.1 * np.eye(7))


def projected_risk(design, support):
    """Variance of the mean that linear (so, the best) prediction from ``support`` leaves."""
    kept, total = list(support), design.covariance
    across = total[kept] @ design.coefficients
    explained = across @ np.linalg.solve(total[np.ix_(kept, kept)], across) if kept else 0.0
    return design.coefficients @ total @ design.coefficients - explained


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_gaussian_linear_design(gaussian, m):
    relevant = set(gaussian.relevant)
    risks = {
        support: projected_risk(gaussian, support)
        for size in range(8)
        for support in combinations(range(7), size)
        if len(relevant - set(support)) == m
    }
    cheapest = min(risks, key=risks.get)  # the definition, over every support
    found = predictive_value(gaussian, m, n_draws=40_000, random_state=0)
    assert found.exhaustive
    assert set(found.omitted) == relevant - set(cheapest)
    assert abs(found.value - risks[cheapest]) < 4 * found.standard_error
    assert 0 < found.standard_error < 0.02 * risks[cheapest]


def test_standard_error_is_that_of_repeated_estimates(gaussian):
    found = [predictive_value(gaussian, 1, n_draws=400, random_state=seed) for seed in range(200)]
    spread = np.std([each.value for each in found])
    claimed = np.mean([each.standard_error for each in found])
    assert 0.8 < spread / claimed < 1.25


def _variance_given_copy(rho):
    """E Var(x_1 | x_5) in section 4.2: x_1 is uniform on an interval; integrate its length."""

    def inner(copy):
        low, high = max(0, (copy - (1 - rho)) / rho), min(1, copy / rho)
        density = (high - low) / (1 - rho)
        return density * (high - low) ** 2 / 12

    return quad(inner, 0, 1, points=[rho, 1 - rho])[0]


@pytest.mark.parametrize("rho", [0.2, 0.5, 0.9])
def test_section_4_2_with_one_and_two_missing(rho):
    design = Section42Design(rho)
    rng = np.random.default_rng(0)
    X = design.sample(200_000, rng)
    left = _variance_given_copy(rho)
    for columns, expected in [
        ((0,), left / 3),  # E x_2^2 E Var(x_1 | x_5)
        # E x1^2 x2^2 less the square of the product of two conditional means.
        ((0, 1), (1 / 9) - (1 / 3 - left) ** 2),
    ]:
        squares = (design.mean(X) - design.mean(design.resample(X, columns, rng))) ** 2 / 2
        assert abs(squares.mean() - expected) < 4 * squares.std() / np.sqrt(len(X))


def test_section_4_2_independent():
    omitted = predictive_value(Section42Design(0), 4, random_state=0)
    total = Section42Design(0, signal_to_noise=1.0).noise_variance  # all that there is
    assert omitted.omitted == (0, 1, 2, 3)
    assert abs(omitted.value - total) < 4 * omitted.standard_error


def test_gamma_grows_with_m_and_falls_with_rho():
    found = np.array(
        [
            [predictive_value(Section42Design(rho), m, random_state=0).value for m in (1, 2, 3, 4)]
            for rho in (0, 0.5, 0.8, 0.95, 1)
        ]
    )
    assert (np.diff(found[:-1], axis=1) > 0).all()
    assert (np.diff(found, axis=0) < 0).all()
    assert (found[-1] == 0).all()


@pytest.mark.parametrize("columns", [(0,), (4,), (0, 4), (1, 6), (0, 1, 2, 3)])
@pytest.mark.parametrize("rho", [0, 0.3, 0.8])
def test_resampling_keeps_the_distribution(rho, columns):
    design = Section42Design(rho)
    rng = np.random.default_rng(1)
    X = design.sample(40_000, rng)
    again = design.resample(X, columns, rng)
    kept = [column for column in range(8) if column not in columns]
    np.testing.assert_array_equal(again[:, kept], X[:, kept])
    assert (again[:, list(columns)] != X[:, list(columns)]).all()
    for moment in (lambda Z: Z, lambda Z: Z**3):
        np.testing.assert_allclose(
            np.cov(moment(again).T), np.cov(moment(X).T), atol=4 * 0.15 / np.sqrt(len(X))
        )


def test_designs_are_the_simulations():
    rng = np.random.default_rng(0)
    for design, drawn in [
        (Section41Design(), make_section_4_1(40_000, random_state=0)),
        (Section42Design(0.6), make_section_4_2(40_000, rho=0.6, random_state=0)),
    ]:
        np.testing.assert_allclose(design.mean(drawn.X), drawn.mean)
        assert design.relevant == tuple(np.flatnonzero(drawn.relevant))
        assert design.noise_variance == pytest.approx(drawn.mean.var() / 4, rel=0.03)
        np.testing.assert_allclose(
            np.cov(design.sample(40_000, rng).T), np.cov(drawn.X.T), atol=0.003
        )


def test_too_many_sets_are_searched_not_enumerated():
    coefficients = np.array([3.0, 0.1, 2.0, 0.2, 1.0, 4.0, 0.3, 2.5, 0.0])
    design = GaussianDesign(coefficients, np.eye(9))
    found = predictive_value(design, 3, n_draws=20_000, max_sets=20, random_state=0)
    assert not found.exhaustive
    assert found.n_sets == 20
    assert found.omitted == (1, 3, 6)  # the three smallest, independent
    assert abs(found.value - 0.14) < 4 * found.standard_error


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: predictive_value(Section42Design(), 5), "only 4 variables are relevant"),
        (lambda: predictive_value(Section42Design(), 0), "n_omitted=0 has to be a whole number"),
        (lambda: predictive_value(Section42Design(), 1, n_draws=1), "n_draws=1"),
        (lambda: Section42Design(1.5), "rho=1.5 has to be between 0 and 1"),
        (lambda: Section42Design(signal_to_noise=0), "signal_to_noise=0 has to be above 0"),
        (lambda: Section41Design(n_relevant=6), "n_relevant=6 has to be a multiple of 4"),
        (lambda: GaussianDesign([1, 2], np.eye(3)), r"shape \(3, 3\); with 2 coefficients"),
        (lambda: GaussianDesign([1, 2], [[1, 0.5], [0, 1]]), "symmetric"),
        (lambda: GaussianDesign([1, 2], [[1, 2], [2, 1]]), "negative eigenvalue -1"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
