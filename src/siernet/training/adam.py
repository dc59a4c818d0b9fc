"""Adam on a stack of tasks, with the L1 penalties as subgradients or as a proximal operator."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import torch

from siernet.network import Parameters
from siernet.training.updates import Moments, Penalty, searching_step, settling_step

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


class BatchObjective(Penalty, Protocol):
    """What Adam needs of an objective."""

    def batch_loss(
        self, named: Parameters, slopes: Parameters, rows: torch.Tensor, n_batches: int
    ) -> torch.Tensor: ...


@dataclass
class AdamState:
    """Parameters of a stack and Adam's running moments of their gradient."""

    named: Parameters
    first: torch.Tensor
    second: torch.Tensor
    n_steps: int = 0
    _slopes: Parameters = field(init=False)
    _scratch: torch.Tensor = field(init=False)

    def __post_init__(self) -> None:
        self._slopes = self.named.layout.view(torch.zeros_like(self.named.flat))
        self._scratch = torch.empty_like(self.named.flat)

    @classmethod
    def start(cls, named: Parameters) -> AdamState:
        return cls(named, torch.zeros_like(named.flat), torch.zeros_like(named.flat))

    def step(
        self,
        objective: BatchObjective,
        rows: torch.Tensor,
        n_batches: int,
        rate: float | torch.Tensor,
    ) -> torch.Tensor:
        """One step on a mini-batch; returns each task's loss there.

        Parameters
        ----------
        rows : (tasks, batch)
            The mini-batch of every task.
        rate : float or (tasks,)
            A number is the learning rate of all tasks, which search: the penalties act as
            subgradients. Otherwise every task settles at its own rate, and the penalties act as
            soft-thresholding, by Adam's own step length for each parameter, which makes zeros.
        """
        loss = objective.batch_loss(self.named, self._slopes, rows, n_batches)
        self.n_steps += 1
        # With the bias corrections c1, c2: rate / c1 * first / (sqrt(second / c2) + epsilon).
        correction_1 = 1 - BETA_1**self.n_steps
        correction_2 = math.sqrt(1 - BETA_2**self.n_steps)
        moments = Moments(self.first, self.second, BETA_1, BETA_2, EPSILON * correction_2)
        flat, gradient, scratch = self.named.flat, self._slopes.flat, self._scratch
        scale = correction_2 / correction_1
        if isinstance(rate, torch.Tensor):
            lengths = rate * scale
            settling_step(flat, gradient, moments, lengths, correction_1, objective, scratch)
        else:
            searching_step(flat, gradient, moments, rate * scale, objective, scratch)
        return loss


def adam_epoch(
    state: AdamState,
    objective: BatchObjective,
    order: torch.Tensor,
    rates: list[float] | torch.Tensor,
) -> torch.Tensor:
    """One pass over each task's rows in its own ``order`` (tasks, rows).

    ``rates``, a list of numbers or (n_batches, tasks), are the learning rates of the epoch's
    steps. Returns the mean loss over the mini-batches as they were met, shape (tasks,).
    """
    n_rows, n_batches = order.shape[1], len(rates)
    bounds = [batch * n_rows // n_batches for batch in range(n_batches + 1)]
    total = torch.zeros(len(order), dtype=torch.float64, device=order.device)
    for batch in range(n_batches):
        rows = order[:, bounds[batch] : bounds[batch + 1]]
        total += state.step(objective, rows, n_batches, rates[batch])
    return total / n_batches
