"""Progress of long work, shown only when asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

logger = logging.getLogger("siernet")


@contextmanager
def progress_bar(
    description: str, total: int, *, shown: bool
) -> Iterator[Callable[[float], None] | None]:
    """A function to tell how many of ``total`` networks are done, or None if not ``shown``.

    The bar is rich's, or tqdm's where that is what is installed; with neither, tenths are logged
    to the logger ``siernet``.
    """
    if not shown:
        yield None
        return
    try:
        from rich.progress import Progress
    except ImportError:
        pass
    else:
        with Progress() as bar:
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


def _logged(description: str, total: int) -> Callable[[float], None]:
    tenth = 0

    def report(done: float) -> None:
        nonlocal tenth
        if int(10 * done / total) > tenth:
            tenth = int(10 * done / total)
            logger.info("%s: %d%% of %d networks", description, 10 * tenth, total)

    return report
