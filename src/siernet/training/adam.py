"""Adam on a stack of tasks, with the L1 penalties as subgradients or as a proximal operator."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import torch

from siernet.network import Parameters

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


class BatchObjective(Protocol):
    """What Adam needs of an objective."""

    def batch_loss(
        self, named: Parameters, slopes: Parameters, rows: torch.Tensor, n_batches: int
    ) -> torch.Tensor: ...
    def penalty(self, flat: torch.Tensor) -> torch.Tensor: ...
    def add_subgradient(self, gradient: torch.Tensor, flat: torch.Tensor) -> None: ...
    def shrink(self, flat: torch.Tensor, step: torch.Tensor) -> None: ...


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
        rate: torch.Tensor,
        *,
        thresholding: bool,
    ) -> torch.Tensor:
        """One step on a mini-batch; returns each task's loss there.

        Parameters
        ----------
        rows : (tasks, batch)
            The mini-batch of every task.
        rate : (tasks,)
            The learning rate of every task; without thresholding, the same for all.
        thresholding : bool
            Whether the penalties act as soft-thresholding, by Adam's own step length for each
            parameter, which makes exact zeros; otherwise as subgradients.
        """
        flat, gradient, scratch = self.named.flat, self._slopes.flat, self._scratch
        loss = objective.batch_loss(self.named, self._slopes, rows, n_batches)
        if not thresholding:
            objective.add_subgradient(gradient, flat)
        self.n_steps += 1
        self.first.lerp_(gradient, 1 - BETA_1)
        self.second.mul_(BETA_2).addcmul_(gradient, gradient, value=1 - BETA_2)
        # With the bias corrections c1, c2: rate / c1 * first / (sqrt(second / c2) + epsilon).
        correction_1 = 1 - BETA_1**self.n_steps
        correction_2 = math.sqrt(1 - BETA_2**self.n_steps)
        torch.sqrt(self.second, out=scratch)
        scratch.add_(EPSILON * correction_2)
        if not thresholding:
            # While tasks search they share one rate, and the step is a single pass.
            flat.addcdiv_(self.first, scratch, value=-float(rate[0]) * correction_2 / correction_1)
            return loss
        torch.div((rate * (correction_2 / correction_1))[:, None], scratch, out=scratch)
        flat.addcmul_(self.first, scratch, value=-1)
        objective.shrink(flat, scratch.mul_(correction_1))
        return loss


def adam_epoch(
    state: AdamState,
    objective: BatchObjective,
    order: torch.Tensor,
    n_batches: int,
    rates: torch.Tensor,
    *,
    thresholding: bool,
) -> torch.Tensor:
    """One pass over each task's rows in its own ``order`` (tasks, rows).

    ``rates`` (n_batches, tasks) are the learning rates. Returns the objective, whose loss part is
    the mean over the mini-batches as they were met, shape (tasks,).
    """
    n_rows = order.shape[1]
    bounds = [batch * n_rows // n_batches for batch in range(n_batches + 1)]
    total = torch.zeros(len(order), dtype=torch.float64, device=order.device)
    for batch in range(n_batches):
        rows = order[:, bounds[batch] : bounds[batch + 1]]
        total += state.step(objective, rows, n_batches, rates[batch], thresholding=thresholding)
    return total / n_batches + objective.penalty(state.named.flat)
