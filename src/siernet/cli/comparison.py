"""How good predictions are, and how good simple methods are on the same rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

Scores = dict[str, dict[str, float]]


def regression_scores(y: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """Scores of predicted numbers, the loss that penalties are tuned for first."""
    from sklearn.metrics import mean_absolute_error, mean_squared_error, r2_score

    mse = float(mean_squared_error(y, predicted))
    scores = {"mse": mse, "rmse": mse**0.5, "mae": float(mean_absolute_error(y, predicted))}
    if len(y) > 1 and np.ptp(y) > 0:
        scores["r2"] = float(r2_score(y, predicted))
    return scores


def classification_scores(
    y: np.ndarray, probability: np.ndarray, classes: np.ndarray
) -> dict[str, float]:
    """Scores of predicted probabilities, the loss that penalties are tuned for first."""
    from sklearn.metrics import balanced_accuracy_score, log_loss, roc_auc_score

    probability = np.clip(probability, np.finfo(np.float64).tiny, None)
    probability = probability / probability.sum(axis=1, keepdims=True)
    guess = classes[probability.argmax(axis=1)]
    scores = {
        "log_loss": float(log_loss(y, probability, labels=classes)),
        "accuracy": float((guess == y).mean()),
        "balanced_accuracy": float(_quietly(balanced_accuracy_score, y, guess)),
    }
    if len(classes) == 2 and len(np.unique(y)) == 2:
        scores["auc"] = float(roc_auc_score(y == classes[1], probability[:, 1]))
    return scores


def simple_methods(task: str, n_folds: int, seed: int) -> dict[str, Any]:
    """What a prediction has to beat: a constant, and a tuned linear model with an L1 penalty."""
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.linear_model import LassoCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if task == "regression":
        lasso: Any = LassoCV(cv=n_folds, random_state=seed)
        return {"baseline": DummyRegressor(), "lasso": make_pipeline(StandardScaler(), lasso)}
    lasso = _logistic_lasso(n_folds, seed)
    return {
        "baseline": DummyClassifier(strategy="prior"),
        "lasso": make_pipeline(StandardScaler(), lasso),
    }


def _logistic_lasso(n_folds: int, seed: int) -> Any:
    """L1-penalised logistic regression, one against the rest, tuned by its log-likelihood."""
    import sklearn
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.model_selection import StratifiedKFold
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.utils.fixes import parse_version

    options: dict[str, Any] = {
        "Cs": np.geomspace(0.01, 10, 8),
        "cv": StratifiedKFold(n_folds, shuffle=True, random_state=seed),
        "solver": "liblinear",
        "scoring": "neg_log_loss",
        "intercept_scaling": 10.0,  # so that liblinear's penalty hardly touches the intercept
        "random_state": seed,
    }
    if parse_version(sklearn.__version__) >= parse_version("1.8"):
        options |= {"l1_ratios": (1,), "use_legacy_attributes": True}
    else:
        options["penalty"] = "l1"
    return OneVsRestClassifier(LogisticRegressionCV(**options))


def n_selected_by(lasso: Any) -> int:
    """Variables with a non-zero coefficient; 0 if it could not be fitted."""
    model = lasso[-1]
    if not hasattr(model, "n_features_in_"):
        return 0
    if hasattr(model, "estimators_"):
        return int(np.any([np.ravel(m.coef_) != 0 for m in model.estimators_], axis=0).sum())
    return int((model.coef_ != 0).sum())


def fitted_scores(
    methods: dict[str, Any], train: tuple[Any, np.ndarray], test: tuple[Any, np.ndarray]
) -> Scores:
    """Scores on test rows of methods fitted to training rows, those left out that cannot be."""
    scores = {}
    for name, method in methods.items():
        if _is_fitted_to(method, *train):
            scores[name] = scores_of(method, *test)
    return scores


def _is_fitted_to(method: Any, X: Any, y: np.ndarray) -> bool:
    """Fits; False where scikit-learn cannot, as with a class that is absent from a fold."""
    try:
        _quietly(method.fit, X, y)
    except ValueError:
        return False
    return True


def scores_of(model: Any, X: Any, y: np.ndarray) -> dict[str, float]:
    """Scores of a fitted model."""
    if hasattr(model, "predict_proba"):
        return classification_scores(y, model.predict_proba(X), model.classes_)
    return regression_scores(y, model.predict(X))


def cross_validated_scores(
    make_methods: Callable[[], dict[str, Any]],
    prepare: Callable[[np.ndarray, np.ndarray], tuple[Any, Any]],
    y: np.ndarray,
    splits: list[tuple[np.ndarray, np.ndarray]],
) -> Scores:
    """Scores of predictions for rows that each fold's fit did not see, over all rows at once.

    ``prepare`` gives the prepared training and test rows of a fold.
    """
    classes = np.unique(y)
    predicted: dict[str, np.ndarray] = {}
    failed: set[str] = set()
    classify = False
    for train, test in splits:
        rows, unseen = prepare(train, test)
        for name, method in make_methods().items():
            if name in failed or not _is_fitted_to(method, rows, y[train]):
                failed.add(name)
                predicted.pop(name, None)
                continue
            classify = hasattr(method, "predict_proba")
            if classify:
                part = np.zeros((len(test), len(classes)))
                part[:, np.searchsorted(classes, method.classes_)] = method.predict_proba(unseen)
            else:
                part = method.predict(unseen)
            if name not in predicted:
                predicted[name] = np.zeros((len(y), *part.shape[1:]))
            predicted[name][test] = part
    tested = np.unique(np.concatenate([test for _, test in splits]))
    if classify:
        return {
            name: classification_scores(y[tested], values[tested], classes)
            for name, values in predicted.items()
        }
    return {name: regression_scores(y[tested], v[tested]) for name, v in predicted.items()}


def _quietly(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function of scikit-learn whose warnings are not about the user's own model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)
