"""Definition 1's predictive value gamma(m; P), by Monte Carlo."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from siernet.theory.checks import whole_number
from siernet.theory.designs import Design

# To tell sets apart: as many rows as the estimate has, but not too many in all.
_LEAST_PILOT_ROWS, _MOST_DRAWS = 4000, 2_000_000


@dataclass(frozen=True)
class PredictiveValue:
    """An estimate of gamma(m; P).

    Parameters
    ----------
    value : float
        Excess risk of the best predictor without the columns ``omitted``.
    standard_error : float
        Of ``value`` for these columns; it does not cover that others may be slightly cheaper.
    omitted : tuple of int
        The m relevant columns that are cheapest to do without, as far as was seen.
    n_sets : int
        Sets of m relevant columns that were compared.
    exhaustive : bool
        Whether these were all. If not, ``value`` may be too large.
    """

    value: float
    standard_error: float
    omitted: tuple[int, ...]
    n_sets: int
    exhaustive: bool


def predictive_value(
    design: Design,
    n_omitted: int,
    *,
    n_draws: int = 100_000,
    max_sets: int = 1000,
    random_state: Any = None,
) -> PredictiveValue:
    """Least excess risk of a predictor that omits m variables of the true support.

    The best predictor from columns s has excess risk ``E Var(mu(X) | X_s)``, which more columns
    never increase; so only sets that omit m relevant columns and nothing else have to be compared.
    With ``X'`` a draw whose omitted columns are drawn anew given all the others,
    ``(mu(X) - mu(X'))^2 / 2`` is an unbiased estimate.

    The predictor may be any function of its columns. Among networks of bounded size gamma is no
    smaller.

    Parameters
    ----------
    design : Design
        The distribution: `Section42Design`, `Section41Design`, `GaussianDesign` or your own.
    n_omitted : int
        m, at most the number of relevant columns.
    n_draws : int, default=100_000
        Rows drawn for the estimate. Which set is cheapest is decided on other rows, so that the
        choice does not bias the estimate downwards.
    max_sets : int, default=1000
        With more sets than this, a greedy one and its neighbours, and sets drawn at random, are
        compared instead of all.
    random_state : int or numpy.random.Generator, optional

    Returns
    -------
    PredictiveValue

    Examples
    --------
    >>> from siernet.theory import Section42Design, predictive_value
    >>> predictive_value(Section42Design(rho=1.0), 2, n_draws=1000, random_state=0).value
    0.0
    """
    m = whole_number(n_omitted, "n_omitted")
    n_draws = whole_number(n_draws, "n_draws", least=2)
    max_sets = whole_number(max_sets, "max_sets")
    relevant = tuple(design.relevant)
    if m > len(relevant):
        raise ValueError(
            f"n_omitted={m}, but only {len(relevant)} variables are relevant: no predictor omits "
            f"that many. Use at most {len(relevant)} (for Theorem 2, m is half of it)."
        )
    rng = np.random.default_rng(random_state)
    n_all = comb(len(relevant), m)
    exhaustive = n_all <= max_sets
    per_set = _MOST_DRAWS // min(n_all, max_sets)
    pilot = _Pilot(design, max(_LEAST_PILOT_ROWS, min(n_draws, per_set)), rng)
    if exhaustive:
        sets = list(combinations(relevant, m))
        cheapest = sets[0] if n_all == 1 else min(sets, key=pilot.cost)
    else:
        cheapest = _searched(pilot, relevant, m, max_sets, rng)
    costs = _squares(design, design.sample(n_draws, rng), cheapest, rng)
    return PredictiveValue(
        value=float(costs.mean()),
        standard_error=float(costs.std(ddof=1) / np.sqrt(n_draws)),
        omitted=cheapest,
        n_sets=n_all if exhaustive else len(pilot.costs),
        exhaustive=exhaustive,
    )


class _Pilot:
    """Costs of sets on one sample of rows, each set estimated once."""

    def __init__(self, design: Design, n_rows: int, rng: np.random.Generator) -> None:
        self.design, self.rng = design, rng
        self.X = design.sample(n_rows, rng)
        self.costs: dict[tuple[int, ...], float] = {}

    def cost(self, columns: tuple[int, ...]) -> float:
        if columns not in self.costs:
            self.costs[columns] = float(_squares(self.design, self.X, columns, self.rng).mean())
        return self.costs[columns]


def _squares(
    design: Design, X: np.ndarray, columns: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    return (design.mean(X) - design.mean(design.resample(X, columns, rng))) ** 2 / 2


def _searched(
    pilot: _Pilot, relevant: tuple[int, ...], m: int, max_sets: int, rng: np.random.Generator
) -> tuple[int, ...]:
    """The cheapest of the greedy set, sets that differ from it in one column, and random ones."""
    chosen: tuple[int, ...] = ()
    while len(chosen) < m:
        longer = [tuple(sorted((*chosen, c))) for c in relevant if c not in chosen]
        chosen = min(longer, key=pilot.cost)
    pilot.costs = {chosen: pilot.costs[chosen]}  # smaller sets are no candidates
    for out in chosen:
        for new in relevant:
            if new not in chosen and len(pilot.costs) < max_sets:
                pilot.cost(tuple(sorted({*chosen, new} - {out})))
    while len(pilot.costs) < max_sets:  # there are more sets than that
        pilot.cost(tuple(sorted(rng.choice(relevant, m, replace=False).tolist())))
    return min(pilot.costs, key=lambda columns: pilot.costs[columns])
