"""Folds whose training rows do not all vary in the same columns."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from siernet import EasierNetRegressorCV, engine
from siernet.losses import SquaredError
from siernet.objective import TrainingRows
from siernet.random_streams import task_key
from siernet.tasks import Task

TINY = {"n_hidden_layers": 2, "n_hidden_nodes": 6, "max_epochs": 60, "random_state": 0}


def rows_of(X, y):
    weight = torch.full((len(y),), 1 / len(y))
    target = torch.tensor(y[:, None], dtype=torch.float32)
    return TrainingRows(torch.tensor(X, dtype=torch.float32), target, weight)


@pytest.fixture(scope="module")
def narrow_and_wide():
    """Two data sets of as many rows, and one of fewer, of three and of five columns."""
    rng = np.random.default_rng(0)
    data = []
    for n_rows, n_columns in ((30, 5), (30, 3), (20, 5)):
        X = rng.normal(size=(n_rows, n_columns))
        data.append(rows_of(X, X[:, 0] + 3 * len(data) * np.abs(X[:, 1])))
    return data


def test_tasks_of_other_widths_train_in_one_stack_as_they_do_alone(narrow_and_wide):
    recipe = EasierNetRegressorCV(**TINY)._recipe()
    # Penalties that prune inputs, after which tasks of all data sets are grouped anew.
    tasks = [
        Task(task_key(0, data, member), 0.05, 0.001, data) for member in (0, 1) for data in range(3)
    ]
    together = engine.train(tasks, narrow_and_wide, SquaredError(), recipe)
    for task, stacked in zip(tasks, together, strict=True):
        own = [narrow_and_wide[task.data]]
        alone = Task(task.key, task.input_penalty, task.network_penalty, 0)
        (single,) = engine.train([alone], own, SquaredError(), recipe)
        assert stacked.objective == pytest.approx(single.objective, rel=1e-3)
        np.testing.assert_array_equal(stacked.nodes[0], single.nodes[0])


def test_tuning_where_a_column_varies_in_one_row_only():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 4))
    X[:, 3] = np.arange(40) == 7  # constant in the training part that lacks this row
    y = X[:, 0] + 0.1 * rng.normal(size=40)
    model = EasierNetRegressorCV(
        **TINY,
        input_penalties=[0.01],
        network_penalties=[0.001, 0.01],
        search="grid",
        n_estimators=2,
        n_estimators_tuning=2,
        cv=3,
    ).fit(X, y)
    assert np.isfinite(model.cv_results_["mean_test_score"]).all()
    assert model.score(X, y) > 0.8
