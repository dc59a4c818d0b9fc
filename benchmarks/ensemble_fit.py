"""A plain ensemble of 20 at given penalties, 600 x 100, beside ensembles of the same networks."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import command, peers, published_code
from benchmarks.record import report
from siernet import EasierNetRegressor
from siernet.datasets import make_section_4_1

MEMBERS = 20


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(__doc__, 3, arguments, repeats=3)
    n_rows, members, repeats = (600, MEMBERS, chosen.repeats) if not chosen.quick else (60, 3, 1)
    train = make_section_4_1(n_rows, random_state=0)
    test = make_section_4_1(10 * n_rows, random_state=1)

    def timed(model: Any) -> tuple[float, float]:
        """Seconds of the best of a few fits, and test loss."""
        seconds = []
        for _ in range(repeats):
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # peers warn of what users see, not of their time
                model.fit(train.X, train.y)
            seconds.append(time.perf_counter() - start)
        return min(seconds), float(
            np.mean((model.predict(test.X) - test.mean) ** 2) / train.y.var()
        )

    epochs = {"max_epochs": 10} if chosen.quick else {}
    own, own_loss = timed(EasierNetRegressor(n_estimators=members, random_state=0, **epochs))
    iterations, jobs = (5, None) if chosen.quick else (200, -1)
    mlp, mlp_loss = timed(peers.mlp_ensemble(0, members, iterations, jobs))
    rows: list[tuple[str, object]] = [
        (f"EasierNetRegressor, {members} networks: seconds", own),
        ("EasierNetRegressor: test loss", own_loss),
        (f"{members} MLPRegressors of (100,) * 5: seconds", mlp),
        ("MLPRegressors: test loss", mlp_loss),
        ("MLPRegressors' time over EasierNetRegressor's", mlp / own),
    ]
    costs = published_code.timed_part(train.X, train.y, epochs=4 if chosen.quick else 60)
    if costs is None:
        rows.append(("easier-net 0.0.8", "not installed"))
    else:
        adam = members * costs.network(published_code.TABLE_1_EPOCHS)
        proximal = members * published_code.PROXIMAL_STEPS * costs.proximal_step
        rows += [
            ("easier-net 0.0.8: one epoch, ms (timed)", costs.epoch * 1e3),
            ("easier-net 0.0.8: one proximal step, ms (timed)", costs.proximal_step * 1e3),
            ("easier-net 0.0.8: 1500 epochs, seconds (extrapolated)", adam),
            ("easier-net 0.0.8: 300 proximal steps more, seconds (extrapolated)", proximal),
            ("easier-net's 1500 epochs over EasierNetRegressor's time (extrapolated)", adam / own),
        ]
    headline = [label for label, _ in rows if "ms (timed)" not in label and "more" not in label]
    report(
        "ensemble_fit",
        f"A plain ensemble fit, {n_rows} x 100 (loss without noise, best time of {repeats})",
        rows,
        headline=headline,
        write=not chosen.quick,
    )
    return rows


if __name__ == "__main__":
    main()
