"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ModelFile = Annotated[Path, typer.Argument(help="A model file.", metavar="MODEL")]
DataFile = Annotated[
    Path,
    typer.Argument(help="CSV, TSV (also .gz), Parquet, Excel or .npz file.", metavar="DATA"),
]
Encoding = Annotated[
    str | None,
    typer.Option(help="Of a text file. [default: utf-8]", metavar="NAME", show_default=False),
]
Sheet = Annotated[
    str | None,
    typer.Option(help="Of a workbook. [default: the first]", metavar="NAME", show_default=False),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        help="Text that marks a missing value, besides NA, ? and the like. Repeatable.",
        metavar="TEXT",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
Out = Annotated[
    Path | None, typer.Option(help="File to write.", metavar="FILE", show_default=False)
]
