"""Splits rows into those to train on and those to test on."""

from __future__ import annotations

import numpy as np

from siernet.cli.errors import CommandError
from siernet.cli.target import Target

_FEWEST_FOR_TEST = 40  # below, a default test set would be too small to say anything
DEFAULT_TEST_SIZE = 0.2


def held_out_rows(
    target: Target, test_size: float | None, seed: int
) -> tuple[np.ndarray, np.ndarray, str]:
    """Training and test rows, as positions, and in words how they were chosen.

    Raises
    ------
    CommandError
        If the rows are not enough for such a split.
    """
    n_rows = len(target.y)
    everything = np.arange(n_rows)
    if test_size == 0 or (test_size is None and n_rows < _FEWEST_FOR_TEST):
        few = "too few rows for a test" if test_size is None else "no test was asked for"
        return everything, everything[:0], few
    size = DEFAULT_TEST_SIZE if test_size is None else test_size
    if not (size < 1 or size % 1 == 0):
        raise CommandError(
            f"--test-size {size:g} is neither a share between 0 and 1 nor a whole number of rows."
        )
    n_test = round(size * n_rows) if size < 1 else int(size)
    if not 1 <= n_test <= n_rows - 3:
        raise CommandError(
            f"--test-size {size:g} holds out {n_test} of {n_rows} rows, which leaves too few to "
            "test or to train on. Pass a share between 0 and 1, or 0 for none."
        )
    rng = np.random.default_rng(seed)
    if target.is_classification:
        held_out = _stratified(target.y, n_test, rng)
    else:
        held_out = rng.permutation(n_rows)[:n_test]
    test = np.sort(held_out)
    return np.setdiff1d(everything, test), test, "held out at random"


def _stratified(y: np.ndarray, n_test: int, rng: np.random.Generator) -> np.ndarray:
    """Rows of each class in proportion; at least one row of each stays for training."""
    order = rng.permutation(len(y))
    codes = np.unique(y, return_inverse=True)[1][order]
    counts = np.bincount(codes)
    # A row's place among those of its class, as a share: the lowest shares of all go to the test.
    rank = np.zeros(len(y))
    for code, count in enumerate(counts):
        places = np.arange(count)
        rank[codes == code] = np.where(places == count - 1, np.inf, (places + 0.5) / count)
    return order[np.argsort(rank, kind="stable")[:n_test]]


def folds(
    y: np.ndarray, n_folds: int, seed: int, *, classes: bool
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Places of each fold's training and test rows, as the search for penalties splits them."""
    from sklearn.model_selection import KFold

    from siernet.tuning.folds import stratified_splits

    if classes:
        return stratified_splits(np.unique(y, return_inverse=True)[1], n_folds, seed)
    return list(KFold(n_folds, shuffle=True, random_state=seed).split(y))
