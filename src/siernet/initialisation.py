"""Where training starts: beta at 0.5, alpha at 1, the rest as PyTorch's linear layers."""

from __future__ import annotations

import math

import torch

from siernet import random_streams
from siernet.network import Layout

_FIRST_PURPOSE = 0  # streams 0, 1, ... belong to the parameter blocks
START_BETA = 0.5
_CHUNK_ENTRIES = 1 << 22  # drawn at once, to bound the memory that drawing takes


def initial_parameters(layout: Layout, keys: torch.Tensor) -> torch.Tensor:
    """Flat float32 parameters of each task, shape (tasks, layout.size).

    Weights and biases are uniform on ``±1/sqrt(number of inputs of the layer)``.
    """
    flat = torch.zeros(len(keys), layout.size, dtype=torch.float32, device=keys.device)
    at_once = max(1, _CHUNK_ENTRIES // layout.size)
    for start in range(0, len(keys), at_once):
        _fill(layout, flat[start : start + at_once], keys[start : start + at_once])
    return flat


def _fill(layout: Layout, flat: torch.Tensor, keys: torch.Tensor) -> None:
    named = layout.view(flat)
    named.beta.fill_(START_BETA)
    named.alpha.fill_(1.0)
    purpose = _FIRST_PURPOSE
    for layer in range(layout.n_layers):
        bound = 1 / math.sqrt(max(1, layout.widths[layer]))
        blocks = [named.skip_weight(layer), named.skip_bias(layer)]
        if layer + 1 < layout.n_layers:
            blocks += [named.weight(layer), named.bias(layer)]
        for block in blocks:
            count = block[0].numel()
            draws = random_streams.uniform(keys, purpose, count)
            block.copy_(draws.mul_(2 * bound).sub_(bound).view(block.shape))
            purpose += 1
        if not layout.has_skip(layer):
            for block in (named.alpha[:, layer], named.skip_weight(layer), named.skip_bias(layer)):
                block.zero_()
