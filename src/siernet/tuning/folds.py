"""Training and validation parts of a table."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, check_cv

from siernet.rows import Rows, distinct_rows


@dataclass(frozen=True)
class Fold:
    """One split: distinct rows to train on, and rows to validate with."""

    train: Rows
    test: Rows


def make_folds(
    table: Rows, cv: Any, groups: Any, *, classes: np.ndarray | None, seed: int
) -> list[Fold]:
    """Splits a table.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test)
        An int shuffles distinct rows, so that equal rows stay together and integer weights are
        repeated rows here too. Anything else splits the rows as the user passed them.
    groups : array-like or None
        With an int, makes every group stay together.
    classes : ndarray or None
        All classes, for a classifier; every training part has to hold each.
    """
    if isinstance(cv, (int, np.integer)) and groups is None:
        table = distinct_rows(table)
        splits = _shuffled_splits(table, int(cv), stratified=classes is not None, seed=seed)
    else:
        if isinstance(cv, (int, np.integer)):
            cv = GroupKFold(int(cv))
        splitter = check_cv(cv, table.y, classifier=classes is not None)
        splits = splitter.split(table.X, table.y, groups)
    folds = []
    for number, (train, test) in enumerate(splits):
        fold = Fold(distinct_rows(table.take(train)), _weighted(table.take(test)))
        _check_fold(fold, number, classes)
        folds.append(fold)
    if not folds:
        raise ValueError(f"cv={cv!r} made no split. Pass a number of folds, such as cv=4.")
    return folds


def _weighted(rows: Rows) -> Rows:
    return rows.take(rows.weight > 0)


def _shuffled_splits(
    table: Rows, n_splits: int, *, stratified: bool, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    n_rows = len(table.weight)
    if not 2 <= n_splits <= n_rows:
        raise ValueError(
            f"cv={n_splits} folds cannot be made of {n_rows} distinct rows: use between 2 and "
            f"{n_rows}."
        )
    seed %= 2**32
    if not stratified:
        yield from KFold(n_splits, shuffle=True, random_state=seed).split(table.X)
        return
    classes, codes, counts = np.unique(table.y, return_inverse=True, return_counts=True)
    if counts.max() < n_splits:
        raise ValueError(
            f"cv={n_splits} folds need a class of at least {n_splits} distinct rows, but the "
            f"largest has {counts.max()}. Lower cv."
        )
    if (counts == 1).any():
        names = ", ".join(repr(label) for label in classes[counts == 1].tolist()[:5])
        warnings.warn(
            f"Classes with one row ({names}) are trained on in every fold and validated in none.",
            UserWarning,
            stacklevel=6,
        )
    yield from stratified_splits(codes, n_splits, seed)


def stratified_splits(
    codes: np.ndarray, n_splits: int, seed: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Shuffled training and validation rows, every class in each training part.

    Rows that are alone in their class are trained on in every fold and validated in none, and a
    class of two rows or more is never wholly in one fold.

    Parameters
    ----------
    codes : (n,) int array
        Of the classes, 0, 1, .., K-1; the largest class has at least ``n_splits`` rows.
    """
    counts = np.bincount(codes)
    alone = np.flatnonzero(counts[codes] == 1)
    several = np.flatnonzero(counts[codes] > 1)
    splitter = StratifiedKFold(n_splits, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        parts = list(splitter.split(several, codes[several]))
    return [
        (np.sort(np.concatenate([several[train], alone])), several[test]) for train, test in parts
    ]


def _check_fold(fold: Fold, number: int, classes: np.ndarray | None) -> None:
    if not len(fold.test.weight) or len(fold.train.weight) < 2:
        raise ValueError(
            f"Fold {number} of cv has {len(fold.train.weight)} distinct rows of positive weight to "
            f"train on and {len(fold.test.weight)} to validate with. Use fewer or other folds."
        )
    if classes is None:
        return
    missing = np.setdiff1d(classes, fold.train.y)
    if len(missing):
        names = ", ".join(repr(label) for label in missing.tolist()[:5])
        raise ValueError(
            f"Fold {number} of cv has no training rows of class {names}, so its probability "
            "cannot be learnt there. Use fewer folds, stratified folds, or merge rare classes."
        )
