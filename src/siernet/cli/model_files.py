"""A model file opened for use on tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import siernet
from siernet.cli.errors import CommandError, for_user, os_error_line, printable
from siernet.cli.matching import matched_rows
from siernet.cli.training_data import id_columns
from siernet.fit_record import FitRecord
from siernet.preparation import used_columns

if TYPE_CHECKING:
    import pandas as pd

    from siernet.cli.tables import Table


@dataclass(frozen=True)
class ModelFile:
    """A model with what is known of its fit.

    Parameters
    ----------
    path : Path
    model : estimator or Pipeline
        As ``siernet.load`` gives it.
    """

    path: Path
    model: Any

    @property
    def estimator(self) -> Any:
        """The estimator itself."""
        return self.model[-1] if self._is_pipeline else self.model

    @property
    def record(self) -> FitRecord | None:
        """Facts of the fit; None for a model that was saved from Python."""
        return getattr(self.model, "fit_record_", None)

    @property
    def classes(self) -> np.ndarray | None:
        """Class labels; None for a regression."""
        return getattr(self.estimator, "classes_", None)

    @property
    def id_columns(self) -> list[str]:
        """Columns that the fit left out as ids."""
        return [] if self.record is None else id_columns(self.record.left_out)

    @property
    def _is_pipeline(self) -> bool:
        return hasattr(self.model, "named_steps")

    def rows_of(self, table: Table) -> tuple[pd.DataFrame, list[str]]:
        """A table's rows as the model takes them, and notes on what is unlike the training rows.

        Raises
        ------
        CommandError
            If the table lacks columns, or holds what the model cannot take.
        """
        known: list[str] = []
        if self.record is not None:
            known = [self.record.target, *self.record.left_out]
        if self._is_pipeline:
            return matched_rows(table, *used_columns(self.model[1]), known=known)
        names = getattr(self.estimator, "feature_names_in_", None)
        if names is not None:
            rows, notes = matched_rows(table, [str(name) for name in names], {}, known=known)
        else:
            rows, notes = self._rows_by_place(table)
        gaps = rows.columns[rows.isna().any()]
        if len(gaps):
            raise CommandError(
                f"{table.name} has missing values in {len(gaps)} columns, the first of them "
                f"'{printable(gaps[0])}', and this model has no rule to fill them. Fill them first."
            )
        return rows, notes

    def members_predictions(self, rows: pd.DataFrame) -> np.ndarray:
        """Predictions of each network for rows that ``rows_of`` gave."""
        if self._is_pipeline:
            return np.asarray(self.estimator.predict_members(self.model[:-1].transform(rows)))
        nameless = not hasattr(self.estimator, "feature_names_in_")
        return np.asarray(self.estimator.predict_members(rows.to_numpy() if nameless else rows))

    def _rows_by_place(self, table: Table) -> tuple[pd.DataFrame, list[str]]:
        """The model was fitted to an array, so that columns have places and no names."""
        names = list(table.frame.columns)
        wanted = self.estimator.n_features_in_
        if len(names) != wanted:
            raise CommandError(
                f"{table.name} has {len(names)} columns, but the model takes {wanted}. It was "
                "fitted without names: pass exactly its columns, in their order."
            )
        rows, _ = matched_rows(table, names, {})
        return rows, ["the model was fitted without column names: columns are taken in their order"]


def open_model(path: Path) -> ModelFile:
    """Reads a model file.

    Raises
    ------
    CommandError
        If there is none, or it cannot be used.
    """
    try:
        with for_user():
            return ModelFile(path, siernet.load(path))
    except OSError as error:
        raise CommandError(os_error_line(error, path)) from error
