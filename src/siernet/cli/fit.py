"""``siernet fit``: from a table to a tuned model, a report and a screen."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from siernet.cli.errors import CommandError, Interrupted
from siernet.cli.options import DataFile, Encoding, Force, Json, Missing, Sheet
from siernet.cli.outputs import check_outputs, model_path, report_path

EXAMPLES = """Examples:

\b
  siernet fit genes.csv --target outcome
  siernet fit genes.csv.gz --target outcome --drop batch --checkpoint search
  siernet fit train.parquet --target price --test test.parquet --out price.siernet
  siernet fit small.xlsx --target y --quick --json
"""
_MANY = {"show_default": False}


def fit(
    context: typer.Context,
    data: DataFile,
    target: Annotated[str, typer.Option(help="Column to predict.", metavar="COLUMN")],
    task: Annotated[
        str | None,
        typer.Option(
            help="regression or classification. [default: guessed]",
            metavar="TASK",
            show_default=False,
        ),
    ] = None,
    test_size: Annotated[
        float | None,
        typer.Option(
            help="Share (or number) of rows held out to test; 0 for none. [default: 0.2, or none "
            "below 40 rows]",
            metavar="X",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        Path | None,
        typer.Option(help="Test on the rows of this file instead.", metavar="FILE", **_MANY),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Model file. [default: DATA's name, .siernet]", metavar="FILE", **_MANY),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="Report. [default: beside the model, .html]", metavar="FILE", **_MANY),
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.")] = False,
    force: Force = False,
    drop: Annotated[
        list[str] | None,
        typer.Option(help="Column to leave out. Repeatable.", metavar="COLUMN", **_MANY),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="Column to use although it looks like an id. Repeatable.",
            metavar="COLUMN",
            **_MANY,
        ),
    ] = None,
    categorical: Annotated[
        list[str] | None,
        typer.Option(
            help="Column of numbers that are categories. Repeatable.", metavar="COLUMN", **_MANY
        ),
    ] = None,
    missing: Missing = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer networks and epochs: a first impression.")
    ] = False,
    networks: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Networks in the ensemble. [default: 20, or 8 if quick]",
            metavar="N",
            **_MANY,
        ),
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            min=1, help="Most epochs of a network. [default: 1000, or 200]", metavar="N", **_MANY
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            min=2, help="Folds of the search. [default: 4, or 3 if quick]", metavar="N", **_MANY
        ),
    ] = None,
    input_penalty: Annotated[
        float | None,
        typer.Option(
            min=0, help="Lambda 1; with the next, instead of tuning.", metavar="X", **_MANY
        ),
    ] = None,
    network_penalty: Annotated[
        float | None, typer.Option(min=0, help="Lambda 2.", metavar="X", **_MANY)
    ] = None,
    class_weight: Annotated[
        str | None,
        typer.Option(
            help="balanced: every class counts the same in training; none: every row. "
            "[default: balanced]",
            metavar="NAME",
            **_MANY,
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            help="Folder in which an interrupted search goes on.", metavar="FOLDER", **_MANY
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of everything random.", metavar="N")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.", metavar="NAME")] = "auto",
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Threads that train; -1 for all cores. [default: PyTorch's]", metavar="N", **_MANY
        ),
    ] = None,
    no_rows: Annotated[
        bool,
        typer.Option("--no-rows", help="Keep no row of the data in the model file or report."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Fit a model to a table; say how good it is and what matters.

    DATA is a CSV, TSV, Parquet, Excel or .npz file; columns of texts become categories, gaps are
    filled, and ids and constants are left out and named. The penalties are tuned by
    cross-validation.
    """
    from siernet.cli.columns import Wishes
    from siernet.cli.estimators import Effort
    from siernet.cli.tables import Reading, check_table
    from siernet.cli.training_data import DataRequest

    if task not in (None, "regression", "classification"):
        raise CommandError(f"--task {task} is not known. Use regression or classification.")
    if test is not None and test_size is not None:
        raise CommandError("--test and --test-size exclude each other. Pass one of them.")
    if no_report and report is not None:
        raise CommandError("--report and --no-report exclude each other. Pass one of them.")
    effort = Effort(
        quick=quick,
        networks=networks,
        epochs=epochs,
        folds=folds,
        input_penalty=input_penalty,
        network_penalty=network_penalty,
        class_weight=class_weight,
        device=device,
        jobs=jobs,
        checkpoint=None if checkpoint is None else str(checkpoint),
    )
    effort.check()
    inputs = [data] if test is None else [data, test]
    for path in inputs:
        check_table(path)
    model_file = model_path(data, out)
    report_file, why_not = report_path(model_file, report, wanted=not no_report)
    outputs = [model_file] if report_file is None else [model_file, report_file]
    check_outputs(outputs, inputs, force=force)
    request = DataRequest(
        path=data,
        target=target,
        task=task,
        wishes=Wishes(tuple(drop or ()), tuple(keep or ()), tuple(categorical or ())),
        reading=Reading(encoding, sheet, tuple(missing or ())),
        test_size=test_size,
        test_path=test,
        seed=seed,
    )
    from siernet.cli.fit_job import FitJob, run_fit

    job = FitJob(
        request=request,
        effort=effort,
        model=model_file,
        report=report_file,
        command=shlex.join(["siernet", *(context.obj or ["fit"])]),
        keep_rows=not no_rows,
        notes=(why_not,) if why_not else (),
    )
    try:
        result = run_fit(job)
    except KeyboardInterrupt:
        raise Interrupted(_how_to_go_on(effort)) from None
    _show(result, as_json=as_json)


def _how_to_go_on(effort: Any) -> str:
    if effort.checkpoint is not None:
        return f"Interrupted. The same command goes on where it stopped, from {effort.checkpoint}."
    return (
        "Interrupted; nothing was written. With --checkpoint FOLDER an interrupted search goes on "
        "where it stopped."
    )


def _show(result: Any, *, as_json: bool) -> None:
    from siernet.cli.json_output import show_json
    from siernet.cli.screen import fit_screen
    from siernet.cli.terminal import show

    if as_json:
        show_json(result.as_json())
    else:
        show(
            fit_screen(
                result.model_facts, result.fit_facts, model=result.model, report=result.report
            )
        )
