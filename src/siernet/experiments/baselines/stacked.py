"""Dense ReLU networks with dropout, trained as one stack: the network is the first axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch.nn import functional


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
    """Networks of one size; ``weights[l]`` is (networks, in, out), ``biases[l]`` (networks, out).

    Weights and biases start uniform on ``±1/sqrt(in)``, as PyTorch's linear layers do.
    """

    def __init__(self, n_networks: int, widths: tuple[int, ...], random: torch.Generator) -> None:
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

    def outputs(
        self, inputs: torch.Tensor, *, dropout: float = 0.0, random: torch.Generator | None = None
    ) -> torch.Tensor:
        """Outputs (networks, rows, outputs) of inputs (networks, rows, d), or (rows, d) shared.

        Hidden nodes are dropped with probability ``dropout``, in each network and row anew.
        """
        nodes = inputs.expand(len(self.weights[0]), *inputs.shape[-2:])
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
        """Outputs (networks, rows, outputs) without dropout."""
        with torch.no_grad():
            inputs = torch.as_tensor(X, dtype=torch.float32, device=self.weights[0].device)
            return self.outputs(inputs).cpu().numpy()

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


def train_dense(
    X: np.ndarray,
    target: np.ndarray,
    rows: NetworkRows,
    recipe: DenseRecipe,
    *,
    n_classes: int,
    seed: int,
    device: str,
) -> DenseStack:
    """Minimises the weighted mean loss of each network by Adam on its own mini-batches.

    Parameters
    ----------
    X : (n, d), scaled
    target : (n,)
        The scaled response, or class codes 0, 1, ...
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
    stack = DenseStack(len(own_rows), (X.shape[1], *hidden, max(n_classes, 1)), random)
    optimiser = torch.optim.Adam(stack.parameters, lr=recipe.learning_rate)
    for _ in range(recipe.max_epochs):
        order = torch.rand(own_rows.shape, generator=random, device=device).argsort(dim=1)
        for batch in order.tensor_split(recipe.n_batches, dim=1):
            chosen = own_rows.gather(1, batch)
            outputs = stack.outputs(inputs[chosen], dropout=recipe.dropout, random=random)
            losses = _losses(outputs, targets[chosen], classes=n_classes > 0)
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
