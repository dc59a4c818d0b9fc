"""Section 4.3: real data, every method on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from siernet.experiments.cells import CellKey, Work
from siernet.experiments.methods.method import Method
from siernet.experiments.scoring import class_losses, squared_error
from siernet.experiments.study import Plan, Request, Study
from siernet.experiments.uci_report import NAME, PAPER_METHODS, report

OTHERS = ("extra_trees", "lightgbm", "lassonet", "tabm", "realmlp", "easier_net_008")
# The names are those of siernet.datasets, in the order of the paper's Table 3.
CLASSIFICATION = ("gene_cancer_c", "soybean", "semeion", "hill_valley", "arrhythmia")
REGRESSION = ("crime", "ct_slices", "boston", "iran_house", "wine", "gene_cancer_r")
MORE = ("prostate_ge", "colon", "arcene", "blogfeedback")


def study_settings(scale: str) -> dict[str, Any]:
    """What every cell of a scale shares."""
    return {"scale": scale, "nominal": "one_hot", "indicators": True}


@lru_cache(maxsize=2)
def load(name: str, data: str | None) -> Any:
    """A data set by its name."""
    from siernet.datasets import UCI_NAMES, load_more, load_uci

    return load_uci(name, data) if name in UCI_NAMES else load_more(name, data)


def plan(request: Request) -> Plan:
    """A cell for each data set, split and method; sets that cannot be had are left out."""
    study = study_settings(request.scale)
    tasks, skipped = {}, {}
    for name in request.sets:
        try:
            tasks[name] = load(name, request.data).task
        except (OSError, ImportError, ValueError) as error:
            skipped[name] = " ".join(str(error).split())
    works = []
    for seed in range(request.seeds):
        for name, task in tasks.items():
            for label, method in request.methods.items():
                if task not in method.tasks:
                    continue
                settings = {"study": study, "method": method.settings(task, request.scale)}
                run = partial(
                    run_cell,
                    method,
                    name,
                    seed,
                    study=study,
                    data=request.data,
                    device=request.device,
                    n_jobs=request.n_jobs,
                )
                works.append(Work(CellKey(NAME, name, seed, label), settings, run))
    return Plan(works, skipped)


def run_cell(
    method: Method,
    name: str,
    seed: int,
    *,
    study: Mapping[str, Any],
    data: str | None,
    device: str,
    n_jobs: int | None,
) -> dict[str, Any]:
    """Fits a method to the training rows of one split and measures it on the held-out rows."""
    from siernet.datasets import preparation, split

    dataset = load(name, data)
    rows = split(dataset, seed)
    prepare = preparation(dataset, nominal=study["nominal"], indicators=study["indicators"])
    X_train = prepare.fit_transform(rows.X_train)
    outcome = method.fit(
        X_train,
        rows.y_train,
        task=dataset.task,
        scale=study["scale"],
        seed=seed,
        device=device,
        n_jobs=n_jobs,
    )
    predicted = outcome.predict(prepare.transform(rows.X_test))
    if dataset.task == "classification":
        losses = class_losses(rows.y_test, predicted, np.unique(rows.y_train))
    else:
        scale = float(rows.y_train.std())
        losses = {"loss": squared_error(rows.y_test, predicted, scale)}
    return {
        "task": dataset.task,
        **losses,
        "n_train": len(rows.y_train),
        "n_test": len(rows.y_test),
        "n_features": dataset.X.shape[1],
        "n_columns": X_train.shape[1],
        "details": outcome.details,
    }


STUDY = Study(
    name=NAME,
    title="Figures 3 and 4, Table 3: real data, all methods",
    seeds={"quick": 1, "paper": 5},
    known_sets=(*CLASSIFICATION, *REGRESSION, *MORE),
    usual_sets={"quick": ("soybean", "boston"), "paper": (*CLASSIFICATION, *REGRESSION)},
    usual_methods={
        "quick": ("easier", "sier", "lasso", "random_forest", "xgboost", "extra_trees"),
        "paper": (*PAPER_METHODS, *OTHERS),
    },
    settings=study_settings,
    plan=plan,
    report=report,
)
