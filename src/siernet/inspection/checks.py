"""Checks of what inspection is given, each with a message that says what to do."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from siernet.base import BaseSierNet


def fitted_model(model: Any) -> BaseSierNet:
    """The model, if it is a fitted estimator of siernet."""
    if isinstance(model, Pipeline):
        raise TypeError(
            "Got a Pipeline. Pass its last step, model[-1], and data prepared by the steps before "
            "it, model[:-1].transform(X)."
        )
    if not isinstance(model, BaseSierNet):
        raise TypeError(
            f"Expected a fitted estimator of siernet, got {type(model).__name__}: {model!r:.60}."
        )
    check_is_fitted(model)
    return model


def variable_names(model: Any, feature_names: Sequence[Any] | None = None) -> np.ndarray:
    """Names of a model's variables, shape (d,): those given, else its own, else x0, x1, ..."""
    model = fitted_model(model)
    n_variables = model.n_features_in_
    if feature_names is None:
        names = getattr(model, "feature_names_in_", None)
        if names is None:
            names = [f"x{column}" for column in range(n_variables)]
    elif isinstance(feature_names, str) or len(feature_names) != n_variables:
        count = "one text" if isinstance(feature_names, str) else f"{len(feature_names)} names"
        raise ValueError(
            f"feature_names holds {count}, but the model has {n_variables} variables. Pass one "
            "name for each, in the order of the columns."
        )
    else:
        names = feature_names
    return np.array([str(name) for name in names], dtype=object)


def scaled_rows(model: BaseSierNet, X: Any) -> np.ndarray:
    """Rows as the networks take them, shape (n, d); an array may lack the names of a DataFrame."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        return model._scaled_inputs(X)


def positive_count(value: Any, name: str) -> int:
    """An integer of at least one."""
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < 1:
        raise ValueError(f"{name}={value!r} has to be a whole number of at least 1.")
    return int(value)


def member_number(model: BaseSierNet, member: Any) -> int:
    """The place of a member, counted from zero."""
    n_members = len(model.members_)
    if not isinstance(member, Integral) or not -n_members <= int(member) < n_members:
        raise ValueError(
            f"member={member!r} has to be a whole number from 0 to {n_members - 1}: the model has "
            f"{n_members} networks."
        )
    return int(member) % n_members


def is_classifier(model: BaseSierNet) -> bool:
    """Whether the model predicts classes."""
    return hasattr(model, "classes_")


def class_codes(model: BaseSierNet, y: Any) -> np.ndarray:
    """Places of the observed labels among the model's classes; labels may have become text."""
    classes, y = model.classes_, np.asarray(y)
    if classes.dtype.kind in "fiub" and y.dtype.kind in "fiub":  # 1.0 is the class 1
        classes, y = classes.astype(np.float64), y.astype(np.float64)
    places = {str(label): place for place, label in enumerate(classes.tolist())}
    labels = [str(label) for label in y.tolist()]
    unknown = sorted(set(labels) - set(places))
    if unknown:
        raise ValueError(
            f"y holds classes the model was not trained on: {unknown[:5]}. It knows "
            f"{list(places)[:10]}. Leave out those rows."
        )
    return np.array([places[label] for label in labels], dtype=np.int64)
