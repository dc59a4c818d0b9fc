"""What a stack of tasks minimises: the mean loss on each task's rows plus its two L1 penalties.

This is the one place where network, losses and penalties meet; the training algorithms see only
an ``Objective``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from siernet import penalties
from siernet.losses import OutputLoss
from siernet.network import (
    INPUT_PENALTY,
    NETWORK_PENALTY,
    NON_NEGATIVE,
    Layout,
    Parameters,
    StackedNetwork,
)


@dataclass(frozen=True)
class TrainingRows:
    """One data set that tasks are trained on, already scaled.

    inputs (rows, d); target (rows, outputs), one-hot for classes; weight (rows,), of sum one.
    """

    inputs: torch.Tensor
    target: torch.Tensor
    weight: torch.Tensor

    def to(self, device: str) -> TrainingRows:
        return TrainingRows(self.inputs.to(device), self.target.to(device), self.weight.to(device))


def _joined(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    return torch.cat(list(parts)) if len(parts) > 1 else parts[0]


@dataclass(frozen=True)
class StackRows:
    """The rows of every task of a stack, as places in shared tensors.

    A stack may mix data sets of equally many rows: row ``i`` of a task is ``inputs[input_start +
    i]`` and ``target[target_start + i]``. Once inputs are pruned each task has columns, and so
    rows, of its own.
    """

    n_rows: int
    inputs: torch.Tensor
    input_start: torch.Tensor  # (tasks,)
    target: torch.Tensor
    weight: torch.Tensor
    target_start: torch.Tensor  # (tasks,)
    input_lengths: tuple[int, ...] = ()  # of the data sets, zero for those of other widths
    lengths: tuple[int, ...] = ()  # of the data sets

    @classmethod
    def concatenate(cls, data: Sequence[TrainingRows], n_columns: int | None = None) -> StackRows:
        """The inputs of all data sets with so many columns, and all targets; of no task yet.

        Without a number, all have to have as many columns as the first. Folds differ where a
        column varies in some of them only. Targets are of all data sets, so that tasks can be
        grouped anew whatever they are trained on.
        """
        none = torch.zeros(0, dtype=torch.int64, device=data[0].inputs.device)
        if n_columns is None:
            n_columns = data[0].inputs.shape[1]
        fitting = [rows.inputs.shape[1] == n_columns for rows in data]
        inputs = _joined([rows.inputs for rows, fits in zip(data, fitting, strict=True) if fits])
        target = _joined([rows.target for rows in data])
        weight = _joined([rows.weight for rows in data])
        lengths = tuple(len(rows.weight) for rows in data)
        own = tuple(n if fits else 0 for n, fits in zip(lengths, fitting, strict=True))
        return cls(0, inputs, none, target, weight, none, own, lengths)

    def of_tasks(self, which: Sequence[int], n_rows: int) -> StackRows:
        """For tasks, the i-th of which is trained on data set ``which[i]``, of ``n_rows`` rows."""
        input_start, target_start = (
            torch.tensor([0, *lengths[:-1]]).cumsum(0)[list(which)].to(self.inputs.device)
            for lengths in (self.input_lengths, self.lengths)
        )
        return replace(self, n_rows=n_rows, input_start=input_start, target_start=target_start)

    def inputs_of_tasks(self) -> torch.Tensor:
        """Pruned inputs, (tasks, rows, width)."""
        index = self.input_start[:, None] + torch.arange(self.n_rows, device=self.inputs.device)
        return self.inputs[index]

    def select(self, tasks: torch.Tensor) -> StackRows:
        return replace(
            self, input_start=self.input_start[tasks], target_start=self.target_start[tasks]
        )

    def select_columns(self, kept: torch.Tensor) -> StackRows:
        """Inputs of each task cut to its columns ``kept`` (tasks, width); -1 is a zero column."""
        index = self.input_start[:, None] + torch.arange(self.n_rows, device=kept.device)
        cut = self.inputs[index[:, :, None], kept.clamp(min=0)[:, None, :]]
        cut.masked_fill_((kept < 0)[:, None, :], 0)
        start = torch.arange(len(kept), device=kept.device) * self.n_rows
        return replace(self, inputs=cut.flatten(0, 1), input_start=start)

    def to(self, dtype: torch.dtype) -> StackRows:
        return replace(
            self,
            inputs=self.inputs.to(dtype),
            target=self.target.to(dtype),
            weight=self.weight.to(dtype),
        )

    def batch(
        self, rows: torch.Tensor, inputs_out: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Inputs, target and weight of the given rows (tasks, batch) of each task.

        The inputs may be put in ``inputs_out``, (tasks * batch, d).
        """
        from_inputs = (self.input_start[:, None] + rows).flatten()
        from_target = (self.target_start[:, None] + rows).flatten()
        chosen = torch.index_select(self.inputs, 0, from_inputs, out=inputs_out)
        inputs = chosen.unflatten(0, rows.shape)
        target = self.target.index_select(0, from_target).unflatten(0, rows.shape)
        return inputs, target, self.weight[from_target].view(rows.shape)

    @cached_property
    def _shared(self) -> tuple[int, int] | None:
        """Where the rows of all tasks start, if they all have the same inputs and targets."""
        starts = torch.stack([self.input_start, self.target_start]).tolist()
        same = all(len(set(start)) == 1 for start in starts)
        return (starts[0][0], starts[1][0]) if same else None

    def everything(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """As ``batch`` with all rows; inputs that all tasks share come as (rows, d)."""
        if self._shared is not None:
            begin, target_begin = self._shared
            own = slice(target_begin, target_begin + self.n_rows)
            weight = self.weight[own].expand(len(self.input_start), -1)
            return self.inputs[begin : begin + self.n_rows], self.target[own], weight
        rows = torch.arange(self.n_rows, device=self.inputs.device)
        return self.batch(rows.expand(len(self.input_start), -1))


class Objective:
    """Penalised mean loss of a stack of tasks of one layout.

    Parameters
    ----------
    layout : Layout
    loss : OutputLoss
    rows : StackRows
    input_penalty, network_penalty : (tasks,) tensors
        lambda_1 and lambda_2 of each task.
    """

    @staticmethod
    def slope(
        flat: torch.Tensor, strength: torch.Tensor, out: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The penalty's slope at every entry."""
        return penalties.l1_slope(flat, strength, out)

    @staticmethod
    def shrunk(
        flat: torch.Tensor, threshold: torch.Tensor, out: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The penalty's proximal operator, with a threshold for every entry."""
        return penalties.soft_threshold(flat, threshold, out)

    def __init__(
        self,
        layout: Layout,
        loss: OutputLoss,
        rows: StackRows,
        input_penalty: torch.Tensor,
        network_penalty: torch.Tensor,
    ) -> None:
        self.layout = layout
        self.loss = loss
        self.rows = rows
        self.input_penalty = input_penalty
        self.network_penalty = network_penalty
        self.network = StackedNetwork(layout, loss)
        dtype, device = rows.inputs.dtype, rows.inputs.device
        kinds = layout.kinds(penalise_biases=loss.penalise_biases).to(device)
        self.non_negative = kinds == NON_NEGATIVE
        self.strength = torch.zeros(len(input_penalty), layout.size, dtype=dtype, device=device)
        for kind, penalty in ((INPUT_PENALTY, input_penalty), (NETWORK_PENALTY, network_penalty)):
            self.strength.addcmul_((kinds == kind).to(dtype)[None], penalty.to(dtype)[:, None])

    @property
    def n_tasks(self) -> int:
        return len(self.input_penalty)

    def with_rows(self, layout: Layout, rows: StackRows, tasks: torch.Tensor) -> Objective:
        """The same objective for some of its tasks, on a new layout and its rows."""
        return Objective(
            layout, self.loss, rows, self.input_penalty[tasks], self.network_penalty[tasks]
        )

    def batch_loss(
        self, named: Parameters, slopes: Parameters, rows: torch.Tensor, n_batches: int
    ) -> torch.Tensor:
        """Loss and gradient on a mini-batch, scaled so that their mean over an epoch is exact."""
        own = self.rows.inputs
        held = self.network.buffer("inputs", 0, own, rows.numel(), own.shape[1])
        inputs, target, weight = self.rows.batch(rows, held)
        return self.network.loss_and_gradient(named, slopes, inputs, target, weight * n_batches)

    def full_loss(self, named: Parameters, slopes: Parameters) -> torch.Tensor:
        """Mean loss over all rows; its gradient is written to ``slopes``."""
        return self.network.loss_and_gradient(named, slopes, *self.rows.everything())

    def penalty(self, flat: torch.Tensor) -> torch.Tensor:
        return penalties.l1_value(flat, self.strength)

    def proximal_step(
        self, flat: torch.Tensor, gradient: torch.Tensor, step: torch.Tensor
    ) -> torch.Tensor:
        return penalties.proximal_step(flat, gradient, step, self.strength, self.non_negative)

    def centre_outputs(self, named: Parameters, slopes: Parameters) -> None:
        """The exact step in the outputs' offset, where that is a free parameter, in place.

        It makes the mean residual of a regression zero, as in least squares.
        """
        if self.loss.penalise_biases or self.loss.offset_curvature is None:
            return
        shares = named.alpha.abs() / named.alpha.abs().sum(dim=1, keepdim=True)
        layer = shares.argmax(dim=1)
        for own in range(self.layout.n_layers):
            share = torch.where(layer == own, shares[:, own], torch.inf)[:, None]
            curvature = self.loss.offset_curvature * share**2
            named.skip_bias(own).sub_(slopes.skip_bias(own) / curvature)

    def residual(self, flat: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
        """Largest optimality residual over the penalised parameters of each task."""
        entries = penalties.optimality_residual(flat, gradient, self.strength, self.non_negative)
        return entries.mul_(self.strength > 0).amax(dim=1)
