"""What each column is taken for, and which column can be a target."""

import numpy as np
import pandas as pd
import pytest

from siernet.cli.columns import Wishes, study_columns
from siernet.cli.errors import CommandError, nearest
from siernet.cli.splitting import held_out_rows as split_of
from siernet.cli.tables import Table
from siernet.cli.target import read_target
from siernet.cli.training_data import DataRequest, sample_of, training_data

N = 40
RNG = np.random.default_rng(0)
VALUES = RNG.normal(size=N)


def study(columns, train=None, **wishes):
    frame = pd.DataFrame({"x": VALUES, **columns})
    places = np.arange(N) if train is None else train
    return study_columns(frame, Wishes(**wishes), places)


def texts(*values):
    return [values[i % len(values)] for i in range(N)]


def table_of(**columns):
    from pathlib import Path

    return Table(pd.DataFrame(columns), Path("t.csv"))


def test_numbers_texts_and_gaps():
    few_gaps = np.where(np.arange(N) == 3, np.nan, VALUES)
    many_gaps = np.where(np.arange(N) % 4 == 0, np.nan, VALUES)
    found = study(
        {"few": few_gaps, "many": many_gaps, "t": texts("b", "a"), "u": [True, False] * 20}
    )
    assert found.numbers == ["x", "few", "u"]
    assert found.flagged == ["many"]
    assert found.categories["t"].tolist() == ["a", "b"]
    assert found.notes == [
        "11 missing numbers are replaced by the column's median; for 1 column an extra column "
        "says where"
    ]


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (np.full(N, 7.0), r"constant \(7\)"),
        (texts("same"), r"constant \('same'\)"),
        (np.arange(1, N + 1), "an id: it counts the rows"),
        (RNG.permutation(N), "an id: it counts the rows"),
        ([f"S{i}" for i in range(N)], "an id: every row has its own text"),
        ([f"S{i // 2}x" for i in range(N)], None),
        (texts("2024-01-05", "2024-02-05"), "holds dates"),
        (pd.date_range("2024-01-01", periods=N), "holds dates"),
        (VALUES, None),
    ],
)
def test_columns_left_out(column, reason):
    found = study({"c": column})
    if reason is None:
        assert "c" not in found.left_out
    else:
        assert pd.Series(found.left_out["c"]).str.match(reason).all()


def test_names_that_mean_an_id():
    whole = RNG.integers(0, 1000, N)
    found = study(
        {"patient_id": whole, "ID": whole, "sampleId": whole, "idle": whole, "kid": whole}
    )
    assert list(found.left_out) == ["patient_id", "ID", "sampleId"]
    assert study({"patient_id": whole}, keep=("patient_id",)).numbers == ["x", "patient_id"]


def test_an_id_is_seen_in_all_rows_though_training_rows_are_few():
    train = RNG.permutation(N)[:25]
    found = study({"c": np.arange(N), "t": [f"S{i}" for i in range(N)]}, train=train)
    assert set(found.left_out) == {"c", "t"}


def test_what_is_learnt_comes_from_training_rows_alone():
    late = np.where(np.arange(N) < 30, 1.0, 2.0)
    gaps_late = np.where(np.arange(N) < 30, VALUES, np.nan)
    unseen = ["new" if i >= 30 else "ab"[i % 2] for i in range(N)]
    found = study({"l": late, "g": gaps_late, "t": unseen}, train=np.arange(30))
    assert found.left_out == {"l": "constant (1)"}
    assert found.flagged == []
    assert found.categories["t"].tolist() == ["a", "b"]
    empty = np.where(np.arange(N) < 30, np.nan, 1.0)
    found = study({"e": empty}, train=np.arange(30))
    assert found.left_out == {"e": "no value in the rows to learn from"}


def test_wishes():
    codes = np.arange(N) % 3
    found = study({"c": codes, "d": VALUES}, drop=("d",), categorical=("c",))
    assert found.left_out == {"d": "--drop"}
    assert found.categories["c"].tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(CommandError, match=r"--keep: t.csv has no column 'ag'.*'age'"):
        Wishes(keep=("ag",)).check(table_of(age=[1]))


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"c": [np.nan] * N}, "Column 'c' has no value in any row"),
        ({"c": [None] * N}, "Column 'c' has no value in any row"),
        ({"c": [np.inf, *VALUES[1:]]}, "Column 'c' has infinity"),
        (
            {"c": ["bad", *map(str, VALUES[1:])]},
            "'c' has to hold numbers, but 1 of its 40 values are texts: 'bad', first in row 1",
        ),
    ],
)
def test_columns_that_cannot_be_used(columns, complaint):
    with pytest.raises(CommandError, match=complaint):
        study(columns)


def test_nothing_left_to_predict_from():
    with pytest.raises(CommandError, match="No column is left to predict from: x: --drop"):
        study({}, drop=("x",))


def test_a_table_of_the_target_alone():
    with pytest.raises(CommandError, match="no column to predict from, only the target"):
        study_columns(pd.DataFrame(index=range(50)), Wishes(), np.arange(50))


def test_rare_categories_count_as_none():
    many = [f"c{min(i, 60 - i) % 25}" for i in range(N)] + [f"c{i % 25}" for i in range(40)]
    frame = pd.DataFrame({"x": RNG.normal(size=80), "t": many})
    found = study_columns(frame, Wishes(keep=("t",)), np.arange(80))
    assert len(found.categories["t"]) == 20
    assert "the 20 most frequent are used" in found.notes[0]


# -- target ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (VALUES, "regression"),
        (texts("a", "b"), "classification"),
        ([True, False] * 20, "classification"),
        (np.arange(N) % 2, "classification"),
        (np.arange(N) % 5, "classification"),
        (np.arange(N) % 13, "regression"),
        (np.arange(N) % 5 + 0.5, "regression"),
        ([str(v) for v in VALUES], "regression"),
    ],
)
def test_the_task_is_guessed(values, task):
    target = read_target(table_of(y=values), "y", None)
    assert target.task == task
    assert target.why.startswith("guessed: ")


def test_the_task_is_as_asked():
    target = read_target(table_of(y=np.arange(N) % 5), "y", "regression")
    assert (target.task, target.why) == ("regression", "as asked by --task")


def test_rows_without_a_target_are_dropped_and_counted():
    values = np.where(np.arange(N) < 3, np.nan, VALUES)
    target = read_target(table_of(y=values), "y", None)
    assert (target.n_dropped, len(target.y)) == (3, N - 3)


def test_whole_numbers_with_gaps_are_labelled_as_whole_numbers():
    target = read_target(table_of(y=[1, 2, np.nan, 1, 2, 1]), "y", None)
    assert target.class_counts == {"1": 3, "2": 2}


@pytest.mark.parametrize(
    ("values", "task", "complaint"),
    [
        ([np.nan] * N, None, "missing in every row"),
        (texts("a"), None, "one class only, 'a'"),
        ([5.5] * N, "regression", "has the value 5.5 in every row"),
        (np.arange(N), None, "is an id: it counts the rows from 0 to 39"),
        ([f"S{i}" for i in range(N)], None, "is an id: each of its 40 rows has its own value"),
        ([f"S{i // 2}" for i in range(N)], None, "20 classes in 40 rows, more than can be learnt"),
        (["x", *map(str, VALUES[1:])], None, "Target 'y' has to hold numbers, but 1 of its 40"),
        (texts("a", "b"), "regression", "Target 'y' has to hold numbers, but 40 of its 40"),
        ([np.inf, *VALUES[1:]], None, "infinite in 1 rows"),
        (["a"] * (N - 1) + ["b"], None, "only one class of more than one row"),
    ],
)
def test_targets_that_cannot_be_predicted(values, task, complaint):
    with pytest.raises(CommandError, match=complaint):
        read_target(table_of(y=values), "y", task)


def test_the_nearest_names():
    names = ["outcome", "Outcome2", "age"]
    assert nearest("outcom", names) == "The nearest names are 'outcome', 'Outcome2'."
    assert nearest("OUTCOME", names).startswith("The nearest names are 'outcome'")
    assert nearest("zzz", names) == "Its columns are 'outcome', 'Outcome2', 'age'."


# -- split -------------------------------------------------------------------------------------


def test_a_fifth_is_held_out_in_proportion_to_the_classes():
    target = read_target(table_of(y=["a"] * 40 + ["b"] * 10 + ["c"]), "y", None)
    train, test, _ = split_of(target, None, 0)
    assert len(test) == 10
    assert sorted([*train, *test]) == list(range(51))
    assert dict(zip(*np.unique(target.y[test], return_counts=True), strict=True)) == {
        "a": 8,
        "b": 2,
    }
    assert "c" in target.y[train]


def test_few_rows_are_all_learnt_from():
    target = read_target(table_of(y=VALUES[:30]), "y", None)
    train, test, why = split_of(target, None, 0)
    assert (len(train), len(test), why) == (30, 0, "too few rows for a test")
    with pytest.raises(CommandError, match=r"--test-size 0\.99 holds out 30 of 30 rows"):
        split_of(target, 0.99, 0)


# -- prepared rows -----------------------------------------------------------------------------


def prepared(tmp_path, table, **request):
    table.to_csv(tmp_path / "t.csv", index=False)
    return training_data(DataRequest(tmp_path / "t.csv", "y", **request))


def test_names_that_would_be_used_twice_carry_their_step(tmp_path):
    table = pd.DataFrame({"c_a": VALUES, "c": texts("a", "b", "d"), "y": VALUES * 2})
    names = prepared(tmp_path, table).X.columns.tolist()
    assert names == ["numbers__c_a", "categories__c_a", "categories__c_b", "categories__c_d"]
    short = prepared(tmp_path, table.rename(columns={"c_a": "n"})).X.columns.tolist()
    assert short == ["n", "c_a", "c_b", "c_d"]


def test_medians_are_those_of_the_training_rows(tmp_path):
    gaps = np.where(np.arange(N) % 3 == 0, np.nan, VALUES)
    data = prepared(tmp_path, pd.DataFrame({"g": gaps, "x": VALUES, "y": VALUES**2}))
    filled = data.X.loc[data.X["missingindicator_g"] == 1, "g"].unique()
    present = data.X.loc[data.X["missingindicator_g"] == 0, "g"]
    assert filled == pytest.approx([np.median(present)])
    assert (len(data.X), len(data.X_test)) == (32, 8)


def test_a_test_table_with_labels_that_are_not_known(tmp_path):
    table = pd.DataFrame({"x": VALUES, "y": np.arange(N) % 3})
    test = table.assign(y=[9, None, *table["y"][2:]])[["y", "x"]]
    test.to_csv(tmp_path / "test.csv", index=False)
    data = prepared(tmp_path, table, test_path=tmp_path / "test.csv")
    assert data.y_test.tolist() == table["y"][2:].tolist()
    assert data.notes == ("2 rows of test.csv without a known target are not tested on",)
    test.assign(y=9).to_csv(tmp_path / "test.csv", index=False)
    with pytest.raises(
        CommandError, match=r"no row of test\.csv has a 'y' that the model can know"
    ):
        prepared(tmp_path, table, test_path=tmp_path / "test.csv")


def test_a_sample_is_small_and_of_the_rows(tmp_path):
    X = pd.DataFrame(np.arange(4000.0).reshape(1000, 4))
    sample = sample_of(X, 0)
    assert sample.shape == (300, 4)
    assert set(sample[0]) <= set(X[0])
    assert len(sample_of(X, 0, most_values=400)) == 100
