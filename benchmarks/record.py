"""How benchmarks time, print and store what they measure."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
_PACKAGES = ("siernet", "torch", "numpy", "scikit-learn", "easier-net", "xgboost", "lassonet")


def best_seconds(run: Callable[[], object], repeats: int = 5) -> float:
    """Shortest of a few runs: on a shared machine the others measure the neighbours."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def _machine() -> dict[str, object]:
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": versions,
    }


def report(name: str, title: str, rows: list[tuple[str, object]]) -> None:
    """Prints a two-column table and writes it, with machine and versions, as Markdown and JSON."""
    RESULTS.mkdir(exist_ok=True)
    shown = [
        (label, f"{value:.3g}" if isinstance(value, float) else str(value)) for label, value in rows
    ]
    width = max(len(label) for label, _ in shown)
    print(title)
    for label, value in shown:
        print(f"  {label:<{width}}  {value}")
    machine = _machine()
    lines = [f"# {title}", "", "| what | measured |", "|---|---|"]
    lines += [f"| {label} | {value} |" for label, value in shown]
    packages = ", ".join(f"{key} {value}" for key, value in machine["versions"].items())
    lines += [
        "",
        f"{machine['cores']} cores, {machine['processor']}, Python "
        f"{machine['python']}; {packages}.",
        "",
        f"`python -m benchmarks.{name}`",
        "",
    ]
    (RESULTS / f"{name}.md").write_text("\n".join(lines))
    record = {"title": title, "machine": machine, "rows": dict(rows)}
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
