"""The simulators against the paper's formulas, row by row."""

import math

import numpy as np
import pytest

from siernet.datasets import make_section_4_1, make_section_4_2


@pytest.mark.parametrize("n_relevant", [20, 100])
def test_section_4_1(n_relevant):
    data = make_section_4_1(50, n_relevant=n_relevant, random_state=0)
    assert data.X.shape == (50, 100)
    assert data.relevant.sum() == n_relevant
    for x, mean in zip(data.X, data.mean, strict=True):
        total = 0.0
        for i in range(n_relevant // 4):
            total += math.sin(2 * x[4 * i] + 2 * x[4 * i + 1])
            total += 5 * x[4 * i + 2] * abs(x[4 * i + 3] - 0.25)
        assert mean == pytest.approx(total)


@pytest.mark.parametrize("rho", [0.0, 0.8, 1.0])
def test_section_4_2(rho):
    data = make_section_4_2(4000, rho=rho, random_state=1)
    x = data.X
    np.testing.assert_allclose(data.mean, x[:, 0] * x[:, 1] + np.sin(x[:, 2] + x[:, 3]))
    assert data.relevant.tolist() == [True] * 4 + [False] * 4
    expected = rho / math.hypot(rho, 1 - rho)
    assert np.corrcoef(x[:, 0], x[:, 4])[0, 1] == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("make", [make_section_4_1, make_section_4_2])
def test_signal_to_noise(make):
    data = make(20_000, random_state=2)
    assert data.mean.std() / (data.y - data.mean).std() == pytest.approx(2, rel=0.03)


def test_bad_requests():
    with pytest.raises(ValueError, match="n_relevant=21"):
        make_section_4_1(n_relevant=21)
    with pytest.raises(ValueError, match="rho=2"):
        make_section_4_2(rho=2)
