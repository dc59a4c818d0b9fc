"""What each column of a table is: numbers, categories, or something to leave out and say why."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from siernet.cli.errors import CommandError, named, nearest, printable

if TYPE_CHECKING:
    import pandas as pd

    from siernet.cli.tables import Table

_MOST_CATEGORIES = 20  # of one column; rarer ones count as none of these
_FLAGGED_SHARE = 0.05  # missing values of a column above which being missing may matter
_ID_NAME = re.compile(r"(?i:^id$|[_\s.-]id$|^id[_\s.-]|^uuid$|^guid$|^row[_\s]?name$)|[a-z]I[dD]$")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d.*)?")


@dataclass
class Columns:
    """The columns of a table by what they are, in the table's order.

    ``categories`` holds each one's known values, NaN last where a value is missing.
    """

    numbers: list[str] = field(default_factory=list)
    flagged: list[str] = field(default_factory=list)
    categories: dict[str, np.ndarray] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Wishes:
    """Columns that the user decided on."""

    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()

    def check(self, table: Table) -> None:
        """Refuses names that the table does not have."""
        for option in ("drop", "keep", "categorical"):
            for name in getattr(self, option):
                if name not in table.frame.columns:
                    raise CommandError(
                        f"--{option}: {table.name} has no column '{printable(name)}'. "
                        + nearest(name, list(table.frame.columns))
                    )


def study_columns(frame: pd.DataFrame, wishes: Wishes, train: np.ndarray) -> Columns:
    """Sorts the columns of a table, the target not among them.

    Ids and faults are looked for in all rows; what the values are is learnt from the training
    rows alone.

    Parameters
    ----------
    frame : DataFrame
        All rows, those without a target too.
    wishes : Wishes
    train : int array
        Places of the rows to be trained on.

    Raises
    ------
    CommandError
        If a column cannot be used as it is, or none can.
    """
    columns = Columns()
    columns.left_out.update({name: "--drop" for name in wishes.drop if name in frame.columns})
    numeric, others = _by_type(frame, wishes, columns)
    _study_numbers(frame, numeric, wishes, columns, train)
    for name in others:
        _study_texts(frame[name], name, wishes, columns, train)
    order = {name: place for place, name in enumerate(frame.columns)}
    columns.left_out = dict(sorted(columns.left_out.items(), key=lambda item: order[item[0]]))
    if not (columns.numbers or columns.flagged or columns.categories):
        if not columns.left_out:
            raise CommandError("There is no column to predict from, only the target. Add columns.")
        raise CommandError(
            "No column is left to predict from: "
            + "; ".join(f"{printable(k)}: {why}" for k, why in list(columns.left_out.items())[:3])
            + ". --keep COLUMN uses a column nevertheless."
        )
    return columns


def _by_type(frame: pd.DataFrame, wishes: Wishes, columns: Columns) -> tuple[list[str], list[str]]:
    """Columns of numbers, and those of texts; others are left out."""
    import pandas as pd

    numeric, others = [], []
    kinds = {dtype: _kind(dtype) for dtype in set(frame.dtypes)}
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        kind = kinds[dtype]
        if name in columns.left_out:
            continue
        if kind == "object" and pd.api.types.infer_dtype(frame[name], skipna=True) == "boolean":
            kind = "number"
        if kind == "time":
            columns.left_out[name] = _DATES
        elif kind == "number" and name not in wishes.categorical:
            numeric.append(name)
        else:
            others.append(name)
    return numeric, others


_DATES = "holds dates; to use them add a column of numbers, such as days since an event"


def _kind(dtype: object) -> str:
    import pandas as pd

    types = pd.api.types
    if types.is_datetime64_any_dtype(dtype) or types.is_timedelta64_dtype(dtype):
        return "time"
    if types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype):
        return "number"
    return "object" if types.is_object_dtype(dtype) else "text"


# -- numbers -----------------------------------------------------------------------------------


def _study_numbers(
    frame: pd.DataFrame, names: list[str], wishes: Wishes, columns: Columns, train: np.ndarray
) -> None:
    if not names:
        return
    values = frame[names].to_numpy(dtype=np.float64, na_value=np.nan)
    _refuse(names, np.isnan(values).all(axis=0), _ALL_MISSING)
    _refuse(names, np.isinf(values).any(axis=0), _INFINITE)
    learnt = values[train]
    share = np.isnan(learnt).mean(axis=0)
    n_gaps = 0
    for place, name in enumerate(names):
        present = learnt[~np.isnan(learnt[:, place]), place]
        why = ""
        if not len(present):
            why = _NO_VALUE
        elif present.min() == present.max():
            why = f"constant ({present[0]:g})"
        elif name not in wishes.keep:
            why = _id_reason(name, values[:, place])
        if why:
            columns.left_out[name] = why
        else:
            n_gaps += len(train) - len(present)
            (columns.flagged if share[place] >= _FLAGGED_SHARE else columns.numbers).append(name)
    if n_gaps:
        _note_gaps(n_gaps, len(columns.flagged), columns)


def _note_gaps(n_gaps: int, n_flagged: int, columns: Columns) -> None:
    flagged = f"; for {_columns(n_flagged)} an extra column says where" if n_flagged else ""
    numbers = "1 missing number is" if n_gaps == 1 else f"{n_gaps} missing numbers are"
    columns.notes.append(f"{numbers} replaced by the column's median{flagged}")


_NO_VALUE = "no value in the rows to learn from"
_ALL_MISSING = (
    "{} no value in any row. Remove it from the table, or leave it out with --drop COLUMN."
)
_INFINITE = "{} infinity among its values. Correct them, or leave it out with --drop COLUMN."


def _refuse(names: list[str], bad: np.ndarray, problem: str) -> None:
    if bad.any():
        wrong = [names[place] for place in np.flatnonzero(bad)]
        if len(wrong) == 1:
            subject = f"Column '{printable(wrong[0])}' has"
        else:
            subject = f"Each of the columns {named(wrong)} has"
        raise CommandError(problem.format(subject))


def _id_reason(name: str, values: np.ndarray) -> str:
    """Why a column of numbers, of all rows, is taken for an id, or an empty text."""
    if np.isnan(values).any() or (values != np.round(values)).any():
        return ""
    low, spread = values.min(), np.ptp(values)
    counts = low in (0, 1) and spread == len(values) - 1
    if counts and len(np.unique(values)) == len(values):
        return "an id: it counts the rows"
    return "named like an id" if _ID_NAME.search(name) else ""


# -- texts -------------------------------------------------------------------------------------


def _study_texts(
    values: pd.Series, name: str, wishes: Wishes, columns: Columns, train: np.ndarray
) -> None:
    from siernet.preparation import as_labels

    numeric = _kind(values.dtype) == "number"
    try:
        labels = as_labels(values, numeric)
        everywhere = labels.value_counts()
    except TypeError:
        columns.left_out[name] = "holds neither numbers nor texts"
        return
    if everywhere.empty:
        _refuse([name], np.array([True]), _ALL_MISSING)
    chosen = name in wishes.categorical
    if not chosen:
        check_no_stray_text(values, name, "Column")
    learnt = labels.iloc[train]
    counts = learnt.value_counts()
    why = "" if chosen else _reason_against(name, everywhere, name in wishes.keep)
    if counts.empty:
        why = _NO_VALUE
    elif len(counts) == 1 and not learnt.isna().any():
        why = f"constant ('{printable(counts.index[0])}')"
    if why:
        columns.left_out[name] = why
        return
    if len(counts) > _MOST_CATEGORIES:
        columns.notes.append(
            f"'{printable(name)}' has {len(counts)} different texts: the {_MOST_CATEGORIES} most "
            "frequent are used, the others count as none of them"
        )
        counts = counts.iloc[:_MOST_CATEGORIES]
    known = np.sort(np.array(counts.index.tolist(), dtype=np.float64 if numeric else object))
    columns.categories[name] = np.append(known, np.nan) if learnt.isna().any() else known


def _reason_against(name: str, counts: pd.Series, keep: bool) -> str:
    """Why a column of texts is left out, or an empty text."""
    if all(_DATE.fullmatch(text.strip()) for text in counts.index):
        return _DATES
    if keep:
        return ""
    if len(counts) == counts.sum() and len(counts) > 2:
        return "an id: every row has its own text"
    if len(counts) > max(_MOST_CATEGORIES, counts.sum() / 2):
        return f"{len(counts)} different texts in {counts.sum()} rows are too many for categories"
    return "named like an id" if _ID_NAME.search(name) else ""


def check_no_stray_text(values: pd.Series, name: str, what: str, *, needed: bool = False) -> None:
    """Refuses a column that is numbers but for a few texts, or where numbers are ``needed``."""
    import pandas as pd

    present = values[values.notna()]
    numbers = pd.to_numeric(present.astype(object).map(str), errors="coerce")
    stray = numbers.isna()
    distinct = present.astype(object).map(str)
    share = distinct[~stray].nunique() / max(1, distinct.nunique())
    if not stray.any() or (share <= 0.5 and not needed):
        return
    texts: Collection[str] = distinct[stray].unique()
    row = int(np.flatnonzero(values.notna())[np.flatnonzero(stray)[0]]) + 1
    way_out = (
        "Correct them, or mark them as missing with --missing TEXT."
        if what != "Column"
        else "Correct them, mark them as missing with --missing TEXT, or use the column as "
        "categories with --categorical COLUMN."
    )
    raise CommandError(
        f"{what} '{printable(name)}' has to hold numbers, but {int(stray.sum())} of its "
        f"{len(present)} values are texts: {named(texts, 3)}, first in row {row}. {way_out}"
    )


def names_in_words(names: Collection[str]) -> str:
    """How many columns, and the first of them."""
    return f"{_columns(len(names))} ({named(names, 3)})"


def _columns(count: int) -> str:
    return f"{count} column{'' if count == 1 else 's'}"
