"""Reads a table from a file of any known format, with care for what files get wrong."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siernet.cli.errors import CommandError, named, one_line, os_error_line, printable

if TYPE_CHECKING:
    import pandas as pd

#: Cells that mean "missing" beside pandas's own list (empty, NA, NaN, null, ...).
MISSING_TEXTS = ("?",)
ROW_NAMES = "(row name)"

_TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "", ".data": "", ".dat": ""}
_FORMATS = "CSV, TSV (.csv, .tsv, .txt, each also .gz), Parquet, Excel (.xlsx), NumPy (.npz)"


@dataclass(frozen=True)
class Reading:
    """How to read a file where it does not say so itself."""

    encoding: str | None = None
    sheet: str | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table as it was read, its column names texts, and what was noticed on the way."""

    frame: pd.DataFrame
    path: Path
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name, safe to show."""
        return printable(self.path.name)


def read_table(path: Path, reading: Reading) -> Table:
    """Reads a table.

    Raises
    ------
    CommandError
        If there is no table that can be used, in one line with what to do.
    """
    kind = table_format(path)
    notes: list[str]
    try:
        if path.is_dir():
            raise CommandError(f"{printable(path)} is a folder. Name a file in it.")
        if kind == ".parquet":
            frame, notes = _parquet(path), []
        elif kind == ".xlsx":
            from siernet.cli.workbooks import read_workbook

            frame, notes = read_workbook(path, reading.sheet, (*MISSING_TEXTS, *reading.missing))
        elif kind == ".npz":
            from siernet.cli.archives import read_archive

            frame, notes = read_archive(path), []
        else:
            from siernet.cli.text_tables import read_text

            frame, notes = read_text(_content(path), path, _TEXT[kind], reading)
    except OSError as error:
        raise CommandError(os_error_line(error, path)) from error
    frame.columns = [str(name) for name in frame.columns]
    _check(frame, path)
    return Table(frame, path, tuple(notes))


def check_table(path: Path) -> None:
    """Refuses at once, before slow imports, what is not there or of no known format."""
    table_format(path)
    if not path.exists():
        raise CommandError(f"{printable(path)} does not exist. Check the path.")


def table_format(path: Path) -> str:
    """The format, as its usual suffix.

    Raises
    ------
    CommandError
        If it is not known.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = bool(suffixes) and suffixes[-1] == ".gz"
    suffix = suffixes[-2] if packed and len(suffixes) > 1 else suffixes[-1] if suffixes else ""
    if suffix in _TEXT:
        return suffix
    others = {".parquet": ".parquet", ".pq": ".parquet", ".xlsx": ".xlsx", ".xlsm": ".xlsx"}
    others[".npz"] = ".npz"
    if suffix in others and not packed:
        return others[suffix]
    if not path.exists():
        raise CommandError(f"{printable(path)} does not exist. Check the path.")
    if path.is_dir():
        raise CommandError(f"{printable(path)} is a folder. Name a file in it.")
    ending = f"'{''.join(path.suffixes[-2:] if packed else path.suffixes[-1:])}'"
    raise CommandError(
        f"{printable(path)}: unknown format {printable(ending) if suffix else '(no suffix)'}. "
        f"Known: {_FORMATS}. Save or rename it as one of these."
    )


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise CommandError(
            f"{printable(path)} is not a whole gzip file ({error}). Copy it again."
        ) from error


def _parquet(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        frame = pd.read_parquet(path)
    except OSError as error:
        if error.errno is not None:
            raise
        raise unreadable(path, "Parquet", error) from error
    except Exception as error:
        raise unreadable(path, "Parquet", error) from error
    index = frame.index
    if index.name is not None and index.name not in frame.columns:
        frame = frame.reset_index()
    return frame


def unreadable(path: Path, kind: str, error: Exception) -> CommandError:
    """The error of a file that is not of the format its name says."""
    return CommandError(
        f"{printable(path)} cannot be read as {kind} ({one_line(error)[:120]}). Save it again, or "
        "correct its suffix."
    )


def _check(frame: Any, path: Path) -> None:
    repeated = frame.columns[frame.columns.duplicated()].unique().tolist()
    if repeated:
        raise CommandError(
            f"{printable(path)} has more than one column named {named(repeated)}. Rename them, so "
            "that each name is used once."
        )
    if frame.shape[1] == 0 or frame.shape[0] == 0:
        what = "no columns" if frame.shape[1] == 0 else "a header, but no rows"
        raise CommandError(f"{printable(path)} is an empty table ({what}). Is it the right file?")
