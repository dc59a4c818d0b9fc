"""Finds the columns that a model takes in another table, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from siernet.cli.columns import check_no_stray_text
from siernet.cli.errors import CommandError, named, nearest, printable
from siernet.preparation import as_input, as_labels

if TYPE_CHECKING:
    import pandas as pd

    from siernet.cli.tables import Table


def matched_rows(
    table: Table,
    numbers: Sequence[str],
    categories: dict[str, np.ndarray],
    *,
    known: Sequence[str] = (),
) -> tuple[pd.DataFrame, list[str]]:
    """The columns a model takes, and notes on what is unlike the rows it was trained on.

    Parameters
    ----------
    table : Table
    numbers, categories
        As ``siernet.preparation.used_columns`` gives them.
    known : sequence of str
        Further columns that are no surprise, such as the target.

    Raises
    ------
    CommandError
        If columns are missing, or hold texts where numbers are needed.
    """
    frame = table.frame
    wanted = [*numbers, *categories]
    missing = [name for name in wanted if name not in frame.columns]
    if missing:
        columns = "1 column" if len(missing) == 1 else f"{len(missing)} columns"
        raise CommandError(
            f"{table.name} lacks {columns} that the model needs: {named(missing)}. "
            + nearest(missing[0], list(frame.columns))
        )
    for name in numbers:
        _check_numbers(frame[name], name)
    notes = _notes_on_extra(frame, {*wanted, *known})
    for name, values in categories.items():
        notes += _notes_on_categories(frame[name], name, values)
    return as_input(frame, numbers, categories), notes


def _check_numbers(values: pd.Series, name: str) -> None:
    import pandas as pd

    if not pd.api.types.is_numeric_dtype(values.dtype):
        check_no_stray_text(values, name, "Column", needed=True)


def _notes_on_extra(frame: pd.DataFrame, known: set[str]) -> list[str]:
    extra = [name for name in frame.columns if name not in known]
    if not extra:
        return []
    columns = "1 column is" if len(extra) == 1 else f"{len(extra)} columns are"
    return [f"{columns} not part of the model and not used: {named(extra)}"]


def _notes_on_categories(values: pd.Series, name: str, known: np.ndarray) -> list[str]:
    try:
        labels = as_labels(values, known.dtype.kind == "f").dropna()
    except ValueError:
        raise CommandError(
            f"Column '{printable(name)}' holds categories that are numbers, but here texts. "
            "Correct them."
        ) from None
    unknown = [label for label in labels.unique().tolist() if label not in set(known.tolist())]
    if not unknown:
        return []
    return [f"'{printable(name)}' has values that the fit did not see, used as none: "
            f"{named(unknown)}"]  # fmt: skip
