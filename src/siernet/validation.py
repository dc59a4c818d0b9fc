"""Checks of what users pass in, each with a message that says what to do."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

_SHOWN_COLUMNS = 5
_UNITS = {"": 1, "b": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40}


def column_names(X: Any, n_columns: int) -> list[str]:
    """Names of a table's columns, or their numbers."""
    names = getattr(X, "columns", None)
    if names is not None and len(names) == n_columns:
        return [repr(name) for name in names]
    return [str(number) for number in range(n_columns)]


def check_finite(X: np.ndarray, names: list[str], estimator: str) -> None:
    """Refuses NaN and infinity, naming the columns and the way out."""
    finite = np.isfinite(X)
    if finite.all():
        return
    columns = np.flatnonzero(~finite.all(axis=0))
    listed = ", ".join(names[column] for column in columns[:_SHOWN_COLUMNS])
    if len(columns) > _SHOWN_COLUMNS:
        listed += f" and {len(columns) - _SHOWN_COLUMNS} more"
    where = f"{'column' if len(columns) == 1 else 'columns'} {listed}"
    if np.isnan(X).any():
        raise ValueError(
            f"Input X contains NaN, in {where}. {estimator} does not accept missing values "
            "encoded as NaN natively. Impute them first, inside a pipeline so that nothing leaks: "
            f"make_pipeline(SimpleImputer(strategy='median'), {estimator}())."
        )
    raise ValueError(
        f"Input X contains infinity or a value too large for {X.dtype!r}, in {where}. "
        "Replace such values, or take logarithms of the column, before fitting."
    )


def check_finite_target(y: Any) -> None:
    """Refuses a target with NaN or infinity."""
    y = np.asarray(y)
    if y.dtype.kind in "fc" and not np.isfinite(y).all():
        kind = "NaN" if np.isnan(y).any() else "infinity"
        rows = np.flatnonzero(~np.isfinite(y))
        raise ValueError(
            f"Input y contains {kind}, in {len(rows)} of {len(y)} rows (the first is row "
            f"{rows[0]}). Drop the rows without a usable target."
        )


def check_enough_rows(n_rows: int, n_batches: int, estimator: str) -> None:
    """Refuses fewer distinct rows than mini-batches."""
    if n_rows < max(2, n_batches):
        rows = "1 sample" if n_rows == 1 else f"{n_rows} distinct samples of positive weight"
        raise ValueError(
            f"{estimator} got {rows}, fewer than its n_batches={n_batches} mini-batches need: one "
            "row each, and two in all. Pass more rows, or lower n_batches."
        )


def check_classes(classes: np.ndarray, estimator: str) -> None:
    """Refuses fewer than two classes."""
    if len(classes) < 2:
        raise ValueError(
            f"{estimator} needs samples of at least 2 classes in y, but the data have only one "
            f"class: {classes.tolist()[0]!r}. (Rows of zero sample_weight do not count.)"
        )


def warn_of_single_rows(classes: np.ndarray, counts: np.ndarray) -> None:
    """Mentions classes that a single row stands for."""
    single = [repr(label) for label in classes[counts == 1].tolist()]
    if single:
        listed = ", ".join(single[:_SHOWN_COLUMNS])
        have = "Class {} has" if len(single) == 1 else "Classes {} have"
        warnings.warn(
            f"{have.format(listed)} one row only: what is learnt of it cannot be checked. Collect "
            "more rows, or merge rare classes.",
            UserWarning,
            stacklevel=5,
        )


def memory_bytes(max_memory: str | int | float) -> int | None:
    """Bytes that ``max_memory`` means; None for ``"auto"``."""
    if not isinstance(max_memory, str):
        return int(max_memory)
    if max_memory == "auto":
        return None
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([a-z]*)\s*", max_memory.lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError(
            f"max_memory={max_memory!r} is not understood. Use 'auto', a number of bytes, or a "
            "size such as '2GB' or '500MB'."
        )
    return int(float(match[1]) * _UNITS[match[2]])
