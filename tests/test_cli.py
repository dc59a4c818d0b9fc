"""The commands end to end, on a small table made here."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cli_data import TINY, environment, siernet, small_table
from siernet import load
from siernet.cli import main


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """Both kinds of model, fitted on the command line: (folder, screens)."""
    folder = tmp_path_factory.mktemp("cli")
    table = small_table()
    table.iloc[:50].assign(size=table["size"].where(table.index != 7)).to_csv(
        folder / "train.csv", index=False
    )
    table.iloc[50:].to_csv(folder / "new.csv", index=False)
    # Columns in another order, one too many, and one category that the fit did not see.
    other = table[table.columns[::-1]].assign(extra=1, colour="mauve")
    other.iloc[50:].to_csv(folder / "other.csv", index=False)
    return folder, {
        "size": siernet(
            "fit", "train.csv", "--target", "size", "--drop", "kind", "--out", "size.siernet",
            *TINY, cwd=folder,
        ),
        "kind": siernet(
            "fit", "train.csv", "--target", "kind", "--drop", "size", "--out", "kind.siernet",
            "--test", "new.csv", *TINY, "--json", cwd=folder,
        ),
    }  # fmt: skip


@pytest.fixture
def run(fitted, capsys, monkeypatch):
    """A command run in the folder of the models: (status, stdout, stderr)."""
    folder, _ = fitted
    monkeypatch.chdir(folder)

    def call(*arguments):
        status = main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


def test_the_screen_of_a_fit(fitted):
    folder, done = fitted
    screen = done["size"]
    assert screen.returncode == 0, screen.stderr
    lines = screen.stdout.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in screen.stdout
    facts = {line[:11].strip(): line[11:] for line in lines if re.match(r"\w", line)}
    assert facts["Target"] == "size"
    assert facts["Task"].startswith("regression (guessed: ")
    assert facts["Rows"] == "39 to learn, 10 to test; 1 without a target dropped"
    assert facts["Columns"] == "8: 5 used, as 9 variables; 3 left out"
    assert facts["Penalties"] == "λ1 0.01, λ2 0.002 (as given)"
    assert facts["Model"] == "size.siernet"
    assert any(line.startswith("  a ") and "1.00 ━━━━━━" in line for line in lines)
    for method in ("siernet", "Lasso", "baseline (mean)"):
        assert any(line.strip().startswith(method) for line in lines), method
    assert screen.stderr.splitlines() == [
        "Note: 1 row without a value of 'size' dropped",
        "Note: left out: 'sample_id': an id: every row has its own text",
        "Note: left out: 'batch': constant",
        *(line for line in screen.stderr.splitlines() if "median" in line),
    ]
    assert sorted(path.suffix for path in folder.glob("size*")) == [".siernet"]


def test_json_of_a_fit(fitted):
    done = fitted[1]["kind"]
    facts = json.loads(done.stdout)
    assert (facts["task"], facts["target"], facts["n_rows"]) == ("classification", "kind", 50)
    assert facts["tested_on"] == "10 rows of new.csv"
    assert facts["class_counts"] == {"big": 25, "small": 25}
    assert set(facts["test_scores"]) == {"siernet", "baseline", "lasso"}
    assert (
        facts["test_scores"]["siernet"]["log_loss"] < facts["test_scores"]["baseline"]["log_loss"]
    )
    assert facts["left_out"]["sample_id"].startswith("an id")
    assert facts["variables"][0]["name"] == "a"
    assert facts["files"] == {"model": "kind.siernet", "report": None}
    assert "sample_rows" not in facts


def test_the_command_that_is_recorded_repeats_the_fit(fitted, run, tmp_path):
    folder, _ = fitted
    record = load(folder / "size.siernet").fit_record_
    words = record.command.split()
    assert words[:3] == ["siernet", "fit", "train.csv"]
    words[words.index("size.siernet")] = str(tmp_path / "again.siernet")
    assert run(*words[1:])[0] == 0
    again, first = load(tmp_path / "again.siernet"), load(folder / "size.siernet")
    table = pd.read_csv(folder / "new.csv")
    np.testing.assert_array_equal(again.predict(table), first.predict(table))


def test_predictions_of_numbers(fitted, run):
    folder, _ = fitted
    status, out, err = run("predict", "size.siernet", "new.csv")
    frame = pd.read_csv(io.StringIO(out))
    table = pd.read_csv(folder / "new.csv")
    assert status == 0
    assert frame.columns.tolist() == ["sample_id", "prediction", "spread"]
    assert frame["sample_id"].tolist() == table["sample_id"].tolist()
    model = load(folder / "size.siernet")
    np.testing.assert_allclose(frame["prediction"], model.predict(table), rtol=1e-12)
    members = model[-1].predict_members(model[:-1].transform(table))
    np.testing.assert_allclose(frame["spread"], members.std(axis=0, ddof=1), rtol=1e-9)
    assert np.corrcoef(frame["prediction"], table["size"])[0, 1] > 0.7
    assert err == ""


def test_predictions_of_classes(fitted, run):
    folder, _ = fitted
    _, out, _ = run("predict", "kind.siernet", "new.csv", "--json")
    content = json.loads(out)
    assert content["columns"] == [
        "sample_id", "prediction", "probability_big", "probability_small", "spread",
    ]  # fmt: skip
    rows = content["predictions"]
    assert len(rows) == content["rows"] == 10
    for row in rows:
        assert row["probability_big"] + row["probability_small"] == pytest.approx(1)
        assert row["prediction"] == ("big" if row["probability_big"] > 0.5 else "small")
    model = load(folder / "kind.siernet")
    table = pd.read_csv(folder / "new.csv")
    assert [row["prediction"] for row in rows] == model.predict(table).tolist()


def test_columns_are_matched_by_name(run, fitted):
    folder, _ = fitted
    status, out, err = run("predict", "size.siernet", "other.csv")
    assert status == 0
    assert err.splitlines() == [
        "Note: 1 column is not part of the model and not used: 'extra'",
        "Note: 'colour' has values that the fit did not see, used as none: 'mauve'",
    ]
    same = pd.read_csv(folder / "new.csv").assign(colour="mauve")
    expected = load(folder / "size.siernet").predict(same)
    np.testing.assert_allclose(pd.read_csv(io.StringIO(out))["prediction"], expected)


def test_predictions_to_a_file(fitted, run, tmp_path):
    out = tmp_path / "p.csv"
    status, shown, _ = run("predict", "size.siernet", "new.csv", "--out", out)
    assert (status, shown) == (0, f"10 predictions: {out}\n")
    assert len(pd.read_csv(out)) == 10
    assert run("predict", "size.siernet", "new.csv", "--out", out)[0] == 2
    assert run("predict", "size.siernet", "new.csv", "--out", out, "--force")[0] == 0


def piped(command):
    """A light command of siernet in a shell; help is written as predictions are."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m siernet --help {command}"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_reader_that_closes_the_pipe_is_no_error():
    assert piped("| true").stderr == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs Linux's /dev/full")
def test_standard_output_without_space():
    done = piped("> /dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("Error: No space left on the disk for standard output")
    assert len(done.stderr.splitlines()) == 1


def test_streams_of_few_characters(fitted, run, monkeypatch):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert run("inspect", "kind.siernet", "--top", "2")[0] == 0
    sys.stdout.seek(0)
    assert re.search(r"  a +1\.00 0\.44 to 1\.00  ####", sys.stdout.read())
    table = pd.read_csv("new.csv").assign(sample_id="\u00fc")
    table.to_csv("umlaut.csv", index=False)
    assert run("predict", "kind.siernet", "umlaut.csv")[0] == 2
    sys.stderr.flush()
    sys.stderr.seek(0)
    assert r"encoding ascii, which lacks '\xfc'. Pass --out FILE" in sys.stderr.read()


def test_each_command_as_a_program(fitted, tmp_path):
    folder, _ = fitted
    predicted = siernet("predict", "size.siernet", "new.csv", cwd=folder)
    assert predicted.returncode == 0, predicted.stderr
    assert len(predicted.stdout.splitlines()) == 11
    inspected = siernet("inspect", "size.siernet", cwd=folder)
    assert inspected.stdout.startswith("Target     size\n"), inspected.stderr
    page = tmp_path / "page.html"
    assert siernet("report", "size.siernet", "--out", page, cwd=folder).returncode == 0
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_inspect(run):
    status, out, _ = run("inspect", "kind.siernet", "--top", "1")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"Classes +2: big \(25\), small \(25\)", out)
    assert re.search(r"  a +1\.00 0\.44 to 1\.00  ━+", out)
    assert re.search(r"Sets +(\d different ones in|the same in all) 3 networks", out)
    assert "hidden 5" in out
    assert run("inspect", "kind.siernet", "--top", "0")[0] == 0
    facts = json.loads(run("inspect", "kind.siernet", "--json")[1])
    assert sum(support["share"] for support in facts["supports"]) == pytest.approx(1)
    assert len(facts["variables"]) == facts["n_ever_selected"] > 1
    assert len(facts["network"]["nodes_by_layer"]) == 5


def test_a_model_saved_from_python(fitted, run, tmp_path, regression_data):
    from siernet import EasierNetRegressor

    X, y = regression_data
    model = EasierNetRegressor(n_estimators=2, max_epochs=20, random_state=0).fit(X, y)
    model.save(tmp_path / "m")
    status, out, _ = run("inspect", tmp_path / "m")
    assert status == 0
    assert "EasierNetRegressor, saved from Python" in out
    table = pd.DataFrame(X[:5], columns=[f"c{i}" for i in range(8)])
    table.to_csv(tmp_path / "t.csv", index=False)
    status, out, err = run("predict", tmp_path / "m", tmp_path / "t.csv")
    np.testing.assert_allclose(pd.read_csv(io.StringIO(out))["prediction"], model.predict(X[:5]))
    assert "taken in their order" in err
    table.iloc[:, :7].to_csv(tmp_path / "t.csv", index=False)
    status, _, err = run("predict", tmp_path / "m", tmp_path / "t.csv")
    assert status == 2
    assert "has 7 columns, but the model takes 8" in err


def test_reports(fitted, run, tmp_path):
    page = tmp_path / "page.html"
    status, out, _ = run("report", "size.siernet", "--out", page, "--title", "What <b> size")
    assert (status, out) == (0, f"Report: {page}\n")
    text = page.read_text()
    assert "What &lt;b&gt; size" in text
    assert "siernet fit train.csv --target size" in text
    assert run("report", "size.siernet", "--out", page)[0] == 2
    status, _, err = run("report", "size.siernet", "--out", page, "--force", "--data", "train.csv")
    assert status == 0
    assert "train.csv is what the model was fitted to" in err
    assert run("report", "kind.siernet", "--out", page, "--force", "--data", "new.csv")[0] == 0


def test_no_rows_of_the_data_in_the_file(fitted, run, tmp_path):
    path = tmp_path / "m"
    fit = ("fit", "train.csv", "--target", "size", "--out", path, "--no-rows", *TINY)
    assert run(*fit)[0] == 0
    record = load(path).fit_record_
    assert [part.size for part in (record.test_y, record.test_members, record.sample_rows)] == [
        0
    ] * 3
    assert record.test_scores["siernet"]["mse"] > 0
    with_rows = load(fitted[0] / "size.siernet").fit_record_
    assert with_rows.sample_rows.shape == (39, 9)
    assert with_rows.test_members.shape == (3, 10)


def test_tuning_without_a_test_and_with_a_checkpoint(run, tmp_path):
    search = ("--networks", "2", "--epochs", "3", "--folds", "2", "--no-report", "--test-size", "0")
    command = ("fit", "train.csv", "--target", "size", "--drop", "kind", "--json", *search)
    command += ("--checkpoint", tmp_path / "search")
    status, out, _ = run(*command, "--out", tmp_path / "first")
    facts = json.loads(out)
    assert status == 0
    assert facts["n_test_rows"] == 0
    assert facts["tested_on"] == "no test was asked for"
    assert facts["penalties"]["tuned"]
    assert set(facts["cv_scores"]) == {"siernet", "baseline", "lasso"}
    assert facts["cv_scores"]["siernet"] == {"mse": facts["penalties"]["cv_loss"]}
    n_files = len(list((tmp_path / "search").iterdir()))
    assert n_files > 3
    again = json.loads(run(*command, "--out", tmp_path / "second")[1])
    assert again["penalties"] == facts["penalties"]
    assert len(list((tmp_path / "search").iterdir())) == n_files
    assert "cross-validated" in run("inspect", tmp_path / "first")[1]


def test_help_and_version_come_at_once(run):
    status, out, _ = run("--version")
    assert status == 0
    assert re.fullmatch(r"siernet \d+\.\d+\.\d+\n", out)
    done = siernet("--help")
    assert done.returncode == 0
    for command in ("fit", "predict", "inspect", "report", "reproduce", "demo"):
        assert re.search(rf"^  {command} ", done.stdout, flags=re.MULTILINE), command
        assert "Usage: siernet" in run(command, "--help")[1]
    assert "siernet fit genes.csv --target outcome" in done.stdout
    assert run()[1] == done.stdout
    probe = "import sys, siernet.cli.application; print({'torch', 'pandas'} & set(sys.modules))"
    imported = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert imported.stdout == "set()\n"


def test_demo(run, tmp_path, monkeypatch):
    from siernet.cli import demonstration
    from siernet.cli.estimators import Effort

    tiny = Effort(networks=3, epochs=60, input_penalty=0.03, network_penalty=0.003)
    monkeypatch.setattr(demonstration, "EFFORT", tiny)
    folder = tmp_path / "demo"
    status, out, _ = run("demo", "--out", folder, "--no-report")
    assert status == 0
    assert len(out.splitlines()) <= 24
    found = re.search(r"Found +(\d) of the 8, and (\d+) of the 32 that do not matter", out)
    assert int(found[1]) >= 4
    assert int(found[2]) <= 4
    assert sorted(path.name for path in folder.iterdir()) == ["demo.csv", "demo.siernet"]
    assert run("demo", "--out", folder, "--no-report")[0] == 0  # its own files are replaced
    (folder / "mine.txt").write_text("")
    status, _, err = run("demo", "--out", folder)
    assert status == 2
    assert "holds other files ('mine.txt')" in err


def test_the_page_on_the_command_line_names_options_that_exist(run):
    page = (Path(__file__).parents[1] / "docs" / "command_line.md").read_text()
    commands = ("fit", "predict", "inspect", "report", "reproduce", "demo")
    known = " ".join(run(command, "--help")[1] for command in commands) + "--version"
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page))
    assert len(named) > 15
    assert {option for option in named if not re.search(rf"{option}\b(?!-)", known)} == set()


@pytest.mark.slow
def test_demo_as_a_program(tmp_path):
    done = siernet("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = re.search(r"Found +(\d) of the 8, and (\d+) of the 32", done.stdout)
    assert int(found[1]) >= 6
    assert int(found[2]) <= 2
    files = sorted(path.name for path in (tmp_path / "siernet-demo").iterdir())
    assert files == ["demo.csv", "demo.html", "demo.siernet"]
