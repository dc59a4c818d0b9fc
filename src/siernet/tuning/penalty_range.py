"""Where the useful penalties end, from the data.

With a product of L1-penalised factors zero is always stationary, so there is no smallest penalty
at which everything is zero, as the Lasso has. But for one variable alone, in a linear model, the
global optimum is known: c pays ``2 lambda_1 sqrt|c|``, so it is worth having exactly if lambda_1
is below ``max_c gain(c) / (2 sqrt|c|)``. The largest such bound over the variables is the top.
"""

from __future__ import annotations

import numpy as np
import torch

from siernet.losses import OutputLoss
from siernet.objective import TrainingRows

_CONSIDERED = 5  # variables with the steepest slopes
_EFFECTS = np.geomspace(1e-3, 10, 60)


def largest_penalty(rows: TrainingRows, loss: OutputLoss) -> float:
    """The largest lambda_1 at which one variable alone is worth its price; 0 if none ever is."""
    inputs, target, weight = rows.inputs, rows.target, rows.weight
    if not inputs.shape[1]:
        return 0.0
    constant = _best_constant(target, weight, loss)
    outputs = constant.expand_as(target)[None].clone()
    loss(outputs, target, weight[None])  # now the derivative in the outputs
    slopes = inputs.T @ outputs[0]
    steepest = slopes.abs().sum(dim=1).topk(min(_CONSIDERED, len(slopes))).indices
    start = loss.of_constant(target, weight)
    effects = torch.as_tensor(_EFFECTS, dtype=inputs.dtype)
    best = 0.0
    for variable in steepest.tolist():
        direction = -slopes[variable] / slopes[variable].abs().sum().clamp(min=1e-30)
        moved = effects[:, None, None] * inputs[:, variable, None] * direction
        losses = loss(moved + constant, target, weight.expand(len(effects), -1))
        gains = (start - losses) / (2 * effects.sqrt())
        best = max(best, float(gains.max()))
    return best


def _best_constant(target: torch.Tensor, weight: torch.Tensor, loss: OutputLoss) -> torch.Tensor:
    """Outputs of the best constant model, shape (outputs,)."""
    share = (target * weight[:, None]).sum(0) / weight.sum()
    return share.clamp(min=1e-12).log() if loss.penalise_biases else share
