"""Dense ReLU networks with dropout, trained as one stack: the network is the first axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch.nn import functional

from siernet.rows import Scaling


@dataclass(frozen=True)
class DenseRecipe:
    """Size of the networks and how they are trained."""

    n_hidden_layers: int
    n_hidden_nodes: int
    dropout: float
    max_epochs: int
    learning_rate: float
    n_batches: int


class DenseStack:
    """Networks of one size.

    ``weights[l]`` is (networks, in, out), ``biases[l]`` (networks, 1, out). They start uniform on
    ``±1/sqrt(in)``, as PyTorch's linear layers do.
    """

    def __init__(
        self,
        n_networks: int,
        widths: tuple[int, ...],
        random: torch.Generator,
        scaling: NetworkScaling | None = None,
    ) -> None:
        self.scaling = scaling or NetworkScaling.none(n_networks, widths[0])
        self.weights: list[torch.Tensor] = []
        self.biases: list[torch.Tensor] = []
        for before, after in pairwise(widths):
            bound = 1 / math.sqrt(before)
            for parameters, rows in ((self.weights, before), (self.biases, 1)):
                draws = torch.rand(
                    (n_networks, rows, after), generator=random, device=random.device
                )
                parameters.append(draws.mul_(2 * bound).sub_(bound).requires_grad_())

    @property
    def parameters(self) -> list[torch.Tensor]:
        return [*self.weights, *self.biases]

    @property
    def _input_scaling(self) -> tuple[torch.Tensor, ...]:
        like = self.weights[0]
        return tuple(
            torch.as_tensor(a[:, None], dtype=like.dtype, device=like.device)
            for a in (self.scaling.x_mean, self.scaling.x_scale)
        )

    def outputs(
        self, inputs: torch.Tensor, *, dropout: float = 0.0, random: torch.Generator | None = None
    ) -> torch.Tensor:
        """Outputs (networks, rows, outputs) of inputs (networks, rows, d), or (rows, d) shared.

        Hidden nodes are dropped with probability ``dropout``, in each network and row anew.
        """
        x_mean, x_scale = self._input_scaling
        nodes = (inputs.expand(len(x_mean), *inputs.shape[-2:]) - x_mean) / x_scale
        last = len(self.weights) - 1
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            nodes = torch.baddbmm(bias, nodes, weight)
            if layer < last:
                nodes = torch.relu(nodes)
                if dropout > 0:
                    kept = torch.rand(nodes.shape, generator=random, device=nodes.device) >= dropout
                    nodes = nodes * kept / (1 - dropout)
        return nodes

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Outputs (networks, rows, outputs) without dropout, on the response's scale."""
        with torch.no_grad():
            inputs = torch.as_tensor(X, dtype=torch.float32, device=self.weights[0].device)
            outputs = self.outputs(inputs).cpu().numpy()
        scaling = self.scaling
        return outputs * scaling.y_scale[:, None, None] + scaling.y_mean[:, None, None]

    def to_cpu(self) -> DenseStack:
        """The same networks without gradients, in the CPU's memory."""
        for parameters in (self.weights, self.biases):
            parameters[:] = [parameter.detach().cpu() for parameter in parameters]
        return self


@dataclass(frozen=True)
class NetworkRows:
    """Which rows each network is trained on, and their weight in it, both (networks, rows)."""

    index: np.ndarray
    weight: np.ndarray

    @classmethod
    def of_parts(cls, parts: Sequence[np.ndarray], weight: np.ndarray, copies: int) -> NetworkRows:
        """``copies`` networks for each part of a table, given as row numbers.

        Shorter parts are filled up with rows of weight zero.
        """
        width = max(len(part) for part in parts)
        index = np.stack([np.resize(part, width) for part in parts])
        filled = np.arange(width) >= np.array([[len(part)] for part in parts])
        weights = np.where(filled, 0.0, weight[index])
        return cls(np.repeat(index, copies, axis=0), np.repeat(weights, copies, axis=0))


@dataclass(frozen=True)
class NetworkScaling:
    """Means and scales that each network learns from its own rows, and from no others."""

    x_mean: np.ndarray  # (networks, d)
    x_scale: np.ndarray  # (networks, d)
    y_mean: np.ndarray  # (networks,), zero for classes
    y_scale: np.ndarray  # (networks,), one for classes

    @classmethod
    def none(cls, n_networks: int, n_columns: int) -> NetworkScaling:
        shapes = ((n_networks, n_columns), (n_networks,))
        return cls(*(make(shape) for shape in shapes for make in (np.zeros, np.ones)))

    @classmethod
    def of_parts(
        cls, X: np.ndarray, y: np.ndarray | None, parts: Sequence[np.ndarray], copies: int
    ) -> NetworkScaling:
        """``copies`` networks for each part of a table; ``y`` is None for classes."""
        inputs = [Scaling.learn(X[part], np.ones(len(part))) for part in parts]
        responses = [
            Scaling.none(1) if y is None else Scaling.learn(y[part, None], np.ones(len(part)))
            for part in parts
        ]
        return cls(
            *(
                np.repeat(np.stack(values), copies, axis=0)
                for values in (
                    [scaling.mean for scaling in inputs],
                    [scaling.scale for scaling in inputs],
                    [scaling.mean[0] for scaling in responses],
                    [scaling.scale[0] for scaling in responses],
                )
            )
        )


def train_dense(
    X: np.ndarray,
    target: np.ndarray,
    rows: NetworkRows,
    scaling: NetworkScaling,
    recipe: DenseRecipe,
    *,
    n_classes: int,
    seed: int,
    device: str,
) -> DenseStack:
    """Minimises the weighted mean loss of each network by Adam on its own mini-batches.

    Parameters
    ----------
    X : (n, d)
    target : (n,)
        The response, or class codes 0, 1, ...
    n_classes : int
        Zero in regression.
    """
    random = torch.Generator(device).manual_seed(seed)
    inputs, weights = (
        torch.as_tensor(a, dtype=torch.float32, device=device) for a in (X, rows.weight)
    )
    targets = torch.as_tensor(
        target, dtype=torch.int64 if n_classes else torch.float32, device=device
    )
    own_rows = torch.as_tensor(rows.index, device=device)
    hidden = (recipe.n_hidden_nodes,) * recipe.n_hidden_layers
    stack = DenseStack(len(own_rows), (X.shape[1], *hidden, max(n_classes, 1)), random, scaling)
    y_mean, y_scale = (
        torch.as_tensor(a[:, None], dtype=torch.float32, device=device)
        for a in (scaling.y_mean, scaling.y_scale)
    )
    optimiser = torch.optim.Adam(stack.parameters, lr=recipe.learning_rate)
    for _ in range(recipe.max_epochs):
        order = torch.rand(own_rows.shape, generator=random, device=device).argsort(dim=1)
        for batch in order.tensor_split(recipe.n_batches, dim=1):
            chosen = own_rows.gather(1, batch)
            outputs = stack.outputs(inputs[chosen], dropout=recipe.dropout, random=random)
            wanted = targets[chosen]
            if not n_classes:
                wanted = (wanted - y_mean) / y_scale
            losses = _losses(outputs, wanted, classes=n_classes > 0)
            # Networks share no parameter, so the sum's gradient is each network's own.
            loss = (losses * weights.gather(1, batch)).mean(dim=1).sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return stack.to_cpu()


def _losses(outputs: torch.Tensor, target: torch.Tensor, *, classes: bool) -> torch.Tensor:
    """Loss of every row, (networks, rows)."""
    if classes:
        return functional.cross_entropy(outputs.transpose(1, 2), target, reduction="none")
    return (outputs[:, :, 0] - target) ** 2
