"""The temperature: tempered probabilities, its choice, and what the estimators make of it."""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.metrics import log_loss

from siernet import EasierNetClassifier, EasierNetClassifierCV, SierNetClassifier
from siernet.rows import Rows
from siernet.tuning.temperature import TEMPERATURES, best_temperatures, tempered

SMALL = {"n_hidden_layers": 1, "n_hidden_nodes": 8, "max_epochs": 30, "random_state": 0}
SEARCH = {"n_estimators_tuning": 2, "input_penalties": [0.003], "network_penalties": [0.002]}


def log_likelihood(probabilities, rows):
    return -log_loss(rows.y, probabilities, sample_weight=rows.weight, labels=[0, 1, 2])


def overconfident(n, factor, seed):
    """Rows whose classes follow softmax(z), and two members who say about softmax(factor * z)."""
    rng = np.random.default_rng(seed)
    outputs = rng.normal(size=(n, 3))
    shares = softmax(outputs, axis=1)
    y = np.array([rng.choice(3, p=share) for share in shares])
    members = softmax(factor * outputs + 0.01 * rng.normal(size=(2, n, 3)), axis=2)
    return members, Rows(np.zeros((n, 1)), y, np.ones(n))


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_tempering_divides_the_outputs(temperature):
    outputs = np.random.default_rng(0).normal(size=(2, 5, 3)) * 5
    expected = softmax(outputs / temperature, axis=2)
    np.testing.assert_allclose(tempered(softmax(outputs, axis=2), temperature), expected, 1e-9)


def test_tempering_of_certainty_is_finite():
    result = tempered(np.array([[1.0, 0.0]]), 8.0)
    assert np.isfinite(result).all()
    assert result[0, 0] > 0.99


@pytest.mark.parametrize("factor", [0.7, 1.0, 3.0])
def test_the_temperature_undoes_over_and_underconfidence(factor):
    parts = [overconfident(3000, factor, seed) for seed in range(4)]
    folds, rows = zip(*parts, strict=True)
    each, best = best_temperatures(folds, rows, TEMPERATURES, log_likelihood)
    assert factor / 2**0.25 <= best <= factor * 2**0.25
    assert all(abs(np.log2(own / best)) <= 0.25 for own in each)


def test_it_is_the_best_of_those_tried_by_brute_force():
    parts = [overconfident(40, 2.0, seed) for seed in range(3)]
    folds, rows = zip(*parts, strict=True)
    _, best = best_temperatures(folds, rows, TEMPERATURES, log_likelihood)
    y = np.concatenate([own.y for own in rows])
    losses = {
        temperature: log_loss(
            y,
            np.concatenate([softmax(np.log(own) / temperature, axis=2).mean(0) for own in folds]),
            labels=[0, 1, 2],
        )
        for temperature in TEMPERATURES
    }
    assert best == min(losses, key=losses.get)


def test_a_folds_own_rows_have_no_say():
    parts = [overconfident(200, 3.0, seed) for seed in range(3)]
    folds, rows = zip(*parts, strict=True)
    before, _ = best_temperatures(folds, rows, TEMPERATURES, log_likelihood)
    wrong = Rows(rows[0].X, (rows[0].y + 1) % 3, rows[0].weight)
    after, _ = best_temperatures(folds, [wrong, *rows[1:]], TEMPERATURES, log_likelihood)
    assert after[0] == before[0]
    assert after[1] > before[1]


def test_constants_keep_the_temperature_of_one():
    rows = overconfident(30, 1.0, 0)[1]
    constant = np.full((2, 30, 3), 1 / 3)
    each, best = best_temperatures([constant] * 2, [rows] * 2, TEMPERATURES, log_likelihood)
    assert (each, best) == ([1.0, 1.0], 1.0)


def test_one_split_uses_its_own_rows():
    members, rows = overconfident(3000, 2.0, 0)
    each, best = best_temperatures([members], [rows], TEMPERATURES, log_likelihood)
    assert each == [best]
    assert 2 / 2**0.25 <= best <= 2 * 2**0.25


@pytest.mark.parametrize("Estimator", [SierNetClassifier, EasierNetClassifier])
def test_a_plain_estimators_temperature(Estimator, class_data):
    X, y = class_data
    plain, tempering = (
        Estimator(**SMALL, temperature=temperature).fit(X, y) for temperature in (1.0, 2.0)
    )
    np.testing.assert_array_equal(plain.members_[0].beta, tempering.members_[0].beta)
    outputs = tempering.members_[0].outputs((X - tempering.x_mean_) / tempering.x_scale_)
    np.testing.assert_allclose(tempering.predict_members(X)[0], softmax(outputs / 2, axis=1))
    np.testing.assert_allclose(np.exp(tempering.predict_log_proba(X)), tempering.predict_proba(X))
    assert plain.predict_proba(X).max() > tempering.predict_proba(X).max()


def test_the_tuned_is_the_plain_estimator_at_the_chosen_temperature(class_data):
    X, y = class_data
    tuned = EasierNetClassifierCV(**SMALL, **SEARCH, n_estimators=3).fit(X, y)
    assert tuned.temperature_ == tuned.best_params_["temperature"]
    assert tuned.temperature_ in TEMPERATURES
    assert tuned.cv_results_["param_temperature"][tuned.best_index_] == tuned.temperature_
    plain = EasierNetClassifier(**SMALL, **tuned.best_params_, n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(tuned.predict_proba(X), plain.predict_proba(X))


def test_given_temperatures(class_data):
    X, y = class_data
    one = EasierNetClassifierCV(**SMALL, **SEARCH, n_estimators=2, temperatures=[1.0]).fit(X, y)
    two = EasierNetClassifierCV(**SMALL, **SEARCH, n_estimators=2, temperatures=[2.0]).fit(X, y)
    assert (one.temperature_, two.temperature_) == (1.0, 2.0)
    np.testing.assert_allclose(
        tempered(one.predict_members(X), 2.0), two.predict_members(X), atol=1e-9
    )
    free = EasierNetClassifierCV(**SMALL, **SEARCH, n_estimators=2).fit(X, y)
    assert free.best_score_ > two.best_score_


@pytest.mark.parametrize("wrong", [[0.0], [-1.0, 1.0], [], 2.0, ["hot"], [np.nan]])
def test_wrong_temperatures_are_refused(wrong, class_data):
    model = EasierNetClassifierCV(**SMALL, **SEARCH, temperatures=wrong)
    with pytest.raises(ValueError, match="temperatures"):
        model.fit(*class_data)
    assert not hasattr(model, "members_")
