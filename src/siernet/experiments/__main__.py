"""``python -m siernet.experiments``: the command without the packages of the extra ``cli``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from siernet.experiments.command import execute, lines_of
from siernet.experiments.methods import METHODS
from siernet.experiments.methods.method import SCALES
from siernet.experiments.running import STUDIES


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs or renders a study; 0 when no cell failed, 1 when some did, 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        result = execute(**vars(options), progress=sys.stderr.isatty())
    except (ValueError, OSError, ImportError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. The same command goes on where it stopped.\n")
        return 130
    sys.stdout.write("\n".join(lines_of(result)) + "\n")
    return 1 if result.failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m siernet.experiments", description="Reproduces the paper's study."
    )
    parser.add_argument("study", help=" | ".join(STUDIES))
    parser.add_argument("--scale", default="quick", help=" | ".join(SCALES))
    parser.add_argument("--seeds", type=int, help="draws or splits (quick: 1, paper: 5)")
    parser.add_argument("--data", type=Path, help="folder of the data files, for uci")
    parser.add_argument("--out", type=Path, help="folder (results/SCALE)")
    parser.add_argument("--methods", help=f"with commas between; of {', '.join(METHODS)}")
    parser.add_argument("--sets", help="data sets, or settings of a simulation")
    parser.add_argument("--device", default="auto", help="auto | cpu | cuda")
    parser.add_argument("--jobs", type=int, help="threads or processes in each fit")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the cells")
    parser.add_argument("--render-only", action="store_true", help="only write the page anew")
    return parser


if __name__ == "__main__":
    sys.exit(main())
