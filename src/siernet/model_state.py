"""Fitted models as dictionaries of plain values, and back."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sklearn.pipeline import Pipeline

import siernet
from siernet.fit_record import FitRecord
from siernet.members import Member
from siernet.preparation import describe, rebuild
from siernet.table_pipeline import parts_of, table_pipeline

_RECORD = "fit_record_"


def plain_state(model: Any, record: FitRecord | None = None) -> dict[str, Any]:
    """A fitted estimator, or Pipeline of the command line, as a dictionary.

    Parameters
    ----------
    model : estimator or Pipeline
    record : FitRecord, optional
        By default the one that the model was loaded with, if any.
    """
    preparation, estimator = parts_of(model) if isinstance(model, Pipeline) else (None, model)
    if record is None:
        record = getattr(model, _RECORD, None)
    state = {name: value for name, value in vars(estimator).items() if name.endswith("_")}
    state.pop(_RECORD, None)
    state["members_"] = [_as_dict(member) for member in estimator.members_]
    parameters = estimator.get_params(deep=False)
    if callable(parameters["verbose"]):  # a function cannot be stored, and has no later use
        parameters["verbose"] = 0
    return {
        "estimator": type(estimator).__name__,
        "parameters": parameters,
        "state": state,
        "preparation": None if preparation is None else describe(preparation),
        "record": None if record is None else _as_dict(record),
    }


def model_from(plain: dict[str, Any]) -> Any:
    """The model that ``plain_state`` described; its record, if any, is ``fit_record_``."""
    estimator = getattr(siernet, plain["estimator"])(**plain["parameters"])
    state = dict(plain["state"])
    state["members_"] = [Member(**member) for member in state["members_"]]
    vars(estimator).update(state)
    model = estimator
    if plain["preparation"] is not None:
        model = table_pipeline(rebuild(plain["preparation"]), estimator)
    if plain["record"] is not None:
        known = {field.name for field in fields(FitRecord)}
        values = {name: value for name, value in plain["record"].items() if name in known}
        setattr(model, _RECORD, FitRecord(**values))
    return model


def _as_dict(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}
