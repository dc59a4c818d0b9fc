"""An interrupted search goes on where it stopped and ends as if nothing had happened."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from siernet import EasierNetRegressorCV

SETTINGS = {
    "n_hidden_layers": 1,
    "n_hidden_nodes": 8,
    "max_epochs": 40,
    "cv": 3,
    "n_estimators": 2,
    "n_estimators_tuning": 3,
}

pytestmark = pytest.mark.filterwarnings("ignore:.*lower edge", "ignore:.*still improving")


@pytest.fixture(scope="module")
def uninterrupted(regression_data):
    return EasierNetRegressorCV(**SETTINGS, random_state=0).fit(*regression_data)


def same(model, other, X):
    assert model.best_params_ == other.best_params_
    assert model.cv_results_["params"] == other.cv_results_["params"]
    np.testing.assert_array_equal(
        model.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"]
    )
    np.testing.assert_array_equal(model.predict(X), other.predict(X))


@pytest.fixture
def trained_counts(monkeypatch):
    """How many networks each call of the engine trained."""
    counts = []
    original = EasierNetRegressorCV._trained

    def spy(self, tasks, *args, **kwargs):
        counts.append(len(tasks))
        return original(self, tasks, *args, **kwargs)

    monkeypatch.setattr(EasierNetRegressorCV, "_trained", spy)
    return counts


def test_a_finished_search_is_read_back(tmp_path, regression_data, uninterrupted, trained_counts):
    X, y = regression_data
    model = EasierNetRegressorCV(**SETTINGS, random_state=0, checkpoint=tmp_path / "search")
    same(model.fit(X, y), uninterrupted, X)
    assert sum(trained_counts) > 50
    trained_counts.clear()
    same(clone(model).fit(X, y), uninterrupted, X)
    assert trained_counts == [2]  # the refit only


@pytest.mark.parametrize("failure", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_finished_work(
    failure, tmp_path, regression_data, uninterrupted, monkeypatch
):
    X, y = regression_data
    model = EasierNetRegressorCV(**SETTINGS, random_state=0, checkpoint=str(tmp_path))
    original, calls = EasierNetRegressorCV._trained, []

    def interrupted(self, tasks, *args, **kwargs):
        calls.append(len(tasks))
        if len(calls) == 3:
            raise failure
        return original(self, tasks, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(EasierNetRegressorCV, "_trained", interrupted)
        with pytest.raises(failure):
            model.fit(X, y)
    finished = list(tmp_path.glob("tasks-*.npz"))
    assert len(finished) == 2
    same(model.fit(X, y), uninterrupted, X)


SCRIPT = """
import sys
import numpy as np
from siernet import EasierNetRegressorCV
data = np.load(sys.argv[1])
settings = eval(sys.argv[3])
EasierNetRegressorCV(**settings, checkpoint=sys.argv[2]).fit(data["X"], data["y"])
"""


def test_killed_and_started_again(tmp_path, regression_data, uninterrupted, monkeypatch):
    """kill -9 at whatever it is doing, several times."""
    X, y = regression_data
    np.savez(tmp_path / "data.npz", X=X, y=y)
    folder = tmp_path / "search"
    settings = {**SETTINGS, "random_state": 0}
    command = [
        sys.executable,
        "-c",
        SCRIPT,
        str(tmp_path / "data.npz"),
        str(folder),
        repr(settings),
    ]
    wanted = 1
    for _ in range(3):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            if len(list(folder.glob("tasks-*.npz"))) >= wanted:
                os.kill(process.pid, signal.SIGKILL)
                break
            time.sleep(0.01)
        process.wait()
        wanted += 1
    assert list(folder.glob("tasks-*.npz"))
    model = EasierNetRegressorCV(**settings, checkpoint=folder).fit(X, y)
    same(model, uninterrupted, X)


def test_without_a_seed_the_folder_remembers_it(tmp_path, regression_data):
    X, y = regression_data
    first = EasierNetRegressorCV(**SETTINGS, checkpoint=tmp_path).fit(X, y)
    again = EasierNetRegressorCV(**SETTINGS, checkpoint=tmp_path).fit(X, y)
    same(first, again, X)


def test_damaged_files_are_computed_again(tmp_path, regression_data, uninterrupted):
    X, y = regression_data
    model = EasierNetRegressorCV(**SETTINGS, random_state=0, checkpoint=tmp_path).fit(X, y)
    files = sorted(tmp_path.glob("tasks-*.npz"))
    files[0].write_bytes(files[0].read_bytes()[:100])
    files[1].write_bytes(b"")
    with pytest.warns(UserWarning, match=r"tasks-.*\.npz is damaged .* computed again"):
        same(clone(model).fit(X, y), uninterrupted, X)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"n_hidden_nodes": 9}, "n_hidden_nodes"),
        ({"learning_rate": 0.02}, "learning_rate"),
        ({"random_state": 1}, "entropy"),
        ({"input_penalties": [0.1]}, "input_penalties"),
    ],
)
def test_other_searches_are_refused_by_name(change, named, tmp_path, regression_data):
    X, y = regression_data
    model = EasierNetRegressorCV(
        **SETTINGS, random_state=0, checkpoint=tmp_path, network_penalties=[0.01]
    ).fit(X, y)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ValueError, match=rf"another search: {named} differ"):
        clone(model).set_params(**change).fit(X, y)
    with pytest.raises(ValueError, match="another search: data differ"):
        clone(model).fit(X + 1, y)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_another_versions_folder_is_refused(tmp_path, regression_data, monkeypatch):
    X, y = regression_data
    model = EasierNetRegressorCV(**SETTINGS, random_state=0, checkpoint=tmp_path)
    model.set_params(input_penalties=[0.1]).fit(X, y)
    monkeypatch.setattr("siernet.__version__", "99.0")
    with pytest.raises(ValueError, match="another search: version differ"):
        model.fit(X, y)


def test_unusable_folders(tmp_path, regression_data):
    X, y = regression_data
    file = tmp_path / "file"
    file.write_text("data of the user")
    with pytest.raises(ValueError, match="is a file, not a folder"):
        EasierNetRegressorCV(**SETTINGS, checkpoint=file).fit(X, y)
    assert file.read_text() == "data of the user"
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "siernet-search.json").write_text(json.dumps(["no", "manifest"]))
    with pytest.raises(ValueError, match=r"is damaged .*Remove the folder"):
        EasierNetRegressorCV(**SETTINGS, checkpoint=folder).fit(X, y)


def test_predictions_are_stored_not_executed(tmp_path, regression_data):
    """Files are plain arrays; numpy is told to refuse pickles in them."""
    X, y = regression_data
    EasierNetRegressorCV(
        **SETTINGS, random_state=0, checkpoint=tmp_path, input_penalties=[0.1]
    ).fit(X, y)
    for path in Path(tmp_path).glob("tasks-*.npz"):
        with np.load(path, allow_pickle=False) as stored:
            assert all(stored[name].dtype.kind in "fi" for name in stored.files)
