"""Functions that a GPU runs as one kernel, where the installation can compile."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import torch

logger = logging.getLogger("siernet")


class Compiled:
    """A function compiled on first use; plain from then on where it cannot be."""

    def __init__(self, plain: Callable[..., None]) -> None:
        self._plain = plain
        self._run: Callable[..., Any] | None = None

    def __call__(self, *arguments: torch.Tensor | int) -> None:
        if self._run is None:  # not before: the compiler takes seconds to load
            self._run = torch.compile(self._plain, dynamic=True)
        if self._run is not self._plain:
            try:
                self._run(*arguments)
                return
            except torch.cuda.OutOfMemoryError:
                raise
            except Exception as error:  # no compiler, no Triton, an old driver: many causes
                logger.info("Training runs without compiled kernels: %s", error)
                self._run = self._plain
        self._plain(*arguments)
