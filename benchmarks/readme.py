"""Writes the README's speed section from benchmarks/results/*.json, between two comment lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.record import RESULTS, shown

README = Path(__file__).parents[1] / "README.md"
BEGIN = "<!-- speed: written by `python -m benchmarks.readme` -->"
END = "<!-- speed: end -->"
ORDER = (
    "tuned_fit",
    "ensemble_fit",
    "predict_latency",
    "wide",
    "gpu_protocol",
    "halving_against_grid",
    "nested_cv",
    "growth",
    "step_throughput",
)


def section(results: Path = RESULTS) -> str:
    """The section: a table for each benchmark that has been run."""
    places = {name: place for place, name in enumerate(ORDER)}
    files = sorted(results.glob("*.json"), key=lambda f: (places.get(f.stem, len(places)), f.stem))
    records = {path: json.loads(path.read_text()) for path in files}
    quoted = {path: own for path, own in records.items() if own.get("headline", own["rows"])}
    blocks = [_block(path, own) for path, own in quoted.items()]
    if (results / "growth.png").exists():
        blocks.append("![Time and memory over a decade each](benchmarks/results/growth.png)")
    return "\n\n".join([BEGIN, *blocks, END])


def _block(path: Path, record: dict[str, Any]) -> str:
    rows: dict[str, Any] = record["rows"]
    labels = record.get("headline", rows)
    return "\n".join(
        [
            f"**{record['title']}** ([all of it](benchmarks/results/{path.stem}.md))",
            "",
            "| what | measured |",
            "|---|---|",
            *(f"| {label} | {shown(rows[label])} |" for label in labels),
            "",
            _machine(record["machine"]),
        ]
    )


def _machine(machine: dict[str, Any]) -> str:
    versions = machine["versions"]  # without siernet's, where it ran from a folder
    named = [f"{name} {versions[name]}" for name in ("siernet", "torch") if name in versions]
    return ", ".join(
        [f"{machine['cores']} cores", machine["processor"], f"Python {machine['python']}", *named]
    )


def main() -> None:
    text = README.read_text()
    before, found, rest = text.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise SystemExit(f"{README} has no lines {BEGIN} and {END}, between which to write.")
    README.write_text(before + section() + after)


if __name__ == "__main__":
    main()
