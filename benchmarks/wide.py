"""801 x 20,531 and five classes, the size of the gene cancer table: peak memory and time.

The table is made up: correlated genes, of which a twentieth differ between the classes. Each fit is
a process of its own. One that is not done in time (seconds: --plain, --tuned) is stopped; its lines
then say how far it was, and the memory it had held by then. `--tuned 7200` lets it end.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import command, isolated
from benchmarks.record import report

CLASS_SIZES = {"BRCA": 300, "KIRC": 146, "LUAD": 141, "PRAD": 136, "COAD": 78}
GENES = 20_531
FITS = {"plain": "EasierNetClassifier", "tuned": "EasierNetClassifierCV"}


def made_up_genes(n_genes: int, share: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Expression values that are not negative, and the tumour types."""
    rng = np.random.default_rng(0)
    counts = [max(4, round(share * count)) for count in CLASS_SIZES.values()]
    y = np.repeat(list(CLASS_SIZES), counts)
    pathways = rng.normal(size=(len(y), 20)) @ rng.normal(size=(20, n_genes)) * 0.3
    levels = rng.gamma(4, 1.5, size=n_genes)
    differs = rng.random((len(counts), n_genes)) < 0.05
    by_class = differs * rng.normal(scale=2.0, size=differs.shape)
    noise = rng.normal(size=(len(y), n_genes))
    return np.maximum(0, levels + pathways + by_class.repeat(counts, axis=0) + noise), y


def one_fit(work: dict[str, Any]) -> None:
    """A fit, in the process that was started for it; says how far it is whenever it is told."""
    import siernet

    warnings.simplefilter("ignore")
    Estimator = getattr(siernet, work["estimator"])  # what it imports is there before the fit
    X, y = made_up_genes(work["genes"], work["share"])
    isolated.say(table=X.nbytes / 2**20, before=isolated.peak_memory())

    def tell(event: Any) -> None:
        isolated.say(
            stage=event.stage, done=event.done, total=event.total, peak=isolated.peak_memory()
        )

    model = Estimator(random_state=0, verbose=tell, **work["parameters"])
    isolated.measured(lambda: model.fit(X, y))
    isolated.say(selected=float(model.supports_.sum(axis=1).mean()), accuracy=model.score(X, y))
    if hasattr(model, "cv_results_"):
        networks = int(model.cv_results_["n_resources"].sum()) * model.n_splits_
        isolated.say(networks=networks, validation=float(model.best_score_))


def lines(name: str, facts: dict[str, Any], limit: float) -> list[tuple[str, object]]:
    """What is reported of a fit."""
    peak = "peak memory" if facts["finished"] else "peak memory until it was stopped"
    rows: list[tuple[str, object]] = [(f"{name}: {peak}, GB", facts["peak"] / 1024)]
    if not facts["finished"]:
        done = f"{facts.get('stage', 'preparation')}: {facts.get('done', 0):.3g} of "
        done += f"{facts.get('total', 0):.0f} networks"
        return [*rows, (f"{name}: stopped after {limit:g} s in", done)]
    rows.append((f"{name}: seconds", facts["seconds"]))
    if "networks" in facts:
        rows += [
            (f"{name}: networks trained while tuning", facts["networks"]),
            (f"{name}: validation log-likelihood", facts["validation"]),
        ]
    rows += [
        (f"{name}: accuracy on the training rows", facts["accuracy"]),
        (f"{name}: variables selected by a network, mean", facts["selected"]),
    ]
    return rows


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, object]]:
    chosen = command.options(__doc__, 8, arguments, plain=360.0, tuned=120.0)
    sizes = {"genes": GENES, "share": 1.0, "parameters": {}}
    fits = dict(FITS)
    if chosen.quick:
        small = {"n_estimators": 2, "n_hidden_layers": 1, "n_hidden_nodes": 5, "max_epochs": 20}
        sizes = {"genes": 50, "share": 0.05, "parameters": small}
        fits.popitem()
    rows: list[tuple[str, object]] = []
    for kind, estimator in fits.items():
        limit = getattr(chosen, kind)
        work = {**sizes, "estimator": estimator}
        facts = isolated.in_own_process("benchmarks.wide", work, limit)
        if not rows:
            rows = [
                ("the table in memory (float64), GB", facts["table"] / 1024),
                ("peak memory before a fit, table made, GB", facts["before"] / 1024),
            ]
        rows += lines(f"{estimator}()", {"peak": facts["before"], **facts}, limit)
    report(
        "wide",
        f"801 x {GENES:,}, five classes",
        rows,
        headline=[label for label, _ in rows if "accuracy" not in label and "likeli" not in label],
        write=not chosen.quick,
    )
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        one_fit(json.loads(sys.argv[2]))
    else:
        main()
