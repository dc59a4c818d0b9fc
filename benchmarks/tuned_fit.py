"""A tuned fit at default settings on Table 1 data, 600 x 100, beside its peers in the same run.

The paper's tuning with `easier-net` 0.0.8 is extrapolated from a timed part.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import command, peers, published_code
from benchmarks.record import report, with_error
from siernet import EasierNetRegressorCV
from siernet.datasets import make_section_4_1

OWN = "EasierNetRegressorCV"


def contenders(*, quick: bool) -> dict[str, Any]:
    """Name -> a fresh estimator from a seed, or None where it is not installed."""
    own: dict[str, Any] = {}
    if quick:
        own = {"n_estimators": 2, "n_estimators_tuning": 1, "n_hidden_nodes": 5, "max_epochs": 20}
    others = peers.tuned_peers()
    if quick:
        others = {"LassoCV": others["LassoCV"], "not there": None}
    return {OWN: lambda seed: EasierNetRegressorCV(random_state=seed, **own), **others}


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(__doc__, 8, arguments, draws=2)
    n_rows, n_columns, n_draws = (60, 20, 1) if chosen.quick else (600, 100, chosen.draws)
    seconds: dict[str, list[float]] = {}
    losses: dict[str, list[float]] = {}
    missing = []
    for draw in range(n_draws):
        train = make_section_4_1(n_rows, n_features=n_columns, random_state=draw)
        test = make_section_4_1(5000, n_features=n_columns, random_state=1000 + draw)
        for name, make in contenders(quick=chosen.quick).items():
            if make is None:
                missing += [name] * (draw == 0)
                continue
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = make(draw).fit(train.X, train.y)
            seconds.setdefault(name, []).append(time.perf_counter() - start)
            loss = np.mean((model.predict(test.X) - test.mean) ** 2) / train.y.var()
            losses.setdefault(name, []).append(float(loss))
            print(f"draw {draw}  {name}: {seconds[name][-1]:.1f} s, loss {loss:.3f}", flush=True)
    own = np.array(seconds[OWN])
    rows: list[tuple[str, object]] = [("draws", n_draws)]
    for name in seconds:
        rows += [
            (f"{name}: test loss", with_error(losses[name])),
            (f"{name}: seconds", float(np.mean(seconds[name]))),
        ]
        if name != OWN:
            ratio = float(np.mean(np.array(seconds[name]) / own))
            rows.append((f"{name}: time over {OWN}'s", ratio))
    rows += [(name, "not installed") for name in missing]
    rows += paper_protocol(n_rows, n_columns, float(own.mean()), quick=chosen.quick)
    report(
        "tuned_fit",
        f"Tuned fits, Table 1, {n_rows} x {n_columns}, 20 relevant (loss without noise)",
        rows,
        headline=[label for label, _ in rows if not label.endswith(("(timed)", "steps"))],
        write=not chosen.quick,
    )
    return rows


def paper_protocol(
    n_rows: int, n_columns: int, own: float, *, quick: bool
) -> list[tuple[str, object]]:
    """The published scripts' tuning with the published code, against ``own`` seconds."""
    fold = make_section_4_1(n_rows * 3 // 4, n_features=n_columns, random_state=0)
    costs = published_code.timed_part(fold.X, fold.y, epochs=4 if quick else 60)
    if costs is None:
        return [("easier-net 0.0.8", "not installed")]
    rows: list[tuple[str, object]] = [
        ("easier-net 0.0.8: one epoch on three folds of four, ms (timed)", costs.epoch * 1e3),
        ("easier-net 0.0.8: one proximal step, ms (timed)", costs.proximal_step * 1e3),
    ]
    for name, networks, epochs in [
        ("UCI", published_code.UCI_NETWORKS, published_code.UCI_EPOCHS),
        ("Table 1", published_code.TABLE_1_NETWORKS, published_code.TABLE_1_EPOCHS),
    ]:
        adam = networks * costs.network(epochs)
        proximal = networks * costs.network(0, published_code.PROXIMAL_STEPS)
        what = f"the paper's {name} tuning with easier-net 0.0.8 (extrapolated)"
        rows += [
            (f"{what}: networks x epochs", f"{networks} x {epochs}"),
            (f"{what}: hours", adam / 3600),
            (f"{what}: hours, with 300 proximal steps", (adam + proximal) / 3600),
            # Without the proximal steps, which may end early.
            (f"{what}: time over {OWN}'s", adam / own),
        ]
    return rows


if __name__ == "__main__":
    main()
