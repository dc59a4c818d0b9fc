"""The Pipeline from a DataFrame, as it is read from a file, to predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import Pipeline

from siernet.preparation import as_input, used_columns

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.compose import ColumnTransformer

_STEPS = ("columns", "preparation", "estimator")
_SHOWN = 5


class TableColumns(TransformerMixin, BaseEstimator):
    """Takes the columns it knows from a DataFrame, whatever else is there and in any order.

    Numbers become floats and categories texts, NaN where missing, so that it does not matter
    which types a file's reader chose. It learns nothing.

    Parameters
    ----------
    numbers : sequence of str
    categories : mapping of str to array
        Known values of each column of categories; an array of floats marks categories that are
        numbers.
    """

    def __init__(self, numbers: Sequence[str], categories: Mapping[str, np.ndarray]) -> None:
        self.numbers = numbers
        self.categories = categories

    def fit(self, X: Any, y: Any = None) -> TableColumns:
        """Checks that the columns are there; there is nothing to learn."""
        self.transform(X)
        return self

    def transform(self, X: Any) -> pd.DataFrame:
        """The known columns of a pandas or polars DataFrame, in their own order."""
        if hasattr(X, "to_pandas"):
            X = X.to_pandas()
        if not hasattr(X, "columns"):
            raise TypeError(
                f"The columns are found by name: pass a DataFrame, not {type(X).__name__}."
            )
        wanted = self.get_feature_names_out().tolist()
        missing = [name for name in wanted if name not in X.columns]
        if missing:
            listed = ", ".join(map(repr, missing[:_SHOWN]))
            more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
            raise ValueError(
                f"{len(missing)} of the {len(wanted)} columns that the model needs are missing: "
                f"{listed}{more}."
            )
        return as_input(X, self.numbers, dict(self.categories))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns."""
        return np.array([*self.numbers, *self.categories], dtype=object)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The same names: other columns are not looked at."""
        return self.get_feature_names_out()

    @property
    def n_features_in_(self) -> int:
        """Number of the columns."""
        return len(self.get_feature_names_out())

    def __sklearn_is_fitted__(self) -> bool:
        return True


def table_pipeline(preparation: ColumnTransformer, estimator: Any) -> Pipeline:
    """A Pipeline of a fitted preparation and an estimator fitted to what it gives."""
    columns = TableColumns(*used_columns(preparation))
    return Pipeline(list(zip(_STEPS, (columns, preparation, estimator), strict=True)))


def parts_of(pipeline: Pipeline) -> tuple[ColumnTransformer, Any]:
    """The preparation and the estimator of a Pipeline that ``table_pipeline`` made.

    Raises
    ------
    ValueError
        If it has other steps.
    """
    if tuple(pipeline.named_steps) != _STEPS or not isinstance(pipeline[0], TableColumns):
        raise ValueError(
            f"A model file holds a Pipeline of the command line ({', '.join(_STEPS)}), not one of "
            f"{', '.join(pipeline.named_steps)}. Save its last step, or use skops for the whole."
        )
    return pipeline[1], pipeline[2]
