"""The stacked network against the paper's equations in numpy, in float64."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from conftest import as_member, stack_of
from siernet.losses import CrossEntropy, SquaredError
from siernet.network import FREE, StackedNetwork, _add_and_rectify
from siernet.objective import Objective, StackRows, TrainingRows

SHAPES = [((3,), 1), ((5, 4), 1), ((7, 5, 4, 6), 1), ((4, 9, 9, 9, 9, 9), 3), ((6, 3, 2), 2)]


def problem(n_rows, n_inputs, n_outputs, n_tasks, *, classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_inputs))
    if classes:
        target = np.eye(n_outputs)[rng.integers(n_outputs, size=n_rows)]
    else:
        target = rng.normal(size=(n_rows, n_outputs))
    weight = rng.uniform(0.1, 1, size=(n_tasks, n_rows))
    return X, target, weight / weight.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(("widths", "n_outputs"), SHAPES)
def test_outputs_are_the_papers(widths, n_outputs):
    layout, named = stack_of(widths, n_outputs, 3)
    X, *_ = problem(11, widths[0], n_outputs, 3, classes=False)
    network = StackedNetwork(layout, SquaredError())
    outputs = network.outputs(named, torch.as_tensor(X)).numpy()
    layers = network.layer_outputs(named, torch.as_tensor(X)).numpy()
    for task in range(3):
        member = as_member(named, task)
        np.testing.assert_allclose(outputs[task], reference.network_output(member, X), rtol=1e-12)
        np.testing.assert_allclose(layers[task], reference.skip_outputs(member, X), rtol=1e-12)


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize(("widths", "n_outputs"), SHAPES)
def test_loss_and_gradient_match_finite_differences(widths, n_outputs, classes):
    """Differences of the numpy loss, in every single parameter (alpha and all biases too)."""
    layout, named = stack_of(widths, n_outputs, 2)
    X, target, weight = problem(9, widths[0], n_outputs, 2, classes=classes)
    slopes = layout.view(torch.zeros_like(named.flat))
    loss = CrossEntropy() if classes else SquaredError()
    tensors = [torch.as_tensor(part) for part in (X, target, weight)]
    values = StackedNetwork(layout, loss).loss_and_gradient(named, slopes, *tensors)

    def plain_loss(task):
        member = as_member(named, task)
        output = reference.network_output(member, X)
        return reference.mean_loss(output, target, weight[task], classes=classes)

    for task in range(2):
        assert float(values[task]) == pytest.approx(plain_loss(task), rel=1e-12)
        blocks = [named.beta, named.alpha]
        gradients = [slopes.beta, slopes.alpha]
        for layer in range(layout.n_layers):
            parts = ["skip_weight", "skip_bias"]
            parts += ["weight", "bias"] if layer + 1 < layout.n_layers else []
            blocks += [getattr(named, part)(layer) for part in parts]
            gradients += [getattr(slopes, part)(layer) for part in parts]
        for block, gradient in zip(blocks, gradients, strict=True):
            own, slope = block[task].view(block[task].shape), gradient[task]
            for index in np.ndindex(*own.shape):
                before = float(own[index])
                own[index] = before + 1e-6
                upper = plain_loss(task)
                own[index] = before - 1e-6
                lower = plain_loss(task)
                own[index] = before
                assert float(slope[index]) == pytest.approx((upper - lower) / 2e-6, abs=2e-8)


@pytest.mark.parametrize("classes", [False, True])
def test_penalties_are_the_papers(classes):
    """Value and who is penalised by what; padding and free parameters cost nothing."""
    layout, named = stack_of((4, 6, 5), 3, 2)
    X, target, weight = problem(8, 4, 3, 2, classes=classes)
    rows = TrainingRows(*(torch.as_tensor(part) for part in (X, target, weight[0])))
    loss = CrossEntropy() if classes else SquaredError()
    stack_rows = StackRows.concatenate([rows]).of_tasks([0, 0], 8)
    lambda_1, lambda_2 = torch.tensor([0.3, 0.0]), torch.tensor([0.07, 1.1])
    objective = Objective(layout, loss, stack_rows, lambda_1.double(), lambda_2.double())
    values = objective.penalty(named.flat)
    for task in range(2):
        expected = reference.penalty(
            as_member(named, task), float(lambda_1[task]), float(lambda_2[task]), classes=classes
        )
        assert float(values[task]) == pytest.approx(expected, rel=1e-7)
    kinds = layout.kinds(penalise_biases=classes)
    assert (named.layout.view(kinds[None].clone()).bias(0) == FREE).all() != classes


@settings(deadline=None, max_examples=30)
@given(
    widths=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    n_outputs=st.integers(1, 4),
    n_tasks=st.integers(2, 5),
    shared=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_a_stack_is_its_tasks(widths, n_outputs, n_tasks, shared, seed):
    """Loss and gradient of a stack equal those of each task alone, in float64 to rounding."""
    layout, named = stack_of(widths, n_outputs, n_tasks, seed=seed)
    X, target, weight = problem(7, widths[0], n_outputs, n_tasks, classes=False, seed=seed)
    inputs = torch.as_tensor(X if shared else np.stack([X + task for task in range(n_tasks)]))
    target, weight = torch.as_tensor(target), torch.as_tensor(weight)
    network = StackedNetwork(layout, SquaredError())
    slopes = layout.view(torch.zeros_like(named.flat))
    losses = network.loss_and_gradient(named, slopes, inputs, target, weight)
    for task in range(n_tasks):
        alone = layout.view(named.flat[[task]])
        own = layout.view(torch.zeros_like(alone.flat))
        own_inputs = inputs if shared else inputs[task]
        loss = network.loss_and_gradient(alone, own, own_inputs, target, weight[[task]])
        torch.testing.assert_close(loss[0], losses[task], rtol=1e-12, atol=1e-12)
        torch.testing.assert_close(own.flat[0], slopes.flat[task], rtol=1e-10, atol=1e-12)


def test_padding_stays_zero():
    layout, named = stack_of((5, 3, 3), 1, 2)
    X, target, weight = problem(6, 5, 1, 2, classes=False)
    slopes = layout.view(torch.zeros_like(named.flat))
    tensors = [torch.as_tensor(part) for part in (X, target, weight)]
    StackedNetwork(layout, SquaredError()).loss_and_gradient(named, slopes, *tensors)
    for layer in range(layout.n_layers):
        assert not slopes.matrices[layer][:, :, layout.columns[layer] :].any()
        assert not slopes.offsets[layer][:, layout.columns[layer] :].any()


def test_what_a_gpu_compiles_adds_offsets_and_rectifies_the_nodes_only():
    out, offsets = torch.randn(3, 5, 8), torch.randn(3, 1, 8)
    expected = out + offsets
    expected[:, :, :4].relu_()
    _add_and_rectify(out, offsets, 4)
    assert torch.equal(out, expected)
