"""docs/results.md from the cells of several studies."""

from __future__ import annotations

import re

import numpy as np
import pytest

from siernet.experiments import render_study, run_study
from siernet.experiments.cells import CellKey, CellStore, Work
from siernet.experiments.document import main, write_document
from toy_methods import first_row, mean_of_training, registry, toy_method

TOYS = registry(toy_method("easier", np.zeros), toy_method("lasso", train=mean_of_training))


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """Cells of the simulation, where the toy Lasso wins, and of one rho."""
    folder = tmp_path_factory.mktemp("results")
    run_study("simulation", out=folder, registry=TOYS, sets=["20-600"], methods=["easier", "lasso"])
    study = {
        "scale": "quick",
        "n_samples": 500,
        "n_estimators": 20,
        "input_penalty": 0.05,
        "network_penalty": 0.001,
    }
    result = {
        "rho": 0.8,
        "selection_rates": [1.0] * 4 + [0.0] * 4,
        "exact": 1.0,
        "n_networks": 20,
        "seconds": 1.0,
    }
    work = Work(CellKey("support", "rho-0.80", 0, "easier"), {"study": study}, dict)
    CellStore(folder).save(work, result)
    return folder


@pytest.fixture
def page(out, tmp_path):
    return write_document(out, tmp_path, registry=TOYS).read_text()


def test_page_has_every_study_there_is_and_names_the_others(page, tmp_path):
    headings = re.findall(r"^## (.*)$", page, flags=re.MULTILINE)
    assert headings == [
        "In short",
        "Where another method wins",
        "Simulation: deconstructing EASIER-net (Table 1)",
        "Variable selection against correlation (Table 2)",
    ]
    assert "Not run: Figure 2: variance by layer" in page
    assert len(re.findall(r"^# ", page, flags=re.MULTILINE)) == 1
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", page):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    assert len(list((tmp_path / "results").iterdir())) == 2


def test_its_numbers_are_those_of_the_studies_own_page(page, out):
    own = render_study("simulation", out, registry=TOYS).page.read_text()
    assert first_row(page, "Toy lasso") == first_row(own, "Toy lasso")
    assert first_row(page, "Table 2: selection rates against correlation")[1:] == [
        "1",
        "1 of 1",
        "1 of 1",
    ]


def test_it_says_where_another_method_wins(page):
    section = page.partition("## Where another method wins")[2].partition("\n## ")[0]
    assert "- 20-600: **Toy lasso** has the lowest loss, -" in section


def test_what_is_written_by_hand_stays(out, tmp_path):
    path = write_document(out, tmp_path, registry=TOYS)
    assert "accuracy.md" in path.read_text()
    text = path.read_text()
    begin, end = "<!-- written by hand: begin -->", "<!-- written by hand: end -->"
    head, _, rest = text.partition(begin)
    path.write_text(f"{head}{begin}\nMy\n\n*own* words\n{end}{rest.partition(end)[2]}")
    again = write_document(out, tmp_path, registry=TOYS).read_text()
    assert f"{begin}\n\nMy\n\n*own* words\n\n{end}" in again
    assert again == write_document(out, tmp_path, registry=TOYS).read_text()


def test_a_page_without_the_marks_is_not_overwritten(out, tmp_path, capsys):
    (tmp_path / "results.md").write_text("all mine")
    assert main([str(out), str(tmp_path)]) == 2
    assert "lacks the lines" in capsys.readouterr().err
    assert (tmp_path / "results.md").read_text() == "all mine"


def test_a_folder_without_cells_is_refused(tmp_path, capsys):
    assert main([str(tmp_path / "none"), str(tmp_path / "docs")]) == 2
    error = capsys.readouterr().err
    assert "holds no finished cell" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "docs").exists()
