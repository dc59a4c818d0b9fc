"""What the estimators do to the rows of a table before training."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rows:
    """A table's rows, their response and their weight."""

    X: np.ndarray  # (rows, d)
    y: np.ndarray  # (rows,)
    weight: np.ndarray  # (rows,)

    def take(self, index: np.ndarray) -> Rows:
        """Some of the rows."""
        return Rows(self.X[index], self.y[index], self.weight[index])


def distinct_rows(rows: Rows) -> Rows:
    """Merges equal rows, adding their weights, drops those of no weight, and sorts the rest.

    The objective stays the same. But now a row of weight two *is* two rows, a row of weight zero
    is no row, and the order of a table's rows does not matter, to the last bit and with
    mini-batches too.
    """
    present = rows.weight > 0
    X, y, weight = rows.X[present], rows.y[present], rows.weight[present]
    y_rank = np.unique(y, return_inverse=True)[1]
    digests = [
        hashlib.blake2b(row.tobytes() + rank.tobytes(), digest_size=16).digest()
        for row, rank in zip(np.ascontiguousarray(X) + 0.0, y_rank, strict=True)  # -0.0 is 0.0
    ]
    _, first, group = np.unique(digests, return_index=True, return_inverse=True)
    weight = np.bincount(group, weights=weight)
    X, y = X[first], y[first]
    order = _sorted_order(X, y_rank[first])
    return Rows(X[order], y[order], weight[order])


def _sorted_order(X: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Sorts distinct rows by rank, then by column after column, until no two are tied."""
    for column in X.T:
        counts = np.bincount(rank)
        if counts.max() == 1:
            break
        tied = np.flatnonzero(counts[rank] > 1)
        within = np.zeros(len(rank), dtype=int)
        within[tied] = np.unique(column[tied], return_inverse=True)[1]
        _, rank = np.unique(rank * (within.max() + 1) + within, return_inverse=True)
    return np.argsort(rank, kind="stable")


@dataclass(frozen=True)
class Scaling:
    """Means and scales of columns; a constant column has scale one."""

    mean: np.ndarray
    scale: np.ndarray

    @classmethod
    def learn(cls, values: np.ndarray, weight: np.ndarray) -> Scaling:
        """Weighted mean and standard deviation of each column of ``values`` (rows, columns)."""
        share = weight / weight.sum()
        mean = share @ values.astype(np.float64, copy=False)
        scale = np.sqrt(share @ np.square(values - mean))
        constant = values.min(axis=0) == values.max(axis=0)
        mean = np.where(constant, values[0], mean)
        return cls(mean, np.where(constant | (scale == 0), 1.0, scale))

    @classmethod
    def none(cls, n_columns: int) -> Scaling:
        return cls(np.zeros(n_columns), np.ones(n_columns))

    def apply(self, values: np.ndarray) -> np.ndarray:
        return (values - self.mean) / self.scale
