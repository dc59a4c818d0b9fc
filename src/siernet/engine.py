"""Trains tasks: which are trained together, in what memory, on which threads and device."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import joblib
import torch

from siernet.algorithm import StackTrainer
from siernet.losses import OutputLoss
from siernet.objective import TrainingRows
from siernet.tasks import Recipe, Task, TrainedTask

# A task that diverges is tried once more with its rate multiplied by this.
_RESTART_FACTOR = 0.1
_AUTO_MEMORY_LIMIT = 2**30  # more would not be faster: a stack is cut to the cache anyway
_FALLBACK_MEMORY = 2**30
_FLOAT = 4


Progress = Callable[[float], None]


def train(
    tasks: Sequence[Task],
    data: Sequence[TrainingRows],
    loss: OutputLoss,
    recipe: Recipe,
    *,
    device: str = "cpu",
    n_jobs: int | None = None,
    max_memory: int | None = None,
    progress: Progress | None = None,
) -> list[TrainedTask]:
    """Trains every task; the result does not depend on how they are spread.

    Parameters
    ----------
    progress : callable, optional
        Told the number of tasks done so far, as a fraction, now and then.
    """
    if max_memory is None:
        max_memory = default_memory(device)
    n_workers = 1 if device != "cpu" else min(len(tasks), worker_count(n_jobs))
    at_once = max(1, int(max_memory / n_workers / memory_per_task(data, recipe)))
    share = min(at_once, math.ceil(len(tasks) / n_workers))
    parts = [list(tasks[start : start + share]) for start in range(0, len(tasks), share)]
    done = _ProgressSum(progress, len(parts))
    threads = torch.get_num_threads()
    try:
        results = joblib.Parallel(n_jobs=n_workers, prefer="threads")(
            joblib.delayed(_train_part)(part, data, loss, recipe, device, done.part(i))
            for i, part in enumerate(parts)
        )
    finally:
        torch.set_num_threads(threads)
    return [trained for part in results for trained in part]


class _ProgressSum:
    """Adds up what the parts report; a part elsewhere than in this process reports nothing."""

    def __init__(self, progress: Progress | None, n_parts: int) -> None:
        self.progress = progress
        self.done = [0.0] * n_parts

    def part(self, index: int) -> _PartProgress | None:
        return None if self.progress is None else _PartProgress(self, index)


class _PartProgress:
    def __init__(self, total: _ProgressSum, index: int) -> None:
        self._total = total
        self._index = index

    def __call__(self, done: float) -> None:
        self._total.done[self._index] = done
        if self._total.progress is not None:
            self._total.progress(sum(self._total.done))

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _no_progress, ()


def _no_progress() -> None:
    """What a part's progress becomes in another process."""


def _train_part(
    tasks: list[Task],
    data: Sequence[TrainingRows],
    loss: OutputLoss,
    recipe: Recipe,
    device: str,
    progress: Progress | None,
) -> list[TrainedTask]:
    with _quiet_arithmetic():
        placed = [rows.to(device) for rows in data]
        trained = _run_in_memory(tasks, placed, loss, recipe, progress)
        again = [i for i, result in enumerate(trained) if result.diverged]
        if again:
            gentler = recipe.with_rate(recipe.schedule.rate * _RESTART_FACTOR)
            retried = _run_in_memory([tasks[i] for i in again], placed, loss, gentler, None)
            for i, result in zip(again, retried, strict=True):
                trained[i] = result
    return trained


def _run_in_memory(
    tasks: list[Task],
    data: Sequence[TrainingRows],
    loss: OutputLoss,
    recipe: Recipe,
    progress: Progress | None,
) -> list[TrainedTask]:
    """Trains a stack, in halves if it turns out not to fit the device's memory."""
    try:
        return StackTrainer(tasks, data, loss, recipe, progress).run()
    except torch.cuda.OutOfMemoryError as error:
        if len(tasks) == 1:
            raise MemoryError(
                f"One network on {tuple(data[0].inputs.shape)} data does not fit the GPU's free "
                "memory. Use device='cpu', a smaller n_hidden_nodes, or free memory on the GPU."
            ) from error
    torch.cuda.empty_cache()  # not in the handler, whose traceback holds the tensors
    half = len(tasks) // 2
    return [
        *_run_in_memory(tasks[:half], data, loss, recipe, None),
        *_run_in_memory(tasks[half:], data, loss, recipe, progress),
    ]


@contextmanager
def _quiet_arithmetic() -> Iterator[None]:
    """A worker computes on its own thread only, and without denormal numbers, which are slow.

    OpenMP's threads wait for each other by spinning, which on a busy machine costs far more than
    a second thread gains; workers need not wait.
    """
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_flush_denormal(False)


def worker_count(n_jobs: int | None) -> int:
    """How many workers ``n_jobs`` asks for: None is as many threads as torch would use."""
    asked = joblib.effective_n_jobs(n_jobs)
    return torch.get_num_threads() if n_jobs is None and asked == 1 else asked


def resolve_device(device: str) -> str:
    """The torch device that ``device`` names; ``"auto"`` prefers CUDA."""
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            "device='cuda' was asked for, but this PyTorch "
            f"({torch.__version__}) finds no CUDA device. Use device='cpu' or 'auto', or install "
            "a CUDA build of PyTorch on a machine with an NVIDIA GPU."
        )
    return device


def default_memory(device: str) -> int:
    """Bytes that training may use where the user gives no bound."""
    if device == "cuda":
        free, _ = torch.cuda.mem_get_info()
        return int(0.8 * free)
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        free = 2 * _FALLBACK_MEMORY
    return min(_AUTO_MEMORY_LIMIT, free // 2)


def memory_per_task(data: Sequence[TrainingRows], recipe: Recipe) -> int:
    """Bytes one task needs while it is trained at its full size."""
    n_rows = max(len(rows.weight) for rows in data)
    layout = recipe.layout(max(data, key=lambda rows: rows.inputs.shape[1]))
    batch = math.ceil(n_rows / recipe.n_batches)
    # Parameters, gradient, two moments, penalty strengths, scratch and the scaled first layer.
    parameters = 8 * layout.size
    activations = batch * (2 * sum(layout.strides) + sum(layout.widths[1:]))
    return _FLOAT * int(parameters + activations + batch * layout.widths[0])
