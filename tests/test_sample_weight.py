"""Weights are repeated rows and zero weights absent rows, exactly, mini-batches included."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from siernet import EasierNetClassifier, EasierNetRegressor
from siernet.rows import Rows, Scaling, distinct_rows

SMALL = {"n_estimators": 2, "n_hidden_nodes": 12, "max_epochs": 40, "random_state": 0}


@pytest.fixture(params=["regression", "classes"])
def case(request, regression_data, class_data):
    if request.param == "regression":
        return (EasierNetRegressor(**SMALL), *regression_data)
    return (EasierNetClassifier(**SMALL), *class_data)


def same(model, other, X):
    np.testing.assert_array_equal(model.predict_members(X), other.predict_members(X))
    np.testing.assert_array_equal(model.x_mean_, other.x_mean_)


@pytest.mark.parametrize("n_batches", [1, 3])
def test_integer_weights_are_repeated_rows(case, n_batches):
    from sklearn.base import clone

    model, X, y = case
    model.set_params(n_batches=n_batches)
    weight = np.random.default_rng(0).integers(0, 4, size=len(y))
    order = np.random.default_rng(1).permutation(int(weight.sum()))
    repeated = np.repeat(X, weight, axis=0)[order], np.repeat(y, weight)[order]
    same(clone(model).fit(X, y, sample_weight=weight), clone(model).fit(*repeated), X)


def test_unit_weights_are_none(case):
    from sklearn.base import clone

    model, X, y = case
    same(clone(model).fit(X, y), clone(model).fit(X, y, sample_weight=np.ones(len(y))), X)


def test_only_proportions_matter(case):
    from sklearn.base import clone

    model, X, y = case
    weight = np.random.default_rng(0).integers(1, 4, size=len(y))
    one = clone(model).fit(X, y, sample_weight=weight)
    same(one, clone(model).fit(X, y, sample_weight=weight * 4.0), X)


def test_weight_pulls_the_fit(regression_data):
    X, y = regression_data
    heavy = np.where(np.arange(len(y)) < 20, 50.0, 1.0)
    plain = EasierNetRegressor(**SMALL).fit(X, y)
    pulled = EasierNetRegressor(**SMALL).fit(X, y, sample_weight=heavy)
    error = [np.mean((model.predict(X[:20]) - y[:20]) ** 2) for model in (plain, pulled)]
    assert error[1] < error[0]


def test_rows_of_zero_weight_can_hold_a_class_of_their_own(class_data):
    X, y = class_data
    weight = (y != "cat").astype(float)
    model = EasierNetClassifier(**SMALL).fit(X, y, sample_weight=weight)
    assert model.classes_.tolist() == ["ant", "bee"]


@settings(deadline=None, max_examples=50)
@given(
    values=st.lists(
        st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(0, 2)), min_size=1
    ),
    seed=st.integers(0, 100),
)
def test_distinct_rows_keep_all_weight_and_forget_the_order(values, seed):
    table = np.array(values, dtype=float)
    weight = np.random.default_rng(seed).integers(0, 3, size=len(table)).astype(float)
    assume(weight.any())
    order = np.random.default_rng(seed + 1).permutation(len(table))
    rows = distinct_rows(Rows(table[:, :2], table[:, 2], weight))
    again = distinct_rows(Rows(table[order, :2], table[order, 2], weight[order]))
    np.testing.assert_array_equal(rows.X, again.X)
    np.testing.assert_array_equal(rows.weight, again.weight)
    joined = {}
    for row, own in zip(map(tuple, table), weight, strict=True):
        joined[row] = joined.get(row, 0) + own
    kept = dict(zip(map(tuple, np.column_stack([rows.X, rows.y])), rows.weight, strict=True))
    assert kept == {row: total for row, total in joined.items() if total > 0}


def test_scaling_is_that_of_repeated_rows():
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(30, 3)), rng.integers(1, 5, size=30)
    X[:, 2] = 7.0
    repeated = np.repeat(X, weight, axis=0)
    scaling = Scaling.learn(X, weight)
    np.testing.assert_allclose(scaling.mean, repeated.mean(0), rtol=1e-12)
    np.testing.assert_allclose(scaling.scale[:2], repeated.std(0)[:2], rtol=1e-12)
    assert (scaling.mean[2], scaling.scale[2]) == (7.0, 1.0)
