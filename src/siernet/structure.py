"""Which inputs and nodes of a network matter, and the smaller network that keeps only those.

The functions on weights take stacks (the task is the first axis) of numpy arrays or of torch
tensors alike: they only compare, combine and reduce.
"""

from __future__ import annotations

from typing import Any

import torch

from siernet.network import Layout, Parameters

Array = Any  # numpy.ndarray or torch.Tensor

# Hidden widths a pruned network is rounded up to. A network's own widths alone decide, so that
# how it is trained does not depend on its neighbours in the stack.
_HIDDEN_WIDTHS = (0, 8, 16, 32, 64)
_SMALLEST_INPUT_WIDTH = 8


def reaches_output(alpha: Array, weights: list[Array], skip_weights: list[Array]) -> list[Array]:
    """Of each layer's nodes, those a path of non-zero weights leads from to an output."""
    reached: list[Array] = [None] * len(skip_weights)
    for layer in reversed(range(len(skip_weights))):
        own_skip = (skip_weights[layer] != 0).any(2) & (alpha[:, layer] != 0)[:, None]
        if layer + 1 < len(skip_weights):
            onward = ((weights[layer] != 0) & reached[layer + 1][:, None, :]).any(2)
            own_skip = own_skip | onward
        reached[layer] = own_skip
    return reached


def reached_from(start: Array, weights: list[Array]) -> list[Array]:
    """Of each layer's nodes, those a path of non-zero weights leads to from ``start``."""
    reached = [start]
    for weight in weights:
        reached.append(((weight != 0) & reached[-1][:, :, None]).any(1))
    return reached


def active_nodes(
    beta: Array, alpha: Array, weights: list[Array], skip_weights: list[Array]
) -> list[Array]:
    """Masks of the selected inputs and active nodes: those on a path from input to output."""
    to_output = reaches_output(alpha, weights, skip_weights)
    from_input = reached_from((beta != 0) & to_output[0], weights)
    return [a & b for a, b in zip(from_input, to_output, strict=True)]


def needed_nodes(named: Parameters) -> list[torch.Tensor]:
    """Masks of the inputs and nodes that the output depends on, constant nodes included.

    A node without a live input still outputs ``relu(b)``, which matters where b is positive.
    """
    layers = range(named.layout.n_layers)
    weights = [named.weight(layer) for layer in layers[:-1]]
    to_output = reaches_output(named.alpha, weights, [named.skip_weight(i) for i in layers])
    needed = [(named.beta != 0) & to_output[0]]
    for layer, weight in enumerate(weights):
        fed = ((weight != 0) & needed[-1][:, :, None]).any(1)
        needed.append((fed | (named.bias(layer) > 0)) & to_output[layer + 1])
    return needed


def rounded_widths(counts: list[int], layout: Layout) -> tuple[int, ...]:
    """Widths, from a short list, of the pruned network of a task with these live counts."""
    inputs, *hidden = counts
    width = _SMALLEST_INPUT_WIDTH
    while width < inputs:
        width *= 2
    widths = [min(width, layout.widths[0])]
    # The layers above the first share one width: few different layouts means large stacks.
    for count, limit in zip(
        [*hidden[:1], *[max(hidden[1:], default=0)] * (len(hidden) - 1)],
        layout.widths[1:],
        strict=True,
    ):
        fitting = [size for size in _HIDDEN_WIDTHS if size >= count]
        widths.append(min(fitting[0] if fitting else limit, limit))
    return tuple(widths)


def positions(mask: torch.Tensor, width: int) -> torch.Tensor:
    """Indices of each row's true entries in ascending order, filled up to ``width`` with -1."""
    order = torch.argsort(mask.to(torch.int8), dim=1, descending=True, stable=True)[:, :width]
    return torch.where(torch.gather(mask, 1, order), order, -1)


def relocation(old: Layout, new: Layout, kept: list[torch.Tensor]) -> torch.Tensor:
    """For each entry of the new flat vectors its place in the old ones, -1 for none.

    Parameters
    ----------
    kept : list of (tasks, new width)
        For each layer the old index of each new node, -1 for padding.
    """
    tasks, device = kept[0].shape[0], kept[0].device
    source = torch.full((tasks, new.size), -1, dtype=torch.int64, device=device)
    target = new.view(source)
    numbered = torch.arange(old.size, dtype=torch.int64, device=device)[None]
    origin = old.view(numbered)

    def pick(values: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        return torch.where(index >= 0, values[0][index.clamp(min=0)], -1)

    target.beta[:] = pick(origin.beta, kept[0])
    target.alpha[:] = origin.alpha
    for layer in range(new.n_layers):
        rows = kept[layer].clamp(min=0)
        valid = (kept[layer] >= 0)[:, :, None]
        target.skip_weight(layer)[:] = torch.where(valid, origin.skip_weight(layer)[0][rows], -1)
        target.skip_bias(layer)[:] = origin.skip_bias(layer)
        if layer + 1 < new.n_layers:
            following = kept[layer + 1]
            both = valid & (following >= 0)[:, None, :]
            columns = following.clamp(min=0)
            block = origin.weight(layer)[0][rows[:, :, None], columns[:, None, :]]
            target.weight(layer)[:] = torch.where(both, block, -1)
            target.bias(layer)[:] = pick(origin.bias(layer), following)
    return source


def relocate(values: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    """Flat vectors of a new layout from those of the old one; new entries are zero."""
    moved = torch.gather(values, 1, source.clamp(min=0))
    return moved.masked_fill_(source < 0, 0)


def without_others(named: Parameters, needed: list[torch.Tensor]) -> torch.Tensor:
    """The flat parameters with zeros for all inputs and nodes but the ``needed`` ones."""
    kept = [
        torch.where(mask, torch.arange(mask.shape[1], device=mask.device), -1) for mask in needed
    ]
    return relocate(named.flat, relocation(named.layout, named.layout, kept))
