"""Small data and helpers that several test modules use."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from siernet.initialisation import initial_parameters
from siernet.network import Layout
from siernet.random_streams import task_key


@pytest.fixture(scope="session")
def regression_data():
    """120 rows, 8 columns, the first three of which matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 8)) * [1, 2, 5, 1, 1, 1, 1, 1] + 3
    y = X[:, 0] * 2 + 2 * np.abs(X[:, 1] - 3) + 0.3 * X[:, 2] + rng.normal(size=120) * 0.3
    return X, 10 + 5 * y


@pytest.fixture(scope="session")
def class_data():
    """120 rows, 6 columns, three classes with names."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 6))
    score = np.stack([X[:, 0], X[:, 1] ** 2 - 1, -X[:, 0]], axis=1)
    return X, np.array(["ant", "bee", "cat"])[score.argmax(axis=1)]


def stack_of(widths, n_outputs, n_tasks, *, seed=0):
    """A stack in float64 with every parameter random (padding zero): (layout, named)."""
    layout = Layout(tuple(widths), n_outputs)
    keys = torch.tensor([task_key(seed, task) for task in range(n_tasks)])
    named = layout.view(initial_parameters(layout, keys).double())
    generator = torch.Generator().manual_seed(seed)
    for part in (named.beta, named.alpha):
        part.copy_(torch.randn(part.shape, generator=generator, dtype=torch.float64))
    for layer in range(layout.n_layers):
        named.skip_bias(layer).mul_(3)
    return layout, named


def as_member(named, task):
    """One task of a stack as the plain record that tests/reference.py reads."""
    layers = range(named.layout.n_layers)
    return SimpleNamespace(
        beta=named.beta[task].numpy(),
        alpha=named.alpha[task].numpy(),
        weights=[named.weight(i)[task].numpy() for i in layers[:-1]],
        biases=[named.bias(i)[task].numpy() for i in layers[:-1]],
        skip_weights=[named.skip_weight(i)[task].numpy() for i in layers],
        skip_biases=[named.skip_bias(i)[task].numpy() for i in layers],
    )
