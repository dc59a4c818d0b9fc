"""Section 4.2 of the paper: the true support is recovered where it can be."""

import numpy as np
import pytest

from siernet import EasierNetRegressor
from siernet.datasets import make_section_4_2


def fitted(rho, n_estimators, seed=0):
    model = EasierNetRegressor(
        input_penalty=0.05, network_penalty=0.001, n_estimators=n_estimators, random_state=seed
    )
    data = make_section_4_2(rho=rho, random_state=seed)
    return model.fit(data.X, data.y)


def test_independent_covariates_give_the_true_support():
    model = fitted(0.0, 10)
    assert model.selection_rates_.tolist() == [1] * 4 + [0] * 4
    assert model.support_posterior() == {(0, 1, 2, 3): 1.0}


def test_identical_covariates_stand_in_for_each_other():
    """Grouping: at rho = 1 each member picks one of a pair, and which one is open."""
    model = fitted(1.0, 20)
    pairs = model.supports_[:, :4].astype(int) + model.supports_[:, 4:]
    assert (pairs >= 1).all()
    assert np.median(pairs) == 1
    assert ((model.selection_rates_ > 0.1) & (model.selection_rates_ < 0.9)).all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_support_is_recovered_over_draws(rho, seed):
    rates = fitted(rho, 40, seed).selection_rates_
    assert (rates[:4] >= 0.98).all()
    assert (rates[4:] <= 0.05).all()
