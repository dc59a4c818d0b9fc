"""The CV estimators: what is searched, chosen, reported; folds, weights, scorers."""

import pickle
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.linear_model import LassoCV
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import reference
import siernet
from siernet import (
    EasierNetClassifierCV,
    EasierNetRegressor,
    EasierNetRegressorCV,
    SierNetClassifierCV,
    SierNetRegressorCV,
    engine,
)
from siernet.losses import SquaredError
from siernet.objective import TrainingRows
from siernet.random_streams import task_key
from siernet.rows import Rows, distinct_rows
from siernet.tasks import Task
from siernet.tuning.folds import make_folds

SMALL = {"n_hidden_layers": 1, "n_hidden_nodes": 8, "max_epochs": 30, "random_state": 0, "cv": 3}
FEW = {"input_penalties": [0.003, 0.3], "network_penalties": [0.002]}
ENSEMBLE = {"n_estimators": 3, "n_estimators_tuning": 2}

pytestmark = pytest.mark.filterwarnings("ignore:.*lower edge", "ignore:.*still improving")

EXPECTED_FAILURES: dict[str, str] = {}


@parametrize_with_checks(
    [
        SierNetRegressorCV(**{**SMALL, **FEW, "cv": 2}),
        SierNetClassifierCV(**{**SMALL, **FEW, "cv": 2}),
        EasierNetRegressorCV(**{**SMALL, **FEW, "cv": 2}, **ENSEMBLE),
        EasierNetClassifierCV(**{**SMALL, **FEW, "cv": 2}, **ENSEMBLE),
    ],
    expected_failed_checks=lambda _: EXPECTED_FAILURES,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def tuned(regression_data):
    """A default search with small networks."""
    return EasierNetRegressorCV(**SMALL, **ENSEMBLE).fit(*regression_data)


def test_the_result_is_the_plain_estimator_at_the_chosen_penalties(tuned, regression_data):
    X, y = regression_data
    settings = {name: value for name, value in SMALL.items() if name != "cv"}
    plain = EasierNetRegressor(**settings, n_estimators=3, **tuned.best_params_).fit(X, y)
    np.testing.assert_array_equal(tuned.predict(X), plain.predict(X))
    np.testing.assert_array_equal(tuned.selection_rates_, plain.selection_rates_)
    assert tuned.score(X, y) > 0.7
    assert len(tuned) == 3


def test_scores_are_those_of_ensembles_fitted_by_hand(regression_data):
    """One candidate: each fold's networks trained alone, scaled and averaged here, one by one."""
    X, y = regression_data
    splits = list(KFold(3).split(X))
    model = EasierNetRegressorCV(
        **{**SMALL, "cv": splits}, **ENSEMBLE, input_penalties=[0.01], network_penalties=[0.002]
    ).fit(X, y)
    recipe = replace(model._recipe(), max_prox_iter=0)
    for fold, (train, test) in enumerate(splits):
        rows = distinct_rows(Rows(X[train], y[train], np.ones(len(train))))
        mean, scale, y_mean, y_scale = X[train].mean(0), X[train].std(0), *moments(y[train])
        parts = (rows.X - mean) / scale, (rows.y[:, None] - y_mean) / y_scale, rows.weight / 80
        data = TrainingRows(*(torch.tensor(part, dtype=torch.float32) for part in parts))
        tasks = [Task(task_key(0, 1, fold, member), 0.01, 0.002) for member in range(2)]
        predictions = []
        for task in tasks:
            (trained,) = engine.train([task], [data], SquaredError(), recipe)
            member = model._member_of(trained, SimpleNamespace(varying=np.arange(8)))
            output = reference.network_output(member, (X[test] - mean) / scale)[:, 0]
            predictions.append(output * y_scale + y_mean)
        expected = -np.mean((np.mean(predictions, axis=0) - y[test]) ** 2)
        score = model.cv_results_[f"split{fold}_test_score"][0]
        assert score == pytest.approx(expected, rel=1e-3)


def moments(values):
    return values.mean(), values.std()


def test_results_have_scikit_learns_layout(tuned):
    results = tuned.cv_results_
    n = len(results["params"])
    splits = np.stack([results[f"split{fold}_test_score"] for fold in range(3)], axis=1)
    np.testing.assert_allclose(results["mean_test_score"], splits.mean(axis=1))
    np.testing.assert_allclose(results["std_test_score"], splits.std(axis=1))
    assert sorted(results["rank_test_score"]) == list(range(1, n + 1))
    best = tuned.best_index_
    assert results["rank_test_score"][best] == 1
    assert results["n_resources"][best] == 2
    assert results["params"][best] == tuned.best_params_
    assert tuned.best_score_ == results["mean_test_score"][best]
    assert tuned.input_penalty_ == results["param_input_penalty"][best]
    assert (results["mean_fit_time"] > 0).all()


@pytest.mark.parametrize("search", ["grid", "random", "halving"])
def test_explicit_lists_are_searched_as_given(search, regression_data):
    model = EasierNetRegressorCV(**SMALL, **ENSEMBLE, **FEW, search=search).fit(*regression_data)
    pairs = {tuple(p.values()) for p in model.cv_results_["params"]}
    assert pairs == {(0.003, 0.002), (0.3, 0.002)}
    assert model.input_penalty_ == 0.003


def test_random_search_tries_as_many_as_asked(regression_data):
    model = SierNetRegressorCV(**SMALL, search="random", n_candidates=4).fit(*regression_data)
    assert len(model.cv_results_["params"]) == 4


def test_one_standard_error_rule_is_sparser_and_within_it(regression_data):
    X, y = regression_data
    settings = {**SMALL, **ENSEMBLE, "search": "grid"}
    grid = {"input_penalties": [0.001, 0.01, 0.03, 0.1], "network_penalties": [0.002]}
    best = EasierNetRegressorCV(**settings, **grid).fit(X, y)
    rule = EasierNetRegressorCV(**settings, **grid, selection_rule="1se").fit(X, y)
    results = best.cv_results_
    bound = best.best_score_ - results["se_test_score"][best.best_index_]
    within = results["mean_test_score"] >= bound
    assert rule.best_score_ >= bound
    selected = results["mean_n_selected"]
    assert selected[rule.best_index_] == selected[within].min()
    assert rule.input_penalty_ >= best.input_penalty_


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error"])
def test_scorers_of_scikit_learn(scoring, regression_data):
    model = EasierNetRegressorCV(**SMALL, **ENSEMBLE, **FEW, scoring=scoring).fit(*regression_data)
    assert model.input_penalty_ == 0.003
    assert (model.best_score_ < 1) == (scoring == "r2" or model.best_score_ < 0)


def test_scorers_of_classes(class_data):
    X, y = class_data
    for scoring in ("accuracy", "neg_log_loss", "roc_auc_ovr", get_scorer("balanced_accuracy")):
        model = EasierNetClassifierCV(**SMALL, **ENSEMBLE, **FEW, scoring=scoring).fit(X, y)
        assert np.isfinite(model.best_score_)
    plain = EasierNetClassifierCV(**SMALL, **ENSEMBLE, **FEW).fit(X, y)
    same = EasierNetClassifierCV(**SMALL, **ENSEMBLE, **FEW, scoring="neg_log_loss").fit(X, y)
    assert plain.best_score_ == pytest.approx(same.best_score_, rel=1e-9)


# -- folds ---------------------------------------------------------------------------------------


def table(n=60, classes=None):
    rng = np.random.default_rng(0)
    y = rng.normal(size=n) if classes is None else np.asarray(classes)
    return Rows(rng.normal(size=(len(y), 2)), y, np.ones(len(y)))


def test_folds_part_the_rows():
    folds = make_folds(table(), 4, None, classes=None, seed=1)
    tested = np.concatenate([fold.test.y for fold in folds])
    assert sorted(tested) == sorted(table().y)
    for fold in folds:
        assert not set(fold.test.y) & set(fold.train.y)
        assert len(fold.test.y) == 15


def test_folds_are_shuffled_and_stratified():
    sorted_classes = np.repeat(["a", "b", "c"], [40, 12, 8])
    folds = make_folds(
        table(classes=sorted_classes), 4, None, classes=np.array(list("abc")), seed=0
    )
    for fold in folds:
        assert np.unique(fold.test.y, return_counts=True)[1].tolist() == [10, 3, 2]


def test_groups_stay_together():
    groups = np.repeat(np.arange(12), 5)
    for cv in (4, GroupKFold(4)):
        for fold in make_folds(table(), cv, groups, classes=None, seed=0):
            inside = np.isin(table().y, fold.test.y)
            assert not set(groups[inside]) & set(groups[~inside])


def test_equal_rows_are_never_on_both_sides():
    doubled = table(30)
    doubled = doubled.take(np.repeat(np.arange(30), 2))
    for fold in make_folds(doubled, 5, None, classes=None, seed=0):
        assert not set(fold.test.y) & set(fold.train.y)


def test_rare_classes():
    one = np.array(["a"] * 20 + ["b"] * 20 + ["rare"])
    with pytest.warns(UserWarning, match=r"Classes with one row \('rare'\)"):
        folds = make_folds(table(classes=one), 4, None, classes=np.unique(one), seed=0)
    assert all("rare" in fold.train.y and "rare" not in fold.test.y for fold in folds)
    splits = [(np.arange(0, 30), np.arange(30, 41))]
    with pytest.raises(ValueError, match="Fold 0 of cv has no training rows of class 'rare'"):
        make_folds(table(classes=one), splits, None, classes=np.unique(one), seed=0)


@pytest.mark.parametrize("cv", [1, 100])
def test_impossible_numbers_of_folds(cv, regression_data):
    X, y = regression_data
    with pytest.raises(ValueError, match=f"cv={cv} folds|cv"):
        SierNetRegressorCV(**{**SMALL, "cv": cv}).fit(X[:50], y[:50])


def test_no_leakage_by_scaling(regression_data):
    """A validation row that is out of all proportion moves no mean or scale of its fold."""
    X, y = regression_data
    splits = [(np.arange(60), np.arange(60, 120)), (np.arange(60, 120), np.arange(60))]
    model = SierNetRegressorCV(**{**SMALL, "cv": splits}, **FEW).fit(X, y)
    outlier = X.copy()
    outlier[100, 7] = 1e6  # trained on in the second fold only
    other = SierNetRegressorCV(**{**SMALL, "cv": splits}, **FEW).fit(outlier, y)
    first = "split0_test_score"
    kept = np.isclose(model.cv_results_[first], other.cv_results_[first], rtol=0.5)
    assert kept.any()


# -- weights, pipelines, pickles, progress, bad input ----------------------------------------------


def test_integer_weights_are_repeated_rows(regression_data):
    X, y = regression_data
    weight = np.random.default_rng(0).integers(0, 3, size=len(y))
    one = EasierNetRegressorCV(**SMALL, **ENSEMBLE, **FEW).fit(X, y, sample_weight=weight)
    two = EasierNetRegressorCV(**SMALL, **ENSEMBLE, **FEW)
    two.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_array_equal(one.predict(X), two.predict(X))
    assert one.best_score_ == pytest.approx(two.best_score_, rel=1e-12)


def test_workers_and_memory_change_nothing(tuned, regression_data):
    X, y = regression_data
    other = clone(tuned).set_params(n_jobs=2, max_memory="1MB").fit(X, y)
    assert other.best_params_ == tuned.best_params_
    np.testing.assert_array_equal(other.predict(X), tuned.predict(X))


def test_nested_cross_validation_with_workers_at_both_levels(regression_data):
    X, y = regression_data
    model = SierNetRegressorCV(**{**SMALL, "cv": 2}, **FEW, n_jobs=2)
    scores = cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=2, n_jobs=2)
    assert (scores > 0.3).all()


def test_pickles_before_and_after_fit(tuned, regression_data, tmp_path):
    X, _ = regression_data
    assert pickle.loads(pickle.dumps(clone(tuned))).get_params() == tuned.get_params()
    copy = pickle.loads(pickle.dumps(tuned))
    loaded = siernet.load(tuned.save(tmp_path / "model"))
    for other in (copy, loaded):
        np.testing.assert_array_equal(other.predict(X), tuned.predict(X))
        assert other.best_params_ == tuned.best_params_


def test_events_reach_a_callable(regression_data, capfd):
    events = []
    SierNetRegressorCV(**SMALL, verbose=events.append).fit(*regression_data)
    stages = list(dict.fromkeys(event.stage for event in events))
    assert stages[0] == "Tuning, round 1"
    assert stages[-1] == "SierNetRegressorCV"
    for event in events:
        assert 0 <= event.done <= event.total
        assert event.seconds_left >= 0
    later = [e.best_loss for e in events if e.stage.startswith("Tuning") and e.stage != stages[0]]
    assert all(loss > 0 for loss in later)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"search": "annealing"}, "search"),
        ({"n_candidates": 0}, "n_candidates"),
        ({"cv": "four"}, "cv"),
        ({"selection_rule": "2se"}, "selection_rule"),
        ({"input_penalties": [-1.0]}, "input_penalties"),
        ({"network_penalties": [[1.0]]}, "network_penalties"),
        ({"scoring": "goodness"}, "goodness"),
    ],
)
def test_bad_settings_are_named(settings, message, regression_data):
    with pytest.raises(ValueError, match=message):
        SierNetRegressorCV(**{**SMALL, **settings}).fit(*regression_data)


def test_constant_target_is_tuned_without_harm(regression_data):
    X, _ = regression_data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = SierNetRegressorCV(**SMALL).fit(X, np.full(len(X), 2.5))
    np.testing.assert_allclose(model.predict(X), 2.5, atol=1e-6)


@pytest.mark.slow
def test_optimism_of_the_criterion_is_like_the_lassos():
    """Best CV loss against loss on new data: no more optimistic than LassoCV's, over draws."""
    from siernet.datasets import make_section_4_2

    optimism = {"ours": [], "lasso": []}
    for seed in range(12):
        data, new = (make_section_4_2(150, random_state=s) for s in (seed, 1000 + seed))
        ours = EasierNetRegressorCV(
            n_hidden_layers=2, n_hidden_nodes=20, random_state=seed, **ENSEMBLE
        ).fit(data.X, data.y)
        lasso = LassoCV(cv=4).fit(data.X, data.y)
        for name, model, claimed in (
            ("ours", ours, -ours.best_score_),
            ("lasso", lasso, lasso.mse_path_.mean(axis=1).min()),
        ):
            loss = np.mean((model.predict(new.X) - new.y) ** 2)
            optimism[name].append((loss - claimed) / new.y.var())
    spread = np.std(np.subtract(optimism["ours"], optimism["lasso"])) / np.sqrt(12)
    assert np.mean(optimism["ours"]) < np.mean(optimism["lasso"]) + 2 * spread + 0.02


def test_a_search_that_finds_nothing_says_so_and_what_comes_next():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)), rng.normal(size=40)
    model = EasierNetRegressorCV(
        input_penalties=[0.001, 0.2],
        network_penalties=[0.002],
        n_estimators=2,
        n_estimators_tuning=2,
        n_hidden_layers=1,
        n_hidden_nodes=8,
        max_epochs=60,
        search="grid",
        random_state=0,
    )
    with pytest.warns(UserWarning, match=r"found nothing.*input_penalty=0.001 "):
        model.fit(X, y)
    assert model.input_penalty_ == 0.2
