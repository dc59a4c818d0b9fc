"""How benchmarks time, print and store what they measure."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parent / "results"
_PACKAGES = (
    "siernet",
    "torch",
    "numpy",
    "scipy",
    "scikit-learn",
    "joblib",
    "easier-net",
    "xgboost",
    "xgboost-cpu",
    "lassonet",
    "lightgbm",
)


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


def shown(value: object) -> str:
    """A number as tables show it."""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def with_error(values: Sequence[float]) -> str:
    """Mean and, of more than one, its standard error."""
    mean = shown(float(np.mean(values)))
    if len(values) == 1:
        return f"{mean} (one draw)"
    return f"{mean} (se {np.std(values, ddof=1) / np.sqrt(len(values)):.2g})"


def report(
    name: str,
    title: str,
    rows: list[tuple[str, object]],
    *,
    headline: Sequence[str] | None = None,
    write: bool = True,
) -> None:
    """Prints a two-column table and writes it, with machine and versions, as Markdown and JSON.

    ``headline`` names the rows that the README quotes (None: all of them).
    """
    table = [(label, shown(value)) for label, value in rows]
    width = max(len(label) for label, _ in table)
    print(title)
    for label, value in table:
        print(f"  {label:<{width}}  {value}")
    if not write:
        return
    machine = _machine()
    RESULTS.mkdir(exist_ok=True)
    lines = [f"# {title}", "", "| what | measured |", "|---|---|"]
    lines += [f"| {label} | {value} |" for label, value in table]
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
    record: dict[str, object] = {"title": title, "machine": machine, "rows": dict(rows)}
    if headline is not None:
        record["headline"] = list(headline)
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
