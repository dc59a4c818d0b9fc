"""``siernet inspect``: what a model file says."""

from __future__ import annotations

from typing import Annotated

import typer

from siernet.cli.options import Json, ModelFile

EXAMPLES = """Examples:

\b
  siernet inspect genes.siernet
  siernet inspect genes.siernet --top 50
  siernet inspect genes.siernet --json > genes.json

A rate is the share of the networks that selected the variable, with the interval (Wilson, 95%)
that other random starts would give.
"""


def inspect(
    model: ModelFile,
    top: Annotated[
        int, typer.Option(min=0, help="Most variables to list; JSON has all.", metavar="N")
    ] = 20,
    as_json: Json = False,
) -> None:
    """Say what a model found.

    Selected variables with their rates, the most frequent sets of them, layers, network size.
    """
    from siernet.cli.inspection_screen import inspection_lines
    from siernet.cli.json_output import show_json
    from siernet.cli.model_facts import model_facts, record_facts
    from siernet.cli.model_files import open_model
    from siernet.cli.terminal import show

    opened = open_model(model)
    facts, fit = model_facts(opened.estimator), record_facts(opened.record)
    if as_json:
        show_json({"model": model, **fit, **facts})
    else:
        show(inspection_lines(facts, fit, top))
