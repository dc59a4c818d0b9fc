"""The column to predict: which task it makes, and whether it can be predicted at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from siernet.cli.columns import check_no_stray_text
from siernet.cli.errors import CommandError, nearest, printable

if TYPE_CHECKING:
    import pandas as pd

    from siernet.cli.tables import Table

REGRESSION, CLASSIFICATION = "regression", "classification"
_MOST_NUMERIC_CLASSES = 10
_ROWS_A_CLASS = 3


@dataclass(frozen=True)
class Target:
    """The response of the rows that have one.

    Parameters
    ----------
    name : str
    task : str
    why : str
        Why the task is this one.
    y : (n,) array
        Floats, or class labels: whole numbers or texts.
    present : (rows,) bool array
        Which of the table's rows these are.
    """

    name: str
    task: str
    why: str
    y: np.ndarray
    present: np.ndarray

    @property
    def n_dropped(self) -> int:
        """Rows without a target."""
        return int((~self.present).sum())

    @property
    def is_classification(self) -> bool:
        return self.task == CLASSIFICATION

    @property
    def class_counts(self) -> dict[str, int]:
        """Rows of each class; empty for a regression."""
        return class_counts(self.y) if self.is_classification else {}


def class_counts(y: np.ndarray) -> dict[str, int]:
    """Rows of each class, by its label as text."""
    labels, counts = np.unique(y, return_counts=True)
    return dict(zip(map(str, labels.tolist()), counts.tolist(), strict=True))


def read_target(table: Table, name: str, task: str | None) -> Target:
    """The target of a table, its task guessed where it is not given.

    Raises
    ------
    CommandError
        If there is no such column, or it cannot be predicted.
    """
    values = target_column(table, name)
    present = values.notna().to_numpy()
    values = values[present]
    if values.empty:
        raise CommandError(
            f"Target '{printable(name)}' is missing in every row of {table.name}. Is it the right "
            "column?"
        )
    guess, why = _guess(values, name)
    why = "as asked by --task" if task else why
    task = task or guess
    shown = f"Target '{printable(name)}'"
    if task == REGRESSION:
        y = _numbers(values, shown)
        _check_numbers(y, shown)
    else:
        y = labels_of(values)
        _check_classes(y, shown)
    return Target(name, task, why, y, present)


def target_column(table: Table, name: str) -> pd.Series:
    """The column, or an error that names the nearest ones."""
    if name not in table.frame.columns:
        raise CommandError(
            f"{table.name} has no column '{printable(name)}' to predict. "
            + nearest(name, list(table.frame.columns))
        )
    return table.frame[name]


def labels_of(values: pd.Series) -> np.ndarray:
    """Class labels: whole numbers where all are, else texts."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype):
        numbers = values.to_numpy(dtype=np.float64)
        if np.isfinite(numbers).all() and (numbers == np.round(numbers)).all():
            return numbers.astype(np.int64)
    return np.array([str(value) for value in values.tolist()])


def known_response(values: pd.Series, classes: np.ndarray | None) -> np.ndarray:
    """The response in a table to be tested on, as a fitted model knows it; NaN or '' if missing."""
    import pandas as pd

    if classes is None:
        numbers = pd.to_numeric(values, errors="coerce")
        return np.asarray(numbers.to_numpy(dtype=np.float64, na_value=np.nan))
    known = {str(label) for label in classes.tolist()}
    labels = np.full(len(values), "", dtype=object)
    present = values.notna().to_numpy()
    if present.any():
        labels[present] = [str(label) for label in labels_of(values[present]).tolist()]
    return np.array([label if label in known else "" for label in labels], dtype=object)


def _guess(values: pd.Series, name: str) -> tuple[str, str]:
    import pandas as pd

    if not pd.api.types.is_numeric_dtype(values.dtype):
        check_no_stray_text(values, name, "Target")
        numbers = pd.to_numeric(values.astype(object).map(str), errors="coerce")
        if numbers.notna().all():
            values = numbers
        else:
            return CLASSIFICATION, "guessed: the target holds texts"
    if pd.api.types.is_bool_dtype(values.dtype):
        return CLASSIFICATION, "guessed: the target is true or false"
    n_values = values.nunique()
    numbers = values.to_numpy(dtype=np.float64)
    if n_values <= 2:
        return CLASSIFICATION, "guessed: the target has two values"
    if (numbers == np.round(numbers)).all() and n_values <= _MOST_NUMERIC_CLASSES:
        return (
            CLASSIFICATION,
            f"guessed: {n_values} whole numbers; or --task regression",
        )
    return REGRESSION, "guessed: the target holds many different numbers"


def _numbers(values: pd.Series, shown: str) -> np.ndarray:
    import pandas as pd

    name = shown.removeprefix("Target '").removesuffix("'")
    if not pd.api.types.is_numeric_dtype(values.dtype):
        check_no_stray_text(values, name, "Target", needed=True)
        values = pd.to_numeric(values.astype(object).map(str))
    return np.asarray(values.to_numpy(dtype=np.float64))


def _check_numbers(y: np.ndarray, shown: str) -> None:
    if np.isinf(y).any():
        raise CommandError(
            f"{shown} is infinite in {int(np.isinf(y).sum())} rows. Correct or remove these rows."
        )
    if (y == y[0]).all():
        raise CommandError(
            f"{shown} has the value {y[0]:g} in every row: there is nothing to predict."
        )
    whole = (y == np.round(y)).all()
    if whole and len(np.unique(y)) == len(y) > 2 and np.ptp(y) == len(y) - 1:
        raise CommandError(
            f"{shown} is an id: it counts the rows from {y.min():g} to {y.max():g}. Choose the "
            "column to predict with --target."
        )


def _check_classes(y: np.ndarray, shown: str) -> None:
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) == 1:
        raise CommandError(
            f"{shown} has one class only, '{printable(labels[0])}': there is nothing to tell "
            "apart. Add rows of another class."
        )
    if len(labels) == len(y) > 2:
        numbers = " Its values are numbers: --task regression?" if y.dtype.kind in "if" else ""
        raise CommandError(
            f"{shown} is an id: each of its {len(y)} rows has its own value. Choose the column to "
            f"predict with --target.{numbers}"
        )
    if len(labels) * _ROWS_A_CLASS > len(y) and len(labels) > 2:
        raise CommandError(
            f"{shown} has {len(labels)} classes in {len(y)} rows, more than can be learnt: it "
            f"takes {_ROWS_A_CLASS} rows a class or more. Merge rare classes, add rows, or use "
            "--task regression for numbers."
        )
    if np.sort(counts)[-2] < 2:
        raise CommandError(
            f"{shown} has only one class of more than one row. Add rows of the other classes."
        )
