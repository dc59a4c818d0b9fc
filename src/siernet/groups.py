"""Groups of tasks that are trained together: all of one layout, cut, merged and pruned at will."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from siernet import structure
from siernet.network import Layout, Parameters
from siernet.objective import Objective

# Parameters of a group on a CPU: a stack that outgrows the cache is slower, not faster.
CACHE_ENTRIES = 1 << 19


@dataclass
class Group:
    """Tasks of one layout that are trained together."""

    ids: np.ndarray  # (tasks,) places in the trainer's list
    objective: Objective
    named: Parameters
    extra: dict[str, torch.Tensor]  # flat vectors that go where the parameters go
    state: dict[str, torch.Tensor]  # one number a task
    kept: list[torch.Tensor] | None = None  # original index of each node, -1 for padding
    pruned_inputs: bool = False

    @property
    def signature(self) -> tuple:
        return (self.named.layout, self.objective.rows.n_rows, self.pruned_inputs)

    def select(self, chosen: np.ndarray) -> Group:
        if chosen.all():
            return self
        tasks = torch.as_tensor(np.flatnonzero(chosen), device=self.named.flat.device)
        layout = self.named.layout
        return Group(
            ids=self.ids[chosen],
            objective=self.objective.with_rows(layout, self.objective.rows.select(tasks), tasks),
            named=layout.view(self.named.flat[tasks]),
            extra={name: values[tasks] for name, values in self.extra.items()},
            state={name: values[tasks] for name, values in self.state.items()},
            kept=None if self.kept is None else [index[tasks] for index in self.kept],
            pruned_inputs=self.pruned_inputs,
        )


def merged(groups: list[Group]) -> Group:
    """One group of the tasks of several of the same signature."""
    if len(groups) == 1:
        return groups[0]
    first = groups[0]

    def joined(pick: Callable[[Group], torch.Tensor]) -> torch.Tensor:
        return torch.cat([pick(group) for group in groups])

    rows = first.objective.rows
    if first.pruned_inputs:
        inputs = joined(lambda group: group.objective.rows.inputs_of_tasks())
        start = torch.arange(len(inputs), device=inputs.device) * rows.n_rows
        rows = replace(rows, inputs=inputs.flatten(0, 1), input_start=start)
    else:
        rows = replace(rows, input_start=joined(lambda group: group.objective.rows.input_start))
    rows = replace(rows, target_start=joined(lambda group: group.objective.rows.target_start))
    objective = Objective(
        first.named.layout,
        first.objective.loss,
        rows,
        joined(lambda group: group.objective.input_penalty),
        joined(lambda group: group.objective.network_penalty),
    )
    kept = first.kept
    if kept is not None:
        kept = [torch.cat([group.kept[i] for group in groups]) for i in range(len(kept))]  # type: ignore[index]
    return Group(
        ids=np.concatenate([group.ids for group in groups]),
        objective=objective,
        named=first.named.layout.view(joined(lambda group: group.named.flat)),
        extra={name: joined(lambda group, n=name: group.extra[n]) for name in first.extra},  # type: ignore[misc]
        state={name: joined(lambda group, n=name: group.state[n]) for name in first.state},  # type: ignore[misc]
        kept=kept,
        pruned_inputs=first.pruned_inputs,
    )


def pieces(group: Group) -> list[Group]:
    """The group cut to what a CPU's cache holds; a GPU takes it whole."""
    n_tasks = len(group.ids)
    limit = _tasks_in_cache(group)
    if group.named.flat.is_cuda or n_tasks <= limit:
        return [group]
    number = -(-n_tasks // limit)
    part = np.arange(n_tasks) * number // n_tasks
    return [group.select(part == i) for i in range(number)]


def regrouped(groups: list[Group]) -> list[Group]:
    """The same tasks with all of one signature together, cut to pieces that train fast."""
    alike: dict[tuple, list[Group]] = defaultdict(list)
    for group in groups:
        alike[group.signature].append(group)
    return [
        piece
        for same in alike.values()
        for bundle in _bundles(same)
        for piece in pieces(merged(bundle))
    ]


def _bundles(same: list[Group]) -> list[list[Group]]:
    """Groups of one signature, together up to what a CPU cache holds: little is copied at once."""
    if same[0].named.flat.is_cuda:
        return [same]
    limit, bundles = _tasks_in_cache(same[0]), [[same[0]]]
    for group in same[1:]:
        if sum(len(own.ids) for own in bundles[-1]) >= limit:
            bundles.append([])
        bundles[-1].append(group)
    return bundles


def _tasks_in_cache(group: Group) -> int:
    return max(1, CACHE_ENTRIES // group.named.layout.size)


def pruned(group: Group) -> list[Group]:
    """The group's tasks, each cut to what its output depends on and regrouped by size."""
    layout = group.named.layout
    needed = structure.needed_nodes(group.named)
    counts = torch.stack([mask.sum(1) for mask in needed], dim=1).tolist()
    widths = [structure.rounded_widths(count, layout) for count in counts]
    result = []
    for width in dict.fromkeys(widths):
        chosen = np.array([own == width for own in widths])
        part = group.select(chosen)
        if width != layout.widths:
            tasks = torch.as_tensor(np.flatnonzero(chosen), device=group.named.flat.device)
            part = _cut(part, replace(layout, widths=width), [mask[tasks] for mask in needed])
        result.append(part)
    return result


def _cut(group: Group, layout: Layout, needed: list[torch.Tensor]) -> Group:
    old = group.named.layout
    narrower = layout.widths[0] < old.widths[0]
    if not narrower:  # inputs stay in the rows' own order
        needed = [torch.ones_like(needed[0]), *needed[1:]]
    local = [
        structure.positions(mask, width) for mask, width in zip(needed, layout.widths, strict=True)
    ]
    source = structure.relocation(old, layout, local)
    if group.kept is None:
        kept = local
    else:
        kept = [
            torch.where(index >= 0, torch.gather(before, 1, index.clamp(min=0)), -1)
            for before, index in zip(group.kept, local, strict=True)
        ]
    rows = group.objective.rows
    if narrower:
        rows = rows.select_columns(local[0])
    everyone = torch.arange(len(group.ids), device=source.device)
    return Group(
        ids=group.ids,
        objective=group.objective.with_rows(layout, rows, everyone),
        named=layout.view(structure.relocate(group.named.flat, source)),
        extra={name: structure.relocate(v, source) for name, v in group.extra.items()},
        state=group.state,
        kept=kept,
        pruned_inputs=group.pruned_inputs or narrower,
    )
