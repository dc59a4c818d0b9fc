"""One Adam step of a stack of 20, against the machine's matrix product and `easier-net` 0.0.8."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from benchmarks.record import best_seconds, report
from siernet.groups import CACHE_ENTRIES
from siernet.initialisation import initial_parameters
from siernet.losses import SquaredError
from siernet.network import Layout
from siernet.objective import Objective, StackRows, TrainingRows
from siernet.random_streams import hashes, task_key
from siernet.training.adam import AdamState, adam_epoch

ROWS, COLUMNS, MEMBERS, EPOCHS = 600, 100, 20, 10


def matrix_product_rate(n_threads: int, size: int = 2048) -> float:
    """GFLOP/s of a large float32 product."""
    torch.set_num_threads(n_threads)
    a, b, out = (torch.randn(size, size) for _ in range(3))
    seconds = best_seconds(lambda: [torch.mm(a, b, out=out) for _ in range(4)]) / 4
    return 2 * size**3 / seconds / 1e9


def stack_step_seconds(n_workers: int) -> float:
    """Seconds a network-step, the stack shared by workers of one thread each as in training."""
    layout = Layout((COLUMNS, *(100,) * 5), 1)
    data = TrainingRows(
        torch.randn(ROWS, COLUMNS), torch.randn(ROWS, 1), torch.full((ROWS,), 1 / ROWS)
    )
    parts = []
    # Stacks as training cuts them on a CPU, so that one fits the cache.
    n_stacks = n_workers * -(-MEMBERS // n_workers // (CACHE_ENTRIES // layout.size))
    for part in np.array_split(np.arange(MEMBERS), n_stacks):
        keys = torch.tensor([task_key(0, int(member)) for member in part])
        rows = StackRows.concatenate([data]).of_tasks([0] * len(part), ROWS)
        penalties = torch.full((len(part),), 0.002)
        objective = Objective(layout, SquaredError(), rows, penalties, penalties)
        state = AdamState.start(layout.view(initial_parameters(layout, keys)))
        parts.append((keys, objective, state))

    def run_part(part):
        torch.set_num_threads(1)
        torch.set_flush_denormal(True)
        keys, objective, state = part
        rates = [1e-3] * 3
        for epoch in range(EPOCHS):
            order = hashes(keys, epoch, ROWS).argsort(dim=1)
            adam_epoch(state, objective, order, rates)

    with ThreadPoolExecutor(n_workers) as pool:
        seconds = best_seconds(lambda: list(pool.map(run_part, parts)))
    return seconds / (3 * EPOCHS * MEMBERS)


def peer_step_seconds(n_threads: int) -> float | None:
    """Seconds a step of the authors' code, or None where it is not installed."""
    try:
        from easier_net.sier_net import SierNetEstimator
    except ImportError:
        return None
    torch.set_num_threads(n_threads)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(ROWS, COLUMNS)), rng.normal(size=(ROWS, 1))
    common = {
        "input_filter_layer": True,
        "n_layers": 5,
        "n_hidden": 100,
        "full_tree_pen": 0.002,
        "input_pen": 0.002,
        "batch_size": ROWS // 3,
        "num_classes": 0,
        "weight": [],
        "max_prox_iters": 0,
    }

    def fit(epochs):
        return lambda: SierNetEstimator(max_iters=epochs, **common).fit(X, y)

    # The difference of two lengths leaves out what a fit costs besides its steps.
    return (best_seconds(fit(30), 3) - best_seconds(fit(10), 3)) / (3 * 20)


def main() -> None:
    threads = torch.get_num_threads()
    rows: list[tuple[str, object]] = []
    step_flops = 3 * 2 * (ROWS // 3) * (COLUMNS * 101 + 4 * 100 * 101 + 100)
    for workers in sorted({1, threads}):
        rate = matrix_product_rate(workers)
        step = stack_step_seconds(workers)
        achieved = step_flops / step / 1e9
        rows += [
            (f"{workers} thread(s): large matrix product, GFLOP/s", rate),
            (f"{workers} thread(s): one network-step of the stack, ms", step * 1e3),
            (f"{workers} thread(s): the stack's rate, GFLOP/s", achieved),
            (f"{workers} thread(s): share of the matrix product's rate", achieved / rate),
        ]
        peer = peer_step_seconds(workers)
        if peer is None:
            rows.append(("easier-net", "not installed"))
            continue
        rows += [
            (f"{workers} thread(s): one step of easier-net 0.0.8, ms", peer * 1e3),
            (f"{workers} thread(s): easier-net's time over the stack's", peer / step),
        ]
    report("step_throughput", f"Adam steps, {ROWS} x {COLUMNS}, stack of {MEMBERS}", rows)


if __name__ == "__main__":
    main()
