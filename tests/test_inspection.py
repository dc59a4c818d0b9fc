"""What a fitted model says about itself, against the plain equations on its own arrays."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import reference
from siernet import EasierNetClassifier, EasierNetRegressor


@pytest.fixture(scope="module")
def regressor(regression_data):
    model = EasierNetRegressor(
        n_estimators=4, n_hidden_nodes=30, input_penalty=0.02, random_state=0
    )
    return model.fit(*regression_data)


@pytest.fixture(scope="module")
def classifier(class_data):
    model = EasierNetClassifier(
        n_estimators=4, n_hidden_nodes=30, input_penalty=0.005, random_state=0
    )
    return model.fit(*class_data)


def scaled(model, X):
    return (X - model.x_mean_) / model.x_scale_


def test_regression_predicts_the_papers_average(regressor, regression_data):
    """From the full arrays, though prediction runs on the compacted network."""
    X, _ = regression_data
    Z = scaled(regressor, X)
    each = np.stack([reference.network_output(m, Z)[:, 0] for m in regressor.members_])
    each = each * regressor.y_scale_ + regressor.y_mean_
    np.testing.assert_allclose(regressor.predict_members(X), each, rtol=1e-12)
    np.testing.assert_allclose(regressor.predict(X), each.mean(axis=0), rtol=1e-12)


def test_classification_averages_probabilities(classifier, class_data):
    X, _ = class_data
    Z = scaled(classifier, X)
    each = np.stack([reference.softmax(reference.network_output(m, Z)) for m in classifier])
    np.testing.assert_allclose(classifier.predict_members(X), each, rtol=1e-10)
    np.testing.assert_allclose(classifier.predict_proba(X), each.mean(axis=0), rtol=1e-10)
    np.testing.assert_allclose(
        classifier.predict_log_proba(X), np.log(each.mean(axis=0)), rtol=1e-8
    )
    far = X * 1e3  # probabilities underflow, their logarithms do not
    assert np.isfinite(classifier.predict_log_proba(far)).all()


def test_shapes_are_the_papers(regressor):
    member = regressor[0]
    assert member.beta.shape == (8,)
    assert member.alpha.shape == (6,)
    assert [w.shape for w in member.weights] == [(8, 30)] + [(30, 30)] * 4
    assert [b.shape for b in member.biases] == [(30,)] * 5
    assert [w.shape for w in member.skip_weights] == [(8, 1)] + [(30, 1)] * 5
    assert [b.shape for b in member.skip_biases] == [(1,)] * 6
    assert regressor.supports_.shape == (4, 8)
    assert regressor.layer_contributions_.shape == (4, 6)
    for name in ("n_iter_", "converged_", "objective_", "residuals_"):
        assert getattr(regressor, name).shape == (4,)


def test_members_are_immutable(regressor):
    member = regressor[0]
    with pytest.raises(FrozenInstanceError):
        member.kept_beta = np.zeros(8)
    for array in (member.beta, member.alpha, *member.weights, *member.skip_biases):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_a_member_depends_on_its_support_and_on_nothing_else(regressor, regression_data):
    X, _ = regression_data
    Z = scaled(regressor, X)
    for member in regressor:
        base = member.outputs(Z)
        for column in range(8):
            moved = Z.copy()
            moved[:, column] = np.random.default_rng(column).normal(size=len(Z)) * 3
            assert (not np.array_equal(member.outputs(moved), base)) == member.support[column]


def test_layer_outputs_and_contributions(regressor, classifier, regression_data, class_data):
    for model, (X, y) in ((regressor, regression_data), (classifier, class_data)):
        Z = scaled(model, X)
        weight = np.ones(len(y))
        if hasattr(model, "classes_"):  # rows count as they did in training
            codes = np.searchsorted(model.classes_, y)
            weight = (1 / np.bincount(codes))[codes]
        for member, own in zip(model, model.layer_contributions_, strict=True):
            zeta = np.stack(reference.skip_outputs(member, Z))
            np.testing.assert_allclose(member.layer_outputs(Z), zeta, rtol=1e-12, atol=1e-12)
            parts = np.abs(member.alpha)[:, None, None] * zeta

            def variance(values, weight=weight):
                mean = np.average(values, axis=0, weights=weight)
                return np.average((values - mean) ** 2, axis=0, weights=weight).sum()

            expected = [variance(part) / variance(parts.sum(axis=0)) for part in parts]
            np.testing.assert_allclose(own, expected, rtol=1e-6, atol=1e-9)


def test_rates_supports_and_posterior_agree(regressor):
    supports = np.stack([member.support for member in regressor])
    np.testing.assert_array_equal(regressor.supports_, supports)
    np.testing.assert_allclose(regressor.selection_rates_, supports.mean(axis=0))
    posterior = regressor.support_posterior()
    assert sum(posterior.values()) == pytest.approx(1)
    assert list(posterior.values()) == sorted(posterior.values(), reverse=True)
    for variable in range(8):
        total = sum(share for chosen, share in posterior.items() if variable in chosen)
        assert total == pytest.approx(regressor.selection_rates_[variable])


def test_get_support(regressor):
    rates = regressor.selection_rates_
    np.testing.assert_array_equal(regressor.get_support(), rates >= 0.5)
    np.testing.assert_array_equal(regressor.get_support(1.0), rates == 1)
    np.testing.assert_array_equal(
        regressor.get_support(0.25, indices=True), np.flatnonzero(rates >= 0.25)
    )
    with pytest.raises(ValueError, match="threshold=0"):
        regressor.get_support(0)


def test_sparse_networks_are_stored_small(regressor):
    for member in regressor:
        assert len(member.kept_beta) == member.support.sum()
        assert member.kept_weights[0].shape[0] == member.support.sum()
