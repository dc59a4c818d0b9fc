"""Random numbers that depend on a task's key and a counter, and on nothing else.

Every task owns a 64-bit key. The numbers it draws are a hash (splitmix64's finaliser) of the key
and of what is drawn, so they do not depend on the task's place in a stack, on the stack's size,
on the process or on the device, and a whole stack draws at once.
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import torch
from sklearn.utils import check_random_state

_GOLDEN = -7046029254386353131  # 0x9E3779B97F4A7C15 as a signed integer
_MULTIPLIER_1 = -4658895280553007687  # 0xBF58476D1CE4E5B9
_MULTIPLIER_2 = -7723592293110705685  # 0x94D049BB133111EB


def entropy_of(random_state: Any) -> int:
    """The number that, with a task's identity, determines the task's random stream."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def task_key(entropy: int, *identity: int) -> int:
    """The key of the task that ``identity`` names, for a given random state."""
    sequence = np.random.SeedSequence(entropy, spawn_key=identity)
    return int(sequence.generate_state(1, np.uint64).view(np.int64)[0])


def _shift_right(values: torch.Tensor, bits: int) -> torch.Tensor:
    """Logical shift: torch's own keeps the sign."""
    return (values >> bits) & ((1 << (64 - bits)) - 1)


def _mix(values: torch.Tensor) -> torch.Tensor:
    values = (values ^ _shift_right(values, 30)) * _MULTIPLIER_1
    values = (values ^ _shift_right(values, 27)) * _MULTIPLIER_2
    return values ^ _shift_right(values, 31)


def hashes(keys: torch.Tensor, purpose: int, count: int) -> torch.Tensor:
    """(tasks, count) hashed integers; ``purpose`` tells apart what a task draws."""
    stream = _mix(keys ^ _mix(torch.full_like(keys, purpose + 1) * _GOLDEN))
    counter = torch.arange(1, count + 1, dtype=torch.int64, device=keys.device)
    return _mix(stream[:, None] + counter * _GOLDEN)


def uniform(keys: torch.Tensor, purpose: int, count: int) -> torch.Tensor:
    """(tasks, count) float64 numbers in [0, 1)."""
    return _shift_right(hashes(keys, purpose, count), 11).to(torch.float64) * 2.0**-53
