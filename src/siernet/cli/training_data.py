"""From a table to the prepared rows that a model is trained on and tested with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from siernet.cli.columns import Columns, Wishes, names_in_words, study_columns
from siernet.cli.errors import CommandError, printable
from siernet.cli.matching import matched_rows
from siernet.cli.splitting import held_out_rows
from siernet.cli.tables import Reading, Table, read_table
from siernet.cli.target import Target, known_response, read_target, target_column
from siernet.preparation import as_input, make_preparation, used_columns

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.compose import ColumnTransformer


@dataclass(frozen=True)
class DataRequest:
    """Which table, and what of it is to be learnt."""

    path: Path
    target: str
    task: str | None = None
    wishes: Wishes = field(default_factory=Wishes)
    reading: Reading = field(default_factory=Reading)
    test_size: float | None = None
    test_path: Path | None = None
    seed: int = 0


@dataclass(frozen=True)
class TrainingData:
    """Prepared rows, and how they came about.

    Parameters
    ----------
    table : Table
    target : Target
    columns : Columns
    preparation : ColumnTransformer
        Fitted to the training rows.
    X, y : DataFrame of shape (n, d) and array of shape (n,)
        The training rows, prepared.
    X_test, y_test : DataFrame of shape (m, d) and array of shape (m,)
        Held-out rows; none if there is no test.
    tested_on : str
        Which rows these are, or why there are none.
    notes : tuple of str
    """

    table: Table
    target: Target
    columns: Columns
    preparation: ColumnTransformer
    X: pd.DataFrame
    y: np.ndarray
    X_test: pd.DataFrame
    y_test: np.ndarray
    tested_on: str
    notes: tuple[str, ...]

    @property
    def n_columns(self) -> int:
        """Columns of the table, the target left out."""
        return self.table.frame.shape[1] - 1


def training_data(request: DataRequest) -> TrainingData:
    """Reads and prepares a table.

    Raises
    ------
    CommandError
        If it, or its target, cannot be used.
    """
    table = read_table(request.path, request.reading)
    request.wishes.check(table)
    target = read_target(table, request.target, request.task)
    frame = table.frame.drop(columns=request.target)
    if request.test_path is None:
        train, test, chosen = held_out_rows(target, request.test_size, request.seed)
    else:
        train, test = np.arange(len(target.y)), np.zeros(0, dtype=int)
    places = np.flatnonzero(target.present)
    columns = study_columns(frame, request.wishes, places[train])
    rows = _input_of(frame.iloc[places], columns)
    y_train = target.y[train]
    if target.is_classification and len(np.unique(y_train)) < 2:
        raise CommandError(
            "The rows to learn from are of one class only. Hold out fewer rows with --test-size."
        )
    preparation = _fitted_preparation(columns, rows.iloc[train])
    notes = [*table.notes, *_notes_on_rows(target), *_notes_on_columns(columns)]
    if request.test_path is None:
        X_test, y_test = rows.iloc[test], target.y[test]
        tested_on = f"{len(test)} rows {chosen}" if len(test) else chosen
    else:
        test_table = read_table(request.test_path, request.reading)
        X_test, y_test, more = _separate_test(test_table, target, preparation, np.unique(y_train))
        tested_on = f"{len(y_test)} rows of {printable(request.test_path.name)}"
        notes += more
    return TrainingData(
        table=table,
        target=target,
        columns=columns,
        preparation=preparation,
        X=preparation.transform(rows.iloc[train]),
        y=y_train,
        X_test=preparation.transform(X_test) if len(X_test) else X_test,
        y_test=y_test,
        tested_on=tested_on,
        notes=tuple(notes),
    )


def _input_of(frame: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    return as_input(frame, [*columns.numbers, *columns.flagged], columns.categories)


def _fitted_preparation(columns: Columns, rows: pd.DataFrame) -> ColumnTransformer:
    """With the steps' names before the columns' only where names would be used twice."""
    preparation = make_preparation(
        columns.numbers, columns.flagged, columns.categories, full_names=True
    ).fit(rows)
    names = [name.partition("__")[2] for name in preparation.get_feature_names_out()]
    return preparation.set_params(verbose_feature_names_out=len(set(names)) < len(names))


def _separate_test(
    table: Table, target: Target, preparation: ColumnTransformer, classes: np.ndarray
) -> tuple[pd.DataFrame, np.ndarray, list[str]]:
    """Rows of another file that have a response the model can know."""
    values = target_column(table, target.name)
    numbers, categories = used_columns(preparation)
    rows, _ = matched_rows(table, numbers, categories)
    y = known_response(values, classes if target.is_classification else None)
    usable = y != "" if target.is_classification else ~np.isnan(y)
    if not usable.any():
        raise CommandError(
            f"--test: no row of {table.name} has a '{printable(target.name)}' that the model "
            "can know. Check that its values are as in the training table."
        )
    notes = []
    if not usable.all():
        notes.append(
            f"{int((~usable).sum())} rows of {table.name} without a known target are not tested on"
        )
    y = y[usable]
    if target.is_classification:
        label_of = {str(label): label for label in classes.tolist()}
        y = np.array([label_of[label] for label in y], dtype=classes.dtype)
    return rows[usable], y, notes


def _notes_on_rows(target: Target) -> list[str]:
    dropped = target.n_dropped
    if not dropped:
        return []
    rows = "1 row" if dropped == 1 else f"{dropped} rows"
    return [f"{rows} without a value of '{printable(target.name)}' dropped"]


def _notes_on_columns(columns: Columns) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for name, why in columns.left_out.items():
        if why != "--drop":
            kind = "constant" if why.startswith("constant") else why
            reasons.setdefault(kind, []).append(name)
    notes = []
    for why, names in reasons.items():
        subject = f"'{printable(names[0])}'" if len(names) == 1 else names_in_words(names)
        notes.append(f"left out: {subject}: {why}")
    return notes + columns.notes


def id_columns(left_out: dict[str, str]) -> list[str]:
    """Those columns that were left out as ids."""
    return [name for name, why in left_out.items() if why.startswith(("an id", "named like an id"))]


def sample_of(X: Any, seed: int, *, most_rows: int = 300, most_values: int = 2_000_000) -> Any:
    """Some of the rows, few enough to be stored."""
    n_rows = min(len(X), most_rows, max(20, most_values // max(1, X.shape[1])))
    if n_rows == len(X):
        return X
    return X.iloc[np.sort(np.random.default_rng(seed).permutation(len(X))[:n_rows])]
