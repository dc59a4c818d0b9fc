"""Work in a process of its own, so that its peak memory is its own."""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

_BYTES = 1 if sys.platform == "darwin" else 1024


def peak_memory() -> float:
    """The most memory this process has held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES / 2**20


def say(**facts: Any) -> None:
    """Tells the process that waits what is known by now; the last word on each fact counts."""
    print(json.dumps(facts), flush=True)


def measured(run: Callable[[], object]) -> None:
    """Runs, and says seconds and the memory held at most, above what was held before."""
    before, start = peak_memory(), time.perf_counter()
    run()
    say(seconds=time.perf_counter() - start, megabytes=peak_memory() - before, peak=peak_memory())


def in_own_process(module: str, work: dict[str, Any], limit: float | None = None) -> dict[str, Any]:
    """What ``python -m module --work JSON`` said until it ended, or until ``limit`` seconds.

    ``finished`` says which.
    """
    command = [sys.executable, "-m", module, "--work", json.dumps(work)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        # Read as it comes: a process that is stopped has still said what it knew.
        try:
            output, _ = process.communicate(timeout=limit)
            finished = True
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            finished = False
    if finished and process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}.")
    facts: dict[str, Any] = {"finished": finished}
    for said in _json_lines(output):
        facts.update(said)
    return facts


def _json_lines(output: str) -> Iterator[dict[str, Any]]:
    for line in output.splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            said = json.loads(line)
            if isinstance(said, dict):
                yield said
