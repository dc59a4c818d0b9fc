"""Which rows are held out, and what is done to columns before fitting."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import check_random_state

from siernet.datasets.missing import MissingPatterns
from siernet.datasets.table import UciDataset

_NOMINAL = ("one_hot", "codes")
_MOST_CODES = 10  # of which columns are made; more codes would make columns of few rows each


class Split(NamedTuple):
    """A data set in two parts, missing values still missing."""

    X_train: np.ndarray  # (n_train, d)
    y_train: np.ndarray  # (n_train,)
    X_test: np.ndarray  # (n_test, d)
    y_test: np.ndarray  # (n_test,)


def split(
    dataset: UciDataset, seed: Any = 0, *, held_out: float | None = None, published: bool = True
) -> Split:
    """Divides a data set into rows to fit and rows to test on.

    Parameters
    ----------
    dataset : UciDataset
    seed : int, RandomState instance or None, default=0
    held_out : float, default=None
        Share of the rows to test on; the paper's, unless given.
    published : bool, default=True
        Whether a set whose publishers keep rows apart for testing (hill valley) is divided as they
        did, whatever the seed and share. False divides its training rows like any other set's.
    """
    if published and dataset.published_test is not None:
        return Split(dataset.X, dataset.y, *dataset.published_test)
    train, test = split_rows(
        dataset.y,
        dataset.held_out if held_out is None else held_out,
        seed,
        stratify=dataset.task == "classification",
    )
    X, y = dataset.X, dataset.y
    return Split(X[train], y[train], X[test], y[test])


def split_rows(
    y: Any, held_out: float = 1 / 3, seed: Any = 0, *, stratify: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the rows to fit and of the rows to test on, each sorted.

    Parameters
    ----------
    y : array-like of shape (n,)
    held_out : float, default=1/3
        Share of the rows to test on, at most one half, rounded down to whole rows.
    seed : int, RandomState instance or None, default=0
    stratify : bool, default=False
        Whether each class is divided in this proportion. A class of a single row is trained on,
        and every class has a row to train on.
    """
    y = np.asarray(y)
    if not 0 < held_out <= 0.5:
        raise ValueError(
            f"held_out={held_out} has to be above 0 and at most 0.5: a class of two rows needs one "
            "of them to train on."
        )
    rows = np.arange(len(y))
    single = np.zeros(len(y), dtype=bool)
    labels = None
    if stratify:
        _, class_number, n_rows = np.unique(y, return_inverse=True, return_counts=True)
        single = n_rows[class_number] == 1
        labels = class_number[~single]
    n_others = np.sum(~single)
    n_test = math.floor(held_out * n_others + 1e-9)  # forgives the rounding of shares like 1/3
    n_classes = 1 if labels is None else len(np.unique(labels))
    if n_test < max(1, n_classes):
        raise ValueError(
            f"held_out={held_out} of {n_others} rows is {n_test}, too few for "
            + ("a test." if labels is None else f"{n_classes} classes of two rows or more.")
            + " Give more rows."
        )
    train, test = train_test_split(
        rows[~single], test_size=n_test, random_state=check_random_state(seed), stratify=labels
    )
    return np.sort(np.concatenate([train, rows[single]])), np.sort(test)


def preparation(
    dataset: UciDataset, *, nominal: str = "one_hot", indicators: bool = True
) -> ColumnTransformer:
    """An unfitted transformer that makes a data set's columns ready for any estimator.

    Fit it on the training rows only, best in a pipeline. It takes arrays with the data set's
    columns and returns floats without a missing value:

    - numbers and ordered codes: missing values become the column's median;
    - nominal columns of two codes, or of more than ten: the most frequent code;
    - nominal columns of three to ten codes: likewise, and then there is a column for each code met
      in training (a row whose code is new has 0 in all of them);
    - at the end a column, 0 or 1, for each pattern of missing values of five training rows or
      more: columns that are always missing together give one.

    Nothing is scaled, for EASIER-nets scale what they are given. Columns come in the order of this
    list; ``get_feature_names_out(dataset.feature_names)`` names them.

    Parameters
    ----------
    dataset : UciDataset
        Its ``nominal`` and the number of its codes are read, never ``y``.
    nominal : {"one_hot", "codes"}, default="one_hot"
        ``"codes"`` leaves every nominal column one column of numbers, as the paper did.
    indicators : bool, default=True
        Whether there are columns for missing values.
    """
    if nominal not in _NOMINAL:
        raise ValueError(f"nominal={nominal!r} has to be one of {', '.join(_NOMINAL)}.")
    n_codes = np.array([len(np.unique(column[~np.isnan(column)])) for column in dataset.X.T])
    wide = dataset.nominal & (n_codes > 2) & (n_codes <= _MOST_CODES) & (nominal == "one_hot")
    narrow = dataset.nominal & ~wide & np.isnan(dataset.X).any(axis=0)
    numbers = ~wide & ~narrow  # nominal columns too, where there is nothing to impute
    steps: list[tuple[str, Any, np.ndarray]] = []
    if numbers.any():
        median = SimpleImputer(strategy="median", keep_empty_features=True)
        steps.append(("numbers", median, np.flatnonzero(numbers)))
    if narrow.any():
        steps.append(("codes", _most_frequent(), np.flatnonzero(narrow)))
    if wide.any():
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        steps.append(
            (
                "one_hot",
                Pipeline([("impute", _most_frequent()), ("encode", one_hot)]),
                np.flatnonzero(wide),
            )
        )
    if indicators and np.isnan(dataset.X).any():
        steps.append(("missing", MissingPatterns(), np.arange(dataset.X.shape[1])))
    return ColumnTransformer(steps, verbose_feature_names_out=False)


def _most_frequent() -> SimpleImputer:
    return SimpleImputer(strategy="most_frequent", keep_empty_features=True)
