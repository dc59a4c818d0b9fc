"""The command line: from a table to an answer that can be shown."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command.

    Parameters
    ----------
    argv : sequence of str, optional
        The command and its options; by default those that the program was called with.

    Returns
    -------
    int
        The exit status: 0, 1 for an error of siernet, 2 for bad input, 130 for Ctrl-C.
    """
    try:
        import typer  # noqa: F401
    except ImportError:
        sys.stderr.write(
            "Error: the command line needs typer. Install it with: pip install 'siernet[cli]'\n"
        )
        return 2
    from siernet.cli.application import run

    return run(list(sys.argv[1:] if argv is None else argv))
