"""Bad input: status 2, one line on standard error, nothing written."""

import errno
import os

import numpy as np
import pandas as pd
import pytest

from cli_data import TINY, siernet, small_table
from siernet.cli import main


@pytest.fixture(scope="module")
def table():
    return small_table()


@pytest.fixture
def folder(tmp_path, monkeypatch, table):
    """A folder with a good table and a bad one of each kind, and nothing else."""
    monkeypatch.chdir(tmp_path)
    table.to_csv("t.csv", index=False)
    return tmp_path


def refused(capsys, *arguments, status=2):
    """The one line with which a command ends, having written nothing."""
    before = _files()
    assert main([str(argument) for argument in arguments]) == status
    shown = capsys.readouterr()
    lines = [line for line in shown.err.splitlines() if not line.startswith("Note: ")]
    assert len(lines) == 1, shown.err
    assert lines[0].startswith("Error: ")
    assert "Traceback" not in shown.err
    assert shown.out == ""
    assert _files() == before
    return lines[0]


def _files():
    return {
        os.path.join(where, name): os.stat(os.path.join(where, name)).st_mtime_ns
        for where, _, names in os.walk(".")
        for name in names
    }


def changed(table, **columns):
    table.assign(**columns).to_csv("bad.csv", index=False)


def test_no_such_target(capsys, folder):
    line = refused(capsys, "fit", "t.csv", "--target", "Sizes")
    assert "t.csv has no column 'Sizes' to predict. The nearest names are 'size'" in line


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("no.csv", None, "no.csv does not exist"),
        ("t.doc", b"x", "unknown format '.doc'"),
        ("empty.csv", b"", "empty table"),
        ("header.csv", b"size,a\n", "empty table"),
        ("twice.csv", b"size,a,a\n1,2,3\n4,5,6\n", "more than one column named 'a'"),
        ("latin.csv", "size,é\n1,2\n".encode("latin-1"), "not utf-8 text"),
    ],
)
def test_files_that_are_no_table(capsys, folder, name, content, complaint):
    if content is not None:
        (folder / name).write_bytes(content)
    assert complaint in refused(capsys, "fit", name, "--target", "size")


def test_a_folder_in_place_of_a_file(capsys, folder):
    (folder / "d.csv").mkdir()
    assert "d.csv is a folder" in refused(capsys, "fit", "d.csv", "--target", "size")
    assert "is a folder" in refused(
        capsys, "fit", "t.csv", "--target", "size", "--out", "d.csv", "--force"
    )


@pytest.mark.parametrize(
    ("columns", "target", "complaint"),
    [
        ({"a": np.nan}, "size", "Column 'a' has no value"),
        ({"size": np.nan}, "size", "missing in every row"),
        ({"kind": "big"}, "kind", "one class only, 'big'"),
        ({"kind": [f"k{i // 2}" for i in range(60)]}, "kind", "30 classes in 60 rows"),
        ({}, "sample_id", "'sample_id' is an id"),
        ({"size": range(60)}, "size", "'size' is an id: it counts the rows"),
    ],
)
def test_columns_that_cannot_be_used(capsys, folder, table, columns, target, complaint):
    changed(table, **columns)
    assert complaint in refused(capsys, "fit", "bad.csv", "--target", target)


def test_text_where_numbers_are_needed(capsys, folder, table):
    changed(table, a=table["a"].astype(str).where(table.index != 4, "high"))
    line = refused(capsys, "fit", "bad.csv", "--target", "size")
    assert "Column 'a' has to hold numbers, but 1 of its 60 values are texts: 'high'" in line
    assert "first in row 5" in line


def test_options_that_do_not_go_together(capsys, folder):
    fit = ("fit", "t.csv", "--target", "size")
    assert "--task count is not known" in refused(capsys, *fit, "--task", "count")
    assert "go together" in refused(capsys, *fit, "--input-penalty", "0.1")
    assert "--device tpu" in refused(capsys, *fit, "--device", "tpu")
    assert "exclude each other" in refused(capsys, *fit, "--test", "t.csv", "--test-size", "0.5")
    assert "no column 'aa'" in refused(capsys, *fit, "--drop", "aa")
    assert "--test-size 60 holds out 60" in refused(capsys, *fit, "--test-size", "60")
    for size in ("2.5", "nan", "inf"):
        assert "nor a whole number of rows" in refused(capsys, *fit, "--test-size", size)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("fit", "t.csv"), "Missing option '--target'. See: siernet fit --help"),
        (("fit", "t.csv", "--target", "size", "--sed", "3"), "No such option: --sed"),
        (("fit", "t.csv", "--target", "size", "--seed", "x"), "Invalid value for '--seed'"),
        (("frobnicate",), "No such command 'frobnicate'. See: siernet --help"),
        (("predict", "m"), "Missing argument"),
        (("reproduce", "everything"), "everything"),
    ],
)
def test_wrong_usage(capsys, folder, arguments, complaint):
    assert complaint in refused(capsys, *arguments)


def test_output_that_exists(capsys, folder):
    (folder / "t.siernet").write_text("mine")
    line = refused(capsys, "fit", "t.csv", "--target", "size")
    assert "t.siernet exists. Pass --force to replace it" in line
    line = refused(
        capsys, "fit", "t.csv", "--target", "size", "--out", "x", "--report", "t.siernet"
    )
    assert "t.siernet exists" in line


def test_inputs_are_not_replaced_even_by_force(capsys, folder):
    for option in ("--out", "--report"):
        line = refused(capsys, "fit", "t.csv", "--target", "size", option, "t.csv", "--force")
        assert "t.csv is read by this command" in line
    line = refused(capsys, "fit", "t.csv", "--target", "size", "--out", "m", "--report", "m")
    assert "m is already written" in line


def test_no_folder_to_write_to(capsys, folder):
    line = refused(capsys, "fit", "t.csv", "--target", "size", "--out", "no/m.siernet")
    assert "The folder no does not exist" in line


@pytest.mark.parametrize(
    ("code", "complaint"),
    [(errno.ENOSPC, "No space left on the disk for m"), (errno.EACCES, "No permission for m")],
)
def test_a_disk_that_is_full_or_closed(capsys, folder, monkeypatch, code, complaint):
    def fails(handle):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("siernet.files.os.fsync", fails)
    line = refused(capsys, "fit", "t.csv", "--target", "size", "--out", "m", *TINY)
    assert complaint in line


def test_a_folder_without_permission(capsys, folder, monkeypatch):
    # Root, who may do anything, may run the tests.
    monkeypatch.setattr("siernet.cli.errors.os.access", lambda _, mode: mode == os.R_OK)
    line = refused(capsys, "fit", "t.csv", "--target", "size")
    assert "No permission to write in ." in line


def test_what_is_no_model(capsys, folder):
    for command in (("predict", "t.csv", "t.csv"), ("inspect", "t.csv"), ("report", "t.csv")):
        assert "not a model file of siernet, or is damaged" in refused(capsys, *command)
    assert "m.siernet does not exist" in refused(capsys, "inspect", "m.siernet")
    (folder / "d").mkdir()
    assert "d is a folder" in refused(capsys, "inspect", "d")
    (folder / "empty.siernet").touch()
    assert "damaged (EOFError: it is empty)" in refused(capsys, "inspect", "empty.siernet")


def test_a_fault_of_our_own_is_told_apart(capsys, folder, monkeypatch):
    def broken(*_):
        raise KeyError("oops")

    monkeypatch.setattr("siernet.cli.fit_job.training_data", broken)
    line = refused(capsys, "fit", "t.csv", "--target", "size", status=1)
    assert "siernet failed (KeyError: 'oops')" in line
    assert "SIERNET_DEBUG=1" in line
    monkeypatch.setenv("SIERNET_DEBUG", "1")
    assert main(["fit", "t.csv", "--target", "size"]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "advice"),
    [((), "With --checkpoint FOLDER"), (("--checkpoint", "c"), "goes on where it stopped, from c")],
)
def test_ctrl_c(capsys, folder, monkeypatch, options, advice):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("siernet.cli.fit_job.fit_model", interrupted)
    assert main(["fit", "t.csv", "--target", "size", *options]) == 130
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("Interrupted")
    assert advice in line
    assert [path.name for path in folder.iterdir()] == ["t.csv"]


def test_ctrl_c_in_other_commands(capsys, folder, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("siernet.persistence.load", interrupted)
    monkeypatch.setattr("siernet.load", interrupted)
    assert main(["inspect", "t.csv"]) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


def test_a_missing_extra_is_named(capsys, folder, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    line = refused(capsys, "fit", "t.csv", "--target", "size")
    assert "pandas is missing. Install it with: pip install 'siernet[cli]'" in line


def test_as_a_program(folder):
    done = siernet("fit", "no.csv", "--target", "size", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: no.csv does not exist. Check the path.\n"


def test_a_checkpoint_of_another_search(capsys, folder):
    search = ("--checkpoint", "c", "--networks", "1", "--epochs", "3", "--folds", "2")
    fit = ("fit", "t.csv", "--target", "size", "--no-report", *search)
    (folder / "c").write_text("a file")
    assert "is a file, not a folder" in refused(capsys, *fit)


def test_predicting_from_columns_that_are_not_there(capsys, folder, table):
    assert main(["fit", "t.csv", "--target", "size", "--out", "m", *TINY]) == 0
    capsys.readouterr()
    table.drop(columns=["a", "sex"]).rename(columns={"noise": "noisy"}).to_csv("p.csv")
    line = refused(capsys, "predict", "m", "p.csv")
    assert "p.csv lacks 3 columns that the model needs: 'a', 'noise', 'sex'" in line
    table.assign(a="high").to_csv("p.csv", index=False)
    assert "Column 'a' has to hold numbers" in refused(capsys, "predict", "m", "p.csv")
    pd.DataFrame().to_csv("p.csv")
    assert "p.csv is an empty table" in refused(capsys, "predict", "m", "p.csv")
    line = refused(capsys, "predict", "m", "t.csv", "--out", "m", "--force")
    assert "m is read by this command" in line
    assert "exists. Pass --force" in refused(capsys, "predict", "m", "t.csv", "--out", "p.csv")
