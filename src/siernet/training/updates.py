"""Adam's arithmetic on flat parameters: in few passes on a CPU, in one kernel on a GPU.

Each step takes the loss's gradient and changes the parameters and the moments in place. On a CPU
a stack fits the cache, so several passes over it cost little, but memory taken anew for each would
cost more than the arithmetic; a GPU's stack does not, so there
the same arithmetic is compiled to a single pass, where the installation can compile.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch

from siernet.compiled import Compiled


class Penalty(Protocol):
    """A penalty that acts entry by entry, with a strength for each."""

    strength: torch.Tensor

    @staticmethod
    def slope(
        flat: torch.Tensor, strength: torch.Tensor, out: torch.Tensor | None = None
    ) -> torch.Tensor: ...
    @staticmethod
    def shrunk(
        flat: torch.Tensor, threshold: torch.Tensor, out: torch.Tensor | None = None
    ) -> torch.Tensor: ...


@dataclass
class Moments:
    """Adam's running moments of the gradient, (tasks, size), and how they are used."""

    first: torch.Tensor
    second: torch.Tensor
    beta_1: float
    beta_2: float
    epsilon: float


def searching_step(
    flat: torch.Tensor,
    gradient: torch.Tensor,
    moments: Moments,
    length: float,
    penalty: Penalty,
    scratch: torch.Tensor,
) -> None:
    """A step of one ``length`` for all tasks, the penalty's slope added to the gradient."""
    if flat.is_cuda:
        numbers = (length, 1 - moments.beta_1, moments.beta_2, moments.epsilon)
        _compiled(_searching, penalty.slope)(
            flat, gradient, moments.first, moments.second, penalty.strength, _held(numbers, flat)
        )
        return
    gradient.add_(penalty.slope(flat, penalty.strength, out=scratch))
    _update_moments(gradient, moments, scratch)
    flat.addcdiv_(moments.first, scratch, value=-length)


def settling_step(
    flat: torch.Tensor,
    gradient: torch.Tensor,
    moments: Moments,
    lengths: torch.Tensor,
    threshold: float,
    penalty: Penalty,
    scratch: torch.Tensor,
) -> None:
    """A step of each task's own length, (tasks,), then the penalty's proximal operator.

    An entry's threshold is ``threshold * strength`` in units of its own step length.
    """
    if flat.is_cuda:
        numbers = (threshold, 1 - moments.beta_1, moments.beta_2, moments.epsilon)
        _compiled(_settling, penalty.shrunk)(
            flat,
            gradient,
            moments.first,
            moments.second,
            penalty.strength,
            lengths,
            _held(numbers, flat),
        )
        return
    _update_moments(gradient, moments, scratch)
    torch.div(lengths[:, None], scratch, out=scratch)
    flat.addcmul_(moments.first, scratch, value=-1)
    thresholds = scratch.mul_(threshold).mul_(penalty.strength)
    flat.copy_(penalty.shrunk(flat, thresholds, out=gradient))


def _update_moments(gradient: torch.Tensor, moments: Moments, root: torch.Tensor) -> None:
    """Moves the moments towards the gradient; ``root`` receives sqrt(second) + epsilon."""
    moments.first.lerp_(gradient, 1 - moments.beta_1)
    second = moments.second.mul_(moments.beta_2)
    second.addcmul_(gradient, gradient, value=1 - moments.beta_2)
    torch.sqrt(second, out=root)
    root.add_(moments.epsilon)


# -- the same as one expression each, for the compiler -----------------------------------------

Entrywise = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def _searching(
    slope: Entrywise,
    flat: torch.Tensor,
    gradient: torch.Tensor,
    first: torch.Tensor,
    second: torch.Tensor,
    strength: torch.Tensor,
    numbers: torch.Tensor,
) -> None:
    length, share, beta_2, epsilon = numbers.unbind()
    gradient = gradient + slope(flat, strength)
    new_first = first + share * (gradient - first)
    new_second = beta_2 * second + (1 - beta_2) * gradient * gradient
    first.copy_(new_first)
    second.copy_(new_second)
    flat.sub_(length * new_first / (torch.sqrt(new_second) + epsilon))


def _settling(
    shrunk: Entrywise,
    flat: torch.Tensor,
    gradient: torch.Tensor,
    first: torch.Tensor,
    second: torch.Tensor,
    strength: torch.Tensor,
    lengths: torch.Tensor,
    numbers: torch.Tensor,
) -> None:
    threshold, share, beta_2, epsilon = numbers.unbind()
    new_first = first + share * (gradient - first)
    new_second = beta_2 * second + (1 - beta_2) * gradient * gradient
    first.copy_(new_first)
    second.copy_(new_second)
    own = lengths[:, None] / (torch.sqrt(new_second) + epsilon)
    flat.copy_(shrunk(flat - own * new_first, own * threshold * strength))


def _held(numbers: tuple[float, ...], like: torch.Tensor) -> torch.Tensor:
    """The numbers as a tensor: as numbers they would be compiled in, each step anew."""
    return torch.tensor(numbers, dtype=like.dtype).to(like.device, non_blocking=True)


@functools.cache
def _compiled(update: Callable[..., None], entrywise: Entrywise) -> Compiled:
    return Compiled(functools.partial(update, entrywise))
