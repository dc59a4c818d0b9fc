"""Progress of long work, shown only when asked for."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

logger = logging.getLogger("siernet")


@dataclass(frozen=True)
class ProgressEvent:
    """What a callable passed as ``verbose`` is told.

    Parameters
    ----------
    stage : str
        What is being done.
    done, total : float
        Networks trained, in fractions, and to be trained in this stage.
    seconds_left : float
        Estimated; infinite at the start.
    best_loss : float or None
        The lowest validation loss so far, while penalties are tuned.
    """

    stage: str
    done: float
    total: float
    seconds_left: float
    best_loss: float | None = None


@contextmanager
def progress_bar(
    stage: str, total: float, *, verbose: Any, best_loss: float | None = None
) -> Iterator[Callable[[float], None] | None]:
    """A function to tell how many of ``total`` networks are done, or None if it is not wanted.

    A callable ``verbose`` receives a ``ProgressEvent`` each time. Otherwise a true ``verbose``
    shows rich's bar, or tqdm's where that is what is installed; with neither, tenths are logged
    to the logger ``siernet``.
    """
    shown = stage if best_loss is None else f"{stage}, best loss {best_loss:.4g}"
    if not verbose:
        yield None
    elif callable(verbose):
        yield _events(stage, total, verbose, best_loss)
    else:
        with _bar(shown, total) as update:
            yield update


def _events(
    stage: str, total: float, callback: Callable[[ProgressEvent], object], best_loss: float | None
) -> Callable[[float], None]:
    start = time.monotonic()

    def report(done: float) -> None:
        spent = time.monotonic() - start
        left = spent * (total - done) / done if done > 0 else float("inf")
        callback(ProgressEvent(stage, done, total, left, best_loss))

    return report


@contextmanager
def _bar(description: str, total: float) -> Iterator[Callable[[float], None]]:
    try:
        from rich.progress import Progress
    except ImportError:
        pass
    else:
        with Progress(transient=False) as bar:
            task = bar.add_task(description, total=total)
            yield lambda done: bar.update(task, completed=done)
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _logged(description, total)
        return
    with tqdm(total=total, desc=description) as tqdm_bar:
        yield lambda done: tqdm_bar.update(done - tqdm_bar.n)


def _logged(description: str, total: float) -> Callable[[float], None]:
    tenth = 0

    def report(done: float) -> None:
        nonlocal tenth
        if int(10 * done / total) > tenth:
            tenth = int(10 * done / total)
            logger.info("%s: %d%% of %d networks", description, 10 * tenth, total)

    return report
