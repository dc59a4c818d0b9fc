"""A study's page in Markdown, from its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from siernet.experiments.cells import Cell
from siernet.experiments.study import Check, Report, counted, markdown_table


def page_text(
    report: Report,
    name: str,
    cells: Sequence[Cell],
    failures: Mapping[str, str],
    skipped: Mapping[str, str],
) -> str:
    """The whole page."""
    blocks = [f"# {report.title}", origin(name, cells), *body(report, cells, failures, skipped)]
    return "\n\n".join(blocks) + "\n"


def origin(name: str, cells: Sequence[Cell]) -> str:
    """Which command and which machines a page comes from."""
    machines = sorted({cell.machine for cell in cells if cell.machine})
    text = (
        f"Written by `siernet reproduce {name}` from {counted(len(cells), 'cell')}, siernet "
        f"{cells[0].version}."
    )
    return f"{text} Computed on {'; '.join(machines)}." if machines else text


def body(
    report: Report,
    cells: Sequence[Cell],
    failures: Mapping[str, str],
    skipped: Mapping[str, str],
) -> list[str]:
    """The page's blocks below its title."""
    blocks = [block for block in report.blocks if block]
    if report.checks:
        rows = [
            (check.statement, check.against, "yes" if check.holds else "**no**", check.found)
            for check in report.checks
        ]
        blocks += [
            "## What matched",
            summary_line(report.checks),
            markdown_table(("Statement", "Of", "Holds", "Found"), rows),
        ]
    for title, entries in (
        ("Left out", skipped),
        ("Could not be computed", failures),
        ("Warnings of the methods", _warnings_by_kind(cells)),
    ):
        if entries:
            blocks.append(f"## {title}")
            blocks.append("\n".join(f"- {key}: {reason}" for key, reason in entries.items()))
    return blocks


def summary_line(checks: Sequence[Check]) -> str:
    """How many statements hold against the paper and against the targets, and which do not."""
    parts = []
    for against, name in (("paper", "the paper"), ("target", "the targets")):
        relevant = [check for check in checks if check.against == against]
        if not relevant:
            continue
        failed = [check for check in relevant if not check.holds]
        text = f"Against {name}: {len(relevant) - len(failed)} of {len(relevant)} hold"
        if failed:
            text += "; not: " + "; ".join(f"{c.statement} ({c.found})" for c in failed)
        parts.append(text + ".")
    return " ".join(parts) or "Too few cells to compare with the paper or the targets."


def _warnings_by_kind(cells: Sequence[Cell]) -> dict[str, str]:
    """For each kind of warning how many cells met it, and one of them."""
    found: dict[str, list[tuple[Cell, str]]] = {}
    for cell in cells:
        for text in cell.result.get("warnings", ()):
            kind, _, message = text.partition(": ")
            found.setdefault(kind, []).append((cell, message))
    return {
        kind: f"{counted(len({cell.key for cell, _ in met}), 'cell')}, such as "
        f"{met[0][0].path.stem}: {met[0][1]}"
        for kind, met in found.items()
    }
