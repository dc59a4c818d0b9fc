"""Time of one prediction, for one row and for a thousand, by fitted ensembles, 600 x 100."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import command, peers
from benchmarks.record import best_seconds, report
from siernet import EasierNetRegressor, Member
from siernet.datasets import make_section_4_1


def dense(member: Member) -> Member:
    """The same network with its zeros stored and computed with."""
    return Member(
        widths=member.widths,
        nodes=tuple(np.arange(width) for width in member.widths),
        kept_beta=member.beta,
        kept_alpha=member.alpha,
        kept_weights=member.weights,
        kept_biases=member.biases,
        kept_skip_weights=member.skip_weights,
        kept_skip_biases=member.skip_biases,
    )


def fitted_models(train: Any, members: int, *, quick: bool) -> dict[str, Any]:
    """Name -> fitted model, or None if it is not installed."""
    epochs = {"max_epochs": 10} if quick else {}
    lasso_epochs = {"n_iters": (5, 2), "path_multiplier": 2.0} if quick else {}
    makers = {
        f"EasierNetRegressor, {members} networks": EasierNetRegressor(
            n_estimators=members, random_state=0, **epochs
        ),
        f"easier-net 0.0.8, {members} networks": peers.PublishedEnsemble(members)
        if peers.installed("easier_net")
        else None,
        # Latency does not depend on how long these were trained.
        f"{members} MLPRegressors of (100,) * 5": peers.mlp_ensemble(0, members, 5),
        "XGBoost, 1000 trees of depth 3": peers.xgboost(0) if peers.installed("xgboost") else None,
        "LassoNetRegressor": peers.lassonet(0, **lasso_epochs)
        if peers.installed("lassonet")
        else None,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            name: None if model is None else model.fit(train.X, train.y)
            for name, model in makers.items()
        }


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(__doc__, 2, arguments)
    members, repeats = (3, 2) if chosen.quick else (20, 30)
    train = make_section_4_1(60 if chosen.quick else 600, random_state=0)
    test = make_section_4_1(1000, random_state=1)
    models = fitted_models(train, members, quick=chosen.quick)
    rows: list[tuple[str, object]] = []
    for name, model in models.items():
        if model is None:
            rows.append((name, "not installed"))
            continue
        for n_rows in (1, 1000):
            # One process: a second copy of the model in workers is not what a service runs.
            seconds = best_seconds(lambda m=model, n=n_rows: m.predict(test.X[:n]), repeats)
            rows.append((f"{name}: {n_rows} row{'s' * (n_rows > 1)}, ms", seconds * 1e3))
    own = next(iter(models.values()))
    headline = [label for label, _ in rows]
    scaled = (test.X - own.x_mean_) / own.x_scale_
    full = [dense(member) for member in own]
    for n_rows in (1, 1000):
        cut, whole = (
            best_seconds(lambda p=part, n=n_rows: [m.outputs(scaled[:n]) for m in p], repeats)
            for part in (list(own), full)
        )
        rows.append((f"computing with the zeros too, over without: {n_rows} row(s)", whole / cut))
    nodes = np.mean([sum(mask.sum() for mask in member.active_nodes) for member in own])
    rows.append(("hidden nodes in use, of 500, mean", float(nodes)))
    report(
        "predict_latency",
        "Latency of a prediction, 100 columns",
        rows,
        headline=headline,
        write=not chosen.quick,
    )
    return rows


if __name__ == "__main__":
    main()
