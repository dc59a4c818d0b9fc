"""A search on a Dask cluster of separate processes, one of which is killed in the middle."""

import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import joblib
import numpy as np
import pytest

from siernet import EasierNetRegressorCV

distributed = pytest.importorskip("distributed", reason="needs dask.distributed (extra dev)")
pytestmark = pytest.mark.filterwarnings("ignore")

SETTINGS = {
    "n_hidden_layers": 1,
    "n_hidden_nodes": 8,
    "max_epochs": 40,
    "cv": 3,
    "n_estimators": 2,
    "n_estimators_tuning": 3,
    "random_state": 0,
}


@contextmanager
def cluster(n_workers):
    """A scheduler and workers as processes of their own, on this machine's loopback."""
    processes = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    try:
        scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        address = ""
        for line in scheduler.stderr:
            found = re.search(r"tcp://127\.0\.0\.1:\d+", line)
            if found:
                address = found[0]
                break
        drain(scheduler)
        workers = [
            start("dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
            for _ in range(n_workers)
        ]
        for worker in workers:
            drain(worker)
        yield address, workers
    finally:
        for process in processes:
            process.kill()
            process.wait()


def drain(process):
    threading.Thread(target=lambda: [None for _ in process.stderr], daemon=True).start()


def test_a_killed_worker_changes_nothing(regression_data):
    X, y = regression_data
    expected = EasierNetRegressorCV(**SETTINGS).fit(X, y)
    with cluster(2) as (address, workers), distributed.Client(address) as client:
        client.wait_for_workers(2, timeout=60)
        events = []

        def kill_in_the_middle(event):
            events.append(event)
            if len(events) == 1:  # and a moment later, so that it is at work
                threading.Timer(0.2, workers[0].send_signal, [signal.SIGKILL]).start()

        with joblib.parallel_config(backend="dask"):
            model = EasierNetRegressorCV(**SETTINGS, verbose=kill_in_the_middle).fit(X, y)
        deadline = time.monotonic() + 30
        while len(client.scheduler_info()["workers"]) > 1 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(client.scheduler_info()["workers"]) == 1
    assert workers[0].returncode == -signal.SIGKILL
    assert model.best_params_ == expected.best_params_
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
