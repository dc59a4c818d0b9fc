"""Full-batch proximal gradient descent with backtracking, on a stack of tasks.

Every task has its own step length: it starts from the curvature met on the last step (Barzilai
and Borwein) and is halved until the step lowers the objective enough, compared with the highest
of the last few values. A step is one evaluation for the whole stack, whichever tasks accept it,
so no task waits for, or depends on, another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch

from siernet.network import Parameters

_MEMORY = 5  # values a step is compared with
_SUFFICIENT_DECREASE = 1e-3
_FIRST_STEP = 1e-2
_SMALLEST_STEP, _LARGEST_STEP = 1e-9, 1e3
_ROUNDING = 1e-13  # relative decrease that float64 cannot show
_LEAST_STEPS = 20  # before a small residual counts: small weights take some steps to reach zero
# A step of length 1 from a residual of tol lowers the objective by about tol^2 / 2: one that sinks
# by less than this share of tol^2 in a whole call, its residual not halved, has nowhere to go.
_FLAT = 0.1


class FullObjective(Protocol):
    """What proximal gradient descent needs of an objective."""

    def full_loss(self, named: Parameters, slopes: Parameters) -> torch.Tensor: ...
    def penalty(self, flat: torch.Tensor) -> torch.Tensor: ...
    def proximal_step(
        self, flat: torch.Tensor, gradient: torch.Tensor, step: torch.Tensor
    ) -> torch.Tensor: ...
    def residual(self, flat: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor: ...


@dataclass
class ProximalState:
    """Where each task of a stack stands in proximal gradient descent."""

    flat: torch.Tensor  # (tasks, size)
    step: torch.Tensor  # (tasks,)
    n_steps: torch.Tensor  # (tasks,)

    @classmethod
    def start(cls, flat: torch.Tensor) -> ProximalState:
        step = torch.full((len(flat),), _FIRST_STEP, dtype=flat.dtype, device=flat.device)
        return cls(flat, step, torch.zeros_like(step))


@dataclass
class ProximalResult:
    """After some iterations, for each task, all of shape (tasks,)."""

    objective: torch.Tensor
    residual: torch.Tensor
    flat: torch.Tensor  # steps no longer lower the objective, as at a kink of the ReLU
    running: torch.Tensor  # more iterations may help


def proximal_gradient(
    state: ProximalState,
    objective: FullObjective,
    view: Callable[[torch.Tensor], Parameters],
    n_iter: int,
    tol: float,
) -> ProximalResult:
    """Up to ``n_iter`` iterations; a task whose residual is below ``tol`` stays where it is.

    ``view`` turns flat vectors into named parameters. ``state`` is advanced in place.
    """
    flat, step, n_steps = state.flat, state.step, state.n_steps
    gradient, trial_gradient = torch.zeros_like(flat), torch.zeros_like(flat)
    value = objective.full_loss(view(flat), view(gradient)) + objective.penalty(flat)
    recent = value[:, None].repeat(1, _MEMORY)
    residual = objective.residual(flat, gradient)
    running = (residual >= tol) | (n_steps < _LEAST_STEPS)
    first_value, first_residual = value, residual
    for iteration in range(n_iter):
        if iteration % 10 == 0 and not bool(running.any()):
            break
        trial = objective.proximal_step(flat, gradient, step)
        trial_value = objective.full_loss(view(trial), view(trial_gradient))
        trial_value = trial_value + objective.penalty(trial)
        moved = trial - flat
        length = (moved * moved).sum(1)
        reference = recent.amax(1)
        enough = reference - _SUFFICIENT_DECREASE / (2 * step) * length
        accepted = running & (trial_value <= enough + _ROUNDING * reference.abs())
        curvature = (moved * (trial_gradient - gradient)).sum(1)
        proposed = torch.where(curvature > 0, length / curvature, 2 * step)
        proposed = torch.where(length > 0, proposed, step).clamp(_SMALLEST_STEP, _LARGEST_STEP)
        step = torch.where(accepted, proposed, torch.where(running, step / 2, step))
        chosen = accepted[:, None]
        flat = torch.where(chosen, trial, flat)
        gradient = torch.where(chosen, trial_gradient, gradient)
        value = torch.where(accepted, trial_value, value)
        recent = torch.where(chosen, recent.roll(1, 1), recent)
        recent[:, 0] = value
        residual = torch.where(accepted, objective.residual(flat, gradient), residual)
        n_steps = n_steps + running
        running &= ((residual >= tol) | (n_steps < _LEAST_STEPS)) & (step > _SMALLEST_STEP)
    state.flat, state.step, state.n_steps = flat, step, n_steps
    is_flat = (first_value - value <= _FLAT * tol**2) & (residual > first_residual / 2)
    is_flat &= n_steps >= _LEAST_STEPS
    return ProximalResult(value, residual, is_flat | (step <= _SMALLEST_STEP), running)
