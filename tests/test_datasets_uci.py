"""The loaders, on small files of the documented formats and on the real ones where they are."""

import dataclasses
import gzip
import os
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import scipy.io

from siernet.datasets import (
    MORE_NAMES,
    UCI_NAMES,
    UCI_TABLE,
    load_arrhythmia,
    load_boston,
    load_crime,
    load_ct_slices,
    load_gene_cancer_c,
    load_gene_cancer_r,
    load_hill_valley,
    load_iran_house,
    load_more,
    load_semeion,
    load_soybean,
    load_uci,
    load_wine,
    more,
    sources,
    uci,
)

DATA = Path(
    os.environ.get("SIERNET_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data"
).resolve()
NOT_HERE = {"gene_cancer_c", "gene_cancer_r", "ct_slices"}
real = pytest.mark.skipif(
    not (DATA / "uci").is_dir(), reason=f"no data in {DATA} (set SIERNET_TEST_DATA to its folder)"
)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Lets a loader read small files of the test's own: small(SOURCE, set name, shape)."""

    def prepare(source_name, set_name, n_features, n_samples, n_classes=None):
        source = getattr(sources, source_name)
        open_source = dataclasses.replace(source, sha256=dict.fromkeys(source.sha256, ()))
        monkeypatch.setattr(sources, source_name, open_source)
        row = UCI_TABLE[set_name]._replace(
            n_features=n_features, n_samples=n_samples, n_classes=n_classes
        )
        monkeypatch.setitem(UCI_TABLE, set_name, row)
        folder = tmp_path / source.folder
        folder.mkdir()
        return folder

    return prepare


def row_of(*cells):
    return ",".join(map(str, cells)) + "\n"


def test_soybean(small, tmp_path):
    folder = small("SOYBEAN", "soybean", 35, 2, 2)
    text = row_of("rust", "?", *range(1, 35)) + row_of("blight", *range(35))
    (folder / "soybean-large.data").write_text(text)
    data = load_soybean(tmp_path)
    assert data.y.tolist() == ["rust", "blight"]
    assert np.isnan(data.X[0, 0])
    np.testing.assert_array_equal(data.X[1], np.arange(35))
    ordered = [
        n for n, nominal in zip(data.feature_names, data.nominal, strict=True) if not nominal
    ]
    assert ordered == ["date", "precip", "temp", "crop-hist", "severity", "germination"]


def test_arrhythmia(small, tmp_path):
    folder = small("ARRHYTHMIA", "arrhythmia", 279, 2, 2)
    first = [*range(13), "?", *range(14, 279), 16]
    (folder / "arrhythmia.data").write_text(row_of(*first) + row_of(*range(280)))
    data = load_arrhythmia(tmp_path)
    assert data.y.tolist() == [16, 279]
    assert data.feature_names[13] == "J-angle"
    assert np.isnan(data.X[0, 13])
    assert np.isnan(data.X).sum() == 1
    # UCI's description counts from one: 2 is sex, 22 to 27 existence in DI, 154 to 159 in V6.
    expected = {1, *range(21, 27), *range(153, 159)}
    assert expected < set(np.flatnonzero(data.nominal))
    assert data.feature_names[21] == "DI-ragged-R"
    assert data.feature_names[158] == "V6-diphasic-T"
    assert data.feature_names[159] == "DI-JJ-amplitude"


def test_gene_cancer(small, tmp_path):
    folder = small("GENE_CANCER", "gene_cancer_c", 4, 3, 2)
    genes = ",gene_0,gene_1,gene_2,gene_3\n" + "".join(
        row_of(f"sample_{i}", 0.1 + i, 0, 3.2500000001, i) for i in range(3)
    )
    (folder / "data.csv").write_text(genes)
    (folder / "labels.csv").write_text(",Class\nsample_0,PRAD\nsample_1,LUAD\nsample_2,PRAD\n")
    data = load_gene_cancer_c(tmp_path)
    assert data.y.tolist() == ["PRAD", "LUAD", "PRAD"]
    np.testing.assert_allclose(data.X[1], [1.1, 0, 3.2500000001, 1], rtol=1e-14)
    assert data.feature_names == ("gene_0", "gene_1", "gene_2", "gene_3")


def test_gene_cancer_regression_predicts_the_first_gene(small, tmp_path):
    folder = small("GENE_CANCER", "gene_cancer_r", 2, 2)
    (folder / "data.csv").write_text(",gene_0,gene_1,gene_2\nsample_0,5,6,7\nsample_1,8,9,10\n")
    data = load_gene_cancer_r(tmp_path)  # needs no labels
    assert data.y.tolist() == [5, 8]
    assert data.X.tolist() == [[6, 7], [9, 10]]
    assert data.task == "regression"


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (",Class\nsample_1,A\nsample_0,B\n", "not in the same order"),
        (",Class\nsample_0,A\n", "not the same"),
        (",Kind\nsample_0,A\nsample_1,B\n", "no column called 'Class'"),
    ],
)
def test_gene_cancer_with_other_labels_is_refused(small, tmp_path, labels, message):
    folder = small("GENE_CANCER", "gene_cancer_c", 1, 2, 2)
    (folder / "data.csv").write_text(",gene_0\nsample_0,5\nsample_1,8\n")
    (folder / "labels.csv").write_text(labels)
    with pytest.raises(ValueError, match=message):
        load_gene_cancer_c(tmp_path)


def test_hill_valley_keeps_its_files_apart(small, tmp_path):
    folder = small("HILL_VALLEY", "hill_valley", 2, 2, 2)
    for name, rows in (("Training", "1,2,0\r\n3,4,1\r\n"), ("Testing", "5,6,1\r\n7,8,0\r\n")):
        path = folder / f"Hill_Valley_with_noise_{name}.data"
        path.write_bytes(f"X1,X2,class\r\n{rows}".encode())
    data = load_hill_valley(tmp_path)
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert data.y.tolist() == [0, 1]
    assert data.published_test.X.tolist() == [[5, 6], [7, 8]]
    assert data.published_test.y.tolist() == [1, 0]


def test_semeion(small, tmp_path):
    folder = small("SEMEION", "semeion", 256, 3, 3)
    pixels = np.arange(3 * 256).reshape(3, 256) % 2
    digits = np.eye(10, dtype=int)[[3, 0, 9]]
    lines = [
        " ".join([*(f"{p:.4f}" for p in row), *map(str, digit)]) + " \r\n"
        for row, digit in zip(pixels, digits, strict=True)
    ]
    (folder / "semeion.data").write_bytes("".join(lines).encode())
    data = load_semeion(tmp_path)
    assert data.y.tolist() == [3, 0, 9]
    np.testing.assert_array_equal(data.X, pixels)


def test_boston(small, tmp_path):
    folder = small("BOSTON", "boston", 13, 1)
    (folder / "housing.data").write_text(" 0.00632  18.00 " + "  7 " * 11 + " 24.00\n")
    data = load_boston(tmp_path)
    assert data.y.tolist() == [24]
    assert data.X[0, :3].tolist() == [0.00632, 18, 7]


def test_crime_leaves_out_its_identifiers(small, tmp_path):
    folder = small("CRIME", "crime", 122, 2)
    rows = [[8, "?", "?", "Lakewoodcity", 1, *range(122), 0.2] for _ in range(2)]
    rows[1][5] = "?"
    (folder / "communities.data").write_text("".join(row_of(*row) for row in rows))
    data = load_crime(tmp_path)
    np.testing.assert_array_equal(data.X[0], np.arange(122))
    assert np.isnan(data.X[1, 0])
    assert data.feature_names[0] == "population"
    assert data.y.tolist() == [0.2, 0.2]


def iran_workbook(folder):
    """One project, its cells numbered from 0 to 108 in the workbook's order."""
    lags = [f"V-{i}" for i in range(11, 30)] * 5
    names = ["START YEAR", "START QUARTER", "COMPLETION YEAR", "COMPLETION QUARTER"]
    names += [f"V-{i}" for i in range(1, 9)] + lags + ["V-9", "V-10"]
    book = openpyxl.Workbook()
    book.active.title = "Descriptions"
    sheet = book.create_sheet("Data")
    sheet.append(["PROJECT DATES (PERSIAN CALENDAR)"])
    sheet.append(names)
    sheet.append(list(range(109)))
    book.save(folder / "Residential-Building-Data-Set.xlsx")


@pytest.mark.parametrize(("target", "expected"), [("sales_price", 107), ("construction_cost", 108)])
@pytest.mark.parametrize("dates", [False, True])
def test_iran_house(small, tmp_path, target, expected, dates):
    iran_workbook(small("IRAN_HOUSE", "iran_house", 103, 1))
    data = load_iran_house(tmp_path, target=target, dates=dates)
    assert data.y.tolist() == [expected]
    np.testing.assert_array_equal(data.X[0], np.arange(0 if dates else 4, 107))
    assert data.feature_names[-1] == "V-29-lag5"
    assert data.feature_names[-95] == "V-11-lag1"
    assert len(set(data.feature_names)) == len(data.feature_names)
    assert np.array(data.feature_names)[data.nominal].tolist() == ["V-1"]


@pytest.mark.parametrize("colour", ["white", "red"])
def test_wine(small, tmp_path, monkeypatch, colour):
    folder = small("WINE", "wine", 2, 1)
    monkeypatch.setitem(uci._WINE_SHAPES, colour, UCI_TABLE["wine"])
    (folder / f"winequality-{colour}.csv").write_text('"pH";"alcohol";"quality"\n3.51;9.4;5\n')
    data = load_wine(tmp_path, colour=colour)
    assert data.X.tolist() == [[3.51, 9.4]]
    assert data.y.tolist() == [5]


def ct_file(path, n_rows):
    header = row_of("patientId", *(f"value{i}" for i in range(384)), "reference")
    rows = "".join(row_of(7, *range(384), 21.8 + i) for i in range(n_rows))
    path.parent.mkdir()
    path.write_bytes(gzip.compress((header + rows).encode()))


def test_ct_slices(tmp_path, monkeypatch):
    monkeypatch.setitem(UCI_TABLE, "ct_slices", UCI_TABLE["ct_slices"]._replace(n_samples=3))
    ct_file(tmp_path / "ct_slices" / "slice_localization_data.csv.gz", 3)
    data = load_ct_slices(tmp_path)
    np.testing.assert_array_equal(data.X[2], np.arange(384))
    np.testing.assert_allclose(data.y, [21.8, 22.8, 23.8])
    assert "patientId" not in data.feature_names


def test_part_of_ct_slices_has_to_be_asked_for(tmp_path):
    ct_file(tmp_path / "ct_slices" / "slice_localization_data.csv.gz", 3)
    with pytest.raises(ValueError, match=r"3 rows.*53500 rows.*partial=True"):
        load_ct_slices(tmp_path)
    assert load_ct_slices(tmp_path, partial=True).X.shape == (3, 384)


def test_part_of_ct_slices_has_all_its_columns(tmp_path):
    path = tmp_path / "ct_slices" / "slice_localization_data.csv"
    path.parent.mkdir()
    path.write_text("patientId,value0,reference\n1,2,3\n")
    with pytest.raises(ValueError, match="1 features"):
        load_ct_slices(tmp_path, partial=True)


def test_more_sets_from_matlab_files(tmp_path, monkeypatch):
    monkeypatch.setitem(
        more._TABLE, "colon", more._TABLE["colon"]._replace(n_features=2, n_samples=3)
    )
    undigested = dataclasses.replace(sources.COLON, sha256={"colon.mat": ()})
    monkeypatch.setitem(more._MATLAB, "colon", undigested)
    (tmp_path / "colon").mkdir()
    table = np.array([[0, 2], [-2, 0], [2, 2]], dtype=np.int16)
    labels = np.array([[-1], [1], [1]], dtype=np.int16)
    scipy.io.savemat(tmp_path / "colon" / "colon.mat", {"X": table, "Y": labels})
    data = load_more("colon", tmp_path)
    np.testing.assert_array_equal(data.X, table)
    assert data.X.dtype == float
    assert data.y.tolist() == [-1, 1, 1]


def test_blogfeedback(tmp_path, monkeypatch):
    row = more._TABLE["blogfeedback"]._replace(n_features=3, n_samples=2)
    monkeypatch.setitem(more._TABLE, "blogfeedback", row)
    undigested = dataclasses.replace(sources.BLOGFEEDBACK, sha256={"blogData_train.csv": ()})
    monkeypatch.setattr(more, "BLOGFEEDBACK", undigested)
    (tmp_path / "blogfeedback").mkdir()
    (tmp_path / "blogfeedback" / "blogData_train.csv").write_text("1.5,2,3,0.0\n4,5,6,1424.0\n")
    data = load_more("blogfeedback", tmp_path)
    assert data.X.tolist() == [[1.5, 2, 3], [4, 5, 6]]
    assert data.y.tolist() == [0, 1424]


def test_unknown_names_and_variants_list_the_known():
    with pytest.raises(ValueError, match=r"'iris'.*soybean.*wine"):
        load_uci("iris")
    with pytest.raises(ValueError, match=r"'iris'.*prostate_ge"):
        load_more("iris")
    with pytest.raises(ValueError, match=r"'pink'.*white, red"):
        load_wine(colour="pink")
    with pytest.raises(ValueError, match=r"'V-9'.*construction_cost, sales_price"):
        load_iran_house(target="V-9")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read as a table"),
        ("1,2\n3,4,5\n", "cannot be read as a table"),
        ("1,2\n3,4\n", "2 columns where 128 are documented"),
        (row_of(*range(4), "x", "rising", *range(122)), "'rising' in column 'population'"),
    ],
)
def test_a_file_of_another_format_is_refused(small, tmp_path, text, message):
    folder = small("CRIME", "crime", 122, 1)
    (folder / "communities.data").write_text(text)
    with pytest.raises(ValueError, match=message):
        load_crime(tmp_path)


@real
@pytest.mark.parametrize("name", sorted(set(UCI_NAMES) - NOT_HERE))
def test_real_sets_have_the_papers_shape(name):
    data = load_uci(name, DATA)
    row = UCI_TABLE[name]
    assert data.X.shape == (row.n_samples, row.n_features)
    assert data.n_classes == row.n_classes
    assert data.held_out == row.held_out
    assert len(set(data.feature_names)) == row.n_features
    assert data.X.dtype == float


@real
@pytest.mark.parametrize("name", MORE_NAMES)
def test_more_real_sets(name):
    data = load_more(name, DATA)
    assert data.X.shape[1] == len(data.feature_names)
    assert not np.isnan(data.X).any()


@real
def test_facts_of_the_real_sets():
    """From the descriptions beside the files, and counted with other tools."""
    soybean, arrhythmia, crime = (load_uci(n, DATA) for n in ("soybean", "arrhythmia", "crime"))
    assert [np.isnan(d.X).sum() for d in (soybean, arrhythmia)] == [712, 408]
    assert soybean.y[0] == "diaporthe-stem-canker"  # the first row is a row
    counts = dict(zip(*np.unique(arrhythmia.y, return_counts=True), strict=True))
    assert [counts[c] for c in (1, 2, 8, 16)] == [245, 44, 2, 22]
    two_valued = [len(np.unique(column)) <= 2 for column in arrhythmia.X[:, arrhythmia.nominal].T]
    assert all(two_valued)
    police = np.isnan(crime.X).sum(axis=0) == 1675
    assert police.sum() == 22
    names = np.array(crime.feature_names)[police]
    assert all("Pol" in n or "Lemas" in n or "Offic" in n or "Drugs" in n for n in names)
    semeion = load_uci("semeion", DATA)
    assert np.bincount(semeion.y).tolist() == [161, 162, 159, 159, 161, 159, 161, 158, 155, 158]
    hills = load_uci("hill_valley", DATA)
    assert hills.y.sum() == 299
    assert hills.published_test.y.sum() == 307
    assert load_wine(DATA, colour="red").X.shape == (1599, 11)
    sales = load_iran_house(DATA, target="sales_price")
    costs = load_iran_house(DATA)
    assert len(np.unique(sales.y)) == 117
    assert len(np.unique(costs.y)) == 62
    np.testing.assert_array_equal(sales.X, costs.X)


@real
def test_the_real_part_of_ct_slices():
    with pytest.raises(ValueError, match=r"682 rows.*partial=True"):
        load_ct_slices(DATA)
    data = load_ct_slices(DATA, partial=True)
    assert data.X.shape == (682, 384)
    assert (data.X.std(axis=0) == 0).sum() == 22
    assert data.y.min() == pytest.approx(5.9, abs=0.05)
