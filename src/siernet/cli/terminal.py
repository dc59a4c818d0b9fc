"""Lines for a terminal, with colours, or for a pipe, without."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TextIO

#: A line is made of texts, each with a style of rich (empty for none).
Line = Sequence[tuple[str, str]]

TITLE, LABEL, GOOD, FAINT, WARNING = "bold", "cyan", "green", "dim", "yellow"
_PIPE_WIDTH = 80
_NARROWEST = 40


def is_terminal(stream: TextIO) -> bool:
    """Whether somebody is looking."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def width_of(stream: TextIO) -> int:
    """Columns to fill: those of the terminal, at most 100; 80 in a pipe."""
    if not is_terminal(stream):
        return _PIPE_WIDTH
    return max(_NARROWEST, min(100, shutil.get_terminal_size((_PIPE_WIDTH, 24)).columns))


def show(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Writes lines, none of them wrapped or cut."""
    stream = sys.stdout if stream is None else stream
    if not is_terminal(stream):
        for line in lines:
            stream.write(_encodable("".join(text for text, _ in line).rstrip(), stream) + "\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for line in lines:
        parts = [(_encodable(text, stream), style) for text, style in line]
        console.print(Text.assemble(*parts), soft_wrap=True)


def _encodable(text: str, stream: TextIO) -> str:
    """The text with ``?`` for what the stream has no code for."""
    encoding = stream.encoding or "ascii"
    return text.encode(encoding, "replace").decode(encoding)


def note(text: str) -> None:
    """A remark on standard error."""
    line = f"Note: {text}"
    if not is_terminal(sys.stderr):
        sys.stderr.write(_encodable(line, sys.stderr) + "\n")
        return
    width = width_of(sys.stderr)
    show([[(part, FAINT)] for part in textwrap.wrap(line, width)], sys.stderr)


def fitted(text: str, width: int) -> str:
    """Text cut or filled up to a width in terminal cells, which wide characters take two of."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) > width:
        return set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)


def bar(share: float, width: int, stream: TextIO | None = None) -> str:
    """A bar of a share of the width."""
    encoding = getattr(sys.stdout if stream is None else stream, "encoding", None) or "ascii"
    filled = round(share * width)
    try:
        "━".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "#" * filled
    return "━" * filled


def number(value: float, digits: int = 3) -> str:
    """A number with a few significant digits, never in a form such as 1e+03."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e+" in text:
        return f"{value:,.0f}"
    return text
