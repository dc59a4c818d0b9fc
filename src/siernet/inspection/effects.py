"""How much each variable weighs in the networks, and in which direction, without any data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from siernet.inspection.checks import fitted_model, is_classifier
from siernet.members import Member

_INPUTS_AT_ONCE = 256


@dataclass(frozen=True)
class VariableEffects:
    """What the weights say of each variable, in the order of the columns.

    Parameters
    ----------
    share : (d,) array
        The variable's part in the absolute weight of all paths from inputs to outputs, averaged
        over the networks: of sum one, unless networks are constant.
    change : (d,) array or None
        Change of the prediction from one standard deviation below the variable's mean to one
        above, the other variables at their means, averaged over the networks. In the response's
        unit, or in the probability of the second of two classes; None with more classes, and for
        a model fitted with ``standardize=False``, which knows no standard deviations.
    """

    share: np.ndarray
    change: np.ndarray | None


def path_weights(member: Member) -> list[np.ndarray]:
    """Absolute weight of all paths through each kept node, by layer, the inputs first."""
    weights = [np.abs(weight).astype(np.float64) for weight in member.kept_weights]
    inbound = [np.abs(member.kept_beta).astype(np.float64)]
    for weight in weights:
        inbound.append(inbound[-1] @ weight)
    outbound: list[np.ndarray] = []
    for layer in reversed(range(len(inbound))):
        own = member.skip_shares[layer] * np.abs(member.kept_skip_weights[layer]).sum(axis=1)
        outbound.append(own + weights[layer] @ outbound[-1] if outbound else own)
    return [a * b for a, b in zip(inbound, reversed(outbound), strict=True)]


def compact(member: Member, inputs: np.ndarray | None = None) -> Member:
    """The same network with some of its kept inputs as its only ones; by default with all.

    Parameters
    ----------
    inputs : int array, optional
        Places among the kept inputs. The others are left out, as if they were zero.
    """
    if inputs is None:
        inputs = np.arange(len(member.nodes[0]))
    first_weights = [weight[inputs] for weight in member.kept_weights[:1]]
    return replace(
        member,
        widths=(len(inputs), *member.widths[1:]),
        nodes=(np.arange(len(inputs)), *member.nodes[1:]),
        kept_beta=member.kept_beta[inputs],
        kept_weights=(*first_weights, *member.kept_weights[1:]),
        kept_skip_weights=(member.kept_skip_weights[0][inputs], *member.kept_skip_weights[1:]),
    )


def variable_effects(model: Any) -> VariableEffects:
    """Shares of weight, and changes of the prediction, of a fitted estimator's variables."""
    model = fitted_model(model)
    shares = np.zeros((len(model.members_), model.n_features_in_))
    for row, member in zip(shares, model.members_, strict=True):
        through = path_weights(member)[0]
        if through.sum() > 0:
            row[member.nodes[0]] = through / through.sum()
    return VariableEffects(shares.mean(axis=0), _mean_change(model))


def _mean_change(model: Any) -> np.ndarray | None:
    if not model.standardize or (is_classifier(model) and len(model.classes_) > 2):
        return None
    total = np.zeros(model.n_features_in_)
    for member in model.members_:
        inputs = np.flatnonzero(member.support[member.nodes[0]])
        for start in range(0, len(inputs), _INPUTS_AT_ONCE):
            moved = inputs[start : start + _INPUTS_AT_ONCE]
            network = compact(member, moved)  # the other inputs are at zero, their mean
            one = np.eye(len(moved))
            low, high = (_predicted(model, network.outputs(rows)) for rows in (-one, one))
            total[member.nodes[0][moved]] += high - low
    return total / len(model.members_)


def _predicted(model: Any, outputs: np.ndarray) -> np.ndarray:
    """Predictions from a network's outputs: numbers, or the second class's probability."""
    predictions = model._as_predictions(outputs, vars(model))
    return predictions[..., 1] if is_classifier(model) else predictions
