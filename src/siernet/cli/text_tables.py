"""Reads delimited text: encoding, separator, header and decimal sign are found out."""

from __future__ import annotations

import csv
import io
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from siernet.cli.errors import CommandError, named, one_line, printable
from siernet.cli.tables import MISSING_TEXTS, ROW_NAMES, Reading

if TYPE_CHECKING:
    import pandas as pd

_SEPARATORS = (",", ";", "\t", "|")
_SPACES = r"\s+"
_MOSTLY = 0.8
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def read_text(
    content: bytes, path: Path, separator: str, reading: Reading
) -> tuple[pd.DataFrame, list[str]]:
    """A table from delimited text, and notes on how it was read."""
    encoding = _encoding(content, path, reading.encoding)
    text = content.decode(encoding).lstrip("\ufeff")
    if "\0" in text[:10_000]:
        raise CommandError(
            f"{printable(path)} is not a text file (it holds zero bytes). Save the table as CSV."
        )
    if not text.strip():
        raise CommandError(f"{printable(path)} is an empty table (no line). Is it the right file?")
    separator = _separator(text, separator)
    first = _cells(text, separator, 2)
    header, notes = first[0], []
    headless = _is_data(header)
    if headless:
        names = [f"column{number}" for number in range(1, len(header) + 1)]
        notes.append(
            "its first line holds values, not names: columns are named column1, column2, ..."
        )
    else:
        names = _names(header, first[1] if len(first) > 1 else header)
    _check_names(names, path)
    _check_last_line(text, separator, len(names), path)
    frame = _parsed(text, path, separator, names, reading, skip=0 if headless else 1)
    if separator == ";":
        frame, commas = _with_decimal_commas(frame)
        notes += ["its numbers have decimal commas"] if commas else []
    return frame, notes


def _encoding(content: bytes, path: Path, given: str | None) -> str:
    marks = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    encoding = given or marks.get(content[:2], "utf-8")
    try:
        content.decode(encoding)
    except LookupError:
        raise CommandError(
            f"Unknown encoding {encoding!r}. Use utf-8, latin-1, cp1252, utf-16, ..."
        ) from None
    except UnicodeError as error:
        where = ""
        if isinstance(error, UnicodeDecodeError):
            line = content.count(b"\n", 0, error.start) + 1
            where = f" (byte 0x{content[error.start]:02x} in line {line})"
        raise CommandError(
            f"{printable(path)} is not {encoding} text{where}. Name its encoding, for example "
            "--encoding latin-1, or save it as UTF-8."
        ) from error
    return encoding


def _separator(text: str, expected: str) -> str:
    """The separator of the first line; the expected one wins where it occurs as often."""
    line = re.sub(r'"[^"]*"', "", _first_line(text))
    counts = {separator: line.count(separator) for separator in _SEPARATORS}
    best = max(_SEPARATORS, key=lambda separator: (counts[separator], separator == expected))
    if counts[best]:
        return best
    spaced = len(line.split()) > 1 and expected == ""
    return _SPACES if spaced else expected or ","


def _first_line(text: str) -> str:
    return text.lstrip("\r\n").split("\n", 1)[0].rstrip("\r")


def _cells(text: str, separator: str, n_lines: int) -> list[list[str]]:
    """The cells of the first lines."""
    if separator == _SPACES:
        lines = [line.split() for line in text.lstrip().split("\n", n_lines)[:n_lines]]
    else:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        lines = []
        for row in rows:
            if row:
                lines.append(row)
            if len(lines) == n_lines:
                break
    return [line for line in lines if line]


def _is_data(header: list[str]) -> bool:
    """Whether a first line is a row of values, not of names such as 1, 2, 3 or years."""
    cells = [cell.strip() for cell in header if cell.strip() not in ("", *MISSING_TEXTS)]
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    if not cells or len(numbers) < _MOSTLY * len(cells):
        return False
    return len(set(numbers)) < len(numbers) or not all(cell.isdigit() for cell in numbers)


def _names(header: list[str], second: list[str]) -> list[str]:
    names = [cell.strip() for cell in header]
    if len(second) == len(names) + 1:  # as R's write.table leaves it
        names = [ROW_NAMES, *names]
    elif names[0] == "" and len(names) > 1:  # as R's write.csv and pandas leave it
        names[0] = ROW_NAMES
    return [name or f"column{place}" for place, name in enumerate(names, start=1)]


def _check_names(names: list[str], path: Path) -> None:
    seen: set[str] = set()
    repeated = dict.fromkeys(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
    if repeated:
        raise CommandError(
            f"{printable(path)} has more than one column named {named(repeated)}. Rename them, so "
            "that each name is used once."
        )


def _check_last_line(text: str, separator: str, n_columns: int, path: Path) -> None:
    """Refuses a last line that was cut off, which pandas would fill up silently."""
    last = text.rstrip("\r\n").rsplit("\n", 1)[-1]
    if separator == _SPACES or '"' in last:
        return
    found = last.count(separator) + 1
    if found < n_columns:
        raise CommandError(
            f"The last line of {printable(path)} has {found} cells, but there are {n_columns} "
            "columns. The file seems to be cut off: copy it again, or complete the line."
        )


def _parsed(
    text: str, path: Path, separator: str, names: list[str], reading: Reading, *, skip: int
) -> pd.DataFrame:
    import pandas as pd

    blank_lines = len(text) - len(text.lstrip("\r\n"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(
                io.StringIO(text[blank_lines:]),
                sep=separator,
                header=None,
                names=names,
                skiprows=skip,
                index_col=False,
                na_values=[*MISSING_TEXTS, *reading.missing],
                skipinitialspace=True,
                low_memory=False,
            )
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise CommandError(
            f"{printable(path)}: {_parser_message(error, len(names))} Put right that line."
        ) from error
    except pd.errors.EmptyDataError:
        raise CommandError(
            f"{printable(path)} is an empty table (a header, but no rows). Is it the right file?"
        ) from None


def _parser_message(error: Exception, n_columns: int) -> str:
    match = re.search(r"Expected \d+ fields in line (\d+), saw (\d+)", str(error))
    if match:
        return f"line {match[1]} has {match[2]} cells, but there are {n_columns} columns."
    if "EOF inside string" in str(error):
        return "a quotation mark is opened and never closed."
    return f"a line does not have {n_columns} cells ({one_line(error)[:80]})."


def _with_decimal_commas(frame: pd.DataFrame) -> tuple[pd.DataFrame, bool]:
    """Texts such as 7,4 as numbers, in columns that hold nothing else."""
    import pandas as pd

    found = {}
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        if pd.api.types.is_numeric_dtype(dtype):
            continue
        values = frame[name].dropna().astype(str)
        commas = values.map(lambda text: bool(_DECIMAL_COMMA.fullmatch(text.strip())))
        plain = values.map(lambda text: bool(_NUMBER.fullmatch(text.strip())))
        if len(values) and commas.any() and (commas | plain).all():
            found[name] = frame[name].astype(object).map(_number, na_action="ignore")
    for name, values in found.items():
        frame[name] = values.astype(float)
    return frame, bool(found)


def _number(text: object) -> float:
    return float(str(text).strip().replace(",", "."))
