"""Calibrated probabilities: how they are made and chosen, and what the estimators make of them."""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.metrics import log_loss

from siernet import EasierNetClassifier, EasierNetClassifierCV, SierNetClassifier
from siernet.calibration import PRIOR_POWERS, TEMPERATURES, Calibration, best_calibrations
from siernet.rows import Rows

SMALL = {"n_hidden_layers": 1, "n_hidden_nodes": 8, "max_epochs": 30, "random_state": 0}
SEARCH = {"n_estimators_tuning": 2, "input_penalties": [0.003], "network_penalties": [0.002]}


EQUAL = np.full(3, 1 / 3)
WAYS = [Calibration(temperature) for temperature in TEMPERATURES]


def of(way, probabilities, shares):
    """The probabilities in a way."""
    return softmax(way.logits(np.log(probabilities), shares), axis=-1)


def chosen(folds, rows, ways=WAYS, shares=None):
    """The temperature that each fold was tempered with, and the best."""
    shares = [EQUAL] * len(folds) if shares is None else shares
    calibrated, best = best_calibrations(folds, shares, rows, ways, log_likelihood)
    each = [
        next(way for way in ways if np.allclose(of(way, own, share), made, rtol=1e-9, atol=0))
        for own, share, made in zip(folds, shares, calibrated, strict=True)
    ]
    return each, best


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
    result = of(Calibration(temperature), softmax(outputs, axis=2), EQUAL)
    np.testing.assert_allclose(result, expected, 1e-9)


def test_the_power_multiplies_by_shares():
    p, shares = np.array([[0.2, 0.3, 0.5]]), np.array([0.7, 0.2, 0.1])
    expected = p * shares / (p * shares).sum()
    np.testing.assert_allclose(of(Calibration(prior_power=1.0), p, shares), expected)


def test_certainty_stays_finite():
    certain = np.array([[[1.0, 0.0, 0.0]]])
    rows = Rows(np.zeros((1, 1)), np.array([0]), np.ones(1))
    (result,), _ = best_calibrations([certain], [EQUAL], [rows], WAYS, log_likelihood)
    assert np.isfinite(result).all()
    assert result[0, 0, 0] > 0.99


@pytest.mark.parametrize("factor", [0.7, 1.0, 3.0])
def test_the_temperature_undoes_over_and_underconfidence(factor):
    parts = [overconfident(3000, factor, seed) for seed in range(4)]
    folds, rows = zip(*parts, strict=True)
    each, best = chosen(folds, rows)
    assert factor / 2**0.25 <= best.temperature <= factor * 2**0.25
    assert all(abs(np.log2(own.temperature / best.temperature)) <= 0.25 for own in each)


def test_the_power_undoes_the_balancing_of_classes():
    """Rows of 8:1:1, members who speak as if the classes were equally frequent."""
    shares, parts = np.array([0.8, 0.1, 0.1]), []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        outputs = rng.normal(size=(3000, 3))
        true = softmax(outputs + np.log(shares), axis=1)
        y = np.array([rng.choice(3, p=own) for own in true])
        rows = Rows(np.zeros((3000, 1)), y, np.ones(3000))
        parts.append((softmax(np.stack([outputs] * 2), axis=2), rows))
    folds, rows = zip(*parts, strict=True)
    ways = [Calibration(t, power) for t in TEMPERATURES for power in PRIOR_POWERS]
    each, best = chosen(folds, rows, ways, [shares] * 4)
    assert best == Calibration(1.0, 1.0)
    assert [own.prior_power for own in each] == [1.0] * 4


def test_it_is_the_best_of_those_tried_by_brute_force():
    parts = [overconfident(40, 2.0, seed) for seed in range(3)]
    folds, rows = zip(*parts, strict=True)
    _, best = chosen(folds, rows)
    y = np.concatenate([own.y for own in rows])
    losses = {
        temperature: log_loss(
            y,
            np.concatenate([softmax(np.log(own) / temperature, axis=2).mean(0) for own in folds]),
            labels=[0, 1, 2],
        )
        for temperature in TEMPERATURES
    }
    assert best.temperature == min(losses, key=losses.get)


def test_a_folds_own_rows_have_no_say():
    parts = [overconfident(200, 3.0, seed) for seed in range(3)]
    folds, rows = zip(*parts, strict=True)
    before, before_all = chosen(folds, rows)
    wrong = Rows(rows[0].X, (rows[0].y + 1) % 3, rows[0].weight)
    after, after_all = chosen(folds, [wrong, *rows[1:]])
    assert after[0] == before[0]
    assert after[1].temperature > before[1].temperature
    assert after_all.temperature > before_all.temperature


@pytest.mark.parametrize("shares", [EQUAL, np.array([0.5, 0.3, 0.2]), np.array([0.9, 0.08, 0.02])])
def test_constants_keep_the_temperature_of_one(shares):
    """For them every temperature is as good, but for rounding."""
    rng = np.random.default_rng(0)
    rows = Rows(np.zeros((60, 1)), rng.choice(3, 60, p=shares), np.ones(60))
    constant = np.full((2, 60, 3), 1 / 3)
    ways = [Calibration(t, power) for power in PRIOR_POWERS for t in TEMPERATURES]
    _, best = best_calibrations([constant] * 2, [shares] * 2, [rows] * 2, ways, log_likelihood)
    assert best.temperature == 1


def test_one_split_uses_its_own_rows():
    members, rows = overconfident(3000, 2.0, 0)
    each, best = chosen([members], [rows])
    assert each == [best]
    assert 2 / 2**0.25 <= best.temperature <= 2 * 2**0.25


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


def test_a_plain_estimators_prior_power(class_data):
    X, y = class_data
    model = EasierNetClassifier(**SMALL, n_estimators=2, prior_power=0.5).fit(X, y)
    shares = np.unique(y, return_counts=True)[1] / len(y)
    np.testing.assert_allclose(model.class_prior_, shares)
    outputs = model.members_[1].outputs((X - model.x_mean_) / model.x_scale_)
    expected = softmax(outputs, axis=1) * np.sqrt(shares)
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_members(X)[1], expected)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


def test_the_tuned_is_the_plain_estimator_at_the_chosen_temperature(class_data):
    X, y = class_data
    tuned = EasierNetClassifierCV(**SMALL, **SEARCH, n_estimators=3).fit(X, y)
    assert tuned.temperature_ == tuned.best_params_["temperature"]
    assert tuned.temperature_ in TEMPERATURES
    assert tuned.prior_power_ == tuned.best_params_["prior_power"]
    assert tuned.cv_results_["param_temperature"][tuned.best_index_] == tuned.temperature_
    plain = EasierNetClassifier(**SMALL, **tuned.best_params_, n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(tuned.predict_proba(X), plain.predict_proba(X))


def test_given_calibrations(class_data):
    X, y = class_data
    one, two = (
        EasierNetClassifierCV(
            **SMALL, **SEARCH, n_estimators=2, temperatures=[t], prior_powers=[0.0]
        ).fit(X, y)
        for t in (1.0, 2.0)
    )
    assert (one.temperature_, two.temperature_) == (1.0, 2.0)
    expected = of(Calibration(2.0), one.predict_members(X), EQUAL)
    np.testing.assert_allclose(expected, two.predict_members(X), atol=1e-9)
    free = EasierNetClassifierCV(**SMALL, **SEARCH, n_estimators=2).fit(X, y)
    assert free.best_score_ > two.best_score_


def test_a_scoring_of_ones_own_leaves_classes_balanced(class_data):
    X, y = class_data
    keep = (y != "ant") | (np.arange(len(y)) % 4 == 0)
    settings = {**SMALL, **SEARCH, "n_estimators": 2, "scoring": "balanced_accuracy"}
    model = EasierNetClassifierCV(**settings).fit(X[keep], y[keep])
    assert model.prior_power_ == 0
    assert set(model.cv_results_["param_prior_power"]) == {0.0}


@pytest.mark.parametrize("wrong", [[0.0], [-1.0, 1.0], [], 2.0, ["hot"], [np.nan]])
def test_wrong_temperatures_are_refused(wrong, class_data):
    model = EasierNetClassifierCV(**SMALL, **SEARCH, temperatures=wrong)
    with pytest.raises(ValueError, match="temperatures"):
        model.fit(*class_data)
    assert not hasattr(model, "members_")


def test_unweighted_classes_leave_nothing_to_take_back(class_data):
    model = EasierNetClassifierCV(**SMALL, **SEARCH, n_estimators=2, class_weight=None)
    assert set(model.fit(*class_data).cv_results_["param_prior_power"]) == {0.0}


class OfFewestMembers(EasierNetClassifierCV):
    """Chooses as the one-standard-error rule may: a candidate that was dropped early."""

    def _choose(self, results):
        return min(results, key=lambda candidate: results[candidate].n_members)


def test_a_candidate_dropped_early_is_calibrated_with_all_members(class_data):
    settings = {**SMALL, "n_estimators": 2, "n_estimators_tuning": 4}
    candidates = {"input_penalties": [0.002, 0.01, 0.05, 0.2, 5.0], "network_penalties": [0.002]}
    model = OfFewestMembers(**settings, **candidates).fit(*class_data)
    members = model.cv_results_["n_resources"]
    assert members[model.best_index_] == 4
    assert members.min() == 1


@pytest.mark.parametrize("wrong", [[-1.0], [], 0.5])
def test_wrong_powers_are_refused(wrong, class_data):
    model = EasierNetClassifierCV(**SMALL, **SEARCH, prior_powers=wrong)
    with pytest.raises(ValueError, match="prior_powers"):
        model.fit(*class_data)
