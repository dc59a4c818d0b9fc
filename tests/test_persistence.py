"""Model files load as what was saved, or are refused in one sentence."""

import io
import zipfile

import numpy as np
import pytest
import skops.io

import siernet
from siernet import EasierNetClassifier, EasierNetRegressor

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


def test_round_trip_of_classes_and_names(tmp_path, class_data):
    import pandas as pd

    X, y = class_data
    table = pd.DataFrame(X, columns=list("abcdef"))
    model = EasierNetClassifier(**SMALL, class_weight={"ant": 2}).fit(table, y)
    loaded = siernet.load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.predict(table), model.predict(table))
    assert loaded.feature_names_in_.tolist() == list("abcdef")


def test_damaged_and_foreign_files(saved, tmp_path):
    content = saved[1].read_bytes()
    foreign = tmp_path / "foreign"
    for bad in (content[:-200], b"no model", b"", content[:300] + b"?" + content[301:]):
        foreign.write_bytes(bad)
        with pytest.raises(ValueError, match="not a model file of siernet, or is damaged"):
            siernet.load(foreign)
    foreign.write_bytes(skops.io.dumps({"some": "dict"}))
    with pytest.raises(ValueError, match="holds no siernet model"):
        siernet.load(foreign)


def test_nothing_in_a_file_is_executed(tmp_path):
    import os

    class Attack:
        def __reduce__(self):
            return os.system, ("touch " + str(tmp_path / "attacked"),)

    path = tmp_path / "attack"
    path.write_bytes(skops.io.dumps({"kind": "siernet model", "state": Attack()}))
    with pytest.raises(ValueError, match="is refused: it holds test_persistence.Attack"):
        siernet.load(path)
    assert not (tmp_path / "attacked").exists()


def test_a_file_of_a_newer_version_says_so(saved, tmp_path, monkeypatch):
    from siernet import persistence

    monkeypatch.setattr(persistence, "_FORMAT", 99)
    newer = saved[0].save(tmp_path / "newer")
    monkeypatch.undo()
    with pytest.raises(ValueError, match="newer than this one"):
        siernet.load(newer)


def test_saving_replaces_whole_files_only(saved, tmp_path, monkeypatch):
    model, _ = saved
    path = tmp_path / "model"
    path.write_text("old")
    monkeypatch.setattr("siernet.persistence.os.replace", _no_space)
    with pytest.raises(OSError, match="No space"):
        model.save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def _no_space(*_):
    raise OSError(28, "No space left on device")


def test_unfitted_models_are_not_saved(tmp_path):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        EasierNetRegressor().save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_files_hold_arrays_and_plain_values_only(saved):
    with zipfile.ZipFile(io.BytesIO(saved[1].read_bytes())) as archive:
        assert all(name.endswith((".npy", "schema.json")) for name in archive.namelist())
    assert skops.io.get_untrusted_types(file=saved[1]) == []
