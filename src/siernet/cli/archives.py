"""Reads a table from NumPy's .npz archive."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from siernet.cli.errors import CommandError, named, printable
from siernet.cli.tables import unreadable

if TYPE_CHECKING:
    import pandas as pd

_NAMES = ("feature_names", "columns", "names")


def read_archive(path: Path) -> pd.DataFrame:
    """A table of an archive's arrays.

    An array of one dimension is a column under its own name; one of two dimensions gives a column
    for each of its own, named by an array ``feature_names`` (or ``columns``, ``names``) if there
    is one of that length, else by its name and a number.
    """
    arrays = _arrays(path)
    names = next((arrays.pop(key) for key in _NAMES if key in arrays), None)
    tables = {name: array for name, array in arrays.items() if array.ndim in (1, 2)}
    if not tables:
        raise CommandError(
            f"{printable(path)} holds no array of one or two dimensions: it has {named(arrays)}. "
            "Save a matrix X (rows, columns) and a target y (rows,)."
        )
    lengths = {name: len(array) for name, array in tables.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{printable(name)}: {length}" for name, length in lengths.items())
        raise CommandError(
            f"The arrays of {printable(path)} differ in their number of rows ({listed}). Save "
            "arrays of one length."
        )
    return _joined(tables, names)


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            if not hasattr(archive, "files"):
                raise CommandError(f"{printable(path)} is not an .npz archive. Use numpy.savez.")
            return {name: archive[name] for name in archive.files}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise unreadable(path, "NumPy .npz", error) from error


def _joined(tables: dict[str, np.ndarray], names: np.ndarray | None) -> pd.DataFrame:
    import pandas as pd

    parts = []
    for name, array in tables.items():
        if array.ndim == 1:
            part = pd.DataFrame({name: array})
        elif names is not None and len(names) == array.shape[1]:
            part = pd.DataFrame(array, columns=[str(label) for label in names.tolist()])
        else:
            part = pd.DataFrame(array, columns=[f"{name}{i}" for i in range(array.shape[1])])
        parts.append(part)
    return pd.concat(parts, axis=1)
