"""Losses. Each is one small class; ``OutputLoss`` says what the rest of the package asks of it."""

from __future__ import annotations

from typing import Protocol

import torch


class OutputLoss(Protocol):
    """A weighted mean loss of a network's outputs."""

    penalise_biases: bool
    # Second derivative in an offset of all outputs, where it is the same everywhere.
    offset_curvature: float | None

    def __call__(
        self, outputs: torch.Tensor, target: torch.Tensor, row_weight: torch.Tensor
    ) -> torch.Tensor:
        """Each task's loss, (tasks,) in float64; overwrites the outputs with its derivative.

        Parameters
        ----------
        outputs : (tasks, rows, n_outputs)
        target : (rows, n_outputs) or (tasks, rows, n_outputs)
        row_weight : (tasks, rows)
            They sum to one over a task's rows.
        """
        ...

    def of_constant(self, target: torch.Tensor, weight: torch.Tensor) -> float:
        """The least loss that a constant output has; target (rows, n_outputs), weight (rows,)."""
        ...


class SquaredError:
    """``(f - y)^2``."""

    penalise_biases: bool = False
    offset_curvature: float | None = 2.0

    def __call__(
        self, outputs: torch.Tensor, target: torch.Tensor, row_weight: torch.Tensor
    ) -> torch.Tensor:
        residual = outputs.sub_(target)
        weighted = residual * row_weight[:, :, None]
        losses = (weighted * residual).sum(dim=(1, 2)).double()
        torch.mul(weighted, 2.0, out=outputs)
        return losses

    def of_constant(self, target: torch.Tensor, weight: torch.Tensor) -> float:
        mean = (target * weight[:, None]).sum(0) / weight.sum()
        return float(((target - mean).square() * weight[:, None]).sum())


class CrossEntropy:
    """``-log softmax(f)_y``; the target is one-hot."""

    penalise_biases: bool = True
    offset_curvature: float | None = None

    def __call__(
        self, outputs: torch.Tensor, target: torch.Tensor, row_weight: torch.Tensor
    ) -> torch.Tensor:
        log_probability = torch.log_softmax(outputs, dim=2)
        picked = (log_probability * target).sum(dim=2)
        losses = -(picked * row_weight).sum(dim=1).double()
        torch.exp(log_probability, out=outputs)
        outputs.sub_(target).mul_(row_weight[:, :, None])
        return losses

    def of_constant(self, target: torch.Tensor, weight: torch.Tensor) -> float:
        share = (target * weight[:, None]).sum(0) / weight.sum()
        return float(torch.special.entr(share).sum())
