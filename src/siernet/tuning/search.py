"""Strategies: which candidates are tried, and with how many members.

Candidates live on a plane whose coordinates are the logarithms to base 5 of the two penalties,
relative to the largest useful penalty. A strategy is told nothing but the losses it asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

_BASE = 5.0
# Coordinates of the first look, for lambda_1 and lambda_2, and the steps between them. The optimum
# in lambda_2 is sharp, with another, of linear networks, above it. Small penalties, whose networks
# stay dense and so cost the most, are looked at only where the best candidate points there.
_FIRST_LOOK = ((-0.75, -2.0, -3.25), (-1.0, -1.75, -2.5, -3.25))
_STEPS = (1.25, 0.75)
# One member would do for linear models, which hardly differ; deeper ones, whose average is much
# better than each, would be dropped too early.
_FEW_MEMBERS, _SOME_MEMBERS = 2, 4
_WIDENINGS = 4
_CLIMBS = 2
_GRID = tuple(-0.75 - np.arange(6.0))
_RANDOM_RANGE = (-6.0, -0.25)


@dataclass(frozen=True, order=True)
class Candidate:
    """A pair of penalties."""

    input_penalty: float
    network_penalty: float


@dataclass(frozen=True)
class Plane:
    """Coordinates of candidates below the largest useful penalty."""

    top: float

    def candidate(self, point: tuple[float, float]) -> Candidate:
        """The candidate at a point; the same point always gives the same numbers."""
        return Candidate(*(float(self.top * _BASE**coordinate) for coordinate in point))


# Losses (lower is better) of candidates with a number of members.
Evaluate = Callable[[Sequence[Candidate], int], np.ndarray]


def grid_candidates(
    plane: Plane, inputs: Sequence[float] | None, networks: Sequence[float] | None
) -> list[Candidate]:
    """All pairs of the penalties given, or of a grid."""
    default = [plane.candidate((x, x)).input_penalty for x in _GRID]
    pairs = [
        Candidate(float(a), float(b))
        for a in (default if inputs is None else inputs)
        for b in (default if networks is None else networks)
    ]
    return list(dict.fromkeys(pairs))


def random_candidates(plane: Plane, n_candidates: int, seed: int) -> list[Candidate]:
    """Pairs drawn log-uniformly."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
    points = rng.uniform(*_RANDOM_RANGE, size=(n_candidates, 2))
    return [plane.candidate((float(x), float(y))) for x, y in points]


def halve(candidates: Sequence[Candidate], evaluate: Evaluate, n_members: int) -> None:
    """All candidates with one member, the best third with three, the best two with all."""
    remaining = list(candidates)
    for members, kept in ((1, max(3, -(-len(remaining) // 3))), (3, 2), (n_members, 1)):
        losses = evaluate(remaining, min(members, n_members))
        order = np.argsort(losses, kind="stable")
        remaining = [remaining[i] for i in order[:kept]]


def refine(plane: Plane, evaluate: Evaluate, n_members: int) -> list[str]:
    """Coarse to fine, with few members for many candidates and many for few.

    Returns
    -------
    list of str
        Penalties whose best value is still at the edge of what was searched, after widening.
    """
    few, some = _FEW_MEMBERS, _SOME_MEMBERS
    points = [(x, y) for x in _FIRST_LOOK[0] for y in _FIRST_LOOK[1]]
    losses: dict[tuple[float, float], float] = {}

    def look(new: Sequence[tuple[float, float]], members: int) -> None:
        fresh = list(dict.fromkeys(new))
        values = evaluate([plane.candidate(point) for point in fresh], min(members, n_members))
        losses.update(zip(fresh, values.tolist(), strict=True))

    def best(number: int, among: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """The best, but of points with one and the same loss (all linear, say) only the first."""
        distinct = {losses[point]: point for point in reversed(among)}
        return [distinct[loss] for loss in sorted(distinct)[:number]]

    look(points, few)
    for _ in range(_WIDENINGS):
        beyond = _beyond_the_edge(best(1, points)[0], points)
        if not beyond:
            break
        points += beyond
        look(beyond, few)
    at_edge = _edges(best(1, points)[0], points)

    centre = best(1, points)[0]
    elsewhere = best(1, [point for point in points if point[1] != centre[1]])
    around = [p for own in [centre, *elsewhere] for p in _neighbours(own, 1 / 2)]
    around = [point for point in dict.fromkeys(around) if point not in losses]
    look(around, few)

    finalists = best(4, points + around)
    look(finalists, some)
    for _ in range(_CLIMBS):
        centre = best(1, finalists)[0]
        around = [point for point in _neighbours(centre, 1 / 4) if point not in finalists]
        if not around:
            break
        look(around, some)
        finalists += around
        if best(1, finalists)[0] == centre:
            break
    look(best(2, finalists), n_members)
    return at_edge


def _neighbours(centre: tuple[float, float], part: float) -> list[tuple[float, float]]:
    """Points a part of a step away."""
    (x, y), (dx, dy) = centre, (part * _STEPS[0], part * _STEPS[1])
    return [(x + dx, y), (x - dx, y), (x, y + dy), (x, y - dy)]


def _beyond_the_edge(
    best: tuple[float, float], points: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Points a step further out where the best one has none beyond it; upwards there are none."""
    dx, dy = _STEPS
    steps = [(-dx, 0.0)] if best[0] <= min(x for x, _ in points) else []
    steps += [(0.0, -dy)] if best[1] <= min(y for _, y in points) else []
    if len(steps) == 2:
        steps.append((-dx, -dy))
    return [(best[0] + x, best[1] + y) for x, y in steps]


def _edges(best: tuple[float, float], points: Sequence[tuple[float, float]]) -> list[str]:
    names = ("input_penalty", "network_penalty")
    lowest = [min(point[axis] for point in points) for axis in (0, 1)]
    return [name for axis, name in enumerate(names) if best[axis] <= lowest[axis]]
