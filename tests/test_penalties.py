"""Proximal operators against brute force, residuals against their definition."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from siernet import penalties

numbers = st.floats(-3, 3, allow_nan=False)


@given(start=numbers, strength=st.floats(0, 2), step=st.floats(0.01, 2), non_negative=st.booleans())
def test_proximal_step_minimises_its_definition(start, strength, step, non_negative):
    """prox(v) = argmin_u strength |u| + (u - v)^2 / (2 step), over u >= 0 where asked."""
    strength = 0.0 if non_negative else strength
    result = penalties.proximal_step(
        torch.tensor([[start]], dtype=torch.float64),
        torch.zeros(1, 1, dtype=torch.float64),
        torch.tensor([step], dtype=torch.float64),
        torch.tensor([[strength]], dtype=torch.float64),
        torch.tensor([non_negative]),
    ).item()
    grid = np.linspace(0 if non_negative else -4, 4, 80001)
    values = strength * np.abs(grid) + (grid - start) ** 2 / (2 * step)
    assert result == pytest.approx(grid[values.argmin()], abs=1.1e-4)


def test_a_step_follows_the_gradient_before_it_shrinks():
    moved = penalties.proximal_step(
        torch.tensor([[1.0, -1.0, 0.2]]),
        torch.tensor([[1.0, 1.0, 0.0]]),
        torch.tensor([0.5]),
        torch.tensor([[1.0, 1.0, 1.0]]),
        torch.tensor([False, False, False]),
    )
    torch.testing.assert_close(moved, torch.tensor([[0.0, -1.0, 0.0]]))


@given(value=numbers, gradient=numbers, strength=st.floats(0, 2))
def test_residual_is_the_distance_from_the_subdifferential(value, gradient, strength):
    """By brute force over the subgradients of strength |.| at the value."""
    subgradients = np.linspace(-1, 1, 2001) if value == 0 else np.array([np.sign(value)])
    expected = np.abs(gradient + strength * subgradients).min()
    result = penalties.optimality_residual(
        torch.tensor([[value]], dtype=torch.float64),
        torch.tensor([[gradient]], dtype=torch.float64),
        torch.tensor([[strength]], dtype=torch.float64),
        torch.tensor([False]),
    ).item()
    assert result == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(
    ("value", "gradient", "expected"), [(0.0, 1.0, 0.0), (0.0, -1.0, 1.0), (2.0, 0.5, 0.5)]
)
def test_a_non_negative_entry_may_rest_on_its_bound(value, gradient, expected):
    residual = penalties.optimality_residual(
        torch.tensor([[value]]), torch.tensor([[gradient]]), torch.zeros(1, 1), torch.tensor([True])
    )
    assert residual.item() == expected
