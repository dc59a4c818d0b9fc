"""Shows on a terminal how far the training is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any

from siernet.cli.terminal import is_terminal

if TYPE_CHECKING:
    from siernet.progress import ProgressEvent

Waiting = Callable[[str], None]


@contextmanager
def waiting() -> Iterator[tuple[Any, Waiting]]:
    """What to pass as ``verbose``, and a function to tell of other work; both silent in a pipe."""
    if not is_terminal(sys.stderr):
        yield 0, lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f}%  {task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("Reading", total=None, left="")

        def training(event: ProgressEvent) -> None:
            loss = "" if event.best_loss is None else f", best loss {event.best_loss:.4g}"
            display.update(
                task,
                description=_stage(event.stage) + loss,
                total=event.total,
                completed=event.done,
                left=_left(event.seconds_left),
            )

        def other(what: str) -> None:
            display.update(task, description=what, total=None, left="")

        yield training, other


def _stage(stage: str) -> str:
    """The estimator's name stands for its last stage: training the networks that are kept."""
    return stage if stage.startswith("Tuning") else "Training the networks"


def _left(seconds: float) -> str:
    if not isfinite(seconds):
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
    return f"{clock} left in this round"
