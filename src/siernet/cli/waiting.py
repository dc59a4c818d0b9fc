"""Shows on a terminal how far the work is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any

from siernet.cli.terminal import is_terminal, note

if TYPE_CHECKING:
    from rich.progress import Progress

    from siernet.progress import ProgressEvent


class Waiting:
    """What is told while work goes on: in a pipe, remarks only.

    Attributes
    ----------
    verbose : int or callable
        For the estimators' parameter of that name.
    """

    verbose: Any = 0

    def tell(self, what: str) -> None:
        """Says what is being done, where that is not training."""

    def note(self, text: str) -> None:
        """A remark that stays."""
        note(text)


class _OnTerminal(Waiting):
    def __init__(self, display: Progress) -> None:
        self._display = display
        self._task = display.add_task("Reading", total=None, left="")
        self.verbose = self._training

    def _training(self, event: ProgressEvent) -> None:
        loss = "" if event.best_loss is None else f", best loss {event.best_loss:.4g}"
        self._display.update(
            self._task,
            description=_stage(event.stage) + loss,
            total=event.total,
            completed=event.done,
            left=_left(event.seconds_left),
        )

    def tell(self, what: str) -> None:
        self._display.remove_task(self._task)
        self._task = self._display.add_task(what, total=None, left="")

    def note(self, text: str) -> None:
        # Above the bar, which would otherwise be written over.
        self._display.console.print(f"Note: {text}", markup=False, highlight=False, style="dim")


@contextmanager
def waiting() -> Iterator[Waiting]:
    """A bar on standard error while work goes on, if that is a terminal."""
    if not is_terminal(sys.stderr):
        yield Waiting()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        yield _OnTerminal(display)


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
