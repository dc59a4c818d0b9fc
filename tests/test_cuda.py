"""The same stack on a GPU. Skipped where there is none."""

import numpy as np
import pytest
import torch

from conftest import stack_of
from siernet import EasierNetRegressor
from siernet.losses import SquaredError
from siernet.network import StackedNetwork

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


def test_gradient_is_the_cpus_to_rounding():
    layout, named = stack_of((7, 5, 4), 1, 3)
    X = torch.randn(3, 9, 7, dtype=torch.float64)
    y, weight = torch.randn(9, 1, dtype=torch.float64), torch.full((3, 9), 1 / 9).double()
    results = []
    for device in ("cpu", "cuda"):
        own = layout.view(named.flat.to(device))
        slopes = layout.view(torch.zeros_like(own.flat))
        network = StackedNetwork(layout, SquaredError())
        network.loss_and_gradient(own, slopes, X.to(device), y.to(device), weight.to(device))
        results.append(slopes.flat.cpu())
    torch.testing.assert_close(*results, rtol=1e-10, atol=1e-12)


def test_fit_agrees_statistically_and_holds_numpy_only(regression_data):
    X, y = regression_data
    settings = {"n_estimators": 5, "n_hidden_nodes": 20, "random_state": 0}
    cpu = EasierNetRegressor(device="cpu", **settings).fit(X, y)
    cuda = EasierNetRegressor(device="cuda", **settings).fit(X, y)
    assert isinstance(cuda.members_[0].beta, np.ndarray)
    difference = np.mean((cpu.predict(X) - cuda.predict(X)) ** 2) / y.var()
    assert difference < 0.01
