"""A tuned fit at default settings on Table 1 data, 600 x 100, beside its peers in the same run."""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LassoCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.record import report
from siernet import EasierNetRegressorCV
from siernet.datasets import make_section_4_1

XGBOOST_GRID = {
    "max_depth": [1, 3, 6],
    "learning_rate": [0.03, 0.1, 0.3],
    "n_estimators": [300, 1000],
}  # 18 points


def contenders():
    """Name -> a fresh estimator; peers that are not installed are left out."""
    models = {
        "EasierNetRegressorCV": lambda seed: EasierNetRegressorCV(random_state=seed),
        "LassoCV": lambda _: LassoCV(cv=4),
        "random forest, 1000 trees": lambda seed: RandomForestRegressor(
            1000, max_features="sqrt", max_depth=9, n_jobs=-1, random_state=seed
        ),
    }
    try:
        from xgboost import XGBRegressor

        models["XGBoost, GridSearchCV of 18"] = lambda seed: GridSearchCV(
            XGBRegressor(random_state=seed), XGBOOST_GRID, cv=4, scoring="neg_mean_squared_error"
        )
    except ImportError:
        pass
    try:
        from lassonet import LassoNetRegressorCV

        models["LassoNetRegressorCV"] = lambda seed: _Scaled(
            LassoNetRegressorCV(cv=4, random_state=seed, torch_seed=seed, verbose=0)
        )
    except ImportError:
        pass
    return models


class _Scaled:
    """LassoNet wants scaled data and a response of two dimensions; the others scale inside."""

    def __init__(self, model):
        self.pipeline = make_pipeline(StandardScaler(), model)

    def fit(self, X, y):
        self.mean, self.scale = y.mean(), y.std()
        self.pipeline.fit(X, ((y - self.mean) / self.scale)[:, None])
        return self

    def predict(self, X):
        return np.asarray(self.pipeline.predict(X)).ravel() * self.scale + self.mean


def main(n_draws: int = 5) -> None:
    seconds: dict[str, list[float]] = {}
    losses: dict[str, list[float]] = {}
    for draw in range(n_draws):
        train = make_section_4_1(600, random_state=draw)
        test = make_section_4_1(5000, random_state=1000 + draw)
        for name, make in contenders().items():
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = make(draw).fit(train.X, train.y)
            seconds.setdefault(name, []).append(time.perf_counter() - start)
            loss = np.mean((model.predict(test.X) - test.mean) ** 2) / train.y.var()
            losses.setdefault(name, []).append(float(loss))
            print(f"draw {draw}  {name}: {seconds[name][-1]:.1f} s, loss {loss:.3f}", flush=True)
    rows: list[tuple[str, object]] = [("draws", n_draws)]
    own = np.array(seconds["EasierNetRegressorCV"])
    for name in seconds:
        spread = np.std(losses[name]) / np.sqrt(n_draws)
        ratio = float(np.mean(np.array(seconds[name]) / own))
        rows += [
            (f"{name}: test loss", f"{np.mean(losses[name]):.3f} (se {spread:.3f})"),
            (f"{name}: time over EasierNetRegressorCV's", ratio),
        ]
    report("tuned_fit", "Tuned fits, Table 1, 600 x 100, 20 relevant (loss without noise)", rows)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
