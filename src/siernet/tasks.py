"""What is to be trained, how, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from siernet.network import Layout
from siernet.objective import TrainingRows
from siernet.training.schedules import Schedule


@dataclass(frozen=True)
class Task:
    """One network to train.

    Parameters
    ----------
    key : int
        Of its random stream: the initial weights and the mini-batch order follow from it.
    input_penalty, network_penalty : float
        lambda_1 and lambda_2.
    data : int
        Which of the training sets it is trained on.
    """

    key: int
    input_penalty: float
    network_penalty: float
    data: int = 0


@dataclass(frozen=True)
class Recipe:
    """How a network is trained: its maximum size and Algorithm 1's settings."""

    n_hidden_layers: int
    n_hidden_nodes: int
    n_batches: int
    schedule: Schedule
    max_prox_iter: int
    tol: float
    skips: str = "all"  # or "last", see Layout

    def with_rate(self, rate: float) -> Recipe:
        return replace(self, schedule=replace(self.schedule, rate=rate))

    def layout(self, rows: TrainingRows) -> Layout:
        hidden = (self.n_hidden_nodes,) * self.n_hidden_layers
        return Layout((rows.inputs.shape[1], *hidden), rows.target.shape[1], self.skips)


@dataclass(frozen=True)
class TrainedTask:
    """A trained network cut to the inputs and nodes it needs, in float64 numpy arrays.

    ``nodes[0]`` are the kept inputs and ``nodes[l]`` the kept nodes of hidden layer l, as indices
    into the full network; the weights are between kept nodes only.
    """

    nodes: tuple[np.ndarray, ...]
    beta: np.ndarray
    alpha: np.ndarray
    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]
    skip_weights: tuple[np.ndarray, ...]
    skip_biases: tuple[np.ndarray, ...]
    objective: float
    residual: float
    n_epochs: int
    n_prox_iter: int
    flat: bool
    diverged: bool
