"""What a loaded data set is, and the shapes that the paper gives for its eleven."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class PaperRow(NamedTuple):
    """A row of the paper's table of data sets."""

    n_features: int
    n_samples: int
    n_classes: int | None  # None for a regression
    held_out: float


UCI_TABLE: dict[str, PaperRow] = {
    "soybean": PaperRow(35, 307, 19, 1 / 4),
    "arrhythmia": PaperRow(279, 452, 13, 1 / 4),
    "gene_cancer_c": PaperRow(20531, 801, 5, 1 / 3),
    "hill_valley": PaperRow(100, 606, 2, 1 / 3),
    "semeion": PaperRow(256, 1593, 10, 1 / 3),
    "boston": PaperRow(13, 506, None, 1 / 3),
    "gene_cancer_r": PaperRow(20530, 801, None, 1 / 3),
    "ct_slices": PaperRow(384, 53500, None, 1 / 3),
    "crime": PaperRow(122, 1994, None, 1 / 3),
    "iran_house": PaperRow(103, 372, None, 1 / 3),
    "wine": PaperRow(11, 4898, None, 1 / 3),
}
UCI_NAMES: tuple[str, ...] = tuple(UCI_TABLE)


class Rows(NamedTuple):
    """Some rows of a table, with their response."""

    X: np.ndarray  # (n, d)
    y: np.ndarray  # (n,)


@dataclass(frozen=True)
class UciDataset:
    """A table of numbers with its response.

    Attributes
    ----------
    name : str
    X : ndarray of shape (n, d)
        Floats; missing values are NaN, nominal columns hold their codes.
    y : ndarray of shape (n,)
        Floats in a regression, the classes' own labels (integers or text) else.
    feature_names : tuple of str, length d
    task : {"regression", "classification"}
    held_out : float
        Share of the rows that the paper held out for testing.
    nominal : ndarray of bool, shape (d,)
        Which columns are codes without an order. All False unless given.
    published_test : Rows or None
        Further rows, which the publishers keep apart for testing; only hill valley has them.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    task: str
    held_out: float = 1 / 3
    nominal: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    published_test: Rows | None = None

    def __post_init__(self) -> None:
        if not len(self.nominal):
            object.__setattr__(self, "nominal", np.zeros(self.X.shape[1], dtype=bool))

    @property
    def n_classes(self) -> int | None:
        """Number of distinct classes; None in a regression."""
        return len(np.unique(self.y)) if self.task == "classification" else None


def checked(dataset: UciDataset, expected: PaperRow, advice: str = "") -> UciDataset:
    """Returns the data set, or raises if its shape is not the documented one."""
    found = (dataset.X.shape[1], dataset.X.shape[0], dataset.n_classes)
    if found != expected[:3]:
        raise ValueError(
            f"{dataset.name} has {_shape_in_words(*found)} where {_shape_in_words(*expected[:3])} "
            "are documented: the file is not the whole published one. "
            + (advice or "Get it again; docs/data.md says what each file has to be.")
        )
    return dataset


def _shape_in_words(n_features: int, n_samples: int, n_classes: int | None) -> str:
    classes = "" if n_classes is None else f", {n_classes} classes"
    return f"{n_samples} rows, {n_features} features{classes}"
