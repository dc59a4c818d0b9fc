"""What training must leave behind: optimality, exact zeros, honest reports."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import reference
from siernet import PAPER_SETTINGS, EasierNetClassifier, EasierNetRegressor, SierNetRegressor


def scaled(model, X, y):
    Z = (X - model.x_mean_) / model.x_scale_
    if hasattr(model, "classes_"):
        codes = np.searchsorted(model.classes_, y)
        counts = np.bincount(codes)
        return Z, np.eye(len(counts))[codes], (len(y) / (len(counts) * counts))[codes]
    return Z, ((y - model.y_mean_) / model.y_scale_)[:, None], np.ones(len(y))


@pytest.fixture(scope="module")
def regressor(regression_data):
    model = EasierNetRegressor(
        n_estimators=6, input_penalty=0.02, network_penalty=0.005, tol=0.02, random_state=0
    )
    return model.fit(*regression_data)


@pytest.fixture(scope="module")
def classifier(class_data):
    model = EasierNetClassifier(
        n_estimators=6, input_penalty=0.005, network_penalty=0.002, tol=0.02, random_state=0
    )
    return model.fit(*class_data)


@pytest.mark.parametrize("kind", ["regressor", "classifier"])
def test_reported_residual_and_objective_are_true(kind, request, regression_data, class_data):
    """By the plain functions of tests/reference.py, zero entries and penalised biases included."""
    model = request.getfixturevalue(kind)
    classes = kind == "classifier"
    Z, target, weight = scaled(model, *(class_data if classes else regression_data))
    lambdas = model.input_penalty, model.network_penalty
    assert model.converged_.any()
    for i, member in enumerate(model.members_):
        residual = reference.largest_residual(member, Z, target, weight, *lambdas, classes=classes)
        assert model.residuals_[i] == pytest.approx(residual, abs=2e-6)  # rows train as float32
        assert model.converged_[i] == (residual < model.tol)
        objective = reference.mean_loss(
            reference.network_output(member, Z), target, weight, classes=classes
        ) + reference.penalty(member, *lambdas, classes=classes)
        assert model.objective_[i] == pytest.approx(objective, abs=1e-5)


def test_mean_residual_is_zero(regressor, regression_data):
    """As in least squares: the outputs' offset is a free parameter."""
    X, y = regression_data
    np.testing.assert_allclose(regressor.predict_members(X).mean(axis=1), y.mean(), rtol=1e-6)


@pytest.mark.parametrize("schedule", ["cosine", "constant"])
def test_zeros_are_exact_and_the_true_variables_are_found(schedule, regression_data):
    X, y = regression_data
    model = SierNetRegressor(
        input_penalty=0.01,
        network_penalty=0.003,
        schedule=schedule,
        max_epochs=400,
        random_state=0,
    ).fit(X, y)
    member = model.members_[0]
    assert member.support.tolist() == [True] * 3 + [False] * 5
    assert (member.beta[3:] == 0).all()
    assert (member.weights[0][3:] == 0).all()
    assert (member.skip_weights[0][3:] == 0).all()


def test_proximal_steps_lower_the_objective(regression_data):
    X, y = regression_data
    settings = {"n_hidden_nodes": 20, "schedule": "constant", "max_epochs": 60, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        after_adam = SierNetRegressor(**settings, max_prox_iter=0).fit(X, y)
        after_both = SierNetRegressor(**settings, max_prox_iter=50).fit(X, y)
    assert after_both.objective_[0] < after_adam.objective_[0]


def test_training_lowers_the_objective_below_a_constants(regressor, classifier):
    assert (regressor.objective_ < 0.7).all()  # a constant has the variance, one
    assert (classifier.objective_ < np.log(3)).all()


def test_unfinished_members_are_warned_of(regression_data):
    with pytest.warns(ConvergenceWarning, match="max_prox_iter=25"):
        SierNetRegressor(
            max_epochs=3, max_prox_iter=25, tol=1e-9, n_hidden_nodes=10, random_state=0
        ).fit(*regression_data)


def test_divergence_never_returns_nan(regression_data):
    with pytest.raises(FloatingPointError, match="Lower learning_rate"):
        SierNetRegressor(learning_rate=1e30, random_state=0).fit(*regression_data)


def test_a_diverged_task_is_tried_again_with_a_smaller_rate(regression_data, monkeypatch):
    from siernet import engine

    tried = []
    original = engine.StackTrainer

    class Spy(original):
        def __init__(self, tasks, data, loss, recipe, progress=None):
            tried.append((len(tasks), recipe.schedule.rate))
            super().__init__(tasks, data, loss, recipe, progress)

        def run(self):
            results = super().run()
            if len(tried) == 1:  # as if the second of three had diverged
                from siernet.algorithm import _diverged

                results[1] = _diverged(3)
            return results

    monkeypatch.setattr(engine, "StackTrainer", Spy)
    model = EasierNetRegressor(
        n_estimators=3, n_hidden_nodes=8, max_epochs=20, n_jobs=1, random_state=0
    ).fit(*regression_data)
    assert tried == [(3, 1e-2), (1, pytest.approx(1e-3))]
    assert len(model) == 3


def test_paper_settings_train_as_published(regression_data):
    model = EasierNetRegressor(
        **{**PAPER_SETTINGS, "max_epochs": 200}, n_estimators=2, random_state=0
    ).fit(*regression_data)
    assert (model.learning_rate, model.schedule, model.n_batches) == (1e-3, "constant", 3)
    assert (PAPER_SETTINGS["n_hidden_layers"], PAPER_SETTINGS["n_hidden_nodes"]) == (5, 100)
    assert (model.n_iter_ >= 200).all()  # no epoch is saved by stopping early


def test_slow_starters_train_longer():
    """Explaining nothing for a while is not convergence as long as the objective moves."""
    from siernet.training.schedules import Schedule

    schedule = Schedule(1e-2, 1000)
    one = np.ones(1)
    assert not schedule.has_converged(0.99 * one, 0.97 * one, one)[0]
    assert schedule.has_converged(0.30 * one, 0.28 * one, one)[0]
    assert schedule.has_converged(1.0 * one, 0.9995 * one, one)[0]
    assert not schedule.has_converged(np.inf * one, 0.2 * one, one)[0]
