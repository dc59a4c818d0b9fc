"""The peers, as users of them would set them up; those not installed are None."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, RandomForestRegressor
from sklearn.linear_model import LassoCV
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.published_code import settings, standardised

Maker = Callable[[int], Any]  # of an estimator from a seed

XGBOOST_GRID = {
    "max_depth": [1, 3, 6],
    "learning_rate": [0.03, 0.1, 0.3],
    "n_estimators": [300, 1000],
}  # 18 points


def installed(package: str) -> bool:
    return find_spec(package) is not None


def tuned_peers() -> dict[str, Maker | None]:
    """Regressors that tune themselves."""
    return {
        "LassoCV": lambda _: LassoCV(cv=4),
        "random forest, 1000 trees": lambda seed: RandomForestRegressor(
            1000, max_features="sqrt", max_depth=9, n_jobs=-1, random_state=seed
        ),
        "XGBoost, GridSearchCV of 18": _xgboost_search if installed("xgboost") else None,
        "LassoNetRegressorCV": _lassonet_cv if installed("lassonet") else None,
    }


def mlp_ensemble(
    seed: int, n_estimators: int = 20, max_iter: int = 200, n_jobs: int | None = None
) -> Any:
    """scikit-learn's networks of the same size, each on all rows, averaged."""
    network = MLPRegressor(hidden_layer_sizes=(100,) * 5, max_iter=max_iter)
    ensemble = BaggingRegressor(
        network, n_estimators, bootstrap=False, n_jobs=n_jobs, random_state=seed
    )
    return TransformedTargetRegressor(
        make_pipeline(StandardScaler(), ensemble), transformer=StandardScaler()
    )


def xgboost(seed: int, n_estimators: int = 1000) -> Any:
    from xgboost import XGBRegressor

    return XGBRegressor(
        n_estimators=n_estimators, max_depth=3, learning_rate=0.1, random_state=seed
    )


def lassonet(seed: int, **parameters: Any) -> Any:
    from lassonet import LassoNetRegressor

    return ScaledInside(
        LassoNetRegressor(random_state=seed, torch_seed=seed, verbose=0, **parameters)
    )


class PublishedEnsemble:
    """easier-net's ensemble with scaling inside.

    How long it was trained changes no prediction's cost: it computes with zeros too.
    """

    def __init__(self, n_estimators: int = 20, epochs: int = 2) -> None:
        self.n_estimators, self.epochs = n_estimators, epochs

    def fit(self, X: np.ndarray, y: np.ndarray) -> PublishedEnsemble:
        from easier_net.easier_net import EasierNetEstimator

        self.mean, self.scale = X.mean(axis=0), X.std(axis=0)
        self.y_mean, self.y_scale = y.mean(), y.std()
        self.model = EasierNetEstimator(
            n_estimators=self.n_estimators, **settings(len(X), self.epochs)
        )
        with contextlib.redirect_stdout(io.StringIO()):
            self.model.fit(standardised(X), standardised(y)[:, None])
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        scaled = self.model.predict((X - self.mean) / self.scale)
        return scaled[:, 0] * self.y_scale + self.y_mean


class ScaledInside:
    """LassoNet wants scaled data and a response of two dimensions; the others scale inside."""

    def __init__(self, model: Any) -> None:
        self.pipeline = make_pipeline(StandardScaler(), model)

    def fit(self, X: np.ndarray, y: np.ndarray) -> ScaledInside:
        self.mean, self.scale = y.mean(), y.std()
        self.pipeline.fit(X, ((y - self.mean) / self.scale)[:, None])
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.pipeline.predict(X)).ravel() * self.scale + self.mean


def _xgboost_search(seed: int) -> Any:
    from xgboost import XGBRegressor

    return GridSearchCV(
        XGBRegressor(random_state=seed), XGBOOST_GRID, cv=4, scoring="neg_mean_squared_error"
    )


def _lassonet_cv(seed: int) -> Any:
    from lassonet import LassoNetRegressorCV

    return ScaledInside(LassoNetRegressorCV(cv=4, random_state=seed, torch_seed=seed, verbose=0))
