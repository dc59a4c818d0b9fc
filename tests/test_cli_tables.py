"""Tables of every format, and what files get wrong."""

import gzip
import os

import numpy as np
import pandas as pd
import pytest

from siernet.cli.errors import CommandError
from siernet.cli.tables import Reading, read_table, table_format

TABLE = pd.DataFrame({"a": [1.5, np.nan, 3.0], "b": ["x", "y", "ü"], "c": [1, 2, 3]})


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path, **reading):
    return read_table(path, Reading(**reading)).frame


CSV = "a,b,c\n1.5,x,1\n,y,2\n3.0,ü,3\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", CSV),
        ("t.CSV", CSV.replace("\n", "\r\n")),
        ("bom.csv", b"\xef\xbb\xbf" + CSV.encode()),
        ("utf16.csv", CSV.encode("utf-16")),
        ("t.tsv", CSV.replace(",", "\t")),
        ("semicolons.csv", CSV.replace(",", ";")),
        ("commas.csv", CSV.replace(",", ";").replace(".", ",")),
        ("bars.txt", CSV.replace(",", "|")),
        ("t.csv.gz", gzip.compress(CSV.encode())),
        ("unmarked.csv", gzip.compress(CSV.encode())),
        ("missing.csv", CSV.replace("\n,y", "\n?,y")),
        ("quoted.csv", CSV.replace("y", '"y"').replace("a,b", '"a","b"')),
        ("blank_lines.csv", "\n\n" + CSV + "\n\n"),
    ],
)
def test_text(tmp_path, name, content):
    frame = read(written(tmp_path, name, content))
    pd.testing.assert_frame_equal(frame, TABLE, check_dtype=False)
    assert frame["a"].dtype == np.float64


def test_columns_of_blanks_and_row_names(tmp_path):
    blanks = written(tmp_path, "t.txt", "a b\nr1  1.5 2\nr2 3 4\n")
    assert read(blanks).columns.tolist() == ["(row name)", "a", "b"]
    pandas_index = written(tmp_path, "t.csv", ",a\n0,1.5\n1,2\n")
    assert read(pandas_index).columns.tolist() == ["(row name)", "a"]


def test_a_first_line_of_numbers_is_data(tmp_path):
    table = read_table(written(tmp_path, "t.csv", "1.5,2\n3,4\n"), Reading())
    assert table.frame.shape == (2, 2)
    assert table.frame.columns.tolist() == ["column1", "column2"]
    assert "holds values, not names" in table.notes[0]
    gaps = read(written(tmp_path, "g.csv", "?,0.5,0.5,1,0.25,0.5,town\n2,0.1,0.2,3,0.4,1,city\n"))
    assert gaps.shape == (2, 7)
    years = read(written(tmp_path, "y.csv", "2001,2002\n3.5,4\n"))
    assert years.columns.tolist() == ["2001", "2002"]


def test_other_encodings_are_named_by_the_user(tmp_path):
    path = written(tmp_path, "t.csv", CSV.encode("latin-1"))
    with pytest.raises(CommandError, match=r"not utf-8 text \(byte 0xfc in line 4\).*--encoding"):
        read(path)
    pd.testing.assert_frame_equal(read(path, encoding="latin-1"), TABLE, check_dtype=False)
    with pytest.raises(CommandError, match="Unknown encoding 'latin-one'"):
        read(path, encoding="latin-one")


def test_words_for_missing(tmp_path):
    path = written(tmp_path, "t.csv", "a,b\n1,x\n-,y\n")
    assert np.isnan(read(path, missing=("-",))["a"][1])


@pytest.mark.parametrize("name", ["t.parquet", "t.xlsx", "t.npz"])
def test_binary_formats(tmp_path, name):
    path = tmp_path / name
    if name == "t.parquet":
        TABLE.to_parquet(path)
    elif name == "t.xlsx":
        TABLE.to_excel(path, index=False)
    else:
        np.savez(path, a=TABLE["a"], b=TABLE["b"].to_numpy(dtype=str), c=TABLE["c"])
    pd.testing.assert_frame_equal(read(path), TABLE, check_dtype=False)


def test_parquet_keeps_a_named_index(tmp_path):
    TABLE.set_index("b").to_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").columns.tolist() == ["b", "a", "c"]


def test_workbooks_with_sheets_and_two_header_rows(tmp_path):
    path = tmp_path / "t.xlsx"
    rows = [["one", None, "two", None], ["x", "y", "x", "z"], [1, 2, 3, 4], [5, 6, 7, 8]]
    with pd.ExcelWriter(path) as workbook:
        pd.DataFrame(rows).to_excel(workbook, sheet_name="first", header=False, index=False)
        TABLE.to_excel(workbook, sheet_name="second", index=False)
    table = read_table(path, Reading())
    assert table.frame.columns.tolist() == ["x (one)", "y", "x (two)", "z"]
    assert table.frame["z"].tolist() == [4, 8]
    assert "sheet 'first' of 2" in table.notes[0]
    pd.testing.assert_frame_equal(read(path, sheet="second"), TABLE, check_dtype=False)
    with pytest.raises(CommandError, match=r"no sheet 'third'\. It has 'first', 'second'"):
        read(path, sheet="third")


def test_archives_of_a_matrix(tmp_path):
    X = np.arange(6.0).reshape(3, 2)
    np.savez(tmp_path / "named.npz", X=X, y=[0, 1, 0], feature_names=["one", "two"])
    assert read(tmp_path / "named.npz").columns.tolist() == ["one", "two", "y"]
    np.savez(tmp_path / "bare.npz", X=X, y=[0, 1, 0])
    assert read(tmp_path / "bare.npz").columns.tolist() == ["X0", "X1", "y"]
    np.savez(tmp_path / "uneven.npz", X=X, y=[0, 1])
    with pytest.raises(CommandError, match=r"number of rows \(X: 3, y: 2\)"):
        read(tmp_path / "uneven.npz")


def test_archives_of_objects_are_not_unpickled(tmp_path):
    class Attack:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "attacked"),)

    np.savez(tmp_path / "t.npz", X=np.array([Attack(), Attack()], dtype=object))
    with pytest.raises(CommandError, match=r"cannot be read as NumPy \.npz"):
        read(tmp_path / "t.npz")
    assert not (tmp_path / "attacked").exists()


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("empty.csv", "", r"empty table \(no line\)"),
        ("header.csv", "a,b\n", r"empty table \(a header, but no rows\)"),
        ("twice.csv", "a,b,a\n1,2,3\n", "more than one column named 'a'"),
        ("short.csv", "a,b\n1,2\n3", "seems to be cut off"),
        ("long.csv", "a,b\n1,2\n3,4,5\n6,7\n", "line 3 has 3 cells, but there are 2 columns"),
        ("quote.csv", 'a,b\n1,"2\n3,4\n', "quotation mark is opened and never closed"),
        ("zero.csv", b"a\0b,c\n1,2\n", "zero bytes"),
        ("cut.csv.gz", gzip.compress(CSV.encode())[:-9], "not a whole gzip file"),
        ("t.parquet", b"PAR1 no", "cannot be read as Parquet"),
        ("t.xlsx", b"no workbook", "cannot be read as Excel"),
        ("t.npz", b"no archive", "cannot be read as NumPy"),
        ("t.sas7bdat", b"x", "unknown format '.sas7bdat'. Known: CSV"),
        ("t", b"x", r"unknown format \(no suffix\)"),
    ],
)
def test_bad_files(tmp_path, name, content, complaint):
    with pytest.raises(CommandError, match=complaint) as caught:
        read(written(tmp_path, name, content))
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(CommandError, match="does not exist"):
        read(tmp_path / "no.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(CommandError, match="is a folder"):
        read(tmp_path / "folder.csv")
    with pytest.raises(CommandError, match="does not exist"):
        table_format(tmp_path / "nosuffix")


def test_names_that_would_steer_a_terminal_are_shown_as_escapes(tmp_path):
    path = written(tmp_path, "t.csv", "\x1b[31mred,\x1b[31mred\n1,2\n")
    with pytest.raises(CommandError) as caught:
        read(path)
    assert "\x1b" not in str(caught.value)
    assert r"\x1b[31mred" in str(caught.value)
