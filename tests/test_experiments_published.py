"""The paper's numbers that stand beside ours are those of its tables."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from siernet.datasets import UCI_NAMES
from siernet.experiments.published import FIGURE_3_AVERAGES, TABLE_1, TABLE_2, TABLE_3

SHARED = Path(
    os.environ.get("SIERNET_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data"
).parent
SOURCE = SHARED / "PAPER.tex"
pytestmark = pytest.mark.skipif(
    not SOURCE.is_file(), reason=f"no PAPER.tex in {SHARED} (set SIERNET_TEST_DATA beside it)"
)
NAMES_1 = {
    "DropoutNet-Single": "dropout_single",
    "DropoutNet-Ensemble": "dropout",
    "SparseNet-Single": "sparse_single",
    "SparseNet-Ensemble": "sparse",
    "SIER-net": "sier",
    "EASIER-net": "easier",
}
NAMES_3 = {
    "gene cancer C": "gene_cancer_c",
    "gene cancer": "gene_cancer_r",
    "semieon": "semeion",  # as the paper spells it
}
NAMES_AVERAGES = {
    "EASIER-net": "easier",
    "SIER-net": "sier",
    "Lasso": "lasso",
    "RF": "random_forest",
    "XGBoost": "xgboost",
    "DropoutNet": "dropout",
}


@pytest.fixture(scope="module")
def paper():
    return SOURCE.read_text()


def table_of(paper, label_after):
    """The source of the last table that ends before a label or caption."""
    end = paper.index(label_after)
    return paper[paper.rindex(r"\begin{tabular}", 0, end) : end]


def numbers_of(parts):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", " ".join(parts))]


def rows_of(table):
    text = re.sub(r"\\textbf\{(.*?)\}", r"\1", table)
    return [[part.strip() for part in line.split("&")] for line in text.split(r"\\")]


def test_table_1(paper):
    table = table_of(paper, "We deconstruct EASIER-net to understand")
    found = {}
    for row in rows_of(table):
        if heading := re.search(r"textit\{(\d+) relevant, (\d+) observations\}", row[0]):
            setting = int(heading.group(1)), int(heading.group(2))
        name = row[0].split("\n")[-1].strip()
        if name in NAMES_1 and len(row) == 6:
            found.setdefault(setting, {})[NAMES_1[name]] = tuple(numbers_of(row[1:]))
    assert {key: {m: tuple(row) for m, row in rows.items()} for key, rows in TABLE_1.items()} == (
        found
    )


def test_table_2(paper):
    rows = [numbers_of(row) for row in rows_of(table_of(paper, "The proportion of networks in"))]
    assert {row[0]: tuple(row[1:]) for row in rows if len(row) == 9} == TABLE_2


def test_table_3(paper):
    found = {}
    for row in rows_of(table_of(paper, "Summaries of the structure of member networks")):
        name = row[0].split("\n")[-1].strip()
        if len(row) == 10 and "(" in row[1]:
            values = numbers_of(row[1:])
            pairs = tuple(zip(values[::2], values[1::2], strict=True))
            found[NAMES_3.get(name, name.replace(" ", "_").lower())] = pairs
    ours = {
        name: (row.n_layers, row.support_size, row.n_hidden_nodes, *row.contributions)
        for name, row in TABLE_3.items()
    }
    assert set(ours) == set(UCI_NAMES)
    assert ours == found


def test_averages_of_figure_3(paper):
    rows = rows_of(table_of(paper, "Comparison of test loss of different estimation methods"))
    names = [row[0].split("\n")[-1].strip() for row in rows]
    found = {
        NAMES_AVERAGES[name]: tuple(numbers_of(row[1:]))
        for name, row in zip(names, rows, strict=True)
        if name in NAMES_AVERAGES
    }
    assert found == FIGURE_3_AVERAGES
