"""Figure 2: how lambda_2 moves the prediction's variance from the inputs to deeper layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from siernet.datasets.simulations import make_section_4_1
from siernet.experiments.cells import Cell, CellKey, Work
from siernet.experiments.study import (
    Check,
    Plan,
    Report,
    Request,
    Study,
    markdown_table,
    picture,
    scale_note,
    seeds_in_words,
)
from siernet.inspection.layers import ContributionPath, contribution_path, layer_names

NAME = "layers"
# Down from 1, as in the paper's figure; powers of 5 and the geometric means between them.
PENALTIES = {f"lambda2-{5.0**-half:.3g}": 5.0**-half for half in np.arange(0, 8.5, 0.5).tolist()}

SETTINGS: dict[str, dict[str, Any]] = {
    "quick": {"n_samples": 600, "n_estimators": 3, "max_epochs": 1000, "n_hidden_nodes": 100},
    "paper": {"n_samples": 600, "n_estimators": 20, "max_epochs": 1000, "n_hidden_nodes": 100},
}


def study_settings(scale: str) -> dict[str, Any]:
    """What every cell of a scale shares; the paper does not say its lambda_1."""
    return {"scale": scale, "n_relevant": 20, "input_penalty": 5.0**-4, **SETTINGS[scale]}


def plan(request: Request) -> Plan:
    """A cell for each lambda_2 and draw."""
    study = study_settings(request.scale)
    works = []
    for seed in range(request.seeds):
        for name in request.sets:
            run = partial(
                run_cell,
                PENALTIES[name],
                seed,
                study=study,
                device=request.device,
                n_jobs=request.n_jobs,
            )
            works.append(Work(CellKey(NAME, name, seed, "easier"), {"study": study}, run))
    return Plan(works)


def run_cell(
    network_penalty: float, seed: int, *, study: Mapping[str, Any], device: str, n_jobs: int | None
) -> dict[str, Any]:
    """Fits an ensemble at one lambda_2."""
    from siernet import EasierNetRegressor

    data = make_section_4_1(study["n_samples"], n_relevant=study["n_relevant"], random_state=seed)
    model = EasierNetRegressor(
        n_estimators=study["n_estimators"],
        input_penalty=study["input_penalty"],
        network_penalty=network_penalty,
        n_hidden_nodes=study["n_hidden_nodes"],
        max_epochs=study["max_epochs"],
        random_state=seed,
        device=device,
        n_jobs=n_jobs,
    )
    model.fit(data.X, data.y)
    return {
        "network_penalty": network_penalty,
        "contributions": model.layer_contributions_.tolist(),
        "support_sizes": model.supports_.sum(axis=1).tolist(),
    }


# -- the report ------------------------------------------------------------------------------------


def path_of(cells: Sequence[Cell]) -> ContributionPath:
    """Contributions against lambda_2 over all networks that did not fit a constant."""
    tables: dict[float, list[list[float]]] = {}
    for cell in cells:
        members = [row for row in cell.result["contributions"] if any(row)]
        tables.setdefault(cell.result["network_penalty"], []).extend(members)
    return contribution_path({penalty: rows for penalty, rows in tables.items() if rows})


def report(cells: list[Cell], titles: Mapping[str, str]) -> Report:
    """Figure 2 and the statements that the paper makes about it."""
    settings = cells[0].settings["study"]
    constant = sorted(
        {
            cell.result["network_penalty"]
            for cell in cells
            if not any(map(any, cell.result["contributions"]))
        }
    )
    path = path_of(cells)
    note = (
        f"{settings['n_samples']} observations of the data of Table 1 with "
        f"{settings['n_relevant']} relevant variables, {settings['n_estimators']} networks at "
        f"each lambda_2, {seeds_in_words(cells, 'draw')}; lambda_1 = "
        f"{settings['input_penalty']:.3g} (the paper does not say its own). Contributions are "
        "each layer's variance over that of the prediction; the parts are correlated, so they "
        "need not add up to one. The table shows means over networks, the figure also the 10th "
        "to 90th percentile. The paper shows the figure only, without numbers."
    )
    if constant:
        values = ", ".join(f"{penalty:.3g}" for penalty in constant)
        note += f" Networks that fit a constant have no contributions: all of them at {values}."
    header = ["lambda_2", *path.layers]
    rows = [
        [f"{penalty:.3g}", *(f"{share:.2f}" for share in means)]
        for penalty, means in zip(path.network_penalties, path.mean, strict=True)
    ]
    return Report(
        title="Variance by layer against lambda_2 (Figure 2)",
        blocks=[
            scale_note(cells),
            note,
            picture("layers.png", "Proportion of variance by layer against lambda_2"),
            markdown_table(header, rows),
        ],
        tables={"layers.csv": _csv_rows(cells)},
        figures={"layers.png": partial(_draw, path=path)},
        checks=_checks(path),
    )


def _csv_rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    return [
        {
            "network_penalty": cell.result["network_penalty"],
            "draw": cell.key.seed,
            "network": number,
            **dict(zip(layer_names(len(shares)), shares, strict=True)),
        }
        for cell in cells
        for number, shares in enumerate(cell.result["contributions"])
    ]


def _checks(path: ContributionPath) -> list[Check]:
    linear = path.mean[:, 0]
    smallest = path.mean[0]
    largest = float(path.network_penalties[-1])
    deepest = int(smallest.argmax())
    order = np.argsort(path.network_penalties)
    falls = np.all(np.diff(linear[order]) >= -0.05)
    return [
        Check(
            "paper",
            f"at the largest lambda_2 ({largest:.3g}) the network is linear in its inputs",
            bool(linear[-1] >= 0.99),
            f"the inputs' share is {linear[-1]:.2f}",
        ),
        Check(
            "paper",
            "the inputs' share falls as lambda_2 does (never rises by more than 0.05)",
            bool(falls and linear[0] < linear[-1]),
            f"from {linear[-1]:.2f} to {linear[0]:.2f}",
        ),
        Check(
            "paper",
            f"at the smallest lambda_2 ({path.network_penalties[0]:.3g}) the last hidden layer "
            "contributes most",
            deepest == len(smallest) - 1,
            f"{path.layers[deepest]} contributes most, {smallest[deepest]:.2f}",
        ),
    ]


def _draw(figure: Any, *, path: ContributionPath) -> None:
    figure.set_size_inches(6.4, 4.2)
    panel = figure.subplots()
    for layer, name in enumerate(path.layers):
        color = f"C{layer}"
        panel.plot(
            path.network_penalties, path.mean[:, layer], ".-", color=color, label=name, lw=1.5
        )
        panel.fill_between(
            path.network_penalties,
            path.low[:, layer],
            path.high[:, layer],
            color=color,
            alpha=0.12,
            lw=0,
        )
    panel.set_xscale("log")
    panel.set_xlabel(r"$\lambda_2$")
    panel.set_ylabel("proportion of variance")
    panel.set_ylim(-0.02, None)
    panel.grid(color="0.92")
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)


STUDY = Study(
    name=NAME,
    title="Figure 2: variance by layer against lambda_2",
    seeds={"quick": 1, "paper": 5},
    known_sets=tuple(PENALTIES),
    usual_sets={"quick": tuple(PENALTIES)[::4], "paper": tuple(PENALTIES)},
    usual_methods={"quick": (), "paper": ()},
    settings=study_settings,
    plan=plan,
    report=report,
)
