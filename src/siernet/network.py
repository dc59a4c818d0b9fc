"""The network's equations, for a stack of tasks.

A *stack* holds one network a task; every parameter tensor has the task as its first axis.
In the paper's notation (appendix A), for each task::

    z_1 = beta * x
    z_l = relu(z_{l-1} W_{l-1} + b_{l-1})                 l = 2..L-1
    zeta_l = z_l W'_l + b'_l                              l = 1..L-1
    f(x) = sum_l |alpha_l| / sum|alpha| * zeta_l          (before the output function)

``W_l`` and ``W'_l`` act on the same ``z_l``, so they are stored side by side as one matrix
``[W_l | W'_l]``, and a layer costs one matrix product forward and two backward. All parameters
of a task lie in one flat vector, so an optimiser is a few operations on one tensor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from siernet.compiled import Compiled
from siernet.losses import OutputLoss

# Which penalty a parameter has: one of these per entry of the flat vector.
FREE, INPUT_PENALTY, NETWORK_PENALTY, NON_NEGATIVE = 0, 1, 2, 3

# Columns are padded to a multiple of this: matrix products run a fifth faster on 104 columns
# than on 101. The padding holds zeros and stays so.
_COLUMN_MULTIPLE = 8
_BLOCK_MULTIPLE = 16


def _round_up(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


@dataclass(frozen=True)
class Layout:
    """Where each parameter of one network lies in its flat vector.

    Parameters
    ----------
    widths : tuple of int
        Number of nodes of the layers 1..L-1: the inputs, then each hidden layer.
    n_outputs : int
    skips : {"all", "last"}
        "last" keeps only the topmost skip-connection: an ordinary network, alpha is (0, .., 0, 1).
    """

    widths: tuple[int, ...]
    n_outputs: int
    skips: str = "all"

    @property
    def n_layers(self) -> int:
        """Number of layers that have a skip-connection, L - 1."""
        return len(self.widths)

    def has_skip(self, layer: int) -> bool:
        """Whether a layer is connected to the output; otherwise its zeros stay as they are."""
        return self.skips == "all" or layer + 1 == self.n_layers

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Columns of each layer's ``[W_l | W'_l]``, padding left out."""
        following = (*self.widths[1:], 0)
        return tuple(width + self.n_outputs for width in following)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        return tuple(_round_up(columns, _COLUMN_MULTIPLE) for columns in self.columns)

    @cached_property
    def _blocks(self) -> dict[str, tuple[int, tuple[int, ...]]]:
        """Name -> (offset, shape), in the order of the flat vector."""
        shapes: dict[str, tuple[int, ...]] = {"beta": (self.widths[0],), "alpha": (self.n_layers,)}
        for layer, (rows, stride) in enumerate(zip(self.widths, self.strides, strict=True)):
            shapes[f"matrix{layer}"] = (rows, stride)
            shapes[f"offset{layer}"] = (stride,)
        blocks, position = {}, 0
        for name, shape in shapes.items():
            blocks[name] = (position, shape)
            position += _round_up(int(np.prod(shape)), _BLOCK_MULTIPLE)
        blocks["end"] = (position, ())
        return blocks

    @property
    def size(self) -> int:
        """Length of the flat vector."""
        return self._blocks["end"][0]

    def view(self, flat: torch.Tensor) -> Parameters:
        """Named views into ``flat``, of shape (tasks, size); writing to them writes to it."""

        def block(name: str) -> torch.Tensor:
            offset, shape = self._blocks[name]
            part = flat[:, offset : offset + int(np.prod(shape))]
            return part.unflatten(1, shape) if len(shape) > 1 else part

        layers = range(self.n_layers)
        return Parameters(
            layout=self,
            flat=flat,
            beta=block("beta"),
            alpha=block("alpha"),
            matrices=[block(f"matrix{layer}") for layer in layers],
            offsets=[block(f"offset{layer}") for layer in layers],
        )

    def kinds(self, *, penalise_biases: bool) -> torch.Tensor:
        """Which penalty each entry of the flat vector has, shape (size,).

        Regression leaves the biases free; classification penalises ``b'_1`` as the inputs and
        every other bias as the network.
        """
        kinds = torch.full((1, self.size), FREE, dtype=torch.int8)
        named = self.view(kinds)
        named.beta[:] = INPUT_PENALTY
        named.alpha[:] = NON_NEGATIVE
        for layer in range(self.n_layers):
            skip_kind = INPUT_PENALTY if layer == 0 else NETWORK_PENALTY
            if layer + 1 < self.n_layers:
                named.weight(layer)[:] = NETWORK_PENALTY
            if self.has_skip(layer):
                named.skip_weight(layer)[:] = skip_kind
            if penalise_biases:
                if layer + 1 < self.n_layers:
                    named.bias(layer)[:] = NETWORK_PENALTY
                if self.has_skip(layer):
                    named.skip_bias(layer)[:] = skip_kind
        return kinds[0]


@dataclass
class Parameters:
    """Named views into the flat parameters of a stack. Layers count from 0."""

    layout: Layout
    flat: torch.Tensor  # (tasks, size), what the others are views of
    beta: torch.Tensor  # (tasks, inputs)
    alpha: torch.Tensor  # (tasks, layers)
    matrices: list[torch.Tensor]  # [W_l | W'_l | padding], (tasks, width, stride)
    offsets: list[torch.Tensor]  # [b_l | b'_l | padding], (tasks, stride)

    def _split(self, layer: int) -> tuple[slice, slice]:
        columns = self.layout.columns[layer]
        following = columns - self.layout.n_outputs
        return slice(0, following), slice(following, columns)

    def weight(self, layer: int) -> torch.Tensor:
        return self.matrices[layer][:, :, self._split(layer)[0]]

    def skip_weight(self, layer: int) -> torch.Tensor:
        return self.matrices[layer][:, :, self._split(layer)[1]]

    def bias(self, layer: int) -> torch.Tensor:
        return self.offsets[layer][:, self._split(layer)[0]]

    def skip_bias(self, layer: int) -> torch.Tensor:
        return self.offsets[layer][:, self._split(layer)[1]]


class StackedNetwork:
    """Forward pass and gradient of a stack of networks of one layout.

    Buffers are kept between calls of the same number of rows.

    Parameters
    ----------
    layout : Layout
    loss : OutputLoss
    """

    def __init__(self, layout: Layout, loss: OutputLoss) -> None:
        self.layout = layout
        self.loss = loss
        self._buffers: dict[tuple, torch.Tensor] = {}

    def buffer(self, name: str, number: int, like: torch.Tensor, *shape: int) -> torch.Tensor:
        """Memory for a tensor of this shape, the same at each call; zeros at first."""
        key = (name, number)
        buffer = self._buffers.get(key)
        if buffer is None or buffer.shape != shape or buffer.dtype != like.dtype:
            buffer = torch.zeros(shape, dtype=like.dtype, device=like.device)
            self._buffers[key] = buffer
        return buffer

    def _forward(self, named: Parameters, inputs: torch.Tensor) -> list[torch.Tensor]:
        """Each layer's ``[z_{l+1} | zeta_l]``; inputs (rows, d) shared or (tasks, rows, d)."""
        tasks, rows = named.beta.shape[0], inputs.shape[-2]
        if inputs.ndim == 2:
            inputs = inputs.expand(tasks, -1, -1)
        layout, results, below = self.layout, [], inputs
        for layer in range(layout.n_layers):
            matrix = named.matrices[layer]
            if layer == 0:  # (beta * x) W = x (beta * W), which is the smaller product
                scaled = self.buffer("scaled", 0, matrix, *matrix.shape)
                matrix = torch.mul(named.beta[:, :, None], matrix, out=scaled)
            out = self.buffer("forward", layer, matrix, tasks, rows, layout.strides[layer])
            offsets = named.offsets[layer][:, None, :]
            n_nodes = layout.widths[layer + 1] if layer + 1 < layout.n_layers else 0
            if out.is_cuda:
                torch.bmm(below, matrix, out=out)
                _add_and_rectify_in_one(out, offsets, n_nodes)
            else:
                torch.baddbmm(offsets, below, matrix, out=out)
                out[:, :, :n_nodes].relu_()
            below = out[:, :, :n_nodes]
            results.append(out)
        return results

    def _skips(self, layer: int, forward: torch.Tensor) -> torch.Tensor:
        end = self.layout.columns[layer]
        return forward[:, :, end - self.layout.n_outputs : end]

    def outputs(self, named: Parameters, inputs: torch.Tensor) -> torch.Tensor:
        """Outputs before the output function, shape (tasks, rows, n_outputs)."""
        return self._combine(named, self._forward(named, inputs))

    def _combine(self, named: Parameters, forward: list[torch.Tensor]) -> torch.Tensor:
        shares = _skip_shares(named.alpha)
        total = self._skips(0, forward[0]) * shares[:, 0, None, None]
        for layer in range(1, self.layout.n_layers):
            total.addcmul_(self._skips(layer, forward[layer]), shares[:, layer, None, None])
        return total

    def layer_outputs(self, named: Parameters, inputs: torch.Tensor) -> torch.Tensor:
        """``zeta_l`` of every layer, shape (tasks, layers, rows, n_outputs)."""
        forward = self._forward(named, inputs)
        return torch.stack([self._skips(i, out) for i, out in enumerate(forward)], dim=1)

    def loss_and_gradient(
        self,
        named: Parameters,
        slopes: Parameters,
        inputs: torch.Tensor,
        target: torch.Tensor,
        row_weight: torch.Tensor,
    ) -> torch.Tensor:
        """Each task's loss, shape (tasks,); its gradient is written to ``slopes``.

        Parameters
        ----------
        named, slopes : Parameters
            Of the network, and where its gradient goes.
        inputs : (rows, d) or (tasks, rows, d)
        target : (rows, ...) or (tasks, rows, ...)
        row_weight : (tasks, rows)
            A row's share of its task's mean; a weight of zero is an absent row.
        """
        layout = self.layout
        forward = self._forward(named, inputs)
        derivative = self._combine(named, forward)
        losses = self.loss(derivative, target, row_weight)  # derivative now holds what it says
        self._alpha_gradient(named, slopes, forward, derivative)

        shares = _skip_shares(named.alpha)
        tasks, rows = row_weight.shape
        if inputs.ndim == 2:
            inputs = inputs.expand(tasks, -1, -1)
        above = None  # derivative in z_{l+1}
        for layer in reversed(range(layout.n_layers)):
            following = layout.columns[layer] - layout.n_outputs
            # Layers of one width take turns in a buffer, which so stays in the cache.
            columns = layout.columns[layer]
            deltas = self.buffer("deltas", columns, derivative, tasks, rows, layout.strides[layer])
            torch.mul(derivative, shares[:, layer, None, None], out=self._skips(layer, deltas))
            if above is not None:
                torch.ops.aten.threshold_backward.grad_input(
                    above,
                    forward[layer][:, :, :following],
                    0.0,
                    grad_input=deltas[:, :, :following],
                )
            torch.sum(deltas, dim=1, out=slopes.offsets[layer])
            if layer > 0:
                below = forward[layer - 1][:, :, : layout.widths[layer]]
                torch.bmm(below.transpose(1, 2), deltas, out=slopes.matrices[layer])
                width = layout.widths[layer]
                above = self.buffer("above", width, derivative, tasks, rows, width)
                torch.bmm(deltas, named.matrices[layer].transpose(1, 2), out=above)
            else:
                self._input_gradient(named, slopes, inputs, deltas)
        return losses

    def _input_gradient(
        self, named: Parameters, slopes: Parameters, inputs: torch.Tensor, deltas: torch.Tensor
    ) -> None:
        """From the gradient in ``beta * W``, those in beta and in W."""
        joint = torch.bmm(inputs.transpose(1, 2), deltas, out=slopes.matrices[0])
        scratch = self.buffer("scaled", 0, joint, *joint.shape)
        torch.mul(joint, named.matrices[0], out=scratch)
        torch.sum(scratch, dim=2, out=slopes.beta)
        joint.mul_(named.beta[:, :, None])

    def _alpha_gradient(
        self,
        named: Parameters,
        slopes: Parameters,
        forward: list[torch.Tensor],
        derivative: torch.Tensor,
    ) -> None:
        if self.layout.skips == "last":  # alpha is fixed
            slopes.alpha.zero_()
            return
        for layer in range(self.layout.n_layers):
            product = (self._skips(layer, forward[layer]) * derivative).sum(dim=(1, 2))
            slopes.alpha[:, layer] = product
        total = named.alpha.abs().sum(dim=1, keepdim=True)
        centre = (_skip_shares(named.alpha) * slopes.alpha).sum(dim=1, keepdim=True)
        slopes.alpha.sub_(centre).div_(total).mul_(_sign_at_least_plus(named.alpha))


def _add_and_rectify(out: torch.Tensor, offsets: torch.Tensor, n_nodes: int) -> None:
    """Adds the offsets in place; the first ``n_nodes`` columns pass the ReLU."""
    total = out + offsets
    column = torch.arange(out.shape[2], device=out.device)
    out.copy_(torch.where(column < n_nodes, total.clamp(min=0), total))


# A GPU's activations do not fit its cache: each pass over them that is saved shows.
_add_and_rectify_in_one = Compiled(_add_and_rectify)


def _skip_shares(alpha: torch.Tensor) -> torch.Tensor:
    """``|alpha_l| / sum|alpha|``."""
    size = alpha.abs()
    return size / size.sum(dim=1, keepdim=True)


def _sign_at_least_plus(alpha: torch.Tensor) -> torch.Tensor:
    """The sign, with +1 at zero: there |alpha| only has a slope to the right."""
    return torch.where(alpha < 0, -1.0, 1.0).to(alpha.dtype)
