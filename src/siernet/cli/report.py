"""``siernet report``: a model file as a page to show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from siernet.cli.errors import CommandError, for_user, os_error_line
from siernet.cli.options import Encoding, Force, Missing, ModelFile, Out, Sheet
from siernet.cli.outputs import check_outputs, require_report_packages

EXAMPLES = """Examples:

\b
  siernet report genes.siernet
  siernet report genes.siernet --data later.csv --out later.html
"""


def report(
    model: ModelFile,
    out: Out = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Rows that the fit did not see, to average over, and with the target, to test on.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Of the page.", metavar="TEXT", show_default=False)
    ] = None,
    force: Force = False,
    missing: Missing = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
) -> None:
    """Write one HTML page about a model.

    It opens offline. By default it is beside the model, with the suffix .html.
    """
    require_report_packages()
    page = out or model.with_suffix(".html")
    check_outputs([page], [model] if data is None else [model, data], force=force)
    from siernet.cli.model_files import open_model
    from siernet.cli.report_rows import report_rows
    from siernet.cli.tables import Reading, read_table
    from siernet.cli.terminal import note
    from siernet.report import write_report

    opened = open_model(model)
    rows = response = None
    if data is not None:
        table = read_table(data, Reading(encoding, sheet, tuple(missing or ())))
        rows, response, notes = report_rows(opened, table)
        for remark in notes:
            note(remark)
    try:
        with for_user():
            write_report(
                opened.model,
                page,
                record=opened.record,
                X=rows,
                y=response,
                title=title,
                force=True,
            )
    except OSError as error:
        raise CommandError(os_error_line(error, page)) from error
    typer.echo(f"Report: {page}")
