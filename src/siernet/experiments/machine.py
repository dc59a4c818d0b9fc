"""On what a cell was computed, for the seconds that tables show."""

from __future__ import annotations

import functools
import os


@functools.cache
def machine_in_words() -> str:
    """Threads, graphics card and torch of this machine."""
    import torch

    parts = [f"{os.cpu_count()} CPU threads"]
    if torch.cuda.is_available():
        parts.append(torch.cuda.get_device_name())
    parts.append(f"torch {torch.__version__}")
    return ", ".join(parts)
