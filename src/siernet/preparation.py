"""How a table becomes numbers: scikit-learn's imputer and encoder, and their plain description.

A model file holds the description, not scikit-learn's objects: it is small, nothing in it can be
executed, and it is read by other versions of scikit-learn. The fitted transformer is made from it
by fitting to two rows that hold exactly the described medians and categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.compose import ColumnTransformer


def make_preparation(
    numbers: Sequence[str],
    flagged: Sequence[str],
    categories: dict[str, np.ndarray],
    *,
    full_names: bool = False,
) -> ColumnTransformer:
    """An unfitted preparation of a DataFrame.

    Parameters
    ----------
    numbers : sequence of str
        Columns whose missing values are replaced by the column's median.
    flagged : sequence of str
        Further such columns, which also get a column that says where a value was missing.
    categories : dict
        From columns of texts to their known values; a NaN among them makes missing a category of
        its own. Other values than these become zeros in all of the column's indicators.
    full_names : bool, default=False
        Put the step's name before the columns' names, where these would not be unique otherwise.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    options = {"strategy": "median", "keep_empty_features": True}
    steps: list[tuple[str, Any, list[str]]] = []
    if numbers:
        steps.append(("numbers", SimpleImputer(**options), list(numbers)))
    if flagged:
        steps.append(("gaps", SimpleImputer(**options, add_indicator=True), list(flagged)))
    if categories:
        encoder = OneHotEncoder(
            categories=list(categories.values()),
            drop="if_binary",
            handle_unknown="ignore",
            sparse_output=False,
        )
        steps.append(("categories", encoder, list(categories)))
    transformer = ColumnTransformer(steps, verbose_feature_names_out=full_names)
    return transformer.set_output(transform="pandas")


def describe(preparation: ColumnTransformer) -> dict[str, Any]:
    """A fitted preparation in plain arrays and texts."""
    fitted = {name: (step, columns) for name, step, columns in preparation.transformers_}
    description: dict[str, Any] = {"full_names": preparation.verbose_feature_names_out}
    for name in ("numbers", "gaps"):
        step, columns = fitted.get(name, (None, []))
        description[name] = np.array(columns, dtype=str)
        description[f"{name}_medians"] = np.zeros(0) if step is None else step.statistics_
    encoder, columns = fitted.get("categories", (None, []))
    levels = [] if encoder is None else encoder.categories_
    description["categories"] = [
        {"column": column, **_described(values)}
        for column, values in zip(columns, levels, strict=True)
    ]
    return description


def rebuild(description: dict[str, Any]) -> ColumnTransformer:
    """The fitted preparation that ``describe`` described.

    Raises
    ------
    KeyError, TypeError, ValueError
        If this is no such description.
    """
    import pandas as pd

    numbers, gaps = (description[name].tolist() for name in ("numbers", "gaps"))
    medians = np.concatenate([description["numbers_medians"], description["gaps_medians"]])
    categories = {part["column"]: _values(part) for part in description["categories"]}
    preparation = make_preparation(
        numbers, gaps, categories, full_names=bool(description["full_names"])
    )
    values = np.tile(np.asarray(medians, dtype=np.float64), (2, 1))
    values[1, len(numbers) :] = np.nan  # so that the imputer flags these columns
    rows = pd.DataFrame(values, columns=[*numbers, *gaps])
    for column, known in categories.items():
        rows[column] = pd.Series([known[0], known[-1]], dtype=known.dtype)
    return preparation.fit(rows)


def used_columns(preparation: ColumnTransformer) -> tuple[list[str], dict[str, np.ndarray]]:
    """The columns a fitted preparation takes: those of numbers, and the categories of others."""
    numbers: list[str] = []
    categories: dict[str, np.ndarray] = {}
    for name, step, columns in preparation.transformers_:
        if name == "categories":
            categories = dict(zip(columns, step.categories_, strict=True))
        elif name in ("numbers", "gaps"):
            numbers += columns
    return numbers, categories


def as_input(
    frame: pd.DataFrame, numbers: Sequence[str], categories: dict[str, np.ndarray]
) -> pd.DataFrame:
    """The columns a preparation takes, numbers as floats, texts as texts, NaN where missing."""
    import pandas as pd

    values = frame[list(numbers)].to_numpy(dtype=np.float64, na_value=np.nan)
    parts = [pd.DataFrame(values, columns=list(numbers), index=frame.index)]
    for column, known in categories.items():
        parts.append(as_labels(frame[column], known.dtype.kind == "f").to_frame())
    return pd.concat(parts, axis=1)


def as_labels(values: pd.Series, numeric: bool) -> pd.Series:
    """A column of categories: floats, or texts with NaN where missing."""
    if numeric:
        return values.astype(np.float64)
    labels = values.astype(object)
    return labels.where(labels.isna(), labels.map(str)).where(labels.notna(), np.nan)


def _described(values: np.ndarray) -> dict[str, Any]:
    missing = values != values  # NaN differs from itself
    levels = values[~missing]
    kind = np.float64 if values.dtype.kind == "f" else str
    return {"levels": levels.astype(kind), "missing": bool(missing.any())}


def _values(described: dict[str, Any]) -> np.ndarray:
    levels = described["levels"]
    if levels.dtype.kind != "f":
        levels = levels.astype(object)
    return np.append(levels, np.nan) if described["missing"] else levels
