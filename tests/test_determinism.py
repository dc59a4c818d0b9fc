"""How tasks are stacked, cut and spread changes nothing.

The bound is float rounding, but on one CPU the numbers come out the same to the last bit, which
is what these tests ask: training is chaotic, so anything less would show.
"""

import numpy as np
import pytest
import torch

from siernet import EasierNetClassifier, EasierNetRegressor, SierNetRegressor, engine
from siernet.losses import SquaredError
from siernet.objective import TrainingRows
from siernet.random_streams import task_key
from siernet.tasks import Recipe, Task
from siernet.training.schedules import Schedule

RECIPE = Recipe(3, 24, 3, Schedule(1e-2, 200), 60, 1e-2)


def training_rows(regression_data, rows=slice(None)):
    X, y = (part[rows] for part in regression_data)
    Z, t = (X - X.mean(0)) / X.std(0), ((y - y.mean()) / y.std())[:, None]
    weight = np.full(len(y), 1 / len(y))
    return TrainingRows(*(torch.tensor(part, dtype=torch.float32) for part in (Z, t, weight)))


def trained(tasks, data, **options):
    return engine.train(tasks, data, SquaredError(), RECIPE, **options)


def assert_same(one, other):
    assert (one.n_epochs, one.n_prox_iter) == (other.n_epochs, other.n_prox_iter)
    assert one.objective == other.objective
    for name in ("nodes", "weights", "biases", "skip_weights", "skip_biases"):
        for a, b in zip(getattr(one, name), getattr(other, name), strict=True):
            np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(one.beta, other.beta)
    np.testing.assert_array_equal(one.alpha, other.alpha)


@pytest.fixture(scope="module")
def tasks():
    """Members, candidates and folds of different sizes, which end at different epochs."""
    return [
        Task(task_key(0, member), lambda_1, lambda_2, data)
        for lambda_1 in (0.002, 0.05)
        for lambda_2 in (0.001, 0.01)
        for data in (0, 1, 2)
        for member in range(2)
    ]


@pytest.fixture(scope="module")
def data(regression_data):
    folds = [slice(0, 90), slice(30, 120), slice(0, 61)]
    return [training_rows(regression_data, rows) for rows in folds]


@pytest.fixture(scope="module")
def together(tasks, data):
    return trained(tasks, data, n_jobs=1)


def test_tasks_differ_in_size_and_length(together):
    assert len({result.n_epochs for result in together}) > 1
    assert len({len(result.nodes[1]) for result in together}) > 3
    assert len({len(result.nodes[0]) for result in together}) > 2


def test_a_stack_is_its_tasks_trained_alone(tasks, data, together):
    for task, result in list(zip(tasks, together, strict=True))[::3]:
        assert_same(trained([task], data, n_jobs=1)[0], result)


def test_order_in_the_stack_does_not_matter(tasks, data, together):
    order = np.random.default_rng(0).permutation(len(tasks))
    for place, result in zip(order, trained([tasks[i] for i in order], data), strict=True):
        assert_same(result, together[place])


@pytest.mark.parametrize("options", [{"n_jobs": 2}, {"n_jobs": 3}, {"n_jobs": None}])
def test_workers_do_not_matter(tasks, data, together, options):
    for result, expected in zip(trained(tasks, data, **options), together, strict=True):
        assert_same(result, expected)


def test_memory_only_cuts(tasks, data, together):
    little = 3 * engine.memory_per_task(data, RECIPE)
    for result, expected in zip(trained(tasks, data, max_memory=little), together, strict=True):
        assert_same(result, expected)


def test_processes_do_not_matter(tasks, data, together):
    import joblib

    with joblib.parallel_config(backend="loky", n_jobs=2):
        results = trained(tasks, data)
    for result, expected in zip(results, together, strict=True):
        assert_same(result, expected)


@pytest.mark.parametrize("Estimator", [EasierNetRegressor, EasierNetClassifier])
def test_estimators_repeat_themselves(Estimator, regression_data, class_data):
    X, y = regression_data if Estimator is EasierNetRegressor else class_data
    settings = {"n_estimators": 3, "n_hidden_nodes": 16, "max_epochs": 60, "random_state": 5}
    first = Estimator(**settings, n_jobs=1).fit(X, y).predict_members(X)
    again = Estimator(**settings, n_jobs=2, max_memory="1MB").fit(X, y).predict_members(X)
    other = Estimator(**{**settings, "random_state": 6}).fit(X, y).predict_members(X)
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)
    assert not np.allclose(first[0], first[1])


def test_a_single_network_is_the_ensembles_first_member(regression_data):
    X, y = regression_data
    settings = {"n_hidden_nodes": 16, "max_epochs": 60, "random_state": 5}
    one = SierNetRegressor(**settings).fit(X, y)
    three = EasierNetRegressor(**settings, n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), three.predict_members(X)[0])


def test_the_global_generators_are_left_alone(regression_data):
    X, y = regression_data
    before = np.random.get_state()[1].copy(), torch.random.get_rng_state()  # noqa: NPY002
    SierNetRegressor(n_hidden_nodes=8, max_epochs=5, random_state=0).fit(X, y)
    np.testing.assert_array_equal(np.random.get_state()[1], before[0])  # noqa: NPY002
    assert torch.equal(torch.random.get_rng_state(), before[1])


def test_threads_are_given_back(regression_data):
    X, y = regression_data
    threads = torch.get_num_threads()
    EasierNetRegressor(n_estimators=2, n_hidden_nodes=8, max_epochs=5, n_jobs=2).fit(X, y)
    assert torch.get_num_threads() == threads
