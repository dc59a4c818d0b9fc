"""The paper's tuning protocol on a GPU: 3200 networks of 1500 epochs, 600 x 100, in one stack."""

from __future__ import annotations

import sys
import time

import numpy as np
import torch

from benchmarks.record import report
from siernet.base import PAPER_SETTINGS
from siernet.datasets import make_section_4_1
from siernet.engine import train
from siernet.losses import SquaredError
from siernet.objective import TrainingRows
from siernet.random_streams import task_key
from siernet.tasks import Recipe, Task
from siernet.training.schedules import Schedule

# The grid of the published UCI script, 10 members, 4 folds.
INPUT_PENALTIES, NETWORK_PENALTIES = 5.0 ** np.arange(-10, 0), 5.0 ** np.arange(-8, 0)
FOLDS, MEMBERS = 4, 10


def training_folds() -> list[TrainingRows]:
    drawn = make_section_4_1(600, random_state=0)
    X = (drawn.X - drawn.X.mean(0)) / drawn.X.std(0)
    y = (drawn.y - drawn.y.mean()) / drawn.y.std()
    fold = np.random.default_rng(0).permutation(600) % FOLDS
    parts = [(X[fold != k], y[fold != k]) for k in range(FOLDS)]
    return [
        TrainingRows(
            torch.tensor(rows, dtype=torch.float32),
            torch.tensor(response[:, None], dtype=torch.float32),
            torch.full((len(rows),), 1 / len(rows)),
        )
        for rows, response in parts
    ]


def matrix_product_rate(device: str, size: int = 8192) -> float:
    """TFLOP/s of a large float32 product."""
    a, b = (torch.randn(size, size, device=device) for _ in range(2))
    a @ b
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(5):
        a @ b
    torch.cuda.synchronize()
    return 5 * 2 * size**3 / (time.perf_counter() - start) / 1e12


def main(max_epochs: int = 1500, max_prox_iter: int = 300) -> None:
    tasks = [
        Task(task_key(0, fold, member), float(a), float(b), fold)
        for a in INPUT_PENALTIES
        for b in NETWORK_PENALTIES
        for fold in range(FOLDS)
        for member in range(MEMBERS)
    ]
    schedule = Schedule(PAPER_SETTINGS["learning_rate"], max_epochs, decay=False)
    data = training_folds()
    rows: list[tuple[str, object]] = [
        ("device", torch.cuda.get_device_name()),
        ("networks", len(tasks)),
        ("epochs", max_epochs),
        ("large float32 matrix product, TFLOP/s", matrix_product_rate("cuda")),
    ]
    warm = Recipe(5, 100, 3, Schedule(1e-3, 5, decay=False), 0, 1e-2)
    train(tasks, data, SquaredError(), warm, device="cuda")  # compiles
    for prox in (0, max_prox_iter):
        recipe = Recipe(5, 100, 3, schedule, prox, 1e-2)
        start = time.perf_counter()
        train(tasks, data, SquaredError(), recipe, device="cuda")
        seconds = time.perf_counter() - start
        rows += [
            (f"{prox} proximal steps at most: seconds", seconds),
            (
                f"{prox} proximal steps at most: microseconds a network-step of Adam",
                seconds / (len(tasks) * max_epochs * 3) * 1e6,
            ),
        ]
        if not max_prox_iter:
            break
    rows.append(("peak GPU memory, GB", torch.cuda.max_memory_allocated() / 2**30))
    report("gpu_protocol", "The paper's tuning protocol on a GPU, 600 x 100", rows)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
