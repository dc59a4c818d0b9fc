"""The commands as one program, and what its exit status and error line are."""

from __future__ import annotations

import errno
import functools
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

import typer

import siernet
from siernet.cli import demo, fit, inspect, predict, report, reproduce
from siernet.cli.errors import (
    BAD_INPUT,
    BROKEN_PIPE,
    INTERNAL,
    INTERRUPTED,
    CommandError,
    Interrupted,
    one_line,
    os_error_line,
)
from siernet.cli.terminal import note

_DEBUG = "SIERNET_DEBUG"
_EXTRAS = {"pandas", "pyarrow", "openpyxl", "rich", "skops", "typer"}
# typer brings its own copy of click, or uses click, depending on its version.
_ClickException: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

_EXAMPLES = """Examples:

\b
  siernet demo                                  data whose truth is known
  siernet fit genes.csv --target outcome        writes genes.siernet, genes.html
  siernet predict genes.siernet new.csv         predictions as CSV
  siernet inspect genes.siernet                 what the model says
  siernet report genes.siernet --out show.html  as a page to show

siernet COMMAND --help says more.
"""

app = typer.Typer(
    name="siernet",
    help="Predict from tables of few rows and many columns, and say which columns matter.",
    epilog=_EXAMPLES,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _program(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        typer.echo(f"siernet {siernet.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The same command, with Ctrl-C as an error of our own: typer would hide it."""

    @functools.wraps(command)
    def guarded(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except KeyboardInterrupt:
            raise Interrupted("Interrupted.") from None

    return guarded


for _module in (fit, predict, inspect, report, reproduce, demo):
    _name = _module.__name__.rpartition(".")[2]
    app.command(epilog=getattr(_module, "EXAMPLES", None))(_guarded(getattr(_module, _name)))


def run(argv: list[str]) -> int:
    """Runs a command line; says in one line on standard error what went wrong."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _as_note
            warnings.filterwarnings("ignore", "Found unknown categories")  # we name them
            status = app(args=argv, prog_name="siernet", standalone_mode=False, obj=argv)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except BrokenPipeError:  # the reader, such as head, has seen enough
        _silence_stdout()
        return BROKEN_PIPE
    except (Interrupted, KeyboardInterrupt, typer.Abort) as interruption:
        _say(str(interruption) or "Interrupted.")
        return INTERRUPTED
    except Exception as error:
        if os.environ.get(_DEBUG):
            traceback.print_exc()
        message, status = _explained(error)
        _say(f"Error: {message}")
        return status


def _as_note(message: Warning | str, *_: Any, **__: Any) -> None:
    """Shows what Python code warns of as a remark of ours."""
    note(one_line(message))


def _explained(error: Exception) -> tuple[str, int]:
    if isinstance(error, CommandError):
        return str(error), BAD_INPUT
    if isinstance(error, _ClickException):
        return _usage_error(error), BAD_INPUT
    if isinstance(error, OSError) and error.filename is not None:
        return os_error_line(error), BAD_INPUT
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):  # of a stream
        _silence_stdout()
        return os_error_line(error, "standard output or a temporary file"), BAD_INPUT
    if isinstance(error, ModuleNotFoundError) and error.name in _EXTRAS:
        return f"{error.name} is missing. Install it with: pip install 'siernet[cli]'", BAD_INPUT
    return (
        f"siernet failed ({type(error).__name__}: {one_line(error)}). This is a fault of siernet: "
        f"set {_DEBUG}=1 to see where, and please report it."
    ), INTERNAL


def _usage_error(error: Any) -> str:
    context = getattr(error, "ctx", None)
    path = "siernet" if context is None else context.command_path
    message = one_line(error.format_message())
    end = "" if message.endswith((".", "?")) else "."
    return f"{message}{end} See: {path} --help"


def _say(line: str) -> None:
    with suppress(OSError, ValueError):  # nobody listens
        sys.stderr.write(f"{line}\n")


def _silence_stdout() -> None:
    """Keeps Python from failing again when it flushes at exit."""
    with suppress(OSError, ValueError):  # not a file, as in a test
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
