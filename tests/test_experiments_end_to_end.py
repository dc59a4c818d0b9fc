"""Each study once as a user runs it, with networks so small that it takes seconds."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest

from siernet import EasierNetClassifierCV, EasierNetRegressorCV
from siernet.experiments import layers, render_study, run_study, support
from siernet.experiments.__main__ import main
from siernet.experiments.methods import METHODS
from siernet.experiments.methods.networks import _tuned_method

DATA = Path(
    os.environ.get("SIERNET_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data"
).resolve()
real = pytest.mark.skipif(
    not (DATA / "uci").is_dir(), reason=f"no data in {DATA} (set SIERNET_TEST_DATA to its folder)"
)
TINY = {
    "n_estimators": 3,
    "n_estimators_tuning": 2,
    "cv": 2,
    "n_hidden_layers": 2,
    "n_hidden_nodes": 8,
    "max_epochs": 40,
    "search": "grid",
    "input_penalties": [0.01],
    "network_penalties": [1e-3, 1e-2],
}
REGISTRY = {
    "easier": _tuned_method(
        "easier", "EASIER-net", EasierNetRegressorCV, EasierNetClassifierCV, {"quick": TINY}
    ),
    "lasso": METHODS["lasso"],
}


def rows_of(path):
    return list(csv.DictReader(path.open()))


def test_simulation(tmp_path):
    result = run_study(
        "simulation",
        out=tmp_path,
        sets=["20-600"],
        methods=["easier", "lasso"],
        registry=REGISTRY,
        device="cpu",
    )
    assert not result.failures
    easier, lasso = rows_of(tmp_path / "simulation.csv")
    assert 0.05 < float(lasso["test_loss"]) < 0.5
    assert float(easier["test_loss"]) < 0.9
    assert 0 < float(easier["support_size"]) <= 100
    assert float(easier["n_layers"]) <= 2


def test_layers(tmp_path, monkeypatch):
    monkeypatch.setitem(layers.SETTINGS, "quick", {"n_estimators": 2, "n_samples": 60})
    small = {"n_hidden_layers": 2, "n_hidden_nodes": 8, "max_epochs": 40}
    monkeypatch.setattr(layers, "training_settings", lambda training: small)
    result = run_study("layers", out=tmp_path, sets=list(layers.PENALTIES)[2:9:3], device="cpu")
    assert not result.failures
    rows = rows_of(tmp_path / "layers.csv")
    assert len(rows) == 2 * 3 * 2  # trainings, penalties, networks
    assert list(rows[0])[4:] == ["inputs", "hidden 1", "hidden 2"]
    assert "| lambda_2 | inputs | hidden 1 | hidden 2 |" in result.page.read_text()


def test_support(tmp_path, monkeypatch):
    small = {"n_samples": 60, "n_estimators": 3, "n_hidden_nodes": 8, "max_epochs": 40}
    monkeypatch.setitem(support.SETTINGS, "quick", small)
    assert main(["support", "--sets", "rho-0.00,rho-1.00", "--out", str(tmp_path)]) == 0
    rows = rows_of(tmp_path / "support.csv")
    assert [row["rho"] for row in rows] == ["0.0", "1.0"]
    cell = json.loads((tmp_path / "cells/support/rho-0.00--0--easier.json").read_text())
    rates = np.array(cell["result"]["selection_rates"])
    np.testing.assert_allclose(rates * 3, np.round(rates * 3))  # shares of three networks
    again = render_study("support", tmp_path)
    assert again.n_cells == 2


@real
def test_uci_of_both_tasks(tmp_path):
    arguments = {
        "out": tmp_path,
        "sets": ["soybean", "boston"],
        "methods": ["easier", "lasso"],
        "registry": REGISTRY,
        "data": DATA / "uci",
        "device": "cpu",
    }
    result = run_study("uci", **arguments)
    assert not result.failures
    losses = {(r["set"], r["method"]): r for r in rows_of(tmp_path / "uci_losses.csv")}
    assert set(losses) == {(s, m) for s in ("soybean", "boston") for m in ("easier", "lasso")}
    # One split for both methods: the paper's share of rows, all others to learn from.
    for method in ("easier", "lasso"):
        assert losses["boston", method]["n_test"] == "168"
        assert losses["boston", method]["n_train"] == "338"
    assert float(losses["boston", "lasso"]["loss"]) < 0.5
    assert float(losses["soybean", "lasso"]["error_rate"]) < 0.4
    figures = {path.name for path in tmp_path.glob("*.png")}
    assert figures == {"uci_losses.png", "uci_rates.png"}
    structure = rows_of(tmp_path / "uci_structure.csv")
    assert {row["set"] for row in structure} == {"soybean", "boston"}


@real
def test_a_set_that_is_not_there_is_left_out_with_the_reason(tmp_path):
    result = run_study(
        "uci",
        out=tmp_path,
        sets=["boston", "gene_cancer_r"],
        methods=["lasso"],
        data=DATA / "uci",
    )
    assert list(result.skipped) == ["gene_cancer_r"]
    assert "gene_cancer" in result.page.read_text().partition("## Left out")[2]


# -- the command -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["suport"], "There is no study 'suport'. Did you mean 'support'?"),
        (["support", "--scale", "huge"], "scale='huge'"),
        (["simulation", "--sets", "20-60"], "Did you mean '20-600'?"),
        (["simulation", "--render-only"], "holds no finished cell"),
        (["uci", "--data", "nowhere"], "data='nowhere' is no folder"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path, capsys, arguments, message):
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_last_line_says_what_matched(tmp_path, capsys):
    arguments = ["simulation", "--sets", "20-600", "--methods", "lasso", "--out", str(tmp_path)]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == f"1 cell. Page: {tmp_path / 'simulation.md'}"
    assert lines[-1].startswith("Too few cells to compare")
