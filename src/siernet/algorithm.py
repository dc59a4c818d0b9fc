"""Algorithm 1 for a stack of tasks, dropping what can no longer matter on the way.

After every few epochs a group of tasks is split: those that have converged go on to the next
phase, and those whose networks have become smaller are regrouped by their new size. What happens
to a task depends on the task alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from siernet import random_streams, structure
from siernet.groups import Group, pieces, pruned, regrouped
from siernet.initialisation import initial_parameters
from siernet.losses import OutputLoss
from siernet.objective import Objective, StackRows, TrainingRows
from siernet.tasks import Recipe, Task, TrainedTask
from siernet.training.adam import AdamState, adam_epoch
from siernet.training.proximal import ProximalState, proximal_gradient

_ROUND_EPOCHS = 10
_ROUND_PROXIMAL = 50
# Inputs from which on a table is wide: those that fade leave it during the search already, once
# they had the time to fade, when they are below so many times the rate.
_WIDE, _FADING_EPOCHS, _FADED = 1000, 20, 2.0
_EPOCH_PURPOSE = 1000  # random streams from here on are the epochs' row orders


class StackTrainer:
    """Algorithm 1 for a list of tasks.

    Parameters
    ----------
    tasks : sequence of Task
    data : sequence of TrainingRows
        The data sets that ``task.data`` counts in, all on one device.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        data: Sequence[TrainingRows],
        loss: OutputLoss,
        recipe: Recipe,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.tasks = tasks
        self.data = data
        self.loss = loss
        self.recipe = recipe
        self._progress = progress
        self._fraction = np.zeros(len(tasks))
        self._device = data[0].inputs.device
        self._keys = torch.tensor([task.key for task in tasks], device=self._device)
        self._n_epochs = np.zeros(len(tasks), dtype=int)
        self._checked = np.full(len(tasks), np.inf)  # objective at the last convergence check
        of_constant = np.array([loss.of_constant(rows.target, rows.weight) for rows in data])
        self._of_constant = of_constant[[task.data for task in tasks]]
        self._results: list[TrainedTask | None] = [None] * len(tasks)

    def run(self) -> list[TrainedTask]:
        """The trained tasks, in the order of the tasks."""
        settled = self._run_adam(self._start())
        self._run_proximal(settled)
        return [result for result in self._results if result is not None]

    def _report(self, ids: np.ndarray, fraction: float | np.ndarray) -> None:
        if self._progress is not None:
            self._fraction[ids] = np.maximum(self._fraction[ids], fraction)
            self._progress(float(self._fraction.sum()))

    # -- start ---------------------------------------------------------------------------------

    def _start(self) -> list[Group]:
        groups = []
        shapes = np.array([self.data[task.data].inputs.shape for task in self.tasks])
        all_rows = {
            n_columns: StackRows.concatenate(self.data, n_columns)
            for n_columns in np.unique(shapes[:, 1]).tolist()
        }
        for n_rows, n_columns in np.unique(shapes, axis=0).tolist():
            ids = np.flatnonzero((shapes == (n_rows, n_columns)).all(axis=1))
            which = [self.tasks[i].data for i in ids.tolist()]
            rows = all_rows[n_columns].of_tasks(which, n_rows)
            layout = self.recipe.layout(self.data[which[0]])
            flat = initial_parameters(layout, self._keys[ids])
            penalties = torch.tensor(
                [
                    [self.tasks[i].input_penalty, self.tasks[i].network_penalty]
                    for i in ids.tolist()
                ],
                dtype=flat.dtype,
                device=self._device,
            )
            unknown = torch.full((len(ids),), float(self.recipe.schedule.max_epochs))
            groups.append(
                Group(
                    ids=ids,
                    objective=Objective(layout, self.loss, rows, penalties[:, 0], penalties[:, 1]),
                    named=layout.view(flat),
                    extra={"first": torch.zeros_like(flat), "second": torch.zeros_like(flat)},
                    state={
                        "search_end": unknown.to(self._device),
                        "end": unknown.to(self._device) + 1,
                    },
                )
            )
        return [piece for group in groups for piece in pieces(group)]

    # -- phase one: Adam -----------------------------------------------------------------------

    def _run_adam(self, searching: list[Group]) -> list[Group]:
        """Adam until each task's schedule ends; returns the groups that are done."""
        schedule = self.recipe.schedule
        checks = schedule.checks()
        settling: list[Group] = []
        done: list[Group] = []
        epoch = 0
        for stop in self._round_ends(checks):
            if not searching and not settling:
                break
            still_searching: list[Group] = []
            narrowed: list[Group] = []
            for group in searching:
                values = self._epochs(group, epoch, stop, thresholding=False)
                group, values = self._without_diverged(group, values)
                if stop in checks and len(group.ids):
                    ended = self._search_ended(group.ids, values, last=stop == checks[-1])
                    leaving = group.select(ended)
                    if len(leaving.ids):
                        self._begin_settling(leaving, stop)
                        (settling if schedule.decay else done).append(leaving)
                    group = group.select(~ended)
                if len(group.ids):
                    own_narrowed, group = self._without_faded_inputs(group, stop)
                    narrowed += own_narrowed
                if len(group.ids):
                    still_searching.append(group)
                self._report(group.ids, 0.8 * stop / schedule.settled_at(2 * stop))
            ongoing: list[Group] = []
            for group in settling:
                if int(group.state["search_end"].max()) < stop:  # not one that just joined
                    values = self._epochs(group, epoch, stop, thresholding=True)
                    group, values = self._without_diverged(group, values)
                    ends = group.state["end"].cpu().numpy()
                    self._report(group.ids, 0.8 * stop / ends)
                    finished = ends <= stop
                    if finished.any():
                        done.append(group.select(finished))
                        group = group.select(~finished)
                ongoing.append(group)
            searching = [*still_searching, *regrouped(narrowed)]
            settling = regrouped([p for g in ongoing if len(g.ids) for p in pruned(g)])
            epoch = stop
        return done

    def _without_faded_inputs(self, group: Group, epoch: int) -> tuple[list[Group], Group]:
        """Of a wide table, tasks without the inputs whose beta has come to nothing, and the others.

        A penalised beta without use falls by the rate at each step and then trembles about zero.
        Nearly all of a wide table's do so, and would cost nearly all of the search.
        """
        schedule, wide = self.recipe.schedule, group.named.layout.widths[0] >= _WIDE
        if not (wide and schedule.decay and epoch >= _FADING_EPOCHS):
            return [], group
        faded = group.named.beta.abs() < _FADED * schedule.rate
        faded &= group.objective.input_penalty[:, None] > 0
        most = faded.float().mean(1) >= 1 / 2  # else a copy of the rows would cost more
        chosen = most.cpu().numpy()
        if not chosen.any():
            return [], group
        narrowed = group.select(chosen)
        narrowed.named.beta.masked_fill_(faded[most], 0)
        return pruned(narrowed), group.select(~chosen)

    def _round_ends(self, checks: list[int]) -> list[int]:
        """Epochs at which groups are looked at, the same whichever tasks are trained."""
        ends = [self.recipe.schedule.settled_at(check) for check in checks]
        regular = range(_ROUND_EPOCHS, max(ends), _ROUND_EPOCHS)
        return sorted({*regular, *checks, *ends})

    def _epochs(self, group: Group, start: int, stop: int, *, thresholding: bool) -> np.ndarray:
        """Runs epochs start..stop-1; returns each task's objective in the last one."""
        recipe, schedule, keys = self.recipe, self.recipe.schedule, self._keys[group.ids]
        state = AdamState(group.named, group.extra["first"], group.extra["second"])
        state.n_steps = start * recipe.n_batches
        values = torch.zeros(len(group.ids))
        for epoch in range(start, stop):
            hashed = random_streams.hashes(
                keys, _EPOCH_PURPOSE + epoch, group.objective.rows.n_rows
            )
            rates: list[float] | torch.Tensor = schedule.search_rates(epoch, recipe.n_batches)
            if thresholding:
                rates = schedule.settling_rates(
                    epoch, recipe.n_batches, group.state["search_end"], group.state["end"]
                )
            values = adam_epoch(state, group.objective, hashed.argsort(dim=1), rates)
        values = values + group.objective.penalty(group.named.flat)
        self._n_epochs[group.ids] = stop
        return values.cpu().numpy()

    def _search_ended(self, ids: np.ndarray, values: np.ndarray, *, last: bool) -> np.ndarray:
        before = self._checked[ids]
        self._checked[ids] = values
        converged = self.recipe.schedule.has_converged(before, values, self._of_constant[ids])
        return converged | last  # before the first check, the objective counts as infinite

    def _begin_settling(self, group: Group, epoch: int) -> None:
        group.state["search_end"] = torch.full_like(group.state["search_end"], epoch)
        end = self.recipe.schedule.settled_at(epoch)
        group.state["end"] = torch.full_like(group.state["end"], end)

    def _without_diverged(self, group: Group, values: np.ndarray) -> tuple[Group, np.ndarray]:
        """The tasks whose objective is a number; the others are recorded as diverged."""
        finite = np.isfinite(values)
        for position in np.flatnonzero(~finite):
            self._results[group.ids[position]] = _diverged(self._n_epochs[group.ids[position]])
        return group.select(finite), values[finite]

    # -- phase two: proximal gradient descent --------------------------------------------------

    def _run_proximal(self, groups: list[Group]) -> None:
        spent, limit = 0, self.recipe.max_prox_iter
        groups = [_in_double(group) for group in groups]
        round_length = _ROUND_EPOCHS  # networks that were not thresholded yet shrink at once
        while groups:
            length = min(round_length, limit - spent)
            spent += length
            ongoing = []
            for group in groups:
                state = ProximalState(group.named.flat, group.state["step"], group.state["n_steps"])
                result = proximal_gradient(
                    state, group.objective, group.named.layout.view, length, self.recipe.tol
                )
                group.named = group.named.layout.view(state.flat)
                group.state = {"step": state.step, "n_steps": state.n_steps}
                self._report(group.ids, 0.8 + 0.2 * spent / max(limit, 1))
                ended = (~result.running | result.flat).cpu().numpy() | (spent >= limit)
                ended |= ~np.isfinite(result.objective.cpu().numpy())
                if ended.any():
                    flat = result.flat.cpu().numpy()[ended]
                    self._finish(group.select(ended), flat)
                ongoing.append(group.select(~ended))
            groups = regrouped([p for g in ongoing if len(g.ids) for p in pruned(g)])
            round_length = _ROUND_PROXIMAL

    def _finish(self, group: Group, flat: np.ndarray) -> None:
        """Records the tasks of a group, without the parameters their outputs do not depend on."""
        view = group.named.layout.view
        needed = structure.needed_nodes(group.named)
        group.named = view(structure.without_others(group.named, needed))
        gradient = torch.zeros_like(group.named.flat)
        group.objective.full_loss(group.named, view(gradient))
        group.objective.centre_outputs(group.named, view(gradient))
        value = group.objective.full_loss(group.named, view(gradient))
        value = value + group.objective.penalty(group.named.flat)
        residual = group.objective.residual(group.named.flat, gradient)
        for position, task in enumerate(group.ids):
            if not bool(torch.isfinite(value[position])):
                self._results[task] = _diverged(self._n_epochs[task])
                continue
            self._results[task] = _extract(
                group,
                position,
                [mask[position] for mask in needed],
                objective=float(value[position]),
                residual=float(residual[position]),
                flat=bool(flat[position]),
                n_epochs=int(self._n_epochs[task]),
                n_prox_iter=int(group.state["n_steps"][position]),
            )
        self._report(group.ids, 1.0)


def _in_double(group: Group) -> Group:
    flat = group.named.flat.double()
    group.named = group.named.layout.view(flat)
    group.named.alpha.abs_()
    objective = group.objective
    group.objective = Objective(
        group.named.layout,
        objective.loss,
        objective.rows.to(torch.float64),
        objective.input_penalty.double(),
        objective.network_penalty.double(),
    )
    group.extra = {}
    start = ProximalState.start(flat)
    group.state = {"step": start.step, "n_steps": start.n_steps}
    return group


def _extract(
    group: Group, position: int, needed: list[torch.Tensor], **outcome: Any
) -> TrainedTask:
    """One task's network, cut exactly to what its output depends on."""
    layout = group.named.layout
    named = layout.view(group.named.flat[position : position + 1])
    local = [torch.nonzero(mask)[:, 0] for mask in needed]
    if group.kept is None:
        nodes = local
    else:
        nodes = [index[position][own] for index, own in zip(group.kept, local, strict=True)]

    def numpy(values: torch.Tensor) -> np.ndarray:
        return values.cpu().numpy().copy()

    layers = range(layout.n_layers)
    return TrainedTask(
        nodes=tuple(numpy(index) for index in nodes),
        beta=numpy(named.beta[0][local[0]]),
        alpha=numpy(named.alpha[0]),
        weights=tuple(numpy(named.weight(i)[0][local[i]][:, local[i + 1]]) for i in layers[:-1]),
        biases=tuple(numpy(named.bias(i)[0][local[i + 1]]) for i in layers[:-1]),
        skip_weights=tuple(numpy(named.skip_weight(i)[0][local[i]]) for i in layers),
        skip_biases=tuple(numpy(named.skip_bias(i)[0]) for i in layers),
        diverged=False,
        **outcome,
    )


def _diverged(n_epochs: int) -> TrainedTask:
    empty = np.zeros(0)
    return TrainedTask(
        (), empty, empty, (), (), (), (), np.nan, np.nan, int(n_epochs), 0, False, True
    )
