"""What `easier-net` 0.0.8, the authors' code, takes: timed in part, the rest by multiplication."""

from __future__ import annotations

import contextlib
import io
import time
from typing import Any, NamedTuple

import numpy as np

from benchmarks.record import best_seconds

# Candidates x folds x members of the published scripts' two grids, and epochs of each network.
UCI_NETWORKS, UCI_EPOCHS = 10 * 8 * 4 * 10, 3000
TABLE_1_NETWORKS, TABLE_1_EPOCHS = 6 * 8 * 4 * 10, 1500
PROXIMAL_STEPS = 300


class Costs(NamedTuple):
    """Seconds of one epoch (three mini-batches) and of one proximal step of one network."""

    epoch: float
    proximal_step: float

    def network(self, epochs: int, proximal_steps: int = 0) -> float:
        """Seconds of one network."""
        return epochs * self.epoch + proximal_steps * self.proximal_step


def settings(n_rows: int, epochs: int, proximal_steps: int = 0) -> dict[str, Any]:
    """The published scripts' parameters."""
    return {
        "input_filter_layer": True,
        "n_layers": 5,
        "n_hidden": 100,
        "full_tree_pen": 0.002,
        "input_pen": 0.01,
        "batch_size": n_rows // 3,
        "num_classes": 0,
        "weight": [],
        "max_iters": epochs,
        "max_prox_iters": proximal_steps,
    }


def standardised(values: np.ndarray) -> np.ndarray:
    """Columns of mean zero and variance one, as the published scripts prepare them."""
    return (values - values.mean(axis=0)) / values.std(axis=0)


def timed_part(X: np.ndarray, y: np.ndarray, *, epochs: int = 40) -> Costs | None:
    """Costs on a table, or None where easier-net is not installed."""
    try:
        from easier_net.sier_net import SierNetEstimator
    except ImportError:
        return None
    from torch import Tensor
    from torch.utils.data import DataLoader, TensorDataset

    X, y = standardised(X), standardised(y)[:, None]
    few = max(1, epochs // 4)

    def fit(length: int) -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            return SierNetEstimator(**settings(len(X), length)).fit(X, y)

    # The difference of two lengths leaves out what a fit costs besides its epochs.
    longer, shorter = (best_seconds(lambda n=n: fit(n), repeats=2) for n in (epochs, few))
    network = fit(epochs)
    rows = DataLoader(TensorDataset(Tensor(X), Tensor(y)), batch_size=len(X))
    steps = max(1, epochs // 4)
    start = time.perf_counter()
    for _ in range(steps):
        network.run_prox_gd_step(rows)
    return Costs((longer - shorter) / (epochs - few), (time.perf_counter() - start) / steps)
