"""Gradient boosted trees; their libraries' own cross-validation finds the number of rounds."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np

from siernet.experiments.methods.cross_validation import Split, splits
from siernet.experiments.methods.method import TASKS, Method, Outcome, Predict, Training

_FOLDS = 4


def _threads(training: Training) -> int:
    return joblib.effective_n_jobs(-1 if training.n_jobs is None else training.n_jobs)


def _train(training: Training, library: Any) -> Outcome:
    """Tunes the candidates, each with its best number of rounds, and fits to all rows."""
    settings = training.settings
    folds = splits(training, settings["n_folds"])
    results = [library.tuned_rounds(training, folds, one) for one in settings["candidates"]]
    best = int(np.argmin([loss for _, loss in results]))
    candidate, (rounds, loss) = settings["candidates"][best], results[best]
    predict = library.fitted(training, candidate, rounds)
    return Outcome(predict, {"validation_loss": loss, "rounds": rounds, **candidate})


# -- XGBoost --------------------------------------------------------------------------------------


def _xgboost_settings(task: str, scale: str) -> dict[str, Any]:
    """Depths, penalties, most rounds and the rate for classes are the paper's.

    It tries 2500 and 10,000 rounds; every number up to there is tried here, which includes these
    where more rounds help. It names no rate for regression: the library's own and a slower one.
    """
    depths = [1, 3, 6, 9] if scale == "paper" else [1, 3, 6]
    rates = [0.3, 0.05]
    if task == "classification":
        rates = [0.01] if scale == "paper" else [0.1]
    return {
        "n_folds": _FOLDS,
        "max_rounds": 10_000 if scale == "paper" else 500,
        "patience": 200 if scale == "paper" else 30,
        "reg_alpha": 0.5,
        "reg_lambda": 0.5,
        "candidates": [
            {"max_depth": depth, "learning_rate": rate} for rate in rates for depth in depths
        ],
    }


class _XGBoost:
    @staticmethod
    def parameters(training: Training, candidate: dict[str, Any]) -> dict[str, Any]:
        task: dict[str, Any] = {"objective": "reg:squarederror", "disable_default_eval_metric": 1}
        if training.classes:
            task = {"objective": "multi:softprob", "num_class": training.n_classes}
        return {
            **task,
            **candidate,
            "reg_alpha": training.settings["reg_alpha"],
            "reg_lambda": training.settings["reg_lambda"],
            "seed": training.seed,
            "nthread": _threads(training),
            "verbosity": 0,
        }

    @classmethod
    def tuned_rounds(
        cls, training: Training, folds: list[Split], candidate: dict[str, Any]
    ) -> tuple[int, float]:
        import xgboost

        history = xgboost.cv(
            cls.parameters(training, candidate),
            xgboost.DMatrix(training.X, training.y),
            num_boost_round=training.settings["max_rounds"],
            folds=folds,
            early_stopping_rounds=training.settings["patience"],
            custom_metric=None if training.classes else _squared_error,
            as_pandas=False,
        )
        curve = np.array(history[f"test-{'mlogloss' if training.classes else 'mse'}-mean"])
        return int(curve.argmin()) + 1, float(curve.min())

    @classmethod
    def fitted(cls, training: Training, candidate: dict[str, Any], rounds: int) -> Predict:
        import xgboost

        booster = xgboost.train(
            cls.parameters(training, candidate),
            xgboost.DMatrix(training.X, training.y),
            num_boost_round=rounds,
        )

        def predict(X: np.ndarray) -> np.ndarray:
            values = booster.predict(xgboost.DMatrix(X)).astype(np.float64)
            # Rounded to single precision, probabilities do not quite sum to one.
            return values / values.sum(axis=1, keepdims=True) if training.classes else values

        return predict


def _squared_error(predictions: np.ndarray, rows: Any) -> tuple[str, float]:
    """XGBoost knows the root only, whose mean over folds is another thing."""
    return "mse", float(np.mean((predictions - rows.get_label()) ** 2))


# -- LightGBM -------------------------------------------------------------------------------------


def _lightgbm_settings(task: str, scale: str) -> dict[str, Any]:
    leaves, rows = ([4, 15, 63], [5, 20]) if scale == "paper" else ([7, 31], [10])
    return {
        "n_folds": _FOLDS,
        "max_rounds": 5000 if scale == "paper" else 500,
        "patience": 100 if scale == "paper" else 30,
        "candidates": [
            {
                "num_leaves": leaf_number,
                "min_child_samples": leaf_rows,
                "learning_rate": 0.03 if scale == "paper" else 0.1,
                "colsample_bytree": share,
            }
            for leaf_number in leaves
            for leaf_rows in rows
            for share in (0.4, 1.0)
        ],
    }


class _LightGBM:
    @staticmethod
    def parameters(training: Training, candidate: dict[str, Any]) -> dict[str, Any]:
        task: dict[str, Any] = {"objective": "regression", "metric": "l2"}
        if training.classes:
            task = {
                "objective": "multiclass",
                "metric": "multi_logloss",
                "num_class": training.n_classes,
            }
        return {
            **task,
            **candidate,
            "seed": training.seed,
            "num_threads": _threads(training),
            "deterministic": True,
            "force_row_wise": True,
            "verbosity": -1,
        }

    @staticmethod
    def data(training: Training) -> Any:
        import lightgbm

        return lightgbm.Dataset(training.X, training.y, free_raw_data=False)

    @classmethod
    def tuned_rounds(
        cls, training: Training, folds: list[Split], candidate: dict[str, Any]
    ) -> tuple[int, float]:
        import lightgbm

        parameters = cls.parameters(training, candidate)
        history = lightgbm.cv(
            parameters,
            cls.data(training),
            num_boost_round=training.settings["max_rounds"],
            folds=folds,
            callbacks=[lightgbm.early_stopping(training.settings["patience"], verbose=False)],
        )
        curve = np.array(history[f"valid {parameters['metric']}-mean"])
        return int(curve.argmin()) + 1, float(curve.min())

    @classmethod
    def fitted(cls, training: Training, candidate: dict[str, Any], rounds: int) -> Predict:
        import lightgbm

        booster = lightgbm.train(
            cls.parameters(training, candidate), cls.data(training), num_boost_round=rounds
        )
        return lambda X: np.asarray(booster.predict(X))


BOOSTING = (
    Method(
        "xgboost",
        "XGBoost",
        ("xgboost-cpu",),
        TASKS,
        describe=_xgboost_settings,
        train=lambda training: _train(training, _XGBoost),
    ),
    Method(
        "lightgbm",
        "LightGBM",
        ("lightgbm",),
        TASKS,
        describe=_lightgbm_settings,
        train=lambda training: _train(training, _LightGBM),
    ),
)
