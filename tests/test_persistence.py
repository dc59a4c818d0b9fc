"""Model files load as what was saved, or are refused in one sentence."""

import io
import json
import os
import zipfile

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import siernet
from siernet import EasierNetClassifier, EasierNetRegressor, SierNetRegressorCV, persistence
from siernet.fit_record import FitRecord
from siernet.preparation import as_input, make_preparation
from siernet.table_pipeline import table_pipeline

SMALL = {"n_estimators": 2, "n_hidden_nodes": 8, "max_epochs": 30, "random_state": 0}


@pytest.fixture(scope="module")
def saved(tmp_path_factory, regression_data):
    model = EasierNetRegressor(**SMALL).fit(*regression_data)
    return model, model.save(tmp_path_factory.mktemp("models") / "model.siernet")


def test_round_trip(saved, regression_data):
    model, path = saved
    loaded = siernet.load(path)
    X, _ = regression_data
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.selection_rates_, model.selection_rates_)
    assert loaded.get_params() == model.get_params()
    assert loaded.support_posterior() == model.support_posterior()
    assert not hasattr(loaded, "fit_record_")


def test_round_trip_of_classes_and_names(tmp_path, class_data):
    X, y = class_data
    table = pd.DataFrame(X, columns=list("abcdef"))
    model = EasierNetClassifier(**SMALL, class_weight={"ant": 2}).fit(table, y)
    loaded = siernet.load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.predict(table), model.predict(table))
    assert loaded.feature_names_in_.tolist() == list("abcdef")


def test_round_trip_of_a_search(tmp_path, regression_data):
    told = []
    model = SierNetRegressorCV(
        input_penalties=[0.01, 0.1], network_penalties=[0.01], search="grid", cv=2,
        n_hidden_nodes=8, max_epochs=5, max_prox_iter=2, random_state=0, verbose=told.append,
    ).fit(*regression_data)  # fmt: skip
    loaded = siernet.load(model.save(tmp_path / "model"))
    assert told
    assert loaded.verbose == 0  # a function is not stored, and has no later use
    assert loaded.best_params_ == model.best_params_
    assert loaded.cv_results_["params"] == model.cv_results_["params"]
    np.testing.assert_array_equal(
        loaded.cv_results_["param_input_penalty"], model.cv_results_["param_input_penalty"]
    )


# -- pipelines of the command line ---------------------------------------------------------------

CATEGORIES = {
    "colour": np.array(["blue", "red", np.nan], dtype=object),
    "sex": np.array(["f", "m"], dtype=object),
    "grade": np.array([1.0, 2.0, 3.0]),
}
RECORD = FitRecord(
    task="regression", target="y", source="t.csv", command="siernet fit", created="2026-01-01",
    siernet_version="0.1.0", seed=0, n_rows=40, n_test_rows=2, n_rows_dropped=1, n_columns=5,
    left_out={"id": "an id"}, notes=("one", "two"), class_counts={"a": 3},
    test_scores={"siernet": {"mse": 0.5}}, test_y=np.array([1.0, 2.0]),
    test_members=np.zeros((2, 2)), sample_rows=np.ones((3, 7)),
)  # fmt: skip


def raw_table(n_rows=40):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "gaps": np.where(rng.random(n_rows) < 0.3, np.nan, rng.normal(size=n_rows)),
            "sex": np.array(["f", "m"])[rng.integers(2, size=n_rows)],
            "unused": "text",
            "grade": rng.integers(1, 4, size=n_rows),
            "colour": np.array(["red", "blue", None], dtype=object)[rng.integers(3, size=n_rows)],
            "a": rng.normal(size=n_rows),
        }
    )


@pytest.fixture(scope="module")
def pipeline():
    table = raw_table()
    rows = as_input(table, ["a", "gaps"], CATEGORIES)
    preparation = make_preparation(["a"], ["gaps"], CATEGORIES).fit(rows)
    y = table["a"] * 2 + (table["sex"] == "m")
    return table_pipeline(
        preparation, EasierNetRegressor(**SMALL).fit(preparation.transform(rows), y)
    )


@pytest.fixture
def loaded(pipeline, tmp_path):
    return siernet.load(persistence.save(pipeline, tmp_path / "model", record=RECORD))


def test_a_pipeline_predicts_the_same_from_a_raw_table(pipeline, loaded):
    table = raw_table()
    assert isinstance(loaded, Pipeline)
    assert isinstance(loaded[1], ColumnTransformer)
    expected = pipeline.predict(table)
    assert np.ptp(expected) > 1
    np.testing.assert_array_equal(loaded.predict(table), expected)
    np.testing.assert_array_equal(loaded.predict(table[table.columns[::-1]]), expected)
    strings = table.astype({"colour": "string", "sex": "category", "grade": "float32"})
    np.testing.assert_array_equal(loaded.predict(strings), expected)
    assert loaded[:-1].get_feature_names_out().tolist() == loaded[-1].feature_names_in_.tolist()


def test_a_pipeline_takes_polars(loaded):
    polars = pytest.importorskip("polars")
    table = raw_table()
    np.testing.assert_array_equal(loaded.predict(polars.from_pandas(table)), loaded.predict(table))


def test_values_that_the_fit_did_not_see(pipeline, loaded):
    table = raw_table().assign(colour="mauve", a=np.nan, sex=None)
    with pytest.warns(UserWarning, match="unknown categories"):
        prepared = loaded[:-1].transform(table)
    assert (prepared.filter(like="colour") == 0).all(axis=None)
    with pytest.warns(UserWarning, match="unknown categories"):
        np.testing.assert_array_equal(loaded.predict(table), pipeline.predict(table))


def test_a_pipeline_says_what_it_lacks(loaded):
    with pytest.raises(
        ValueError, match="2 of the 5 columns that the model needs are missing: 'a'"
    ):
        loaded.predict(raw_table().drop(columns=["a", "sex"]))
    with pytest.raises(TypeError, match="pass a DataFrame, not ndarray"):
        loaded.predict(np.zeros((3, 5)))


def test_the_record_comes_back_and_stays_with_the_model(loaded, tmp_path):
    again = siernet.load(persistence.save(loaded, tmp_path / "again"))
    for model in (loaded, again):
        record = model.fit_record_
        assert record.left_out == {"id": "an id"}
        assert record.notes == ("one", "two")
        assert record.test_scores == {"siernet": {"mse": 0.5}}
        np.testing.assert_array_equal(record.sample_rows, RECORD.sample_rows)


def test_other_pipelines_are_refused(tmp_path, regression_data):
    other = make_pipeline(StandardScaler(), EasierNetRegressor(**SMALL)).fit(*regression_data)
    with pytest.raises(ValueError, match="not one of standardscaler, easiernetregressor"):
        persistence.save(other, tmp_path / "model")
    assert not list(tmp_path.iterdir())


# -- files that are refused ----------------------------------------------------------------------


def refused(path, complaint):
    with pytest.raises(ValueError, match=complaint) as caught:
        siernet.load(path)
    assert "\n" not in str(caught.value)


def content_of(saved, **changes):
    """The dictionary in a model file, with changes."""
    return skops.io.load(saved[1]) | changes


def test_damaged_files(saved, tmp_path):
    content = saved[1].read_bytes()
    path = tmp_path / "damaged"
    for bad in (content[:-200], content[: len(content) // 2], b"no model", b"",
                content[:300] + b"?" + content[301:]):  # fmt: skip
        path.write_bytes(bad)
        refused(path, "not a model file of siernet, or is damaged")


def test_foreign_files(tmp_path):
    path = tmp_path / "foreign"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hello.txt", "no skops")
    refused(path, "not a model file of siernet, or is damaged")
    for other in ({"some": "dict"}, [1, 2], StandardScaler()):
        path.write_bytes(skops.io.dumps(other))
        refused(path, "holds no siernet model")


@pytest.mark.parametrize("intruder", [os.system, eval, lambda: 0])
def test_types_that_could_run_code_are_refused_by_name(saved, tmp_path, intruder):
    path = tmp_path / "model"
    content = content_of(saved)
    content["parameters"]["random_state"] = intruder
    path.write_bytes(skops.io.dumps(content))
    refused(path, rf"refused: it holds .*{intruder.__name__.strip('<>')}")


def test_nothing_in_a_file_is_executed(tmp_path):
    class Attack:
        def __reduce__(self):
            return os.system, ("touch " + str(tmp_path / "attacked"),)

    path = tmp_path / "attack"
    path.write_bytes(skops.io.dumps({"kind": "siernet model", "state": Attack()}))
    refused(path, "is refused: it holds test_persistence.Attack")
    assert not (tmp_path / "attacked").exists()


def test_a_type_swapped_in_the_schema_is_refused(saved, tmp_path):
    path = tmp_path / "model"
    with zipfile.ZipFile(saved[1]) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "schema.json":
                schema = json.loads(part)
                schema["__class__"], schema["__module__"] = "system", "os"
                part = json.dumps(schema)
            target.writestr(name, part)
    refused(path, r"refused: it holds os\.system|not a model file of siernet")


@pytest.mark.parametrize(
    "changes",
    [
        {"state": {"members_": []}, "parameters": {"bogus": 1}},
        {"state": {"members_": [{"beta": 1}]}},
        {"state": 5},
        {"preparation": {"numbers": 1}},
        {"record": {"task": "regression"}},
        {"format": "one"},
    ],
)
def test_contents_that_do_not_fit_together(saved, tmp_path, changes):
    path = tmp_path / "model"
    path.write_bytes(skops.io.dumps(content_of(saved, **changes)))
    refused(path, "not a model file of siernet, or is damaged")


def test_estimators_that_are_not_ours_are_not_made(saved, tmp_path):
    path = tmp_path / "model"
    for name in ("load", "EasierNetTransformer"):
        path.write_bytes(skops.io.dumps(content_of(saved, estimator=name)))
        refused(path, f"holds an estimator '{name}', which siernet")


def test_a_file_of_a_newer_version_says_so(saved, tmp_path):
    path = tmp_path / "newer"
    path.write_bytes(skops.io.dumps(content_of(saved, format=99, version="9.0")))
    refused(path, r"written by siernet 9\.0, which is newer than this one .* Upgrade")


# -- writing -------------------------------------------------------------------------------------


def test_saving_replaces_whole_files_only(saved, tmp_path, monkeypatch):
    model, _ = saved
    path = tmp_path / "model"
    path.write_text("old")
    monkeypatch.setattr("siernet.files.os.replace", _no_space)
    with pytest.raises(OSError, match=f"No space.*{path}"):
        model.save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def _no_space(*_):
    raise OSError(28, "No space left on device")


def test_a_new_file_has_the_rights_of_any_new_file(saved, tmp_path):
    (tmp_path / "other").write_text("")
    saved[0].save(tmp_path / "model")
    rights = [(tmp_path / name).stat().st_mode for name in ("other", "model")]
    assert rights[0] == rights[1]


def test_parameters_that_cannot_be_stored_are_named(tmp_path, regression_data):
    model = EasierNetRegressor(**SMALL).fit(*regression_data)
    model.set_params(random_state=tmp_path)
    with pytest.raises(
        ValueError, match=r"random_state=.* cannot be stored.*set_params\(random_st"
    ):
        model.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_unfitted_models_are_not_saved(tmp_path):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        EasierNetRegressor().save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_files_hold_arrays_and_plain_values_only(saved):
    with zipfile.ZipFile(io.BytesIO(saved[1].read_bytes())) as archive:
        assert all(name.endswith((".npy", "schema.json")) for name in archive.namelist())
    assert skops.io.get_untrusted_types(file=saved[1]) == []
