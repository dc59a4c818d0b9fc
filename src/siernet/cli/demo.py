"""``siernet demo``: data whose truth is known, and how much of it a fit finds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from siernet.cli.errors import Interrupted


def demo(
    out: Annotated[
        Path, typer.Option(help="Folder for data, model and report.", metavar="FOLDER")
    ] = Path("siernet-demo"),
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the data and of the fit.", metavar="N")] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Threads that train; -1 for all cores. [default: PyTorch's]",
            metavar="N",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Fit data whose truth is known; about a minute.

    Writes a simulated table, fits it, and says how much of the truth was found: the response
    depends on the first 8 of 40 columns, not linearly (section 4.1 of the paper).
    """
    from siernet.cli.demonstration import Demonstration, run_demonstration
    from siernet.cli.terminal import show

    try:
        lines = run_demonstration(
            Demonstration(out, seed=seed, jobs=jobs, with_report=not no_report)
        )
    except KeyboardInterrupt:
        raise Interrupted("Interrupted.") from None
    show(lines)
