"""The command line on files as their publishers made them."""

import json
import os
from pathlib import Path

import pytest

from siernet.cli import main

DATA = (
    Path(os.environ.get("SIERNET_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
    / "uci"
)
TINY = ("--networks", "1", "--epochs", "8", "--input-penalty", "0.005")
TINY += ("--network-penalty", "0.002", "--no-report", "--json")

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the UCI files are not in {DATA}")


def fitted(capsys, tmp_path, file, target, *options):
    """What a fit says: (its JSON, its remarks)."""
    status = main(
        ["fit", str(DATA / file), "--target", target, "--out", str(tmp_path / "m"), *TINY, *options]
    )
    shown = capsys.readouterr()
    assert status == 0, shown.err
    assert main(["inspect", str(tmp_path / "m")]) == 0
    capsys.readouterr()
    return json.loads(shown.out), shown.err


def test_semicolons_and_whole_numbers(capsys, tmp_path):
    facts, _ = fitted(capsys, tmp_path, "wine/winequality-red.csv", "quality")
    assert facts["task"] == "classification"
    assert facts["task_reason"] == "guessed: 6 whole numbers; or --task regression"
    assert (facts["n_rows"], facts["n_test_rows"]) == (1279, 320)
    as_numbers, _ = fitted(
        capsys, tmp_path, "wine/winequality-red.csv", "quality", "--task", "regression", "--force"
    )
    assert as_numbers["test_scores"]["siernet"]["r2"] > 0.1


def test_a_workbook_with_two_header_rows(capsys, tmp_path):
    facts, remarks = fitted(
        capsys, tmp_path, "iran_house/Residential-Building-Data-Set.xlsx", "V-9"
    )
    assert "sheet 'Data' of 2 is read" in remarks
    assert "two header rows" in remarks
    assert facts["n_columns"] == 108
    assert facts["variables"][0]["name"] == "V-8"  # the price, of which V-9 is the sale
    assert facts["test_scores"]["siernet"]["r2"] > 0.8


def test_blanks_between_columns_and_no_header(capsys, tmp_path):
    facts, remarks = fitted(capsys, tmp_path, "boston/housing.data", "column14")
    assert "named column1, column2" in remarks
    assert facts["n_columns"] == 13
    assert facts["test_scores"]["siernet"]["r2"] > 0.5


def test_gzip_gaps_and_constants(capsys, tmp_path):
    facts, _ = fitted(capsys, tmp_path, "arrhythmia/arrhythmia.data.gz", "column280")
    constant = [why for why in facts["left_out"].values() if why.startswith("constant")]
    assert len(constant) >= 17
    assert any("missing numbers are replaced" in note for note in facts["notes"])


def test_a_test_in_a_file_of_its_own(capsys, tmp_path):
    name = "hill_valley/Hill_Valley_with_noise_{}.data.gz"
    test = DATA / name.format("Testing")
    facts, _ = fitted(
        capsys, tmp_path, name.format("Training"), "class", "--test", str(test),
        "--input-penalty", "0.0001", "--network-penalty", "0.0001",
    )  # fmt: skip
    assert facts["tested_on"] == "606 rows of Hill_Valley_with_noise_Testing.data.gz"
    assert facts["classes"] == ["0", "1"]
    assert facts["test_scores"]["lasso"]["auc"] > 0.9
