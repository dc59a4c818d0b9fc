"""Rows of a table for a report: to average over and, where the target is known, to test on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from siernet.cli.target import known_response

if TYPE_CHECKING:
    import pandas as pd

    from siernet.cli.model_files import ModelFile
    from siernet.cli.tables import Table


def report_rows(
    model: ModelFile, table: Table
) -> tuple[pd.DataFrame, np.ndarray | None, list[str]]:
    """Rows as the model takes them, their response if it is known, and notes."""
    rows, notes = model.rows_of(table)
    record = model.record
    if record is None or record.target not in table.frame.columns:
        return rows, None, notes
    if table.path.name == record.source:
        notes.append(
            f"{table.name} is what the model was fitted to: its rows are averaged over, but not "
            "tested on"
        )
        return rows, None, notes
    y = known_response(table.frame[record.target], model.classes)
    known = y != "" if model.classes is not None else ~np.isnan(y)
    if not known.any():
        notes.append("no row has a target that the model knows, so there is no new test")
        return rows, None, notes
    if not known.all():
        notes.append(f"{int((~known).sum())} rows without a known target are not used")
    y = y[known]
    if model.classes is not None:
        label_of = {str(label): label for label in model.classes.tolist()}
        y = np.array([label_of[label] for label in y], dtype=model.classes.dtype)
    return rows[known], y, notes
