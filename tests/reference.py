"""The paper's equations written plainly in numpy, for one network: what the package must equal.

Nothing here imports the package's own mathematics.
"""

from __future__ import annotations

import numpy as np


def hidden_layers(member, X):
    """z_1 .. z_{L-1} of appendix A for inputs (n, d)."""
    z = [X * member.beta]
    for weight, bias in zip(member.weights, member.biases, strict=True):
        z.append(np.maximum(z[-1] @ weight + bias, 0))
    return z


def skip_outputs(member, X):
    """zeta_1 .. zeta_{L-1}."""
    return [
        z @ weight + bias
        for z, weight, bias in zip(
            hidden_layers(member, X), member.skip_weights, member.skip_biases, strict=True
        )
    ]


def network_output(member, X):
    """Sum of the zetas weighted by |alpha| / sum|alpha|, before the output function."""
    share = np.abs(member.alpha) / np.abs(member.alpha).sum()
    return sum(a * zeta for a, zeta in zip(share, skip_outputs(member, X), strict=True))


def softmax(f):
    e = np.exp(f - f.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def mean_loss(f, target, weight, *, classes):
    """Weighted mean of squared error, or of cross-entropy for one-hot targets."""
    if classes:
        rows = -(np.log(softmax(f)) * target).sum(axis=1)
    else:
        rows = ((f - target) ** 2).sum(axis=1)
    return (rows * weight).sum() / weight.sum()


def penalty(member, lambda_1, lambda_2, *, classes):
    """lambda_1 (|beta| + |W'_1|) + lambda_2 (sum |W_l| + sum |W'_l|), biases too for classes."""

    def size(arrays):
        return sum(np.abs(a).sum() for a in arrays)

    total = lambda_1 * (size([member.beta]) + size(member.skip_weights[:1]))
    total += lambda_2 * (size(member.weights) + size(member.skip_weights[1:]))
    if classes:
        total += lambda_1 * size(member.skip_biases[:1])
        total += lambda_2 * (size(member.biases) + size(member.skip_biases[1:]))
    return total


def loss_gradient(member, X, target, weight, *, classes):
    """Gradient of the mean loss by the chain rule, layer by layer: a dict of lists of arrays."""
    z = hidden_layers(member, X)
    share = np.abs(member.alpha) / np.abs(member.alpha).sum()
    f = network_output(member, X)
    row = (weight / weight.sum())[:, None]
    d_f = row * (softmax(f) - target) if classes else row * 2 * (f - target)
    layers = len(member.alpha)
    result = {name: [None] * layers for name in ("skip_weights", "skip_biases")}
    result |= {name: [None] * (layers - 1) for name in ("weights", "biases")}
    d_z = [np.zeros_like(part) for part in z]
    for layer in reversed(range(layers)):
        result["skip_weights"][layer] = share[layer] * z[layer].T @ d_f
        result["skip_biases"][layer] = share[layer] * d_f.sum(axis=0)
        d_z[layer] += share[layer] * d_f @ member.skip_weights[layer].T
        if layer > 0:
            d_pre = d_z[layer] * (z[layer] > 0)
            result["weights"][layer - 1] = z[layer - 1].T @ d_pre
            result["biases"][layer - 1] = d_pre.sum(axis=0)
            d_z[layer - 1] += d_pre @ member.weights[layer - 1].T
    result["beta"] = [(d_z[0] * X).sum(axis=0)]
    return result


def largest_residual(member, X, target, weight, lambda_1, lambda_2, *, classes):
    """How far the worst penalised parameter is from optimality, zero entries included."""
    gradient = loss_gradient(member, X, target, weight, classes=classes)
    groups = [
        (lambda_1, [member.beta], gradient["beta"]),
        (lambda_1, member.skip_weights[:1], gradient["skip_weights"][:1]),
        (lambda_2, member.weights, gradient["weights"]),
        (lambda_2, member.skip_weights[1:], gradient["skip_weights"][1:]),
    ]
    if classes:
        groups += [
            (lambda_1, member.skip_biases[:1], gradient["skip_biases"][:1]),
            (lambda_2, member.skip_biases[1:], gradient["skip_biases"][1:]),
            (lambda_2, member.biases, gradient["biases"]),
        ]
    worst = 0.0
    for strength, parameters, slopes in groups:
        for parameter, slope in zip(parameters, slopes, strict=True):
            away = np.abs(slope + strength * np.sign(parameter))
            at_zero = np.maximum(np.abs(slope) - strength, 0)
            residual = np.where(parameter == 0, at_zero, away)
            worst = max(worst, residual.max(initial=0.0))
    return worst
