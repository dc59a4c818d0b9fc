"""Predictions as a table, and that table written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from siernet.cli.errors import CommandError, for_user, os_error_line
from siernet.cli.json_output import json_text
from siernet.files import whole_file

if TYPE_CHECKING:
    import pandas as pd

    from siernet.cli.model_files import ModelFile
    from siernet.cli.tables import Table


def predictions(model: ModelFile, table: Table) -> tuple[pd.DataFrame, list[str]]:
    """A row for each of the table's, and notes.

    Columns: the ids that the fit noticed; ``prediction``; for classes the ``probability_`` of
    each; and ``spread``, the standard deviation over the networks of the prediction or of the
    predicted class's probability.
    """
    import pandas as pd

    rows, notes = model.rows_of(table)
    with for_user():
        members = model.members_predictions(rows)
    columns: dict[str, Any] = {}
    if model.classes is None:
        columns["prediction"] = members.mean(axis=0)
        columns["spread"] = _spread(members)
    else:
        probability = members.mean(axis=0)
        guess = probability.argmax(axis=1)
        columns["prediction"] = model.classes[guess]
        for place, label in enumerate(model.classes.tolist()):
            columns[f"probability_{label}"] = probability[:, place]
        columns["spread"] = _spread(members[:, np.arange(len(guess)), guess])
    ids = {
        f"{name} (id)" if name in columns else name: table.frame[name].to_numpy()
        for name in model.id_columns
        if name in table.frame.columns
    }
    return pd.DataFrame({**ids, **columns}), notes


def write_predictions(
    frame: pd.DataFrame, model: ModelFile, *, out: Path | None, as_json: bool
) -> None:
    """Writes CSV or JSON to a file, whole or not at all, or to standard output."""
    if as_json:
        content = {
            "model": model.path,
            "task": "regression" if model.classes is None else "classification",
            "rows": len(frame),
            "columns": list(frame.columns),
            "predictions": [
                dict(zip(frame.columns, row, strict=True))
                for row in frame.itertuples(index=False, name=None)
            ],
        }
        text = json_text(content)
    else:
        text = frame.to_csv(index=False, lineterminator="\n")
    if out is None:
        _write_to_stdout(text)
        return
    try:
        with whole_file(out) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        raise CommandError(os_error_line(error, out)) from error


def _write_to_stdout(text: str) -> None:
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError as error:
        raise CommandError(
            f"Standard output has the encoding {error.encoding}, which lacks "
            f"{text[error.start : error.start + 1]!a}. Pass --out FILE, which is written as UTF-8."
        ) from error


def _spread(members: np.ndarray) -> np.ndarray:
    if len(members) == 1:
        return np.zeros(members.shape[1])
    return members.std(axis=0, ddof=1)
