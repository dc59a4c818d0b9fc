"""Strategies on loss surfaces whose minimum is known, and ranges against brute force."""

from itertools import combinations

import numpy as np
import pytest
import torch
from scipy.optimize import minimize_scalar

from siernet.losses import CrossEntropy, SquaredError
from siernet.objective import TrainingRows
from siernet.tuning.evaluation import CandidateScore
from siernet.tuning.penalty_range import largest_penalty
from siernet.tuning.search import (
    Candidate,
    Plane,
    grid_candidates,
    halve,
    random_candidates,
    refine,
)


class Surface:
    """A sharp valley around a known optimum; remembers what was asked."""

    def __init__(self, optimum, plane, noise=0.0):
        self.optimum, self.plane, self.noise = np.array(optimum), plane, noise
        self.asked: list[tuple[Candidate, int]] = []

    def __call__(self, candidates, n_members):
        self.asked += [(candidate, n_members) for candidate in candidates]
        rng = np.random.default_rng(len(self.asked))
        points = np.log([[c.input_penalty, c.network_penalty] for c in candidates])
        distance = (points - np.log(self.plane.top)) / np.log(5) - self.optimum
        loss = 0.2 + 0.1 * (distance**2 @ [0.5, 1.0])
        return loss + self.noise * rng.normal(size=len(candidates)) / np.sqrt(n_members)


@pytest.mark.parametrize("optimum", [(-2, -2), (-1, -3), (-3.2, -2.4), (-4.9, -5.3), (-2, -5.8)])
def test_refinement_finds_the_valley_wherever_it_lies(optimum):
    plane = Plane(0.3)
    surface = Surface(optimum, plane)
    assert refine(plane, surface, 10) == []
    finalists = {c: m for c, m in surface.asked if m == 10}
    assert len(finalists) == 2
    losses = surface(list(finalists), 10)
    assert losses.min() < 0.2 + 0.1 * 0.2  # within half a step of five in either penalty
    networks = sum(members for _, members in dict(surface.asked).items())
    assert networks <= 360 / 3  # a grid of 36 would train 10 for each


def test_refinement_withstands_noise():
    plane = Plane(0.1)
    found = []
    for seed in range(20):
        surface = Surface((-2.0 - 0.05 * seed, -3.0), plane, noise=0.02)
        refine(plane, surface, 10)
        best = min({c for c, m in surface.asked if m == 10}, key=lambda c: surface([c], 10**6)[0])
        found.append(surface([best], 10**6)[0])
    assert np.mean(found) < 0.2 + 0.1 * 0.3


def test_an_optimum_beyond_all_widening_is_named():
    plane = Plane(0.3)
    assert refine(plane, Surface((-2, -30), plane), 10) == ["network_penalty"]
    assert refine(plane, Surface((-30, -30), plane), 10) == ["input_penalty", "network_penalty"]


def test_halving_spends_members_on_survivors():
    plane = Plane(1.0)
    candidates = [plane.candidate((x, y)) for x in range(-6, 0) for y in range(-6, 0)]
    surface = Surface((-3, -4), plane)
    halve(candidates, surface, 10)
    counts = {m: sum(asked == m for _, asked in surface.asked) for m in (1, 3, 10)}
    assert counts == {1: 36, 3: 12, 10: 2}
    assert plane.candidate((-3, -4)) in {c for c, m in surface.asked if m == 10}


def test_grid_and_random_candidates():
    plane = Plane(0.5)
    assert grid_candidates(plane, [0.1, 0.1], [0.2, 0.0]) == [
        Candidate(0.1, 0.2),
        Candidate(0.1, 0),
    ]
    assert len(grid_candidates(plane, None, None)) == 36
    drawn = random_candidates(plane, 50, 3)
    assert drawn == random_candidates(plane, 50, 3)
    assert drawn != random_candidates(plane, 50, 4)
    assert all(0.5 * 5**-6 <= c.network_penalty <= 0.5 for c in drawn)


def rows_of(X, target):
    weight = np.full(len(X), 1 / len(X))
    return TrainingRows(*(torch.tensor(part) for part in (X, target, weight)))


def test_range_of_one_variable_has_a_closed_form():
    """max_c (2 c r - c^2) / (2 sqrt c) = (2 r / 3)^(3/2), at c = 2 r / 3."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X = (X - X.mean(0)) / X.std(0)
    y = X[:, 1] + rng.normal(size=300)
    y = (y - y.mean()) / y.std()
    largest = largest_penalty(rows_of(X, y[:, None]), SquaredError())
    r = np.abs(X.T @ y / 300).max()
    assert largest == pytest.approx((2 * r / 3) ** 1.5, rel=0.01)


def test_range_of_two_classes_by_brute_force():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 1))
    x = (x - x.mean()) / x.std()
    y = (x[:, 0] + rng.logistic(size=200) > 0).astype(int)
    largest = largest_penalty(rows_of(x, np.eye(2)[y]), CrossEntropy())
    base = np.log(y.mean() / (1 - y.mean()))

    def gain(c):  # outputs move by +-c/2, so that |c_1| + |c_2| = c
        score = base + c * x[:, 0]
        return -np.mean(np.logaddexp(0, score) - y * score)

    best = minimize_scalar(
        lambda c: -(gain(c) - gain(0)) / (2 * np.sqrt(c)), bounds=(1e-3, 10), method="bounded"
    )
    assert largest == pytest.approx(-best.fun, rel=0.01)


def test_range_of_nothing():
    assert largest_penalty(rows_of(np.zeros((5, 0)), np.zeros((5, 1))), SquaredError()) == 0
    assert largest_penalty(rows_of(np.ones((5, 1)), np.zeros((5, 1))), SquaredError()) == 0


@pytest.mark.parametrize("few", [2, 3, 5])
def test_few_members_tell_what_all_would_score(few):
    """For squared errors exactly so on average: the mean over all choices of a few of six."""
    rng = np.random.default_rng(3)
    members, y = rng.normal(size=(6, 40)) + rng.normal(size=40), rng.normal(size=40)

    def loss(chosen):
        return float(np.mean((members[list(chosen)].mean(axis=0) - y) ** 2))

    singles = [loss([i]) for i in range(6)]
    told = [
        CandidateScore(
            few,
            scores=np.array([-loss(chosen)]),
            single=-float(np.mean([singles[i] for i in chosen])),
            n_selected=1.0,
            seconds=np.zeros(1),
        ).expected_mean(6)
        for chosen in combinations(range(6), few)
    ]
    assert np.mean(told) == pytest.approx(-loss(range(6)), rel=1e-12)


def test_members_that_failed_tell_nothing():
    failed = CandidateScore(2, np.array([-np.inf, -1.0]), -np.inf, 1.0, np.zeros(2))
    assert failed.expected_mean(10) == -np.inf
    one = CandidateScore(1, np.array([-2.0]), -2.0, 1.0, np.zeros(1))
    assert one.expected_mean(10) == -2.0
