"""How sure an ensemble may be of its classes, learnt on rows that its networks did not train on.

Networks that fit few rows well are too sure of others, and networks trained with balanced classes
give rare ones too much. So a network's outputs are divided by a temperature, and a power of the
classes' shares is added to them as its logarithm, before the softmax.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from siernet.rows import Rows

TEMPERATURES = tuple(2.0 ** (np.arange(-4, 13) / 4))
PRIOR_POWERS = (0.0, 0.5, 1.0)
_TINY = np.finfo(np.float64).tiny

LogLikelihood = Callable[[np.ndarray, Rows], float]


@dataclass(frozen=True)
class Calibration:
    """What turns outputs f into probabilities, softmax(f / temperature + power * log(shares))."""

    temperature: float = 1.0
    prior_power: float = 0.0

    def of(self, log_probabilities: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Probabilities (.., K) of networks whose own are given as logarithms."""
        shift = self.prior_power * np.log(shares)
        return softmax(log_probabilities / self.temperature + shift, axis=-1)


def best_calibrations(
    folds: Sequence[np.ndarray],
    shares: Sequence[np.ndarray],
    rows: Sequence[Rows],
    calibrations: Sequence[Calibration],
    log_likelihood: LogLikelihood,
) -> tuple[list[np.ndarray], Calibration]:
    """Each fold's probabilities in the way that is best on the other folds, and the best on all.

    So no fold's score knows of its own rows. Of equally good ways the one that changes least.

    Parameters
    ----------
    folds : sequence of (B, n, K) arrays
        The members' probabilities for each fold's validation rows.
    shares : sequence of (K,) arrays
        The classes' shares of each fold's training rows.
    rows : sequence of Rows
        The validation rows.
    calibrations : sequence of Calibration
    log_likelihood : callable
        Mean log-probability of the classes that were observed.
    """
    order = sorted(calibrations, key=lambda own: (abs(np.log(own.temperature)), own.prior_power))
    logs = [np.log(np.maximum(own, _TINY)) for own in folds]
    sums = np.array(
        [
            [
                own.weight.sum() * log_likelihood(way.of(log, share).mean(axis=0), own)
                for way in order
            ]
            for log, share, own in zip(logs, shares, rows, strict=True)
        ]
    )
    others = sums.sum(axis=0) - sums if len(sums) > 1 else sums
    chosen = [order[place] for place in others.argmax(axis=1)]
    calibrated = [way.of(log, share) for way, log, share in zip(chosen, logs, shares, strict=True)]
    return calibrated, order[sums.sum(axis=0).argmax()]
