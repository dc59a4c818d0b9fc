"""The arithmetic and the page of the real-data study, from fake cells."""

from __future__ import annotations

import numpy as np
import pytest

from siernet.experiments import uci_report
from siernet.experiments.scoring import class_losses, squared_error
from siernet.experiments.uci_tables import averages, losses_of, sorted_rates, structure_of
from toy_methods import fake_cell, first_row

TITLES = {"easier": "EASIER-net", "lasso": "Lasso", "own": "Own"}


def details(sizes=(10.0, 0.5), contributions=(0.0, 0.2, 0.6, 0.0, 0.0, 0.1)):
    return {
        "support_size": sizes[0],
        "support_size_se": sizes[1],
        "n_layers": 2.0,
        "n_layers_se": 0.0,
        "n_hidden_nodes": 7.0,
        "n_hidden_nodes_se": 0.1,
        "contributions": list(contributions),
        "contributions_se": [0.0] * 6,
        "selection_rates": [0.1, 1.0, 0.5],
    }


def cell(name, seed, method, loss, task="regression", **extra):
    result = {
        "task": task,
        "loss": loss,
        "n_train": 90,
        "n_test": 45,
        "n_features": 3,
        "n_columns": 3,
        "details": details() if method == "easier" else {},
        **extra,
    }
    if task == "classification":
        result |= {"error_rate": loss / 4, "floored_loss": loss}
    weights = {"class_weight": "balanced"} if task == "classification" else {}
    return fake_cell("uci", name, seed, method, result, **weights)


def cells_of(losses, **extra):
    return [
        cell(name, seed, method, loss, **extra)
        for (name, method), values in losses.items()
        for seed, loss in enumerate(values)
    ]


REGRESSION = {
    ("boston", "easier"): [0.1, 0.2, 0.3],
    ("boston", "lasso"): [0.2, 0.2, 0.5],
    ("wine", "easier"): [0.5, 0.6, 0.7],
    ("wine", "lasso"): [0.3, 0.5, 0.7],
}


def test_differences_are_paired_by_split():
    losses = losses_of(cells_of(REGRESSION), "regression")
    difference = losses.difference("boston", "lasso")
    assert difference.value == pytest.approx(0.1)
    assert difference.error == pytest.approx(np.std([0.1, 0, 0.2], ddof=1) / np.sqrt(3))


def test_averages_over_sets_with_errors_over_splits():
    average = averages(losses_of(cells_of(REGRESSION), "regression"), ["boston", "wine"])
    assert average.sets == ("boston", "wine")
    assert average.means["easier"].value == pytest.approx(0.4)
    assert average.means["easier"].error == pytest.approx(0.1 / np.sqrt(3))
    # By split: 0.25, 0.35, 0.6 less 0.3, 0.4, 0.5.
    assert average.differences["lasso"].value == pytest.approx(0.0)
    expected = np.std([-0.05, -0.05, 0.1], ddof=1) / np.sqrt(3)
    assert average.differences["lasso"].error == pytest.approx(expected)


def test_only_the_papers_sets_and_only_what_all_finished_are_averaged():
    more = {
        **REGRESSION,
        ("blogfeedback", "easier"): [9.0],
        ("blogfeedback", "lasso"): [9.0],
        ("crime", "easier"): [0.3, 0.3, 0.3],
        ("crime", "lasso"): [0.4],  # two splits are missing
        ("wine", "own"): [0.1, 0.1, 0.1],  # one set of three is too few
    }
    average = averages(losses_of(cells_of(more), "regression"), uci_report.PAPER_SETS)
    assert average.sets == ("boston", "wine")
    assert average.left_out == {"own": ("boston", "crime")}
    assert set(average.means) == {"easier", "lasso"}


def report_of(losses, **extra):
    return uci_report.report(cells_of(losses, **extra), TITLES)


def test_page_shows_losses_differences_and_who_wins():
    report = report_of(REGRESSION)
    text = "\n\n".join(report.blocks)
    losses = text.partition("## Regression")[2]
    assert first_row(losses, "Method")[1:] == ["boston", "wine"]
    assert first_row(losses, "EASIER-net")[1:] == ["**0.200 ± 0.058**", "0.600 ± 0.058"]
    assert first_row(losses, "Lasso")[1:] == ["0.300 ± 0.100", "**0.500 ± 0.115**"]
    differences = losses.partition("Less EASIER-net's")[2]
    assert first_row(differences, "Lasso")[1:] == ["+0.100 ± 0.058", "-0.100 ± 0.058"]
    assert report.wins == [
        "- wine (regression): **Lasso** has the lowest loss, -0.100 ± 0.058 against "
        "EASIER-net's, less than two standard errors."
    ]
    assert first_row(text, "EASIER-net")[1:4] == ["**0.400 ± 0.058**", "", "0.259"]
    assert "Not run: gene_cancer_c" in text


def test_checks_of_the_averages():
    lower = report_of({("boston", "easier"): [0.1], ("boston", "lasso"): [0.2]})
    assert [check.holds for check in lower.checks if "average" in check.statement] == [True, True]
    higher = report_of({("boston", "easier"): [0.3], ("boston", "lasso"): [0.2]})
    failed = [check for check in higher.checks if "average" in check.statement]
    assert [check.holds for check in failed] == [False, False]
    assert "a difference of -0.100" in failed[0].found


def test_a_missing_easier_net_is_no_silent_success():
    report = report_of({("boston", "lasso"): [0.2], ("wine", "lasso"): [0.2]})
    assert [(check.holds, check.found) for check in report.checks] == [(False, "it was not run")]
    few = {
        ("wine", "easier"): [0.1],
        ("wine", "lasso"): [0.2],
        ("boston", "lasso"): [0.2],
        ("crime", "lasso"): [0.2],
    }
    (average,) = [check for check in report_of(few).checks if "average" in check.statement]
    assert (average.holds, average.found) == (False, "it lacks crime, boston")


def test_classification_says_how_classes_are_weighted():
    losses = {("soybean", "easier"): [0.4], ("soybean", "lasso"): [0.8]}
    text = "\n\n".join(report_of(losses, task="classification").blocks)
    assert "class_weight=balanced" in text
    assert "unweighted likelihood" in text
    rates = text.partition("| Error rate |")[2]
    assert [first_row(rates, title)[1] for title in ("EASIER-net", "Lasso")] == ["0.100", "0.200"]


def test_structure_pools_networks_errors_over_splits():
    cells = [
        cell("boston", 0, "easier", 0.1),
        cell("boston", 1, "easier", 0.1, details=details(sizes=(12.0, 1.0))),
    ]
    found = structure_of(cells)
    assert found.support_size.value == 11
    assert found.support_size.error == pytest.approx(np.sqrt((0.25 + 1) / 2))
    report = uci_report.report(cells, TITLES)
    row = first_row("\n\n".join(report.blocks), "boston", "ours")
    assert row[2:6] == ["3", "2.00 (0.00)", "11.00 (0.79)", "7.00 (0.10)"]
    assert row[8] == "**0.60 (0.00)**"
    paper = first_row("\n\n".join(report.blocks), "", "paper")
    assert paper[4] == "11.60 (0.18)"
    assert paper[-1] == "**0.53 (0.04)**"
    (check,) = [check for check in report.checks if "contributes most" in check.statement]
    assert not check.holds
    assert check.found == "on 0 of 1; boston 3 (paper 6)"


def test_rates_are_sorted_by_split():
    rates = sorted_rates([cell("boston", 4, "easier", 0.1)])
    np.testing.assert_array_equal(rates[4], [1.0, 0.5, 0.1])
    report = report_of({("boston", "easier"): [0.1, 0.2]})
    assert [row["selection_rate"] for row in report.tables["uci_rates.csv"]] == [1, 0.5, 0.1] * 2


# -- losses ----------------------------------------------------------------------------------------


def test_squared_error_is_in_units_of_the_training_responses_variance():
    assert squared_error(np.array([1.0, 3.0]), [1.0, 7.0], scale=2.0) == 2.0


def test_class_losses_by_hand():
    probabilities = [[0.7, 0.3, 0.0], [0.2, 0.8, 0.0], [0.5, 0.25, 0.25]]
    losses = class_losses(np.array([0, 0, 2]), probabilities, np.array([0, 1, 2]))
    assert losses["loss"] == pytest.approx(-np.log([0.7, 0.2, 0.25]).mean())
    assert losses["error_rate"] == pytest.approx(2 / 3)


def test_a_class_without_training_rows_has_probability_zero_in_every_measure():
    losses = class_losses(np.array([5, 0]), [[0.5, 0.5], [1.0, 0.0]], np.array([0, 1]))
    assert losses["loss"] == pytest.approx(-np.log(np.finfo(float).eps) / 2)
    assert losses["floored_loss"] == pytest.approx(-np.log(1e-3) / 2)
    assert losses["error_rate"] == 0.5


@pytest.mark.parametrize("wrong", [[1.0], [np.nan, 1.0]])
def test_predictions_of_another_shape_or_not_finite_are_refused(wrong):
    with pytest.raises(ValueError, match="predictions"):
        squared_error(np.array([1.0, 2.0]), wrong, 1.0)
