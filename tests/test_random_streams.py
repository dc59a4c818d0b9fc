"""Streams depend on the key alone, and look random."""

import numpy as np
import torch
from scipy import stats

from siernet import random_streams
from siernet.random_streams import entropy_of, task_key


def keys(*identities):
    return torch.tensor([task_key(7, *identity) for identity in identities])


def test_a_stream_does_not_depend_on_its_neighbours():
    together = random_streams.uniform(keys((0, 0), (0, 1), (0, 2)), 5, 100)
    alone = random_streams.uniform(keys((0, 1)), 5, 100)
    assert torch.equal(together[1], alone[0])
    assert torch.equal(random_streams.uniform(keys((0, 1)), 5, 20)[0], alone[0, :20])


def test_tasks_and_purposes_differ():
    drawn = torch.stack(
        [
            random_streams.uniform(keys((0, i)), purpose, 50)[0]
            for i in range(9)
            for purpose in (0, 1)
        ]
    )
    assert len(torch.unique(drawn)) == drawn.numel()


def test_draws_are_uniform_and_uncorrelated():
    draws = random_streams.uniform(keys(*((0, i) for i in range(4))), 0, 50_000).numpy()
    for row in draws:
        assert stats.kstest(row, "uniform").pvalue > 1e-4
        assert abs(np.corrcoef(row[:-1], row[1:])[0, 1]) < 0.03
    between = np.corrcoef(draws)[np.triu_indices(4, 1)]
    assert np.abs(between).max() < 0.03


def test_orders_are_permutations_and_positions_are_uniform():
    hashed = random_streams.hashes(keys(*((0, i) for i in range(3000))), 1000, 6)
    orders = hashed.argsort(dim=1).numpy()
    assert (np.sort(orders, axis=1) == np.arange(6)).all()
    counts = np.stack([np.bincount(column, minlength=6) for column in orders.T])
    assert stats.chisquare(counts.ravel()).pvalue > 1e-4


def test_entropy_follows_the_random_state():
    assert entropy_of(3) == entropy_of(np.int64(3)) == 3
    assert entropy_of(np.random.RandomState(0)) == entropy_of(np.random.RandomState(0))
    assert entropy_of(None) != entropy_of(None)
