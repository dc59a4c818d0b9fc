"""One fitted network as nodes and edges: the most important ones, the rest counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.inspection.checks import (
    fitted_model,
    member_number,
    positive_count,
    variable_names,
)
from siernet.inspection.effects import path_weights
from siernet.inspection.layers import layer_names
from siernet.members import Member


@dataclass(frozen=True)
class GraphLayer:
    """The shown nodes of one layer.

    Parameters
    ----------
    name : str
    labels : tuple of str
        Names of the inputs, numbers of the hidden nodes; the most important first.
    weight : (shown,) array
        Share of the absolute weight of all paths that goes through the node.
    scale : (shown,) array
        beta in the layer of inputs, ones elsewhere.
    n_hidden : int
        Active nodes that are not shown.
    skip_share : float
        ``|alpha_l| / sum |alpha|``, zero for a layer that reaches the output in no other way than
        through later layers.
    constant : bool
        Whether the skip-connection has no weights left and only adds a constant.
    to_output : (shown,) array
        Weights of the skip-connection: that to the output, with two classes the difference of the
        second's and the first's, with more the sum of the absolute values.
    """

    name: str
    labels: tuple[str, ...]
    weight: np.ndarray
    scale: np.ndarray
    n_hidden: int
    skip_share: float
    constant: bool
    to_output: np.ndarray


@dataclass(frozen=True)
class NetworkGraph:
    """A network's shown part.

    Parameters
    ----------
    member : int
    layers : tuple of GraphLayer
        The inputs, then every hidden layer.
    connections : tuple of (shown_l, shown_{l+1}) arrays
        Weights between the shown nodes of neighbouring layers.
    signed : bool
        Whether the sign of ``to_output`` means anything (at most two classes).
    """

    member: int
    layers: tuple[GraphLayer, ...]
    connections: tuple[np.ndarray, ...]
    signed: bool

    @property
    def n_inputs(self) -> int:
        """Selected variables, shown or not."""
        return len(self.layers[0].labels) + self.layers[0].n_hidden

    @property
    def n_nodes(self) -> int:
        """Active hidden nodes, shown or not."""
        return sum(len(layer.labels) + layer.n_hidden for layer in self.layers[1:])

    def describe(self) -> str:
        """The network's size in words."""
        variables = f"{self.n_inputs:,} variable{'s' * (self.n_inputs != 1)}"
        depth = sum(len(layer.labels) > 0 for layer in self.layers[1:])
        if not depth:
            return f"{variables}, no hidden nodes" if self.n_inputs else "a constant"
        return (
            f"{variables}, {self.n_nodes:,} hidden node{'s' * (self.n_nodes != 1)} in {depth} "
            f"layer{'s' * (depth != 1)}"
        )


def typical_member(model: Any) -> int:
    """The network whose support is nearest to the selection rates; of equals, the best fitting."""
    model = fitted_model(model)
    distance = np.abs(model.supports_ - model.selection_rates_).sum(axis=1)
    if model.supports_.any():
        distance[~model.supports_.any(axis=1)] = np.inf  # a constant would show nothing
    return int(np.lexsort((model.objective_, distance.round(9)))[0])


def network_graph(
    model: Any,
    *,
    member: int | None = None,
    max_inputs: int = 15,
    max_nodes: int = 12,
    feature_names: Sequence[Any] | None = None,
) -> NetworkGraph:
    """The graph of one network of a fitted estimator.

    Parameters
    ----------
    member : int, optional
        Its place in ``members_``; by default the most typical one.
    max_inputs, max_nodes : int
        Shown inputs, and shown nodes of every hidden layer: those with most path weight.
    """
    model = fitted_model(model)
    names = variable_names(model, feature_names)
    positive_count(max_inputs, "max_inputs")
    positive_count(max_nodes, "max_nodes")
    number = typical_member(model) if member is None else member_number(model, member)
    network = model.members_[number]
    shown, importance, n_hidden = _shown_nodes(network, max_inputs, max_nodes)
    titles = layer_names(len(shown))
    alive = (network.support, *network.active_nodes)
    layers = []
    for layer, kept in enumerate(shown):
        places = network.nodes[layer][kept]
        skip = network.kept_skip_weights[layer]
        reaches = np.any(skip != 0) or np.any(network.kept_skip_biases[layer] != 0)
        layers.append(
            GraphLayer(
                name=titles[layer],
                labels=tuple(names[places] if layer == 0 else map(str, places.tolist())),
                weight=importance[layer],
                scale=network.kept_beta[kept] if layer == 0 else np.ones(len(kept)),
                n_hidden=n_hidden[layer],
                skip_share=float(network.skip_shares[layer]) if reaches else 0.0,
                constant=not np.any(skip[alive[layer][network.nodes[layer]]] != 0),
                to_output=_summed_outputs(skip[kept]),
            )
        )
    connections = tuple(
        weight[np.ix_(shown[layer], shown[layer + 1])]
        for layer, weight in enumerate(network.kept_weights)
    )
    n_outputs = network.kept_skip_weights[0].shape[1]
    return NetworkGraph(number, tuple(layers), connections, signed=n_outputs <= 2)


def _shown_nodes(
    network: Member, max_inputs: int, max_nodes: int
) -> tuple[list[np.ndarray], list[np.ndarray], list[int]]:
    """Places among the kept nodes, shares of path weight, and counts of those left out."""
    masks = (network.support, *network.active_nodes)
    shown, importance, n_hidden = [], [], []
    weights = path_weights(network)
    total = weights[0].sum() or 1.0
    for layer, through in enumerate(weights):
        active = np.flatnonzero(masks[layer][network.nodes[layer]])
        order = active[np.argsort(-through[active], kind="stable")]
        kept = order[: max_inputs if layer == 0 else max_nodes]
        shown.append(kept)
        importance.append(through[kept] / total)
        n_hidden.append(len(order) - len(kept))
    return shown, importance, n_hidden


def _summed_outputs(weights: np.ndarray) -> np.ndarray:
    if weights.shape[1] == 1:
        return weights[:, 0]
    if weights.shape[1] == 2:
        return weights[:, 1] - weights[:, 0]
    return np.abs(weights).sum(axis=1)
