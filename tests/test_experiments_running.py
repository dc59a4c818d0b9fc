"""Studies as a whole, of toy methods: resuming, failing, naming, spreading."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from siernet.datasets.simulations import make_section_4_1
from siernet.experiments import render_study, run_study
from toy_methods import (
    Interrupting,
    failing,
    first_row,
    mean_of_training,
    registry,
    toy_method,
)

TOYS = registry(toy_method("easier", train=mean_of_training), toy_method("lasso", np.ones))
ARGUMENTS = {"sets": ["20-600"], "methods": ["easier", "lasso"], "seeds": 2}


def run(out, toys=TOYS, **changes):
    return run_study("simulation", out=out, registry=toys, **{**ARGUMENTS, **changes})


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}


def loss_of_the_mean(draw):
    """Of the training response's mean, against the mean without noise on the response's scale."""
    states = np.random.SeedSequence((20, 600, draw)).generate_state(2).tolist()
    train = make_section_4_1(600, n_relevant=20, random_state=states[0])
    test = make_section_4_1(2000, n_relevant=20, random_state=states[1])
    return np.mean((test.mean - train.y.mean()) ** 2) / train.y.var()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("finished")
    return run(out), out


def test_writes_page_tables_and_figures(finished):
    result, out = finished
    assert set(files_of(out)) == {"simulation.md", "simulation.csv", "simulation.png"}
    assert result.n_cells == 4
    assert result.page == out / "simulation.md"
    assert files_of(out)["simulation.png"].startswith(b"\x89PNG")
    assert result.failures == result.skipped == {}


def test_csv_holds_every_cell_and_the_page_their_mean(finished):
    result, out = finished
    rows = list(csv.DictReader((out / "simulation.csv").open()))
    assert [(r["set"], r["method"], r["draw"]) for r in rows] == [
        ("20-600", method, draw) for method in ("easier", "lasso") for draw in ("0", "1")
    ]
    assert rows[0]["support_size"] == ""  # which this method does not say
    losses = [float(row["test_loss"]) for row in rows if row["method"] == "easier"]
    np.testing.assert_allclose(losses, [loss_of_the_mean(0), loss_of_the_mean(1)])
    error = np.std(losses, ddof=1) / np.sqrt(2)
    shown = first_row(result.page.read_text(), "Toy easier")[1]
    assert shown == f"**{np.mean(losses):.3f} ± {error:.3f}**"


def test_ends_with_what_matched_and_what_did_not(finished):
    line = finished[0].summary
    assert line.startswith("Against the paper: 0 of 1 hold; not: 20-600: EASIER-net's test loss")
    assert "Against the targets: 1 of 2 hold" in line  # ahead of this Lasso, but not below 0.19


def test_an_interrupted_study_goes_on_where_it_stopped(tmp_path, finished):
    whole = Interrupting(cells_before=99)
    run(tmp_path / "whole", registry(toy_method("easier", train=whole)), methods=["easier"])
    stopping = Interrupting(cells_before=1)
    toys = registry(toy_method("easier", train=stopping))
    out = tmp_path / "stopped"
    with pytest.raises(KeyboardInterrupt):
        run(out, toys, methods=["easier"])
    assert len(list(out.rglob("*.json"))) == 1
    first = next(out.rglob("*.json")).stat().st_mtime_ns
    run(out, toys, methods=["easier"])
    assert stopping.trained == whole.trained == 2  # one before, one after
    assert min(path.stat().st_mtime_ns for path in out.rglob("*.json")) == first

    def numbers(folder):
        rows = list(csv.DictReader((folder / "simulation.csv").open()))
        return [{**row, "seconds": ""} for row in rows]

    assert numbers(out) == numbers(tmp_path / "whole")


def test_a_damaged_cell_is_computed_again(tmp_path):
    counting = Interrupting(cells_before=99)
    toys = registry(toy_method("easier", train=counting))
    run(tmp_path, toys, methods=["easier"])
    paths = sorted(tmp_path.rglob("*.json"))
    before = json.loads(paths[0].read_text())["result"]["test_loss"]
    paths[0].write_text(paths[0].read_text()[:-40])
    with pytest.warns(UserWarning, match="is damaged"):
        run(tmp_path, toys, methods=["easier"])
    assert counting.trained == 3
    assert json.loads(paths[0].read_text())["result"]["test_loss"] == before


def test_more_seeds_and_methods_add_to_what_is_there(tmp_path):
    run(tmp_path, seeds=1, methods=["lasso"])
    assert run(tmp_path).n_cells == 4


def test_a_failing_method_is_named_and_the_study_goes_on(tmp_path):
    toys = {**TOYS, **registry(toy_method("lasso", train=failing))}
    result = run(tmp_path, toys)
    assert set(result.failures) == {"20-600--0--lasso", "20-600--1--lasso"}
    assert result.failures["20-600--0--lasso"] == (
        "FloatingPointError: it went to infinity and beyond"
    )
    assert "it went to infinity and beyond" in result.page.read_text()
    assert result.n_cells == 2
    mended = run(tmp_path)
    assert not mended.failures
    assert mended.n_cells == 4


def test_where_everything_fails_the_error_says_why(tmp_path):
    toys = registry(toy_method("easier", train=failing))
    with pytest.raises(ValueError, match=r"no finished cell.*it went to infinity"):
        run(tmp_path, toys, methods=["easier"])


def test_a_method_whose_package_is_absent_is_left_out_with_the_reason(tmp_path):
    toys = {**TOYS, **registry(toy_method("lassonet", packages=["no-such-package"]))}
    result = run(tmp_path, toys, methods=None, scale="paper", seeds=1)
    assert result.skipped == {"lassonet": "needs no-such-package (pip install 'siernet[bench]')"}
    assert "lassonet: needs no-such-package" in result.page.read_text()
    with pytest.raises(ImportError, match=r"lassonet needs no-such-package.*siernet\[bench\]"):
        run(tmp_path, toys, methods=["lassonet"], scale="paper")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sets": ["20-60"]}, "simulation has no set '20-60'. Did you mean '20-600'?"),
        ({"methods": ["laso"]}, "There is no method 'laso'. Did you mean 'lasso'?"),
        ({"methods": []}, "No name is given. There are: easier, lasso."),
        ({"scale": "big"}, "scale='big' has to be one of quick, paper."),
        ({"seeds": 0}, "seeds=0 has to be 1 or more."),
        ({"workers": 0}, "workers=0 has to be 1 or more."),
        ({"data": "nowhere"}, "data='nowhere' is no folder."),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(tmp_path, changes, message):
    with pytest.raises(ValueError) as caught:
        run(tmp_path / "new", **changes)
    assert message in str(caught.value)
    assert not (tmp_path / "new").exists()


def test_an_unknown_study_and_methods_where_there_is_but_one(tmp_path):
    with pytest.raises(ValueError, match=r"There is no study 'suport'\. Did you mean 'support'"):
        run_study("suport", out=tmp_path)
    with pytest.raises(ValueError, match="The study support has no method 'lasso'"):
        run_study("support", out=tmp_path, methods=["lasso"])


def test_cells_of_another_scale_are_refused(finished):
    with pytest.raises(ValueError, match=r"computed otherwise.*study\.n_test 2000, now 10000"):
        run(finished[1], scale="paper")


def test_a_changed_setting_of_a_method_is_refused(finished):
    toys = {**TOYS, **registry(toy_method("lasso", np.ones, strength=2))}
    with pytest.raises(ValueError, match=r"finished cells.*method\.strength missing, now 2"):
        run(finished[1], toys)


def test_two_workers_find_what_one_finds(tmp_path, finished):
    toys = registry(toy_method("easier", train=mean_of_training), toy_method("lasso", np.ones))
    events = []
    run(tmp_path, toys, workers=2, progress=events.append)
    for path in sorted((finished[1] / "cells").rglob("*.json")):
        one = json.loads(path.read_text())
        two = json.loads((tmp_path / path.relative_to(finished[1])).read_text())
        one["result"].pop("seconds"), two["result"].pop("seconds")
        assert one == two
    assert [event.done for event in events] == [1, 2, 3, 4]
    assert events[-1].total == 4


def test_rendering_is_a_pure_function_of_the_cells(tmp_path, finished):
    _, out = finished
    before = files_of(out)
    for path in out.glob("*.*"):
        path.unlink()
    again = render_study("simulation", out, registry=TOYS)
    assert files_of(out) == before
    assert again.summary == finished[0].summary


def test_rendering_without_cells_says_what_to_do(tmp_path):
    with pytest.raises(ValueError, match=r"no finished cell of the study 'uci'\. Run the study"):
        render_study("uci", tmp_path)


def test_warnings_of_a_method_are_told_on_the_page(tmp_path, recwarn):
    def warning(training):
        import warnings

        warnings.warn("took\nlong", RuntimeWarning, stacklevel=1)
        return mean_of_training(training)

    result = run(tmp_path, registry(toy_method("easier", train=warning)), methods=["easier"])
    assert not recwarn.list
    assert "- RuntimeWarning: 2 cells, such as 20-600--0--easier: took long" in (
        result.page.read_text()
    )
