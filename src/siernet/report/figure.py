"""A figure of the report: what plotly draws, and the same in words and in a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One figure.

    Colours are names of the style sheet's (``"accent"``, ``"warm"``, ...), so that the page's
    script can draw it in light and in dark.

    Parameters
    ----------
    key : str
        Identifies it in the page.
    title, caption, alt : str
        ``alt`` says what the picture shows to whoever cannot see it.
    traces : list of dict
    layout : dict
    columns, cells : tuple
        The numbers behind it as a table.
    height : int
    """

    key: str
    title: str
    caption: str
    alt: str
    traces: list[dict[str, Any]]
    layout: dict[str, Any]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    height: int = 420


def axis(title: str, **options: Any) -> dict[str, Any]:
    """An axis that takes numbers for numbers: plotly would read some names as dates."""
    return {"title": {"text": title}, "type": "linear", **options}


def named_axis(title: str, labels: Sequence[str], **options: Any) -> dict[str, Any]:
    """An axis with a label at 0, 1, 2, ...; equal labels stay apart."""
    return axis(
        title, tickmode="array", tickvals=list(range(len(labels))), ticktext=list(labels), **options
    )


def hover(text: Sequence[str]) -> dict[str, Any]:
    """Texts to show at a trace's points, and nothing else."""
    return {"text": list(text), "hovertemplate": "%{text}<extra></extra>"}
