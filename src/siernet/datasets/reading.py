"""The content of data files as tables of numbers."""

from __future__ import annotations

import io
from typing import Any

import numpy as np


def read_table(content: bytes, place: str, **options: Any) -> Any:
    """A pandas DataFrame of delimited text; ``?`` and empty cells are missing.

    Parameters
    ----------
    content : bytes
    place : str
        What to call the file in an error.
    **options
        As for ``pandas.read_csv``.
    """
    pandas = import_pandas()
    try:
        return pandas.read_csv(io.BytesIO(content), na_values="?", **options)
    except (pandas.errors.ParserError, pandas.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{place} cannot be read as a table ({error}). Get the file again; docs/data.md says "
            "what it has to be."
        ) from error


def numbers(frame: Any, place: str) -> np.ndarray:
    """The cells of a DataFrame as floats, missing ones as NaN."""
    pandas = import_pandas()
    for column in frame.columns:
        if not pandas.api.types.is_numeric_dtype(frame[column]):
            cells = frame[column]
            bad = cells[pandas.to_numeric(cells, errors="coerce").isna() & cells.notna()]
            if len(bad):
                raise ValueError(
                    f"{place} has {bad.iloc[0]!r} in column {column!r}, data row {bad.index[0]}, "
                    "where a number is documented. Get the file again; docs/data.md says what it "
                    "has to be."
                )
    return frame.to_numpy(dtype=float, na_value=np.nan)


def import_pandas() -> Any:
    """The module, or an error that names the extra."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "Reading data sets needs pandas. Install it with: pip install 'siernet[data]'"
        ) from error
    return pandas
