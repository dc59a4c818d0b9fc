"""What a fit from a table was asked, given and measured, in plain values."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class FitRecord:
    """The facts about a fit that its model alone does not hold; stored beside it in a model file.

    Scores are dictionaries from a method (``"siernet"``, ``"baseline"``, ``"lasso"``) to its
    values by metric; the first metric is the one that was tuned for.
    """

    task: str  # "regression" or "classification"
    target: str
    source: str  # the file's name
    command: str  # repeats the fit
    created: str  # ISO 8601
    siernet_version: str
    seed: int
    n_rows: int  # used for training
    n_test_rows: int
    n_rows_dropped: int  # without a target
    n_columns: int  # of the table, the target left out
    left_out: dict[str, str] = field(default_factory=dict)  # column -> why
    notes: tuple[str, ...] = ()
    class_counts: dict[str, int] = field(default_factory=dict)
    test_scores: dict[str, dict[str, float]] = field(default_factory=dict)
    cv_scores: dict[str, dict[str, float]] = field(default_factory=dict)
    seconds: float = 0.0
    task_reason: str = ""  # why the task is this one, such as "guessed: the target holds texts"
    tested_on: str = ""  # which rows ``test_scores`` are of, or why there are none
    lasso_selected: int = 0  # variables with a non-zero coefficient; 0 where it was not fitted
    quick: bool = False  # whether fewer networks than usual were trained
    # Held-out rows: what was observed (numbers, or class labels as text) and what each member
    # predicted, (B, n) or (B, n, K); empty without a test set.
    test_y: np.ndarray = field(default_factory=lambda: np.zeros(0))
    test_members: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    # A sample of prepared training rows, (rows, d).
    sample_rows: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
