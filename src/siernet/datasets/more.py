"""Four real sets beside the paper's eleven, of many columns or many rows."""

from __future__ import annotations

import io

import numpy as np

from siernet.datasets.files import Folder, Source, read_file
from siernet.datasets.reading import numbers, read_table
from siernet.datasets.sources import ARCENE, BLOGFEEDBACK, COLON, PROSTATE_GE
from siernet.datasets.table import PaperRow, UciDataset, checked

_MATLAB = {"prostate_ge": PROSTATE_GE, "colon": COLON, "arcene": ARCENE}
_TABLE = {
    "prostate_ge": PaperRow(5966, 102, 2, 1 / 3),
    "colon": PaperRow(2000, 62, 2, 1 / 3),
    "arcene": PaperRow(10000, 200, 2, 1 / 3),
    "blogfeedback": PaperRow(280, 52397, None, 1 / 3),
}
MORE_NAMES: tuple[str, ...] = tuple(_TABLE)


def load_more(name: str, data_home: Folder = None) -> UciDataset:
    """Loads one of four real data sets that the paper did not use.

    Parameters
    ----------
    name : {"prostate_ge", "colon", "arcene", "blogfeedback"}
        Gene expression in prostate and in colon tumours; mass spectra of arcene, 3000 of whose
        10,000 features are random probes; comments on blog posts (a regression of 52,397 rows).
    data_home : str or path, default=None
        As for ``load_uci``.

    Returns
    -------
    UciDataset
    """
    if name not in _TABLE:
        raise ValueError(f"No data set is called {name!r}. There are: {', '.join(MORE_NAMES)}.")
    if name == "blogfeedback":
        return checked(_blogfeedback(data_home), _TABLE[name])
    return checked(_matlab(name, _MATLAB[name], data_home), _TABLE[name])


def _matlab(name: str, source: Source, data_home: Folder) -> UciDataset:
    from scipy.io import loadmat

    (file_name,) = source.sha256
    content = loadmat(io.BytesIO(read_file(source, file_name, data_home)))
    X = np.asarray(content["X"], dtype=float)
    labels = np.asarray(content["Y"]).ravel().astype(np.int64)
    return UciDataset(name, X, labels, _numbered(X.shape[1]), "classification")


def _blogfeedback(data_home: Folder) -> UciDataset:
    (file_name,) = BLOGFEEDBACK.sha256
    place = f"{BLOGFEEDBACK.folder}/{file_name}"
    frame = read_table(read_file(BLOGFEEDBACK, file_name, data_home), place, header=None)
    table = numbers(frame, place)
    X, y = table[:, :-1], table[:, -1]
    return UciDataset("blogfeedback", X, y, _numbered(X.shape[1]), "regression")


def _numbered(n_features: int) -> tuple[str, ...]:
    """Names for columns that have none, counted from one."""
    return tuple(f"x{number}" for number in range(1, n_features + 1))
