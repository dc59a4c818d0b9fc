"""Checks of the numbers that the theory's functions are given."""

from __future__ import annotations

from collections.abc import Collection
from numbers import Integral
from typing import Any

import numpy as np


def numbers(
    value: Any, name: str, *, least: float = 0.0, above: bool = False, infinite: bool = False
) -> np.ndarray:
    """One number or an array of them, none below ``least`` (or at it, with ``above``)."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r} has to be a number, or an array of numbers.") from None
    bad = np.isnan(array) | (array < least)
    if above:
        bad |= array == least
    if not infinite:
        bad |= np.isinf(array)
    if bad.any():
        words = "above" if above else "at least"
        raise ValueError(
            f"{name} has to be {words} {least:g}{'' if infinite else ' and finite'}, got "
            f"{array[bad].flat[0]:g}."
        )
    return array


def whole_number(value: Any, name: str, *, least: int = 1) -> int:
    """An integer of at least ``least``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        raise ValueError(f"{name}={value!r} has to be a whole number of at least {least}.")
    return int(value)


def one_of(value: Any, name: str, choices: Collection[str]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}={value!r} has to be one of {sorted(choices)}.")
    return value
