"""Methods behind one interface: folds, settings, and what comes out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from siernet.experiments import simulation, uci
from siernet.experiments.methods import METHODS
from siernet.experiments.methods.cross_validation import best_candidate, mean_loss, splits
from siernet.experiments.methods.method import SCALES, TASKS, Training


def training(y, n_classes=0, seed=0):
    return Training(np.zeros((len(y), 1)), np.asarray(y), n_classes, {}, seed, "cpu", 1)


@pytest.fixture(scope="module")
def table():
    """60 rows, the first of six columns matters, the last varies in one row only."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 6))
    X[:, 5] = np.arange(60) == 3
    labels = np.where(X[:, 0] > 0.5, "a", np.where(X[:, 1] > 0, "b", "c"))
    labels[5] = "d"  # alone in its class
    return X, 100 + 3 * X[:, 0] + 0.1 * rng.normal(size=60), labels


def test_every_method_of_the_studies_exists():
    for study in (simulation.STUDY, uci.STUDY):
        for names in study.usual_methods.values():
            assert set(names) <= set(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_settings_are_plain_and_of_both_tasks_and_scales(name):
    for task in TASKS:
        quick, paper = (METHODS[name].settings(task, scale) for scale in SCALES)
        assert json.loads(json.dumps(paper)) is not None
        assert quick != paper or name in ("lasso",)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        *((name, "regression") for name in ("lasso", "lightgbm", "tabm", "random_forest")),
        *((name, "classification") for name in ("lasso", "lightgbm", "tabm", "xgboost")),
        pytest.param("xgboost", "regression", marks=pytest.mark.slow),
        pytest.param("random_forest", "classification", marks=pytest.mark.slow),
        *(
            pytest.param(name, task, marks=pytest.mark.slow)
            for name in ("extra_trees", "realmlp", "easier_net_008")
            for task in TASKS
        ),
    ],
)
def test_a_method_learns_repeats_itself_and_gives_probabilities(name, task, table):
    method = METHODS[name]
    if method.missing():
        pytest.skip(f"{name} needs {', '.join(method.missing())}: pip install 'siernet[bench]'")
    X, y, labels = table
    target = labels if task == "classification" else y
    arguments = {"task": task, "scale": "quick", "device": "cpu", "n_jobs": 1}
    first, again = (method.fit(X, target, seed=1, **arguments).predict(X[:9]) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    if task == "regression":
        assert first.shape == (9,)
        assert np.corrcoef(first, y[:9])[0, 1] > 0.8
    else:
        assert first.shape == (9, 4)
        np.testing.assert_allclose(first.sum(axis=1), 1)
        assert (first > 0).all()


def test_the_lasso_is_the_lasso(table):
    X, y, _ = table
    outcome = METHODS["lasso"].fit(X, y, task="regression", scale="paper", seed=0, n_jobs=1)
    assert outcome.details["selection_rates"][0] == 1
    assert outcome.details["support_size"] == sum(outcome.details["selection_rates"])
    assert np.mean((outcome.predict(X) - y) ** 2) < 0.05


def test_folds_leave_a_row_of_every_class_to_train_on():
    y = np.repeat([0, 1, 2, 3], [20, 9, 2, 1])
    folds = splits(training(y, n_classes=4), 4)
    assert len(folds) == 4
    validated = np.concatenate([test for _, test in folds])
    assert sorted(validated) == list(range(31))  # all but the one that is alone in its class
    for train, test in folds:
        assert set(y[train]) == {0, 1, 2, 3}
        assert not set(train) & set(test)


def test_the_best_candidate_has_the_lowest_mean_loss_on_rows_left_out():
    y = np.array([0.0, 1.0, 2.0, 3.0])
    fold = [(np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1]))]

    def fit(X, y_train, shift):
        return lambda X: np.full(len(X), y_train.mean() + shift)

    best, loss = best_candidate(training(y), fold, fit, [5.0, 0.0, 1.0])
    assert best == 0.0
    assert loss == pytest.approx(4.25)  # errors 1.5 and 2.5 in one fold, -2.5 and -1.5 in the other


def test_losses_that_methods_are_tuned_by():
    probabilities = np.array([[0.5, 0.5], [0.2, 0.8]])
    loss = mean_loss(training([0, 1], n_classes=2), probabilities, np.array([0, 1]))
    assert loss == pytest.approx(-np.log([0.5, 0.8]).mean())
    assert mean_loss(training([1.0, 3.0]), np.array([1.0, 1.0]), np.array([0, 1])) == 2.0


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.zeros((3, 2)), np.zeros(2), "are not n rows of each"),
        ([[np.nan], [1.0]], np.zeros(2), "missing or infinite values in 1 rows"),
        (np.zeros((2, 1)), ["a", "a"], "needs two classes"),
    ],
)
def test_unfit_tables_are_refused(X, y, message):
    task = "classification" if isinstance(y, list) else "regression"
    with pytest.raises(ValueError, match=message):
        METHODS["lasso"].fit(X, y, task=task, scale="quick", seed=0)
