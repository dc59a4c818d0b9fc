"""A trained network as an immutable record of numpy arrays, and prediction with it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from siernet import structure


@dataclass(frozen=True, eq=False)
class Member:
    """One network of an ensemble, in the paper's notation (appendix A).

    It acts on the scaled inputs ``(X - x_mean_) / x_scale_`` and, in regression, gives the scaled
    response. Only the inputs and nodes that the output depends on are stored, so a sparse network
    is small and predicts fast; ``beta``, ``weights`` and the other properties are the full arrays.

    Parameters
    ----------
    widths : tuple of int
        Nodes of the full network's layers 1..L-1, the inputs first.
    nodes : tuple of (kept,) int arrays
        The kept inputs and, for each hidden layer, the kept nodes.
    kept_beta, kept_alpha, kept_weights, kept_biases, kept_skip_weights, kept_skip_biases
        The parameters of the kept network.
    """

    widths: tuple[int, ...]
    nodes: tuple[np.ndarray, ...]
    kept_beta: np.ndarray
    kept_alpha: np.ndarray
    kept_weights: tuple[np.ndarray, ...]
    kept_biases: tuple[np.ndarray, ...]
    kept_skip_weights: tuple[np.ndarray, ...]
    kept_skip_biases: tuple[np.ndarray, ...]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            for array in value if isinstance(value, tuple) else (value,):
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # numpy's pickles come back writeable

    def __repr__(self) -> str:
        selected, *hidden = (len(kept) for kept in self.nodes)
        return f"Member(selected={selected} of {self.widths[0]}, hidden_nodes={hidden})"

    # -- the paper's arrays, at full size ------------------------------------------------------

    @property
    def beta(self) -> np.ndarray:
        """Input filter, shape (d,)."""
        return _scattered((self.widths[0],), self.kept_beta, self.nodes[0])

    @property
    def alpha(self) -> np.ndarray:
        """Skip-connection factors, shape (L-1,)."""
        return self.kept_alpha

    @property
    def weights(self) -> tuple[np.ndarray, ...]:
        """``W_1 .. W_{L-2}``, the l-th of shape (d_l, d_{l+1})."""
        return tuple(
            _scattered(self.widths[i : i + 2], weight, self.nodes[i], self.nodes[i + 1])
            for i, weight in enumerate(self.kept_weights)
        )

    @property
    def biases(self) -> tuple[np.ndarray, ...]:
        """``b_1 .. b_{L-2}``, the l-th of shape (d_{l+1},)."""
        return tuple(
            _scattered((self.widths[i + 1],), bias, self.nodes[i + 1])
            for i, bias in enumerate(self.kept_biases)
        )

    @property
    def skip_weights(self) -> tuple[np.ndarray, ...]:
        """``W'_1 .. W'_{L-1}``, the l-th of shape (d_l, d_L)."""
        outputs = np.arange(len(self.kept_skip_biases[0]))
        return tuple(
            _scattered((self.widths[i], len(outputs)), weight, self.nodes[i], outputs)
            for i, weight in enumerate(self.kept_skip_weights)
        )

    @property
    def skip_biases(self) -> tuple[np.ndarray, ...]:
        """``b'_1 .. b'_{L-1}``, each of shape (d_L,)."""
        return self.kept_skip_biases

    # -- structure -----------------------------------------------------------------------------

    def _active(self) -> list[np.ndarray]:
        masks = structure.active_nodes(
            self.kept_beta[None],
            self.kept_alpha[None],
            [weight[None] for weight in self.kept_weights],
            [weight[None] for weight in self.kept_skip_weights],
        )
        return [
            _scattered((width,), mask[0], nodes)
            for width, mask, nodes in zip(self.widths, masks, self.nodes, strict=True)
        ]

    @property
    def support(self) -> np.ndarray:
        """Mask (d,) of the variables that the network depends on.

        A variable is selected if beta is not zero there and a path of non-zero weights, the last
        one with a non-zero alpha, leads from it to an output.
        """
        return self._active()[0]

    @property
    def active_nodes(self) -> tuple[np.ndarray, ...]:
        """For each hidden layer the mask of nodes on a path from a selected input to an output."""
        return tuple(self._active()[1:])

    @property
    def skip_shares(self) -> np.ndarray:
        """``|alpha_l| / sum|alpha|``, shape (L-1,)."""
        size = np.abs(self.kept_alpha)
        return size / size.sum()

    # -- prediction ----------------------------------------------------------------------------

    def layer_outputs(self, X: np.ndarray) -> np.ndarray:
        """``zeta_l`` of every layer for scaled inputs (n, d), shape (L-1, n, d_L)."""
        nodes = np.asarray(X)[:, self.nodes[0]] * self.kept_beta
        results = []
        for layer, (weight, bias) in enumerate(
            zip(self.kept_skip_weights, self.kept_skip_biases, strict=True)
        ):
            results.append(nodes @ weight + bias)
            if layer < len(self.kept_weights):
                nodes = nodes @ self.kept_weights[layer] + self.kept_biases[layer]
                np.maximum(nodes, 0, out=nodes)
        return np.stack(results)

    def outputs(self, X: np.ndarray) -> np.ndarray:
        """The network before its output function for scaled inputs (n, d), shape (n, d_L)."""
        return np.tensordot(self.skip_shares, self.layer_outputs(X), axes=1)

    def layer_contributions(self, X: np.ndarray, row_weight: np.ndarray) -> np.ndarray:
        """Each layer's variance over that of the sum, shape (L-1,); zeros for a constant network.

        With several outputs the variances are added up over the outputs.
        """
        parts = np.abs(self.kept_alpha)[:, None, None] * self.layer_outputs(X)
        total = _variance(parts.sum(axis=0), row_weight)
        return _variance(parts, row_weight) / total if total > 0 else np.zeros(len(parts))


def _scattered(shape: tuple[int, ...], kept: np.ndarray, *nodes: np.ndarray) -> np.ndarray:
    full = np.zeros(shape, dtype=kept.dtype)
    full[np.ix_(*nodes)] = kept
    full.flags.writeable = False
    return full


def _variance(values: np.ndarray, row_weight: np.ndarray) -> np.ndarray:
    """Weighted variance over the rows (axis -2), added up over the outputs (axis -1)."""
    share = (row_weight / row_weight.sum())[:, None]
    mean = (values * share).sum(axis=-2, keepdims=True)
    return ((values - mean) ** 2 * share).sum(axis=(-2, -1))
