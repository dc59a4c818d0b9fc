"""One JSON object on standard output, for machines."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np


def show_json(value: Any) -> None:
    """Writes a value as JSON to standard output."""
    sys.stdout.write(json_text(value))


def json_text(value: Any) -> str:
    """A value as JSON; numbers that JSON does not have (NaN, infinity) become null."""
    # ASCII only: it can be written whatever the encoding of the pipe.
    return json.dumps(_plain(value), indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value
