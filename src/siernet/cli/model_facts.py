"""What a fitted model says of itself, in plain values: for the screen and for --json."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from siernet.fit_record import FitRecord
from siernet.inspection import (
    SelectionRates,
    layer_contributions,
    selection_rates,
    variable_effects,
)
from siernet.inspection.checks import is_classifier

_NOT_IN_JSON = ("test_y", "test_members", "sample_rows")


def model_facts(estimator: Any) -> dict[str, Any]:
    """Facts that need the model only."""
    rates = selection_rates(estimator)
    return {
        "estimator": type(estimator).__name__,
        "classes": [str(c) for c in estimator.classes_] if is_classifier(estimator) else [],
        "penalties": penalties_of(estimator),
        "n_variables": int(estimator.n_features_in_),
        "n_selected": int((rates.rates >= 0.5).sum()),
        "n_ever_selected": rates.n_ever_selected,
        "variables": selected_variables(estimator, rates),
        "network": network_size(estimator),
        "supports": [
            {"variables": [str(name) for name in support], "share": share}
            for support, share in estimator.support_posterior().items()
        ],
    }


def record_facts(record: FitRecord | None) -> dict[str, Any]:
    """Facts of the fit; its rows of data stay in the model file."""
    if record is None:
        return {}
    return {name: value for name, value in asdict(record).items() if name not in _NOT_IN_JSON}


def penalties_of(estimator: Any) -> dict[str, Any]:
    """The two penalties, of classes also the calibration, and how they were found."""
    tuned = hasattr(estimator, "cv_results_")
    facts: dict[str, Any] = {"tuned": tuned}
    for name in ("input_penalty", "network_penalty"):
        facts[name] = float(getattr(estimator, f"{name}_" if tuned else name))
    if tuned:
        facts["pairs_tried"] = len(estimator.cv_results_["params"])
        facts["folds"] = int(estimator.n_splits_)
        facts["cv_loss"] = -float(estimator.best_score_)
    if hasattr(estimator, "temperature_"):
        facts["temperature"] = float(estimator.temperature_)
        facts["prior_power"] = float(estimator.prior_power_)
    return facts


def selected_variables(estimator: Any, rates: SelectionRates) -> list[dict[str, Any]]:
    """Every variable that a network selected, the most often selected first.

    Among equals, the one that weighs most in the networks comes first.
    """
    effects = variable_effects(estimator)
    order = np.lexsort((-effects.share[rates.columns], -rates.rates))
    variables = []
    for place in order[: rates.n_ever_selected]:
        column = rates.columns[place]
        change = None if effects.change is None else float(effects.change[column])
        variables.append(
            {
                "name": str(rates.names[place]),
                "rate": float(rates.rates[place]),
                "low": float(rates.low[place]),
                "high": float(rates.high[place]),
                "change": change,
            }
        )
    return variables


def network_size(estimator: Any) -> dict[str, Any]:
    """How much of the largest network is in use, averaged over the members."""
    members = estimator.members_
    nodes = np.array([[mask.sum() for mask in member.active_nodes] for member in members])
    contributions = layer_contributions(estimator)
    return {
        "n_members": len(members),
        "inputs": float(estimator.supports_.sum(axis=1).mean()),
        "hidden_nodes": float(nodes.sum(axis=1).mean()),
        "hidden_layers": float((nodes > 0).sum(axis=1).mean()),
        "nodes_by_layer": nodes.mean(axis=0).tolist(),
        "variance_by_layer": dict(
            zip(contributions.layers, contributions.mean.tolist(), strict=True)
        ),
        "largest": [len(mask) for mask in members[0].active_nodes],
        "converged": int(np.sum(estimator.converged_)),
    }
