"""Pruning changes no output; supports and active nodes against walking every path."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import as_member, stack_of
from siernet import structure
from siernet.losses import SquaredError
from siernet.members import Member
from siernet.network import Layout, StackedNetwork


def sparse_stack(widths, n_outputs, n_tasks, density, seed):
    """A stack most of whose entries are zero, in every kind of parameter."""
    layout, named = stack_of(widths, n_outputs, n_tasks, seed=seed)
    generator = torch.Generator().manual_seed(seed + 1)
    keep = torch.rand(named.flat.shape, generator=generator) < density
    named.flat.mul_(keep)
    named.alpha[:, 0] += 1.0  # the shares are defined
    return layout, named


networks = st.fixed_dictionaries(
    {
        "widths": st.lists(st.integers(1, 6), min_size=1, max_size=4),
        "n_outputs": st.integers(1, 2),
        "density": st.sampled_from([0.1, 0.3, 0.6]),
        "seed": st.integers(0, 10_000),
    }
)


@settings(deadline=None, max_examples=60)
@given(network=networks)
def test_cutting_to_the_needed_nodes_keeps_the_outputs(network):
    layout, named = sparse_stack(**network, n_tasks=3)
    needed = structure.needed_nodes(named)
    widths = tuple(int(mask.sum(1).max()) + 1 for mask in needed)
    widths = tuple(min(a, b) for a, b in zip(widths, layout.widths, strict=True))
    smaller = Layout(widths, layout.n_outputs)
    kept = [structure.positions(mask, w) for mask, w in zip(needed, widths, strict=True)]
    source = structure.relocation(layout, smaller, kept)
    cut = smaller.view(structure.relocate(named.flat, source))
    X = torch.randn(10, layout.widths[0], dtype=torch.float64)
    own = torch.stack([X[:, index.clamp(min=0)] * (index >= 0) for index in kept[0]])
    before = StackedNetwork(layout, SquaredError()).outputs(named, X)
    after = StackedNetwork(smaller, SquaredError()).outputs(cut, own)
    torch.testing.assert_close(after, before, rtol=1e-12, atol=1e-12)
    cleaned = layout.view(structure.without_others(named, needed))
    same = StackedNetwork(layout, SquaredError()).outputs(cleaned, X)
    torch.testing.assert_close(same, before, rtol=1e-12, atol=1e-12)


def as_full_member(named, task):
    plain = as_member(named, task)
    return Member(
        widths=named.layout.widths,
        nodes=tuple(np.arange(width) for width in named.layout.widths),
        kept_beta=plain.beta.copy(),
        kept_alpha=plain.alpha.copy(),
        kept_weights=tuple(w.copy() for w in plain.weights),
        kept_biases=tuple(b.copy() for b in plain.biases),
        kept_skip_weights=tuple(w.copy() for w in plain.skip_weights),
        kept_skip_biases=tuple(b.copy() for b in plain.skip_biases),
    )


def nodes_on_paths(member):
    """Walks every path input -> hidden ... -> skip weight, and marks what it passes."""
    widths = [len(member.beta), *(w.shape[1] for w in member.weights)]
    active = [np.zeros(width, dtype=bool) for width in widths]
    for last in range(len(widths)):
        if member.alpha[last] == 0:
            continue
        for path in itertools.product(*(range(width) for width in widths[: last + 1])):
            alive = member.beta[path[0]] != 0 and member.skip_weights[last][path[-1]].any()
            for layer in range(last):
                alive = alive and member.weights[layer][path[layer], path[layer + 1]] != 0
            if alive:
                for layer, node in enumerate(path):
                    active[layer][node] = True
    return active


@settings(deadline=None, max_examples=60)
@given(network=networks)
def test_support_and_active_nodes_by_walking_paths(network):
    _, named = sparse_stack(**network, n_tasks=1)
    member = as_full_member(named, 0)
    expected = nodes_on_paths(member)
    np.testing.assert_array_equal(member.support, expected[0])
    for own, by_path in zip(member.active_nodes, expected[1:], strict=True):
        np.testing.assert_array_equal(own, by_path)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([3, 20, 0, 0], (8, 32, 0, 0)),
        ([100, 100, 100, 100], (100, 100, 100, 100)),
        ([9, 65, 3, 9], (16, 100, 16, 16)),
        ([70, 8, 8, 1], (100, 8, 8, 8)),
    ],
)
def test_rounded_widths_fit_and_are_few(counts, expected):
    widths = structure.rounded_widths(counts, Layout((100, 100, 100, 100), 1))
    assert widths == expected
    assert all(width >= count for width, count in zip(widths, counts, strict=True))
