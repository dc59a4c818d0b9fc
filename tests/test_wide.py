"""Wide tables: inputs that fade during the search leave the computation."""

import numpy as np
import pytest
import torch

from siernet import EasierNetRegressor, algorithm, engine
from siernet.groups import pruned
from siernet.losses import SquaredError
from siernet.objective import TrainingRows
from siernet.random_streams import task_key
from siernet.tasks import Recipe, Task
from siernet.training.schedules import Schedule
from test_determinism import assert_same

N_COLUMNS = 1200


@pytest.fixture(scope="module")
def wide_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, N_COLUMNS))
    return X, 3 * X[:, 700] - 2 * X[:, 5] + 0.3 * rng.normal(size=80)


@pytest.fixture(scope="module")
def tasks():
    return [Task(task_key(0, m), a, 0.003, 0) for a in (0.002, 0.03, 0.1) for m in range(2)]


@pytest.fixture(scope="module")
def data(wide_data):
    X, y = ((part - part.mean(0)) / part.std(0) for part in wide_data)
    parts = (X, y[:, None], np.full(len(y), 1 / len(y)))
    return [TrainingRows(*(torch.tensor(part, dtype=torch.float32) for part in parts))]


RECIPE = Recipe(2, 16, 3, Schedule(1e-2, 120), 40, 1e-2)


def trained(tasks, data):
    return engine.train(tasks, data, SquaredError(), RECIPE, n_jobs=1)


def test_a_stack_is_its_tasks_trained_alone(tasks, data):
    for task, result in zip(tasks, trained(tasks, data), strict=True):
        assert_same(trained([task], data)[0], result)


def test_inputs_leave_during_the_search(tasks, data, monkeypatch):
    widths = []

    def watched(group):
        groups = pruned(group)
        widths.extend(part.named.layout.widths[0] for part in groups)
        return groups

    class SearchEnded(Exception):  # noqa: N818
        pass

    def end(*_):
        raise SearchEnded

    monkeypatch.setattr(algorithm, "pruned", watched)
    monkeypatch.setattr(algorithm.StackTrainer, "_begin_settling", end)
    with pytest.raises(SearchEnded):
        trained(tasks[2:4], data)
    assert widths
    assert min(widths) < N_COLUMNS / 4


@pytest.mark.parametrize("wide", [1, 10**9])
def test_the_answer_is_the_same_with_and_without(wide_data, monkeypatch, wide):
    monkeypatch.setattr(algorithm, "_WIDE", wide)
    X, y = wide_data
    settings = {"n_estimators": 3, "n_hidden_layers": 2, "n_hidden_nodes": 16, "random_state": 0}
    model = EasierNetRegressor(input_penalty=0.05, network_penalty=0.01, **settings).fit(X, y)
    assert model.get_support(indices=True).tolist() == [5, 700]
    assert model.score(X, y) > 0.95
    assert np.isfinite(model.residuals_).all()


def test_without_a_penalty_no_input_fades(wide_data, monkeypatch):
    X, y = wide_data
    monkeypatch.setattr(algorithm, "_WIDE", 1)
    settings = {"n_estimators": 2, "n_hidden_layers": 1, "n_hidden_nodes": 4, "max_epochs": 80}
    model = EasierNetRegressor(
        input_penalty=0.0, network_penalty=0.0, random_state=0, **settings
    ).fit(X[:, :30], y)
    assert model.supports_.all()
