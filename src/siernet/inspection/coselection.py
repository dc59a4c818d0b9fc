"""Which variables stand in for each other: chosen by different networks, and alike in the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform
from scipy.stats import hypergeom

from siernet.inspection.checks import (
    fitted_model,
    positive_count,
    scaled_rows,
    variable_names,
)

# Pairs are looked for among this many variables, those whose selection varies most.
_MOST_COMPARED = 500
# Stand-ins avoid each other at least this much of as strongly as their rates allow ...
_AVOIDANCE = 0.5
# ... and are this correlated; without rows, so much that chance is no explanation instead.
_CORRELATION = 0.5
_CHANCE = 0.05
_MOST_PAIRS = 500


@dataclass(frozen=True)
class StandIn:
    """Two variables of which networks tend to choose one.

    Parameters
    ----------
    first, second : str
    rates : (float, float)
    either : float
        Share of the networks that selected at least one of the two.
    association : float
        Correlation (phi) of their selection over the networks.
    correlation : float
        Of their values; NaN without rows.
    chance : float
        Probability that independent selections at these rates would coincide so seldom.
    """

    first: str
    second: str
    rates: tuple[float, float]
    either: float
    association: float
    correlation: float
    chance: float


@dataclass(frozen=True)
class CoSelection:
    """How the selections of the most contested variables go together.

    Parameters
    ----------
    names : (m,) array of str
        Variables that some networks selected and some did not, alike ones side by side; fewer than
        two where the networks agree.
    rates : (m,) array
    association : (m, m) array
        Correlation (phi) of the selections over the networks.
    correlation : (m, m) array or None
        Of the variables' values in the rows given.
    pairs : tuple of StandIn
        At most 500, most certain first. With rows, pairs that avoid each other and whose values
        are correlated; without, pairs that avoid each other more than chance explains, which takes
        many networks.
    """

    names: np.ndarray
    rates: np.ndarray
    association: np.ndarray
    correlation: np.ndarray | None
    pairs: tuple[StandIn, ...]


def co_selection(
    model: Any,
    X: Any = None,
    *,
    max_variables: int = 25,
    feature_names: Sequence[Any] | None = None,
) -> CoSelection:
    """Association of selections, with correlation of the variables where rows are given.

    Parameters
    ----------
    model : fitted ensemble
    X : array-like of shape (n, d), optional
        Rows, for the correlation of the variables.
    max_variables : int, default=25
        Size of the matrices, which show variables of pairs first; pairs are looked for among more.
    """
    model = fitted_model(model)
    names = variable_names(model, feature_names)
    positive_count(max_variables, "max_variables")
    rates = model.selection_rates_
    contested = np.flatnonzero((rates > 0) & (rates < 1))
    if len(contested) < 2:
        return _nothing_to_compare(names[contested], rates[contested], X is not None)
    by_variance = np.argsort(-(rates * (1 - rates))[contested], kind="stable")
    compared = contested[by_variance[:_MOST_COMPARED]]
    association = np.corrcoef(model.supports_[:, compared], rowvar=False)
    correlation = None if X is None else _correlation(model, X, compared)
    pairs = _stand_ins(model.supports_[:, compared], association, correlation)
    size = min(max_variables, len(compared))
    paired = [place for pair in pairs for place in pair[:2]]
    shown = np.array(list(dict.fromkeys([*paired, *range(len(compared))]))[:size])
    similarity = association if correlation is None else correlation
    shown = shown[_alike_side_by_side(similarity[np.ix_(shown, shown)])]
    square = np.ix_(shown, shown)
    return CoSelection(
        names=names[compared[shown]],
        rates=rates[compared[shown]],
        association=association[square],
        correlation=None if correlation is None else correlation[square],
        pairs=tuple(
            StandIn(
                first=str(names[compared[first]]),
                second=str(names[compared[second]]),
                rates=(float(rates[compared[first]]), float(rates[compared[second]])),
                either=float(model.supports_[:, compared[[first, second]]].any(axis=1).mean()),
                association=float(association[first, second]),
                correlation=float("nan")
                if correlation is None
                else float(correlation[first, second]),
                chance=chance,
            )
            for first, second, chance in pairs
        ),
    )


def _nothing_to_compare(names: np.ndarray, rates: np.ndarray, with_rows: bool) -> CoSelection:
    one = np.ones((len(names), len(names)))
    return CoSelection(names, rates, one, one if with_rows else None, pairs=())


def _correlation(model: Any, X: Any, columns: np.ndarray) -> np.ndarray:
    values = scaled_rows(model, X)[:, columns]
    if len(values) < 3:
        raise ValueError(f"X has {len(values)} rows: correlations need at least 3.")
    values = values - values.mean(axis=0)
    size = np.sqrt((values**2).sum(axis=0))
    values = values / np.where(
        size > 0, size, 1
    )  # a column that does not vary correlates with none
    return np.clip(values.T @ values, -1, 1)


def _stand_ins(
    supports: np.ndarray, association: np.ndarray, correlation: np.ndarray | None
) -> list[tuple[int, int, float]]:
    """Places of the two and the chance of it, most certain first."""
    n_members, rates = len(supports), supports.mean(axis=0)
    deviation = np.sqrt(rates * (1 - rates))
    fewest = np.maximum(rates[:, None] + rates - 1, 0)  # share of networks that must have both
    lowest = (fewest - np.outer(rates, rates)) / np.outer(deviation, deviation)
    avoiding = np.triu(association <= _AVOIDANCE * lowest, 1)
    if correlation is not None:
        avoiding &= np.abs(correlation) >= _CORRELATION
    first, second = np.nonzero(avoiding)
    counts = supports.sum(axis=0)
    both = (supports[:, first] & supports[:, second]).sum(axis=0)
    chance = hypergeom.cdf(both, n_members, counts[first], counts[second])
    if correlation is None:
        n_pairs = len(rates) * (len(rates) - 1) / 2
        certain = chance <= _CHANCE / n_pairs
        first, second, chance = first[certain], second[certain], chance[certain]
        likeness = np.zeros(len(first))
    else:
        likeness = np.abs(correlation[first, second])
    order = np.lexsort((-likeness, chance))[:_MOST_PAIRS]
    return list(
        zip(first[order].tolist(), second[order].tolist(), chance[order].tolist(), strict=True)
    )


def _alike_side_by_side(similarity: np.ndarray) -> np.ndarray:
    """An order of the variables that puts strong correlations near the diagonal."""
    if len(similarity) < 3:
        return np.arange(len(similarity))
    distance = 1 - np.abs(similarity)
    distance = (distance + distance.T) / 2
    np.fill_diagonal(distance, 0)
    return leaves_list(
        linkage(squareform(distance, checks=False), "average", optimal_ordering=True)
    )
