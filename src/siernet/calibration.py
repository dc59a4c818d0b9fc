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

TEMPERATURES = tuple(2.0 ** (quarter / 4) for quarter in range(-4, 13))
PRIOR_POWERS = (0.0, 0.5, 1.0)
_TINY = np.finfo(np.float64).tiny

LogLikelihood = Callable[[np.ndarray, Rows], float]


@dataclass(frozen=True)
class Calibration:
    """What turns a network's outputs f into probabilities.

    They are ``softmax(f / temperature + prior_power * log(shares))``, with the classes' shares.
    """

    temperature: float = 1.0
    prior_power: float = 0.0

    def logits(self, outputs: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """What the softmax takes, (.., K); log-probabilities do as outputs."""
        logits = outputs / self.temperature
        return logits + self.prior_power * np.log(shares) if self.prior_power else logits


def best_calibrations(
    folds: Sequence[np.ndarray],
    shares: Sequence[np.ndarray],
    rows: Sequence[Rows],
    calibrations: Sequence[Calibration],
    log_likelihood: LogLikelihood,
) -> tuple[list[np.ndarray], Calibration]:
    """Each fold's probabilities in the way that is best on the other folds, and the best on all.

    So no fold's score knows of its own rows, unless they are in other folds too (repeated or
    overlapping splits) or there is one split alone, whose own rows have to do. Of equally good ways
    the one that changes least.

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
                own.weight.sum() * log_likelihood(_probabilities(way, log, share).mean(axis=0), own)
                for way in order
            ]
            for log, share, own in zip(logs, shares, rows, strict=True)
        ]
    )
    others = sums.sum(axis=0) - sums if len(sums) > 1 else sums
    chosen = [order[_first_of_the_best(own)] for own in others]
    calibrated = [
        _probabilities(way, log, share)
        for way, log, share in zip(chosen, logs, shares, strict=True)
    ]
    return calibrated, order[_first_of_the_best(sums.sum(axis=0))]


def _probabilities(way: Calibration, logs: np.ndarray, shares: np.ndarray) -> np.ndarray:
    return softmax(way.logits(logs, shares), axis=-1)


def _first_of_the_best(values: np.ndarray) -> int:
    """The first that is the largest but for rounding."""
    best = values.max()
    return int(np.argmax(values >= best - 1e-9 * abs(best)))
