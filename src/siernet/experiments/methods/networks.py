"""Networks: SIER-net, EASIER-net the paper's steps to them, DropoutNet and SparseNet."""

from __future__ import annotations

from typing import Any

import numpy as np

from siernet.base import PAPER_SETTINGS
from siernet.cv_estimators import (
    EasierNetClassifierCV,
    EasierNetRegressorCV,
    SierNetClassifierCV,
    SierNetRegressorCV,
)
from siernet.experiments.baselines.dropout_net import DropoutNetClassifier, DropoutNetRegressor
from siernet.experiments.baselines.sparse_net import (
    BestDepth,
    SparseNetClassifierCV,
    SparseNetEnsembleClassifierCV,
    SparseNetEnsembleRegressorCV,
    SparseNetRegressorCV,
)
from siernet.experiments.methods.cross_validation import splits
from siernet.experiments.methods.method import TASKS, Details, Method, Outcome, Training

# These say where and how loudly a fit runs, or are the study's.
_NOT_SETTINGS = (
    "checkpoint",
    "device",
    "max_memory",
    "n_jobs",
    "random_state",
    "scoring",
    "verbose",
)
_QUICK = {"cv": 3, "max_epochs": 300, "n_hidden_nodes": 50}
_QUICK_ENSEMBLE = {**_QUICK, "n_estimators": 8, "n_estimators_tuning": 4}
_DEPTHS = {"quick": [1, 3], "paper": [1, 3, 5]}
_DROPOUT_DEPTHS = {"quick": [1, 3], "paper": [1, 3, 5, 10]}
_FOLDS = 4


def structure(model: Any) -> Details:
    """Sizes of a fitted model's networks, as the paper's tables have them.

    ``n_layers`` counts the hidden layers with an active node, ``n_hidden_nodes`` is the mean
    number of active nodes in these, and ``_se`` are standard errors over the networks.
    """
    sizes: dict[str, list[float]] = {"support_size": [], "n_layers": [], "n_hidden_nodes": []}
    for member in model.members_:
        widths = [int(mask.sum()) for mask in member.active_nodes if mask.any()]
        sizes["support_size"].append(float(member.support.sum()))
        sizes["n_layers"].append(float(len(widths)))
        sizes["n_hidden_nodes"].append(float(np.mean(widths)) if widths else 0.0)
    details: Details = {}
    for name, values in sizes.items():
        details[name] = float(np.mean(values))
        details[f"{name}_se"] = _standard_error(np.array(values))
    contributions = model.layer_contributions_
    return {
        **details,
        "contributions": contributions.mean(axis=0).tolist(),
        "contributions_se": [_standard_error(values) for values in contributions.T],
        "selection_rates": model.selection_rates_.tolist(),
    }


def _standard_error(values: np.ndarray) -> float:
    n = len(values)
    return float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else 0.0


def _outcome(training: Training, model: Any, details: Details) -> Outcome:
    predict = model.predict_proba if training.classes else model.predict
    return Outcome(predict, details)


def _fitted(training: Training, Estimator: Any, parameters: dict[str, Any]) -> Any:
    return Estimator(
        **parameters, random_state=training.seed, device=training.device, n_jobs=training.n_jobs
    ).fit(training.X, training.y)


# -- SIER-net and EASIER-net ----------------------------------------------------------------------


def _tuned_details(model: Any) -> Details:
    return {
        "validation_loss": -float(model.best_score_),
        "input_penalty": float(model.input_penalty_),
        "network_penalty": float(model.network_penalty_),
        **structure(model),
    }


def _plain_parameters(Estimator: Any, changed: dict[str, Any]) -> dict[str, Any]:
    """All parameters that matter, so that a change of a default changes the settings."""
    return {
        name: changed.get(name, default)
        for name, default in Estimator().get_params().items()
        if name not in _NOT_SETTINGS
    }


def _tuned_method(
    name: str, title: str, Regressor: Any, Classifier: Any, scales: dict[str, dict[str, Any]]
) -> Method:
    by_task = dict(zip(TASKS, (Regressor, Classifier), strict=True))

    def train(training: Training) -> Outcome:
        Estimator = by_task["classification" if training.classes else "regression"]
        model = _fitted(training, Estimator, training.settings)
        return _outcome(training, model, _tuned_details(model))

    return Method(
        name,
        title,
        packages=(),
        tasks=TASKS,
        describe=lambda task, scale: _plain_parameters(by_task[task], scales[scale]),
        train=train,
    )


def _as_published(scale: str) -> dict[str, Any]:
    """The published scripts' grid and training; a corner of it, and shorter, for a quick look."""
    grid: dict[str, Any] = {
        "search": "grid",
        "input_penalties": [5.0**power for power in range(-6, 0)],
        "network_penalties": [5.0**power for power in range(-8, 0)],
        "temperatures": [1.0],  # this and the next only classifiers have
        "prior_powers": [0.0],
        **PAPER_SETTINGS,
    }
    if scale == "quick":
        grid["input_penalties"] = [5.0**-3, 5.0**-2]
        grid["network_penalties"] = [5.0**-5, 5.0**-4, 5.0**-3]
        grid |= _QUICK_ENSEMBLE
    return grid


# -- SparseNet ------------------------------------------------------------------------------------


def _sparse_method(
    name: str, title: str, Regressor: Any, Classifier: Any, quick: dict[str, Any]
) -> Method:
    by_task = dict(zip(TASKS, (Regressor, Classifier), strict=True))

    def describe(task: str, scale: str) -> dict[str, Any]:
        changed = quick if scale == "quick" else {}
        parameters = _plain_parameters(by_task[task], changed)
        del parameters["n_hidden_layers"]
        return {"depths": _DEPTHS[scale], "parameters": parameters}

    def train(training: Training) -> Outcome:
        Estimator = by_task["classification" if training.classes else "regression"]
        estimator = Estimator(
            **training.settings["parameters"],
            random_state=training.seed,
            device=training.device,
            n_jobs=training.n_jobs,
        )
        model = BestDepth(estimator, training.settings["depths"]).fit(training.X, training.y)
        details = {**_tuned_details(model.best_estimator_), "depth": int(model.best_depth_)}
        return _outcome(training, model, details)

    return Method(name, title, packages=(), tasks=TASKS, describe=describe, train=train)


# -- DropoutNet -----------------------------------------------------------------------------------


def _dropout_method(name: str, title: str, n_estimators: int) -> Method:
    def describe(task: str, scale: str) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "depths": _DROPOUT_DEPTHS[scale],
            "n_folds": _FOLDS,
            "n_estimators": n_estimators if scale == "paper" else min(n_estimators, 8),
            "n_estimators_tuning": 10 if scale == "paper" else 4,
            "n_hidden_nodes": 100,
            "dropout": 0.15,
            "learning_rate": 1e-3,
            "n_batches": 3,
            # A few hundred epochs do; on the data of Table 1 more of them change nothing.
            "max_epochs": 400 if scale == "paper" else 100,
        }
        if task == "classification":
            # As EASIER-net weights them; its calibration is a part of its own tuning.
            settings["class_weight"] = EasierNetClassifierCV().class_weight
        return settings

    def train(training: Training) -> Outcome:
        parameters = dict(training.settings)
        folds = splits(training, parameters.pop("n_folds"))
        Estimator = DropoutNetClassifier if training.classes else DropoutNetRegressor
        model = Estimator(
            **parameters, cv=folds, random_state=training.seed, device=training.device
        ).fit(training.X, training.y)
        details = {
            "validation_loss": model.cv_losses_[model.depth_],
            "n_layers": float(model.depth_),
            "n_hidden_nodes": float(model.n_hidden_nodes),
            "support_size": float(model.n_features_in_),
        }
        return _outcome(training, model, details)

    return Method(name, title, packages=(), tasks=TASKS, describe=describe, train=train)


NETWORKS = (
    _tuned_method(
        "easier",
        "EASIER-net",
        EasierNetRegressorCV,
        EasierNetClassifierCV,
        {"quick": _QUICK_ENSEMBLE, "paper": {}},
    ),
    _tuned_method(
        "sier",
        "SIER-net",
        SierNetRegressorCV,
        SierNetClassifierCV,
        {"quick": _QUICK, "paper": {}},
    ),
    _tuned_method(
        "easier_paper",
        "EASIER-net, as published",
        EasierNetRegressorCV,
        EasierNetClassifierCV,
        {scale: _as_published(scale) for scale in ("quick", "paper")},
    ),
    _sparse_method(
        "sparse",
        "SparseNet, ensemble",
        SparseNetEnsembleRegressorCV,
        SparseNetEnsembleClassifierCV,
        _QUICK_ENSEMBLE,
    ),
    _sparse_method(
        "sparse_single", "SparseNet, single", SparseNetRegressorCV, SparseNetClassifierCV, _QUICK
    ),
    _dropout_method("dropout", "DropoutNet, ensemble", n_estimators=20),
    _dropout_method("dropout_single", "DropoutNet, single", n_estimators=1),
)
