"""SparseNet: SIER-net without its skip-connections, so that its depth has to be tuned too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.validation import check_is_fitted

from siernet.base import BaseSierNet
from siernet.cv_estimators import (
    EasierNetClassifierCV,
    EasierNetRegressorCV,
    SierNetClassifierCV,
    SierNetRegressorCV,
)
from siernet.estimators import (
    EasierNetClassifier,
    EasierNetRegressor,
    SierNetClassifier,
    SierNetRegressor,
)
from siernet.tasks import Recipe


class LastSkipOnly(BaseSierNet):
    """Fixes alpha at (0, .., 0, 1): an input filter, then an ordinary network, both penalised."""

    def _recipe(self) -> Recipe:
        return replace(super()._recipe(), skips="last")


class SparseNetRegressor(LastSkipOnly, SierNetRegressor):
    """One SparseNet for regression."""


class SparseNetClassifier(LastSkipOnly, SierNetClassifier):
    """One SparseNet for classification."""


class SparseNetEnsembleRegressor(LastSkipOnly, EasierNetRegressor):
    """An ensemble of SparseNets for regression."""


class SparseNetEnsembleClassifier(LastSkipOnly, EasierNetClassifier):
    """An ensemble of SparseNets for classification."""


class SparseNetRegressorCV(LastSkipOnly, SierNetRegressorCV):
    """One SparseNet for regression, penalties tuned."""


class SparseNetClassifierCV(LastSkipOnly, SierNetClassifierCV):
    """One SparseNet for classification, penalties tuned."""


class SparseNetEnsembleRegressorCV(LastSkipOnly, EasierNetRegressorCV):
    """An ensemble of SparseNets for regression, penalties tuned."""


class SparseNetEnsembleClassifierCV(LastSkipOnly, EasierNetClassifierCV):
    """An ensemble of SparseNets for classification, penalties tuned."""


class BestDepth(MetaEstimatorMixin, BaseEstimator):
    """Tunes a CV estimator at each number of hidden layers and keeps the best by validation.

    Parameters
    ----------
    estimator : CV estimator of siernet or SparseNet
        It has a parameter ``n_hidden_layers`` and, fitted, ``best_score_``.
    depths : sequence of int

    Attributes
    ----------
    best_estimator_, best_score_, best_depth_
    """

    def __init__(self, estimator: Any, depths: Sequence[int] = (1, 3, 5)) -> None:
        self.estimator = estimator
        self.depths = depths

    def fit(self, X: Any, y: Any) -> BestDepth:
        fitted = [
            clone(self.estimator).set_params(n_hidden_layers=depth).fit(X, y)
            for depth in self.depths
        ]
        best = int(np.argmax([model.best_score_ for model in fitted]))
        self.best_estimator_ = fitted[best]
        self.best_score_ = fitted[best].best_score_
        self.best_depth_ = self.depths[best]
        return self

    @property
    def classes_(self) -> np.ndarray:
        return self.best_estimator_.classes_

    def predict(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)
