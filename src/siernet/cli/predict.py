"""``siernet predict``: predictions of a model for the rows of a table."""

from __future__ import annotations

import typer

from siernet.cli.options import DataFile, Encoding, Force, Json, Missing, ModelFile, Out, Sheet
from siernet.cli.outputs import check_outputs

EXAMPLES = """Examples:

\b
  siernet predict genes.siernet new.csv > predictions.csv
  siernet predict genes.siernet new.xlsx --out predictions.csv

Rows keep their order. The spread is the standard deviation of the networks' predictions: of the
number, or of the predicted class's probability.
"""


def predict(
    model: ModelFile,
    data: DataFile,
    out: Out = None,
    force: Force = False,
    missing: Missing = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    as_json: Json = False,
) -> None:
    """Predict the rows of a table.

    Writes CSV to standard output or to a file. Columns are found by name, in any order; columns
    that the model does not know are named and not used.
    """
    from siernet.cli.tables import Reading, check_table, read_table

    check_table(data)
    if out is not None:
        check_outputs([out], [model, data], force=force)
    from siernet.cli.model_files import open_model
    from siernet.cli.predictions import predictions, write_predictions
    from siernet.cli.terminal import note

    opened = open_model(model)
    table = read_table(data, Reading(encoding, sheet, tuple(missing or ())))
    frame, notes = predictions(opened, table)
    for remark in notes:
        note(remark)
    write_predictions(frame, opened, out=out, as_json=as_json)
    if out is not None and not as_json:
        typer.echo(f"{len(frame):,} predictions: {out}")
