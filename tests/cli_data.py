"""A small table for the command line's tests, and how its commands are called there."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd

# Seconds become tenths: three networks, few epochs, penalties given.
TINY = ("--networks", "3", "--epochs", "40", "--input-penalty", "0.01")
TINY += ("--network-penalty", "0.002", "--no-report")


def small_table(n_rows: int = 60) -> pd.DataFrame:
    """Columns of every kind: an id, numbers, gaps, categories, a constant, and two targets."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, n_rows))
    colour = np.array(["red", "green", "blue"])[rng.integers(3, size=n_rows)]
    frame = pd.DataFrame(
        {
            "sample_id": [f"S{i:03d}" for i in range(n_rows)],
            "a": a.round(4),
            "gaps": np.where(rng.random(n_rows) < 0.2, np.nan, b.round(4)),
            "colour": np.where(rng.random(n_rows) < 0.1, None, colour),
            "sex": np.array(["f", "m"])[rng.integers(2, size=n_rows)],
            "batch": 7,
            "noise": rng.normal(size=n_rows).round(4),
        }
    )
    score = 2 * a + (colour == "red") + rng.normal(size=n_rows) * 0.3
    frame["size"] = score.round(4)
    frame["kind"] = np.where(score > 0.3, "big", "small")
    return frame


def environment(**extra: str) -> dict[str, str]:
    """Of a subprocess: one thread, and nothing of the terminal that runs the tests."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "NO_COLOR": "1", **extra}


def siernet(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    """Runs a command as a user does."""
    extra = options.pop("env", {})
    return subprocess.run(
        [sys.executable, "-m", "siernet", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment(**extra),
        timeout=120,
        check=False,
        **options,
    )
