"""Which variables stand in for each other: chosen by different networks, and alike in the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from siernet.inspection.checks import (
    fitted_model,
    positive_count,
    require_selection,
    scaled_rows,
    variable_names,
)

# Pairs are looked for among this many variables, those whose selection varies most.
_MOST_COMPARED = 500
# At least this association (and correlation, where rows are known) makes a pair a stand-in.
_ASSOCIATION = -0.3
_CORRELATION = 0.5


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
    """

    first: str
    second: str
    rates: tuple[float, float]
    either: float
    association: float
    correlation: float


@dataclass(frozen=True)
class CoSelection:
    """How the selections of the most contested variables go together.

    Parameters
    ----------
    names : (m,) array of str
        Variables that some networks selected and some did not, alike ones side by side.
    rates : (m,) array
    association : (m, m) array
        Correlation (phi) of the selections over the networks.
    correlation : (m, m) array or None
        Of the variables' values in the rows given.
    pairs : tuple of StandIn
        Most certain first.
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
        Size of the matrices; pairs are looked for among more.
    """
    model = fitted_model(model)
    names = variable_names(model, feature_names)
    positive_count(max_variables, "max_variables")
    require_selection(model, "co-selection")
    rates = model.selection_rates_
    contested = np.flatnonzero((rates > 0) & (rates < 1))
    if len(contested) < 2:
        raise ValueError(
            f"Co-selection needs at least two variables that some networks selected and others "
            f"did not; this model of {len(model.supports_)} networks has {len(contested)}."
        )
    by_variance = np.argsort(-(rates * (1 - rates))[contested], kind="stable")
    compared = contested[by_variance[:_MOST_COMPARED]]
    association = np.corrcoef(model.supports_[:, compared], rowvar=False)
    correlation = None if X is None else _correlation(model, X, compared)
    pairs = _stand_ins(model, names, compared, association, correlation)
    size = min(max_variables, len(compared))
    shown = _alike_side_by_side((association if correlation is None else correlation)[:size, :size])
    square = np.ix_(shown, shown)
    return CoSelection(
        names=names[compared[shown]],
        rates=rates[compared[shown]],
        association=association[square],
        correlation=None if correlation is None else correlation[square],
        pairs=pairs,
    )


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
    model: Any,
    names: np.ndarray,
    columns: np.ndarray,
    association: np.ndarray,
    correlation: np.ndarray | None,
) -> tuple[StandIn, ...]:
    alike = association <= _ASSOCIATION
    if correlation is not None:
        alike &= np.abs(correlation) >= _CORRELATION
    score = association if correlation is None else association * np.abs(correlation)
    first, second = np.nonzero(np.triu(alike, 1))
    order = np.argsort(score[first, second], kind="stable")
    supports = model.supports_[:, columns]
    pairs = []
    for a, b in zip(first[order].tolist(), second[order].tolist(), strict=True):
        rates = (float(supports[:, a].mean()), float(supports[:, b].mean()))
        a_name, b_name = str(names[columns[a]]), str(names[columns[b]])
        pairs.append(
            StandIn(
                first=a_name,
                second=b_name,
                rates=rates,
                either=float((supports[:, a] | supports[:, b]).mean()),
                association=float(association[a, b]),
                correlation=float("nan") if correlation is None else float(correlation[a, b]),
            )
        )
    return tuple(pairs)


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
