"""What is held out, and what is done to columns."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from siernet.datasets import UciDataset, load_uci, preparation, split, split_rows
from siernet.datasets.missing import MissingPatterns
from siernet.datasets.table import Rows

DATA = Path(
    os.environ.get("SIERNET_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data"
).resolve()
real = pytest.mark.skipif(
    not (DATA / "uci").is_dir(), reason=f"no data in {DATA} (set SIERNET_TEST_DATA to its folder)"
)


def dataset(X, y, nominal=(), **more):
    X = np.asarray(X, dtype=float)
    names = tuple(f"f{i}" for i in range(X.shape[1]))
    flags = np.isin(np.arange(X.shape[1]), nominal)
    task = "classification" if np.asarray(y).dtype.kind in "iU" else "regression"
    return UciDataset("own", X, np.asarray(y), names, task, nominal=flags, **more)


def test_every_row_is_on_one_side():
    train, test = split_rows(np.zeros(100), 1 / 4, 3)
    assert len(test) == 25
    assert sorted([*train, *test]) == list(range(100))
    np.testing.assert_array_equal(train, split_rows(np.zeros(100), 1 / 4, 3)[0])
    assert not np.array_equal(train, split_rows(np.zeros(100), 1 / 4, 4)[0])


def test_the_papers_third_of_606_is_202():
    assert len(split_rows(np.zeros(606), 1 / 3)[1]) == 202


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("held_out", [1 / 4, 1 / 3, 1 / 2])
def test_every_class_is_trained_on_and_in_proportion(seed, held_out):
    sizes = {"a": 60, "b": 30, "c": 2, "d": 1, "e": 9, "f": 1}
    y = np.repeat(list(sizes), list(sizes.values()))
    train, test = split_rows(y, held_out, seed, stratify=True)
    assert set(y[train]) == set(sizes)
    assert not {"d", "f"} & set(y[test])
    for name in "abe":
        assert np.sum(y[test] == name) == pytest.approx(held_out * sizes[name], abs=1)


def test_impossible_splits_are_refused():
    with pytest.raises(ValueError, match=r"held_out=0\.8"):
        split_rows(np.zeros(10), 0.8)
    with pytest.raises(ValueError, match="of 2 rows is 0, too few for a test"):
        split_rows(np.zeros(2), 0.3)
    with pytest.raises(ValueError, match="of 8 rows is 2, too few for 4 classes"):
        split_rows(np.repeat(list("abcd"), 2), 1 / 3, stratify=True)


def test_published_test_rows_are_used_unless_declined():
    kept = Rows(np.full((4, 1), 9.0), np.array([0, 1, 0, 1]))
    data = dataset(np.arange(12)[:, None], [0, 1] * 6, published_test=kept)
    parts = split(data, 0)
    assert parts.X_train.shape == (12, 1)
    np.testing.assert_array_equal(parts.X_test, kept.X)
    parts = split(data, 0, published=False)
    assert (len(parts.y_train), len(parts.y_test)) == (8, 4)
    assert (parts.X_test != 9).any()


def test_numbers_codes_and_missing_values():
    nan = np.nan
    X = np.column_stack(
        [
            [1, 2, 3, 100, nan, nan, nan, nan, nan, 2],  # a number: median 2
            [0, 0, 0, 1, 1, nan, nan, nan, nan, nan],  # two codes: most frequent 0
            [7, 7, 8, 9, 9, 9, nan, 7, 8, 9],  # three codes: most frequent 9
            np.arange(10),
        ]
    )
    X[4, 1] = nan  # missing in the same rows as column 0, but for the last
    data = dataset(X, np.arange(10.0), nominal=[1, 2])
    made = preparation(data)
    table = made.fit_transform(X)
    assert made.get_feature_names_out(data.feature_names).tolist() == [
        "f0", "f3", "f1", "f2_7.0", "f2_8.0", "f2_9.0", "missing_f0",
    ]  # fmt: skip
    np.testing.assert_array_equal(table[:, 0], [1, 2, 3, 100, 2, 2, 2, 2, 2, 2])
    np.testing.assert_array_equal(table[:, 2], [0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(table[:, 5], [0, 0, 0, 1, 1, 1, 1, 0, 0, 1])
    np.testing.assert_array_equal(table[:, 6], [0, 0, 0, 0, 1, 1, 1, 1, 1, 0])


def test_new_codes_and_new_holes_after_fitting():
    data = dataset([[1], [2], [3], [1], [2], [3]], np.arange(6.0), nominal=[0])
    made = preparation(data).fit(data.X[:5])
    assert made.transform([[4], [np.nan]]).tolist() == [[0, 0, 0], [1, 0, 0]]


def test_what_is_learnt_comes_from_the_rows_fitted_on():
    X = np.array([[1.0], [2], [3], [1000], [np.nan]])
    made = preparation(dataset(X, np.arange(5.0))).fit(X[:3])
    assert made.transform([[np.nan]]).tolist() == [[2]]


def test_a_column_without_a_value_in_training_is_kept():
    X = np.array([[np.nan, 1], [np.nan, 2], [5, 3]])
    made = preparation(dataset(X, np.arange(3.0))).fit(X[:2])
    assert made.transform(X).shape == (3, 2)


def test_codes_and_indicators_are_optional():
    X = np.array([[1.0, np.nan]] * 6 + [[2, 1], [3, 1], [4, 1], [4, 1], [4, 1]])
    data = dataset(X, np.arange(11.0), nominal=[0])
    assert preparation(data).fit_transform(X).shape == (11, 6)
    assert preparation(data, nominal="codes").fit_transform(X).shape == (11, 3)
    assert preparation(data, indicators=False).fit_transform(X).shape == (11, 5)
    with pytest.raises(ValueError, match=r"nominal='dummy'.*one_hot, codes"):
        preparation(data, nominal="dummy")


def test_many_codes_stay_one_column():
    X = np.arange(22.0)[:, None] % 11
    assert preparation(dataset(X, np.arange(22.0), nominal=[0])).fit_transform(X).shape == (22, 1)


def test_a_table_without_holes_keeps_its_columns_in_order():
    X = np.random.default_rng(0).integers(0, 2, size=(20, 3)).astype(float)
    data = dataset(X, np.arange(20.0), nominal=[0])
    np.testing.assert_array_equal(clone(preparation(data)).fit_transform(X), X)


def test_patterns_are_distinct_and_common():
    nan, X = np.nan, np.zeros((20, 5))
    X[:6, [0, 2]] = nan
    X[:4, 1] = nan  # fewer rows than min_rows
    X[:18, 3] = nan  # present in fewer
    patterns = MissingPatterns().fit(X)
    assert patterns.features_.tolist() == [0]
    assert patterns.get_feature_names_out(list("abcde")).tolist() == ["missing_a"]
    np.testing.assert_array_equal(patterns.transform(X)[:, 0], np.arange(20) < 6)
    assert MissingPatterns(min_rows=2).fit(X).features_.tolist() == [0, 1, 3]


def test_missing_patterns_is_a_scikit_learn_transformer():
    check_estimator(MissingPatterns())


@real
@pytest.mark.parametrize(
    ("name", "columns", "n_test"),
    [("soybean", 76, 76), ("crime", 123, 664), ("iran_house", 103, 124), ("boston", 13, 168)],
)
def test_real_sets(name, columns, n_test):
    data = load_uci(name, DATA)
    parts = split(data, 0)
    made = preparation(data).fit(parts.X_train)
    assert made.transform(parts.X_test).shape == (n_test, columns)
    assert not np.isnan(made.transform(data.X)).any()
    if data.task == "classification":
        assert set(parts.y_test) <= set(parts.y_train) == set(data.y)


@real
def test_hill_valley_is_divided_as_published():
    data = load_uci("hill_valley", DATA)
    parts = split(data, 5)
    assert parts.X_train is data.X
    assert len(parts.X_test) == 606
    assert parts.y_test.sum() == 307
    assert len(split(data, 5, published=False).X_test) == 202
