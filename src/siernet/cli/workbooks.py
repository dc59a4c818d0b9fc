"""Reads the first sheet of an Excel workbook, under one header row or two."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from siernet.cli.errors import CommandError, named, printable
from siernet.cli.tables import unreadable

if TYPE_CHECKING:
    import pandas as pd


def read_workbook(
    path: Path, sheet: str | None, missing: tuple[str, ...]
) -> tuple[pd.DataFrame, list[str]]:
    """A table from a workbook, and notes on how it was read."""
    import pandas as pd

    try:
        with pd.ExcelFile(path, engine="openpyxl") as workbook:
            names = [str(name) for name in workbook.sheet_names]
            if sheet is not None and sheet not in names:
                raise CommandError(
                    f"{printable(path)} has no sheet '{printable(sheet)}'. It has {named(names)}."
                )
            chosen = names[0] if sheet is None else sheet
            cells = pd.read_excel(
                workbook, sheet_name=chosen, header=None, dtype=object, na_values=list(missing)
            )
    except (CommandError, OSError):
        raise
    except ImportError:
        raise CommandError(
            "Reading Excel needs openpyxl. Install it with: pip install 'siernet[cli]'"
        ) from None
    except Exception as error:
        raise unreadable(path, "Excel (.xlsx)", error) from error
    notes = []
    if len(names) > 1 and sheet is None:
        notes.append(
            f"sheet '{printable(chosen)}' of {len(names)} is read; --sheet NAME reads another"
        )
    cells = cells.dropna(how="all").dropna(how="all", axis=1)
    if cells.empty:
        raise CommandError(f"{printable(path)}: sheet '{printable(chosen)}' is empty.")
    headers = _header_rows(cells)
    if headers == 2:
        notes.append("it has two header rows; names used twice carry their group in brackets")
    frame = cells.iloc[headers:].reset_index(drop=True)
    frame.columns = _names(cells.iloc[:headers])
    return frame.infer_objects(), notes


def _header_rows(cells: pd.DataFrame) -> int:
    """Two, where the first row has gaps (merged cells) and the second is a full row of texts."""
    if len(cells) < 3:
        return 1
    first, second = cells.iloc[0], cells.iloc[1]
    texts = second.map(lambda cell: isinstance(cell, str))
    return 2 if first.isna().any() and texts.all() and cells.iloc[2].notna().any() else 1


def _names(header: pd.DataFrame) -> list[str]:
    names = [_text(cell, place) for place, cell in enumerate(header.iloc[-1], start=1)]
    if len(header) == 1:
        return names
    groups = header.iloc[0].ffill()
    return [
        f"{name} ({group})" if names.count(name) > 1 and isinstance(group, str) else name
        for name, group in zip(names, groups, strict=True)
    ]


def _text(cell: Any, place: int) -> str:
    missing = cell is None or cell != cell  # NaN differs from itself
    return f"column{place}" if missing else str(cell).strip()
