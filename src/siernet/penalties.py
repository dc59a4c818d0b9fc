"""The penalty on a stack's flat parameters: its value, proximal operator and optimality residual.

Every function works entry by entry on (tasks, size) tensors. ``strength`` is the penalty
parameter of each entry, lambda_1, lambda_2 or 0; ``non_negative`` marks the entries (alpha, whose
sign does not matter) that are kept at or above zero, so that a skip-connection can vanish.
"""

from __future__ import annotations

import torch


def l1_value(flat: torch.Tensor, strength: torch.Tensor) -> torch.Tensor:
    """``sum_i strength_i |flat_i|`` of each task, in float64."""
    return (flat.abs() * strength).sum(dim=1).double()


def soft_threshold(
    flat: torch.Tensor, threshold: torch.Tensor, out: torch.Tensor | None = None
) -> torch.Tensor:
    """Moves every entry towards zero by its threshold, and not past it; may be put in ``out``."""
    low = torch.neg(threshold, out=out)
    near = torch.clamp(flat, low, threshold, out=out)
    return torch.sub(flat, near, out=out)


def l1_slope(
    flat: torch.Tensor, strength: torch.Tensor, out: torch.Tensor | None = None
) -> torch.Tensor:
    """The penalty's slope; at zero, where any up to the strength will do, zero."""
    return torch.mul(torch.sign(flat, out=out), strength, out=out)


def proximal_step(
    flat: torch.Tensor,
    gradient: torch.Tensor,
    step: torch.Tensor,
    strength: torch.Tensor,
    non_negative: torch.Tensor,
) -> torch.Tensor:
    """A gradient step of length ``step`` (tasks,), then the penalty's proximal operator."""
    length = step[:, None]
    moved = soft_threshold(flat - length * gradient, length * strength)
    return torch.where(non_negative, moved.clamp(min=0), moved)


def optimality_residual(
    flat: torch.Tensor,
    gradient: torch.Tensor,
    strength: torch.Tensor,
    non_negative: torch.Tensor,
) -> torch.Tensor:
    """Distance of zero from the objective's subdifferential, entry by entry.

    A non-zero entry wants ``gradient + strength * sign = 0``, a zero one ``|gradient| <=
    strength``; a non-negative entry at zero wants a gradient that does not point below zero.
    """
    at_zero = (gradient.abs() - strength).clamp(min=0)
    bound = torch.where(non_negative, (-gradient).clamp(min=0), at_zero)
    away = (gradient + strength * flat.sign()).abs()
    return torch.where(flat == 0, bound, away)
