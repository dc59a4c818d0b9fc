"""``siernet reproduce``: the paper's tables and figures, ours beside the paper's numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from siernet.cli.errors import for_user


def reproduce(
    study: Annotated[
        str, typer.Argument(help="simulation, layers, support or uci.", metavar="STUDY")
    ],
    scale: Annotated[
        str,
        typer.Option(help="quick: a few minutes, to see that it works; or paper.", metavar="SCALE"),
    ] = "quick",
    seeds: Annotated[
        int | None,
        typer.Option(help="Draws or splits. [default: 1 for quick, 5 for paper]", metavar="N"),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of the data files, for uci; else downloaded.", metavar="FOLDER"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for cells and pages. [default: results/SCALE]", metavar="FOLDER"),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Methods with commas between, instead of the usual ones.", metavar="NAMES"
        ),
    ] = None,
    sets: Annotated[
        str | None,
        typer.Option(help="Data sets, or settings of a simulation, with commas.", metavar="NAMES"),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.", metavar="NAME")] = "auto",
    jobs: Annotated[
        int | None,
        typer.Option(help="Threads or processes in each fit.", metavar="N", show_default=False),
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that share the cells.", metavar="N")] = 1,
    render_only: Annotated[
        bool, typer.Option("--render-only", help="Only write the page anew from finished cells.")
    ] = False,
) -> None:
    """Reproduce a table or figure of the paper.

    Writes a page, CSV files and pictures. Interrupted, the same command goes on where it stopped.
    """
    from siernet.experiments.command import execute, lines_of

    with for_user():
        result = execute(
            study,
            scale=scale,
            seeds=seeds,
            data=data,
            out=out,
            methods=methods,
            sets=sets,
            device=device,
            jobs=jobs,
            workers=workers,
            render_only=render_only,
            progress=sys.stderr.isatty(),
        )
    for line in lines_of(result):
        typer.echo(line)
    if result.failures:
        raise typer.Exit(1)
