"""The command line that every benchmark has."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def options(
    doc: str | None, minutes: float | None, arguments: Sequence[str] | None, **numbers: float
) -> argparse.Namespace:
    """Parsed options: ``quick``, and the numbers given, whose defaults say their type.

    Says how long the benchmark takes, where that was measured, so that nobody wonders whether it
    hangs.
    """
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--quick", action="store_true", help="tiny sizes, nothing is written")
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    chosen = parser.parse_args(arguments)
    if not chosen.quick and minutes is not None:
        print(f"About {minutes:g} minutes on two cores that do nothing else.", flush=True)
    return chosen
