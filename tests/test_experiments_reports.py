"""Pages and checks from fake cells, with numbers that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from siernet.experiments import layers, simulation, support
from siernet.experiments.study import mean_of, shown, win_line
from toy_methods import fake_cell, first_row, table_rows

TITLES = {"easier": "EASIER-net", "lasso": "Lasso", "xgboost": "XGBoost"}


def found(report):
    """Statement -> holds, of a report's checks."""
    return {check.statement: check.holds for check in report.checks}


def text_of(report):
    return "\n\n".join(report.blocks)


# -- numbers with errors ---------------------------------------------------------------------------


def test_mean_and_standard_error():
    mean = mean_of([1.0, 2.0, 6.0])
    assert mean.value == 3
    assert mean.error == pytest.approx(math.sqrt(7) / math.sqrt(3))  # variance (4 + 1 + 9) / 2
    assert shown(mean) == "3.000 ± 1.528"
    assert shown(mean_of([0.25]), sign=True) == "+0.250"
    assert shown(mean_of([])) == ""


def test_a_win_is_told_with_its_certainty():
    clear, unclear = mean_of([-0.1, -0.1, -0.11]), mean_of([-0.1, 0.08, -0.02])
    assert win_line("wine", "Lasso", clear).endswith(
        "**Lasso** has the lowest loss, -0.103 ± 0.003 against EASIER-net's, more than two "
        "standard errors."
    )
    assert "less than two" in win_line("wine", "Lasso", unclear)
    assert win_line("wine", "Lasso", mean_of([])).endswith("has the lowest loss.")


# -- simulation ------------------------------------------------------------------------------------


def simulated(losses, setting="20-600"):
    """Cells with the given test losses by method, one a draw."""
    shared = {"n_test": 10_000, "signal_to_noise": 2.0}
    return [
        fake_cell(
            "simulation",
            setting,
            draw,
            method,
            {
                "test_loss": loss,
                "response_scale": 2.0,
                "details": {"validation_loss": 4 * loss, "support_size": 20.0 + draw},
            },
            shared,
        )
        for method, values in losses.items()
        for draw, loss in enumerate(values)
    ]


def test_simulation_table_means_errors_and_the_papers_numbers():
    report = simulation.report(
        simulated({"easier": [0.1, 0.2], "lasso": [0.3, 0.5], "own": [0.9]}), TITLES
    )
    row = first_row(text_of(report), "EASIER-net")
    assert row[1:5] == ["**0.150 ± 0.050**", "0.226", "0.150", "0.173"]
    assert row[9:11] == ["20.5", "25.6"]
    assert first_row(text_of(report), "Lasso")[1:3] == ["0.400 ± 0.100", ""]
    assert first_row(text_of(report), "own")[1] == "0.900"
    assert "2 draws" in text_of(report)
    # Validation losses are in units of the response's variance, four.
    assert [row["validation_loss"] for row in report.tables["simulation.csv"]][:2] == [0.1, 0.2]


def test_simulation_checks_hold_and_do_not():
    good = found(simulation.report(simulated({"easier": [0.18], "lasso": [0.3]}), TITLES))
    assert good["20-600: EASIER-net's test loss is at or below the paper's"]
    assert good["20-600: EASIER-net's test loss is at or below 0.19"]
    (ahead,) = [statement for statement in good if "is ahead of lasso" in statement]
    assert good[ahead]
    assert "not run: random_forest, xgboost, lassonet, easier_net_008" in ahead
    bad = found(simulation.report(simulated({"easier": [0.2], "lasso": [0.2]}), TITLES))
    assert list(bad.values()) == [True, False, False]  # the paper's 0.226, 0.19, a tie
    # The mean over draws decides.
    mixed = found(simulation.report(simulated({"easier": [0.1, 0.27]}), TITLES))
    assert list(mixed.values()) == [True, True]


def test_ensembling_and_sparsity_are_checked_where_they_were_run():
    losses = {
        "easier": [0.2],
        "dropout": [0.3],
        "dropout_single": [0.5],
        "sparse": [0.31],
        "sparse_single": [0.4],
    }
    held = found(simulation.report(simulated(losses), TITLES))
    assert held["20-600: ensembling improves DropoutNet"]
    assert held["20-600: sparsity improves a single network"]
    assert not held["20-600: sparsity improves an ensemble"]


def test_simulation_says_where_another_method_wins_on_the_same_draws():
    losses = {"easier": [0.2, 0.3], "xgboost": [0.1, 0.25], "lasso": [0.01]}
    report = simulation.report(simulated(losses), TITLES)
    # The Lasso's one draw is no comparison with two.
    assert report.wins == [
        "- 20-600: **XGBoost** has the lowest loss, -0.075 ± 0.025 against EASIER-net's, more "
        "than two standard errors."
    ]
    assert simulation.report(simulated({"easier": [0.1], "lasso": [0.2]}), TITLES).wins == []


# -- support ---------------------------------------------------------------------------------------


def selecting(rates_by_rho):
    """Cells with the given selection rates, a list of draws for each rho."""
    shared = {
        "n_samples": 500,
        "n_estimators": 100,
        "input_penalty": 0.05,
        "network_penalty": 0.001,
    }
    return [
        fake_cell(
            "support",
            f"rho-{rho:.2f}",
            draw,
            "easier",
            {"rho": rho, "selection_rates": rates, "exact": 0.5, "n_networks": 100},
            shared,
        )
        for rho, draws in rates_by_rho.items()
        for draw, rates in enumerate(draws)
    ]


def rates(relevant, other):
    return [relevant] * 4 + [other] * 4


GOOD = {
    0.0: [rates(1.0, 0.0)],
    0.5: [rates(1.0, 0.0)],
    0.8: [rates(0.99, 0.01)],
    0.9: [rates(0.9, 0.15)],
    0.95: [rates(0.7, 0.4)],
    1.0: [rates(0.5, 0.52)],
}


def targets(cells):
    report = support.report(cells, {})
    return {c.statement.split(":")[0]: c.holds for c in report.checks if c.against == "target"}


def test_support_targets_hold():
    assert targets(selecting(GOOD)) == {
        "rho = 0.00": True,
        "rho = 0.50": True,
        "rho = 0.80": True,
        "rho = 1.00": True,
        "the gap shrinks with each step of rho from 0.8 to 1": True,
    }


@pytest.mark.parametrize(
    ("rho", "draws", "failing"),
    [
        (0.8, [[0.97, 1, 1, 1, 0, 0, 0, 0]], "rho = 0.80"),
        (0.5, [[1, 1, 1, 1, 0, 0, 0, 0.03]], "rho = 0.50"),
        (1.0, [[0.66, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]], "rho = 1.00"),
        (1.0, [[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.34]], "rho = 1.00"),
        (0.95, [rates(0.9, 0.1)], "the gap shrinks with each step of rho from 0.8 to 1"),
    ],
)
def test_support_targets_do_not_hold(rho, draws, failing):
    held = targets(selecting({**GOOD, rho: draws}))
    assert [name for name, holds in held.items() if not holds] == [failing]


def test_support_rates_are_means_over_draws_beside_the_papers():
    cells = selecting({0.8: [[0.96, 1, 1, 1, 0.04, 0, 0, 0], rates(1.0, 0.0)]})
    report = support.report(cells, {})
    rows = table_rows(text_of(report))
    assert rows[1][2:10] == ["0.980", "1.000", "1.000", "1.000", "0.020", "0.000", "0.000", "0.000"]
    assert rows[2][2:10] == rows[1][2:10]  # the paper's happen to be the same
    assert rows[1][11] == "0.99"
    (target,) = [check for check in report.checks if check.against == "target"]
    assert target.holds
    assert "holds in 1 of 2 draws" in target.found
    (paper,) = [check for check in report.checks if check.against == "paper"]
    assert paper.holds


def test_support_is_compared_with_the_papers_means():
    far = support.report(selecting({0.95: [rates(0.95, 0.05)]}), {})
    (check,) = [check for check in far.checks if check.against == "paper"]
    assert not check.holds
    assert check.found == "ours 0.95 and 0.05, the paper's 0.71 and 0.38"


# -- layers ----------------------------------------------------------------------------------------


def contributing(shares_by_penalty, training="easier_paper"):
    """Cells of two networks each, both with the given shares (inputs and two hidden layers)."""
    shared = {"n_samples": 600, "n_relevant": 20, "n_estimators": 2, "input_penalty": 0.01}
    return [
        fake_cell(
            "layers",
            f"lambda2-{penalty:g}",
            0,
            training,
            {"network_penalty": penalty, "contributions": [shares] * 2},
            shared,
        )
        for penalty, shares in shares_by_penalty.items()
    ]


FALLING = {1.0: [1.0, 0.0, 0.0], 0.1: [0.4, 0.5, 0.0], 0.01: [0.0, 0.2, 0.6]}


def test_layers_checks_hold():
    report = layers.report(contributing(FALLING), {})
    assert [check.holds for check in report.checks] == [True] * 4
    rows = table_rows(text_of(report))
    assert rows[0] == ["lambda_2", "inputs", "hidden 1", "hidden 2"]
    assert rows[1] == ["0.01", "0.00", "0.20", "0.60"]
    assert len(report.tables["layers.csv"]) == 6


@pytest.mark.parametrize(
    ("penalty", "shares", "failing"),
    [
        (1.0, [0.9, 0.1, 0.0], "at the largest"),
        (0.01, [0.0, 0.6, 0.2], "at the smallest"),
        (0.01, [0.6, 0.0, 0.7], "the inputs' share falls"),
        (0.1, [0.4, 0.0, 0.5], "as lambda_2 falls"),
    ],
)
def test_layers_checks_do_not_hold(penalty, shares, failing):
    report = layers.report(contributing({**FALLING, penalty: shares}), {})
    failed = [check.statement for check in report.checks if not check.holds]
    assert len(failed) == 1
    assert failed[0].startswith(f"trained as published: {failing}")


def test_constant_networks_are_left_out_of_the_means_and_named():
    cells = contributing({**FALLING, 5.0: [0.0, 0.0, 0.0]})
    cells[1].result["contributions"][1] = [0.0, 0.0, 0.0]
    report = layers.report(cells, {})
    assert first_row(text_of(report), "0.1")[1] == "0.40"
    assert first_row(text_of(report), "5") is None
    assert "all of them at lambda_2 = 5." in text_of(report)


def test_both_trainings_have_their_own_table_and_checks():
    cells = contributing(FALLING) + contributing(FALLING, "easier")
    report = layers.report(cells, {})
    assert len(report.checks) == 8
    assert "## Trained as published" in report.blocks
    assert "## Our default training" in report.blocks
    assert {row["training"] for row in report.tables["layers.csv"]} == {
        "trained as published",
        "our default training",
    }


def test_a_quick_scale_is_named_on_the_page():
    cells = contributing(FALLING)
    cells[0].settings["study"]["scale"] = "quick"
    assert "not the paper's scale" in layers.report(cells, {}).blocks[0]
    np.testing.assert_array_equal(layers.report(contributing(FALLING), {}).blocks[0], "")
