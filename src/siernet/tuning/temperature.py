"""How sure an ensemble may be of its classes, learnt on rows that its networks did not train on.

Networks that fit few rows well are too sure of others. Their outputs are therefore divided by a
temperature before the softmax: above one, probabilities move towards each other; the ranking of a
network's classes stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import softmax

from siernet.rows import Rows

TEMPERATURES = tuple(2.0 ** (np.arange(-4, 13) / 4))
_TINY = np.finfo(np.float64).tiny

LogLikelihood = Callable[[np.ndarray, Rows], float]


def tempered(probabilities: np.ndarray, temperature: float) -> np.ndarray:
    """What the probabilities of networks, (.., K), would be at a temperature."""
    if temperature == 1:
        return probabilities
    return softmax(np.log(np.maximum(probabilities, _TINY)) / temperature, axis=-1)


def best_temperatures(
    folds: Sequence[np.ndarray],
    rows: Sequence[Rows],
    temperatures: Sequence[float],
    log_likelihood: LogLikelihood,
) -> tuple[list[float], float]:
    """For each fold the temperature that is best on the other folds, and the best on all.

    So no fold's score knows of its own rows. Of equally good temperatures the one nearest to one.

    Parameters
    ----------
    folds : sequence of (B, n, K) arrays
        The members' probabilities for each fold's validation rows.
    rows : sequence of Rows
        These rows.
    log_likelihood : callable
        Mean log-probability of the classes that were observed.
    """
    order = sorted(temperatures, key=lambda temperature: abs(np.log(temperature)))
    sums = np.array(
        [
            [
                own.weight.sum() * log_likelihood(tempered(fold, temperature).mean(axis=0), own)
                for temperature in order
            ]
            for fold, own in zip(folds, rows, strict=True)
        ]
    )
    others = sums.sum(axis=0) - sums if len(sums) > 1 else sums
    return [order[place] for place in others.argmax(axis=1)], order[sums.sum(axis=0).argmax()]
