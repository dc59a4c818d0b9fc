"""Losses against scikit-learn's metrics, derivatives against torch's own differentiation."""

import numpy as np
import pytest
import torch
from sklearn.metrics import log_loss, mean_squared_error

from siernet.losses import CrossEntropy, SquaredError


@pytest.fixture
def problem():
    rng = np.random.default_rng(3)
    outputs = rng.normal(size=(2, 15, 3))
    codes = np.r_[0, 1, 2, rng.integers(3, size=12)]
    weight = rng.uniform(size=(2, 15))
    return outputs, codes, weight / weight.sum(axis=1, keepdims=True)


def loss_of(loss, outputs, target, weight):
    return loss(torch.tensor(outputs), torch.tensor(target), torch.tensor(weight)).numpy()


def test_values(problem):
    outputs, codes, weight = problem
    one_hot = np.eye(3)[codes]
    squared = loss_of(SquaredError(), outputs, one_hot, weight)
    entropy = loss_of(CrossEntropy(), outputs, one_hot, weight)
    for task in range(2):
        expected = mean_squared_error(one_hot, outputs[task], sample_weight=weight[task])
        assert squared[task] == pytest.approx(3 * expected)  # scikit-learn averages over outputs
        probability = torch.softmax(torch.tensor(outputs[task]), dim=1).numpy()
        assert entropy[task] == pytest.approx(
            log_loss(codes, probability, sample_weight=weight[task])
        )


@pytest.mark.parametrize("loss", [SquaredError(), CrossEntropy()])
def test_derivatives(problem, loss):
    outputs, codes, weight = problem
    target, weights = torch.eye(3, dtype=torch.float64)[codes], torch.tensor(weight)
    derivative = torch.tensor(outputs)
    loss(derivative, target, weights)
    free = torch.tensor(outputs, requires_grad=True)
    if isinstance(loss, SquaredError):
        rows = (free - target).square().sum(2)
    else:
        rows = -(torch.log_softmax(free, 2) * target).sum(2)
    (rows * weights).sum().backward()
    torch.testing.assert_close(derivative, free.grad)


@pytest.mark.parametrize("loss", [SquaredError(), CrossEntropy()])
def test_loss_of_the_best_constant(problem, loss):
    """No constant that a general optimiser finds is better."""
    _, codes, weight = problem
    target, weights = torch.eye(3, dtype=torch.float64)[codes], torch.tensor(weight[:1])
    constant = torch.zeros(3, dtype=torch.float64)
    for _ in range(3000):
        outputs = constant.expand(1, 15, 3).clone()
        value = loss(outputs, target, weights)
        constant = constant - 0.3 * outputs.sum(dim=(0, 1))
    assert loss.of_constant(target, weights[0]) == pytest.approx(float(value), abs=1e-8)
