"""Without hidden layers the method has closed forms: the l-half bridge, least squares, logit."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import reference
from siernet import SierNetClassifier, SierNetRegressor

EXACT = {"n_hidden_layers": 0, "tol": 1e-7, "max_prox_iter": 20_000, "random_state": 0}


def orthonormal_data(n=200, d=6, seed=0):
    """Columns of mean zero and variance one, exactly uncorrelated."""
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, d))]))
    X = basis[:, 1:] * np.sqrt(n)
    y = X @ [2.0, -1.0, 0.7, 0.3, 0.05, 0.0] + rng.normal(size=n) * 0.5
    return X, (y - y.mean()) / y.std()


def linear_parts(model):
    member = model.members_[0]
    return member.beta, member.skip_weights[0][:, 0]


@pytest.mark.parametrize("lambda_1", [0.01, 0.05, 0.2])
def test_two_l1_penalised_factors_are_the_bridge(lambda_1):
    """|beta_j| = |W'_1j|, and c = beta W'_1 meets the bridge's stationarity condition."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 10)) @ (np.eye(10) + 0.3)
    y = X[:, 0] - 2 * X[:, 3] + 0.5 * X[:, 7] + rng.normal(size=150)
    model = SierNetRegressor(input_penalty=lambda_1, **EXACT).fit(X, y)
    assert model.converged_.all()
    beta, skip = linear_parts(model)
    np.testing.assert_allclose(np.abs(beta), np.abs(skip), atol=1e-4)
    c = beta * skip
    Z = (X - X.mean(0)) / X.std(0)
    residual = (y - y.mean()) / y.std() - Z @ c
    chosen = c != 0
    slope = -2 * Z.T @ residual / len(y)
    np.testing.assert_allclose(
        slope[chosen], -lambda_1 * np.sign(c[chosen]) / np.sqrt(np.abs(c[chosen])), atol=1e-5
    )
    total = np.mean(residual**2) + 2 * lambda_1 * np.sqrt(np.abs(c)).sum()
    assert model.objective_[0] == pytest.approx(total, abs=1e-6)


def test_orthonormal_design_has_the_bridges_closed_form():
    """Each non-zero is the stationary point s^2 of (s^2 - z)^2 + 2 lambda s, the largest root."""
    X, y = orthonormal_data()
    lambda_1 = 0.05
    model = SierNetRegressor(input_penalty=lambda_1, **EXACT).fit(X, y)
    beta, skip = linear_parts(model)
    c, z = beta * skip, X.T @ y / len(y)
    assert 2 <= (c != 0).sum() < 6
    for estimate, correlation in zip(c, z, strict=True):
        if estimate == 0:
            # Zero is always stationary; from the usual start only what hardly pays ends there.
            grid = np.linspace(0, 1.5, 3001)
            values = (grid**2 - abs(correlation)) ** 2 + 2 * lambda_1 * grid
            assert values.min() > correlation**2 - 0.02
            continue
        roots = np.roots([2, 0, -2 * abs(correlation), lambda_1])
        largest = max(root.real for root in roots if abs(root.imag) < 1e-9)
        assert estimate == pytest.approx(np.sign(correlation) * largest**2, abs=1e-5)


def test_bridge_shrinks_large_effects_less_than_the_lasso():
    """The Lasso takes the same amount off every effect, the bridge takes less off large ones."""
    X, y = orthonormal_data()
    model = SierNetRegressor(input_penalty=0.05, **EXACT).fit(X, y)
    beta, skip = linear_parts(model)
    shrunk = np.abs(X.T @ y / len(y)) - np.abs(beta * skip)
    assert 0 < shrunk[0] < shrunk[1] < shrunk[2]


def test_without_penalty_it_is_least_squares():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 5)) * [1, 10, 0.1, 1, 1] + 4
    y = X @ [1, 0.1, 5, -1, 0] + rng.normal(size=80) + 100
    model = SierNetRegressor(input_penalty=0, network_penalty=0, **EXACT).fit(X, y)
    expected = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.predict(X), expected.predict(X), rtol=1e-6)


def test_without_penalty_it_is_logistic_regression():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 3))
    y = np.array(["no", "yes"])[(X[:, 0] + 0.5 * X[:, 1] + rng.logistic(size=150) > 0).astype(int)]
    model = SierNetClassifier(input_penalty=0, network_penalty=0, class_weight=None, **EXACT).fit(
        X, y
    )
    expected = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), atol=1e-5)


def test_balanced_weights_are_those_of_logistic_regression():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + rng.logistic(size=200) > 1.5).astype(int)
    model = SierNetClassifier(input_penalty=0, network_penalty=0, **EXACT).fit(X, y)
    expected = LogisticRegression(
        C=np.inf, class_weight="balanced", tol=1e-10, max_iter=10_000
    ).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("classes", [False, True])
def test_residual_of_a_smooth_problem_is_under_tol(classes, regression_data, class_data):
    X, y = class_data if classes else regression_data
    Estimator = SierNetClassifier if classes else SierNetRegressor
    settings = {**EXACT, "tol": 1e-5}
    model = Estimator(input_penalty=0.02, **settings).fit(X, y)
    assert model.converged_.all()
    Z = (X - model.x_mean_) / model.x_scale_
    if classes:
        codes = np.searchsorted(model.classes_, y)
        target, weight = np.eye(3)[codes], (len(y) / (3 * np.bincount(codes)))[codes]
    else:
        target, weight = ((y - model.y_mean_) / model.y_scale_)[:, None], np.ones(len(y))
    residual = reference.largest_residual(
        model.members_[0], Z, target, weight, 0.02, 0.002, classes=classes
    )
    assert residual < 1.01e-5
