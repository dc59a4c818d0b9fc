"""The paper's eleven UCI data sets, whole: every row, every feature, missing values as NaN."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from siernet.datasets import column_names, sources
from siernet.datasets.files import Folder, Source, is_there, read_file
from siernet.datasets.reading import import_pandas, numbers, read_table
from siernet.datasets.table import UCI_NAMES, UCI_TABLE, PaperRow, Rows, UciDataset, checked

_WINE_SHAPES = {
    "white": UCI_TABLE["wine"],
    "red": UCI_TABLE["wine"]._replace(n_samples=1599),
}
_IRAN_TARGETS = {"construction_cost": "V-10", "sales_price": "V-9"}


def load_uci(name: str, data_home: Folder = None, **variant: Any) -> UciDataset:
    """Loads one of the paper's eleven data sets.

    Parameters
    ----------
    name : str
        One of ``UCI_NAMES``.
    data_home : str or path, default=None
        A folder that holds the files (``docs/data.md`` lists them), gzipped or not. By default the
        folder that the environment variable ``SIERNET_DATA`` names; without one, the file is
        downloaded once from its public origin into the user's cache.
    **variant
        What the set's own loader takes: ``colour`` of wine, ``target`` of iran_house, ...

    Returns
    -------
    UciDataset
    """
    if name not in UCI_NAMES:
        raise ValueError(f"No data set is called {name!r}. There are: {', '.join(UCI_NAMES)}.")
    return _LOADERS[name](data_home, **variant)


def load_soybean(data_home: Folder = None) -> UciDataset:
    """Diseases of soybeans: 35 features, all codes, six of which have an order."""
    (name,) = sources.SOYBEAN.sha256
    columns = ("disease", *column_names.SOYBEAN)
    frame = _headless(sources.SOYBEAN, name, columns, data_home)
    nominal = set(column_names.SOYBEAN) - column_names.SOYBEAN_ORDERED
    return _classification("soybean", frame, _labels(frame.pop("disease")), nominal)


def load_arrhythmia(data_home: Folder = None) -> UciDataset:
    """Kinds of cardiac arrhythmia, by 279 features of patients and their electrocardiograms.

    Of the 16 documented classes 13 have members; labels are UCI's codes.
    """
    (name,) = sources.ARRHYTHMIA.sha256
    columns = (*column_names.ARRHYTHMIA, "class")
    frame = _headless(sources.ARRHYTHMIA, name, columns, data_home)
    labels = _labels(frame.pop("class"))
    return _classification("arrhythmia", frame, labels, column_names.ARRHYTHMIA_NOMINAL)


def load_gene_cancer_c(data_home: Folder = None) -> UciDataset:
    """Types of cancer, by the expression of 20,531 genes."""
    frame = _genes(data_home)
    place = "gene_cancer/labels.csv"
    labels = read_table(read_file(sources.GENE_CANCER, "labels.csv", data_home), place, index_col=0)
    if not frame.index.equals(labels.index):
        raise ValueError(
            "The samples of gene_cancer/data.csv and gene_cancer/labels.csv are not the same, or "
            "not in the same order. Get both files again, from one archive."
        )
    return _classification("gene_cancer_c", frame, _labels(_take(labels, "Class", place)))


def load_gene_cancer_r(data_home: Folder = None) -> UciDataset:
    """The expression of the first gene, by that of the 20,530 others."""
    frame = _genes(data_home)
    return _regression("gene_cancer_r", frame, frame.pop(frame.columns[0]))


def load_hill_valley(data_home: Folder = None) -> UciDataset:
    """Hills (1) and valleys (0) in curves of 100 points, with noise.

    The table is UCI's training file; its test file is in ``published_test``.
    """
    training, testing = (
        _classification("hill_valley", frame, _labels(_take(frame, "class", "hill_valley")))
        for frame in (
            _with_header(sources.HILL_VALLEY, f"Hill_Valley_with_noise_{part}.data", data_home)
            for part in ("Training", "Testing")
        )
    )
    return replace(training, published_test=Rows(testing.X, testing.y))


def load_semeion(data_home: Folder = None) -> UciDataset:
    """Handwritten digits as 16 x 16 pixels, black or white."""
    (name,) = sources.SEMEION.sha256
    content = read_file(sources.SEMEION, name, data_home)
    digits = tuple(str(digit) for digit in range(10))
    columns = list(column_names.SEMEION + digits)
    frame = read_table(content, _place(sources.SEMEION, name), sep=r"\s+", names=columns)
    one_hot = numbers(frame[list(digits)], _place(sources.SEMEION, name))
    return _classification(
        "semeion", frame.drop(columns=list(digits)), one_hot.argmax(axis=1).astype(np.int64)
    )


def load_boston(data_home: Folder = None) -> UciDataset:
    """Median values of homes in Boston's tracts, by 13 features.

    Column B is a transform of the share of black residents, the reason why some libraries have
    withdrawn the set.
    """
    (name,) = sources.BOSTON.sha256
    content = read_file(sources.BOSTON, name, data_home)
    columns = [*column_names.BOSTON, "MEDV"]
    frame = read_table(content, _place(sources.BOSTON, name), sep=r"\s+", names=columns)
    return _regression("boston", frame, frame.pop("MEDV"), nominal=("CHAS",))


def load_ct_slices(data_home: Folder = None, *, partial: bool = False) -> UciDataset:
    """Where on the body's axis a CT slice lies, by 384 features of its image.

    Parameters
    ----------
    data_home : str or path, default=None
    partial : bool, default=False
        Whether a file of fewer rows will do, to try things out.
    """
    source = sources.CT_SLICES
    (name,) = source.sha256
    if not is_there(source, name, data_home):
        (first_rows,) = sources.CT_SLICES_PARTIAL.sha256
        if is_there(sources.CT_SLICES_PARTIAL, first_rows, data_home):
            source, name = sources.CT_SLICES_PARTIAL, first_rows
    frame = _with_header(source, name, data_home).drop(columns="patientId", errors="ignore")
    shape = UCI_TABLE["ct_slices"]
    if partial:
        shape = shape._replace(n_samples=min(len(frame), shape.n_samples))
    return _regression(
        "ct_slices",
        frame,
        _take(frame, "reference", "ct_slices"),
        expected=shape,
        advice="Get the whole one, or pass partial=True to go on with these rows.",
    )


def load_crime(data_home: Folder = None) -> UciDataset:
    """Violent crimes per head in communities, by 122 features; the five identifiers are left out.

    22 features of police departments are missing in 1675 of the 1994 rows.
    """
    (name,) = sources.CRIME.sha256
    identifiers = ("state", "county", "community", "communityname", "fold")
    columns = (*identifiers, *column_names.CRIME, "ViolentCrimesPerPop")
    frame = _headless(sources.CRIME, name, columns, data_home).drop(columns=list(identifiers))
    return _regression("crime", frame, frame.pop("ViolentCrimesPerPop"))


def load_iran_house(
    data_home: Folder = None, *, target: str = "construction_cost", dates: bool = False
) -> UciDataset:
    """Costs and prices of residential buildings in Tehran.

    The 103 features that the paper counts: eight of the project and 19 economic indices at five
    time lags.

    Parameters
    ----------
    data_home : str or path, default=None
    target : {"construction_cost", "sales_price"}, default="construction_cost"
        V-10 or V-9. The other one is never a feature.
    dates : bool, default=False
        Whether the years and quarters of start and completion are features too, four more.
    """
    if target not in _IRAN_TARGETS:
        raise ValueError(f"target={target!r} has to be one of {', '.join(_IRAN_TARGETS)}.")
    (name,) = sources.IRAN_HOUSE.sha256
    frame = _workbook(read_file(sources.IRAN_HOUSE, name, data_home))
    outputs = {column: _take(frame, column, name) for column in _IRAN_TARGETS.values()}
    n_dates = 4
    if not dates:
        frame = frame.iloc[:, n_dates:]
    expected = UCI_TABLE["iran_house"]
    if dates:
        expected = expected._replace(n_features=expected.n_features + n_dates)
    return _regression(
        "iran_house", frame, outputs[_IRAN_TARGETS[target]], nominal=("V-1",), expected=expected
    )


def load_wine(data_home: Folder = None, *, colour: str = "white") -> UciDataset:
    """Tasters' scores of Portuguese wines, by 11 measurements.

    Parameters
    ----------
    data_home : str or path, default=None
    colour : {"white", "red"}, default="white"
        The paper's table counts the 4898 white wines; the red ones are 1599.
    """
    if colour not in _WINE_SHAPES:
        raise ValueError(f"colour={colour!r} has to be one of {', '.join(_WINE_SHAPES)}.")
    frame = _with_header(sources.WINE, f"winequality-{colour}.csv", data_home, sep=";")
    return _regression(
        "wine", frame, _take(frame, "quality", "wine"), expected=_WINE_SHAPES[colour]
    )


_LOADERS: dict[str, Callable[..., UciDataset]] = {
    "soybean": load_soybean,
    "arrhythmia": load_arrhythmia,
    "gene_cancer_c": load_gene_cancer_c,
    "hill_valley": load_hill_valley,
    "semeion": load_semeion,
    "boston": load_boston,
    "gene_cancer_r": load_gene_cancer_r,
    "ct_slices": load_ct_slices,
    "crime": load_crime,
    "iran_house": load_iran_house,
    "wine": load_wine,
}


def _headless(source: Source, name: str, columns: tuple[str, ...], data_home: Folder) -> Any:
    """Comma separated text without a header row."""
    place = _place(source, name)
    frame = read_table(read_file(source, name, data_home), place, header=None)
    if frame.shape[1] != len(columns):
        raise ValueError(
            f"{place} has {frame.shape[1]} columns where {len(columns)} are documented. Get the "
            "file again; docs/data.md says what it has to be."
        )
    return frame.set_axis(list(columns), axis=1)


def _with_header(source: Source, name: str, data_home: Folder, **options: Any) -> Any:
    return read_table(read_file(source, name, data_home), _place(source, name), **options)


def _workbook(content: bytes) -> Any:
    """The sheet ``Data``; names of indices end in their time lag, from 1 to 5."""
    try:
        import openpyxl  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "Reading an Excel workbook needs openpyxl. Install it with: pip install 'siernet[data]'"
        ) from error
    frame = import_pandas().read_excel(io.BytesIO(content), sheet_name="Data", header=1)
    # pandas numbers repeated names: V-11, V-11.1, ... V-11.4.
    plain = [str(column).partition(".") for column in frame.columns]
    repeated = {name for name, _, again in plain if again}
    names = [
        f"{name}-lag{int(again or 0) + 1}" if name in repeated else name for name, _, again in plain
    ]
    return frame.set_axis(names, axis=1)


def _genes(data_home: Folder) -> Any:
    content = read_file(sources.GENE_CANCER, "data.csv", data_home)
    return read_table(content, "gene_cancer/data.csv", index_col=0)


def _take(frame: Any, column: str, place: str) -> Any:
    """Removes a column and returns it."""
    if column not in frame:
        raise ValueError(
            f"{place} has no column called {column!r}. Get the file again; docs/data.md says what "
            "it has to be."
        )
    return frame.pop(column)


def _labels(column: Any) -> np.ndarray:
    """Classes as integers where they are numbers, else as text."""
    if import_pandas().api.types.is_numeric_dtype(column):
        return column.to_numpy(dtype=np.int64)
    return column.to_numpy(dtype=str)


def _classification(
    name: str, frame: Any, labels: np.ndarray, nominal: Iterable[str] = ()
) -> UciDataset:
    row = UCI_TABLE[name]
    table = UciDataset(
        name,
        numbers(frame, name),
        labels,
        tuple(frame.columns),
        "classification",
        row.held_out,
        frame.columns.isin(list(nominal)),
    )
    return checked(table, row)


def _regression(
    name: str,
    frame: Any,
    target: Any,
    nominal: Iterable[str] = (),
    *,
    expected: PaperRow | None = None,
    advice: str = "",
) -> UciDataset:
    row = expected or UCI_TABLE[name]
    table = UciDataset(
        name,
        numbers(frame, name),
        numbers(target.to_frame(), name)[:, 0],
        tuple(frame.columns),
        "regression",
        row.held_out,
        frame.columns.isin(list(nominal)),
    )
    return checked(table, row, advice)


def _place(source: Source, name: str) -> str:
    return f"{source.folder}/{name}"
