"""Learning rates, and how long Adam runs.

Every task starts in a *search* phase at the full rate, whose length follows its convergence: the
objective is compared at epochs that grow by a constant factor, and the phase ends when what the
network explains (how far its objective lies below a constant's loss) grew by too small a part of
itself since the last check. So a network that learns at once stops early, and one that is still
finding its way goes on. A *settling* phase follows, as long again or longer, in which the rate
falls to zero along a cosine and the penalties act by soft-thresholding. At a constant rate, as the
paper's scripts train, there is neither: every task runs all epochs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

_WARM_UP_EPOCHS = 5


@dataclass(frozen=True)
class Schedule:
    """Learning rate over time, and when a task's phases end.

    Parameters
    ----------
    rate : float
        The full learning rate.
    max_epochs : int
        The search and settling phases together take at most this; a constant rate takes it all.
    decay : bool
        Whether the rate falls in the end.
    first_check, growth : int, float
        Epochs at which convergence is judged: ``first_check * growth ** k``.
    least_growth : float
        To go on, the explained part has to grow by this fraction of itself between two checks.
    least_gain : float
        And by this fraction of a constant's loss, which stops networks that explain nothing.
    settling : float
        Length of the settling phase, in lengths of the search phase.
    """

    rate: float
    max_epochs: int
    decay: bool = True
    first_check: int = 28
    growth: float = math.sqrt(2)
    least_growth: float = 0.2
    least_gain: float = 0.005
    settling: float = 1.5

    def checks(self) -> list[int]:
        """Epochs after which the search phase may end, the last one because it must."""
        if not self.decay:
            return [self.max_epochs]
        last = max(1, round(self.max_epochs / (1 + self.settling)))
        epochs, check = [], float(self.first_check)
        while check < last:
            epochs.append(round(check))
            check *= self.growth
        return [*epochs, last]

    def settled_at(self, search_end: int) -> int:
        """Epoch at which Adam ends, if its search phase ended at ``search_end``."""
        if not self.decay:
            return search_end
        return min(self.max_epochs, round(search_end * (1 + self.settling)))

    def has_converged(
        self, before: np.ndarray, now: np.ndarray, of_constant: np.ndarray
    ) -> np.ndarray:
        """Whether the search may end, by the objectives at the last check and now.

        ``of_constant`` is the loss of the best constant on each task's data.
        """
        wanted = self.least_growth * (of_constant - now)
        return before - now < np.maximum(wanted, self.least_gain * of_constant)

    def search_rates(self, epoch: int, n_batches: int) -> list[float]:
        """Rates of one epoch's steps while tasks search."""
        if not self.decay:
            return [self.rate] * n_batches
        steps = epoch * n_batches + np.arange(1, n_batches + 1)
        return (self.rate * np.minimum(1, steps / (n_batches * _WARM_UP_EPOCHS))).tolist()

    def settling_rates(
        self, epoch: int, n_batches: int, search_end: torch.Tensor, end: torch.Tensor
    ) -> torch.Tensor:
        """Rates of one epoch's steps while tasks settle, shape (n_batches, tasks).

        ``search_end`` and ``end`` (tasks,) are where the phases of each task end.
        """
        step = torch.arange(n_batches, device=end.device, dtype=torch.float32)[:, None]
        warm_up = min(1.0, (epoch + 1) / _WARM_UP_EPOCHS)
        length = (end - search_end).clamp(min=1)
        share = ((epoch + step / n_batches - search_end) / length).clamp(0, 1)
        return self.rate * warm_up * 0.5 * (1 + torch.cos(math.pi * share))
