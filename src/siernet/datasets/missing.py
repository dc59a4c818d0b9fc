"""Columns that say where values are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data


class MissingPatterns(TransformerMixin, BaseEstimator):
    """A column, 0 or 1, for each distinct set of training rows in which a column is missing.

    Where questions were skipped together scikit-learn's ``MissingIndicator`` gives equal columns,
    among which a sparse model chooses by chance; here they give one.

    Parameters
    ----------
    min_rows : int, default=5
        Patterns of fewer rows, present or missing, are left out: they teach nothing.

    Attributes
    ----------
    features_ : ndarray of int
        The first column of each pattern, which stands for the others.
    """

    def __init__(self, min_rows: int = 5):
        self.min_rows = min_rows

    def fit(self, X: Any, y: Any = None) -> MissingPatterns:
        missing = np.isnan(validate_data(self, X, dtype=float, ensure_all_finite="allow-nan"))
        n_rows = missing.sum(axis=0)
        common = np.flatnonzero(np.minimum(n_rows, len(missing) - n_rows) >= self.min_rows)
        _, first = np.unique(missing[:, common], axis=1, return_index=True)
        self.features_ = np.sort(common[first])
        return self

    def transform(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, ensure_all_finite="allow-nan", reset=False)
        return np.isnan(X[:, self.features_]).astype(float)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        names = _check_feature_names_in(self, input_features)
        return np.array([f"missing_{name}" for name in names[self.features_]], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
