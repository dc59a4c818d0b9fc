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
    by,
    markdown_table,
    picture,
    scale_note,
    seeds_in_words,
)
from siernet.inspection.layers import ContributionPath, contribution_path, layer_names

NAME = "layers"
# Down from 1, as in the paper's figure; powers of 5 and the geometric means between them.
PENALTIES = {f"lambda2-{5.0**-half:.3g}": 5.0**-half for half in np.arange(0, 8.5, 0.5).tolist()}

# How much a share may rise by chance, and how much of one counts as a contribution.
_SLACK = 0.05
_ONSET = 0.01

# The paper's figure is of its own training; ours is shown beside it.
TRAININGS = {"easier_paper": "trained as published", "easier": "our default training"}

SETTINGS: dict[str, dict[str, Any]] = {
    "quick": {"n_estimators": 3},
    "paper": {"n_estimators": 20},
}


def study_settings(scale: str) -> dict[str, Any]:
    """What every cell of a scale shares; the paper does not say its lambda_1."""
    return {
        "scale": scale,
        "n_samples": 600,
        "n_relevant": 20,
        "input_penalty": 5.0**-4,
        **SETTINGS[scale],
    }


def training_settings(training: str) -> dict[str, Any]:
    """Parameters of one of ``TRAININGS``, so that a change of a default changes the settings."""
    from siernet import PAPER_SETTINGS, EasierNetRegressor

    if training == "easier_paper":
        return dict(PAPER_SETTINGS)
    defaults = EasierNetRegressor().get_params()
    return {name: defaults[name] for name in PAPER_SETTINGS}


def plan(request: Request) -> Plan:
    """A cell for each training, lambda_2 and draw."""
    study = study_settings(request.scale)
    works = []
    for seed in range(request.seeds):
        for training in TRAININGS:
            for name in request.sets:
                settings = {"study": study, "method": training_settings(training)}
                run = partial(
                    run_cell,
                    PENALTIES[name],
                    seed,
                    study=study,
                    training=settings["method"],
                    device=request.device,
                    n_jobs=request.n_jobs,
                )
                works.append(Work(CellKey(NAME, name, seed, training), settings, run))
    return Plan(works)


def run_cell(
    network_penalty: float,
    seed: int,
    *,
    study: Mapping[str, Any],
    training: Mapping[str, Any],
    device: str,
    n_jobs: int | None,
) -> dict[str, Any]:
    """Fits an ensemble at one lambda_2."""
    from siernet import EasierNetRegressor

    data = make_section_4_1(study["n_samples"], n_relevant=study["n_relevant"], random_state=seed)
    model = EasierNetRegressor(
        n_estimators=study["n_estimators"],
        input_penalty=study["input_penalty"],
        network_penalty=network_penalty,
        random_state=seed,
        device=device,
        n_jobs=n_jobs,
        **training,
    )
    model.fit(data.X, data.y)
    return {
        "network_penalty": network_penalty,
        "contributions": model.layer_contributions_.tolist(),
        "support_sizes": model.supports_.sum(axis=1).tolist(),
    }


# -- the report ------------------------------------------------------------------------------------


def path_of(cells: Sequence[Cell]) -> ContributionPath | None:
    """Contributions against lambda_2 over all networks that did not fit a constant."""
    tables: dict[float, list[list[float]]] = {}
    for cell in cells:
        members = [row for row in cell.result["contributions"] if any(row)]
        tables.setdefault(cell.result["network_penalty"], []).extend(members)
    found = {penalty: rows for penalty, rows in tables.items() if rows}
    return contribution_path(found) if found else None


def report(cells: list[Cell], titles: Mapping[str, str]) -> Report:
    """Figure 2 and the statements that the paper makes about it."""
    by_training = by(cells, lambda cell: cell.key.method)
    by_training = {name: by_training[name] for name in TRAININGS if name in by_training}
    paths = {
        name: path for name, group in by_training.items() if (path := path_of(group)) is not None
    }
    blocks = [scale_note(cells), _note(cells)]
    if paths:
        what = "Proportion of variance by layer against lambda_2"
        blocks.append(picture("layers.png", what))
    for name, group in by_training.items():
        blocks.append(f"## {TRAININGS[name].capitalize()}")
        if name in paths:
            blocks.append(_table(paths[name]))
        blocks.append(_constant_note(group))
    return Report(
        title="Variance by layer against lambda_2 (Figure 2)",
        blocks=blocks,
        tables={"layers.csv": _csv_rows(cells)},
        figures={"layers.png": partial(_draw, paths=paths)} if paths else {},
        checks=[check for name, path in paths.items() for check in _checks(TRAININGS[name], path)],
    )


def _note(cells: Sequence[Cell]) -> str:
    settings = cells[0].settings["study"]
    return (
        f"{settings['n_samples']} observations of the data of Table 1 with "
        f"{settings['n_relevant']} relevant variables, {settings['n_estimators']} networks at "
        f"each lambda_2, {seeds_in_words(cells, 'draw')}; lambda_1 = "
        f"{settings['input_penalty']:.3g} (the paper does not say its own). Contributions are "
        "each layer's variance over that of the prediction; the layers' parts are correlated, so "
        "they need not add up to one. The tables show means over networks, the figure also the "
        "10th to 90th percentile. The paper shows the figure only, without numbers."
    )


def _table(path: ContributionPath) -> str:
    rows = [
        [f"{penalty:.3g}", *(f"{share:.2f}" for share in means)]
        for penalty, means in zip(path.network_penalties, path.mean, strict=True)
    ]
    return markdown_table(["lambda_2", *path.layers], rows)


def _constant_note(cells: Sequence[Cell]) -> str:
    """Where no network depends on anything; empty if there is no such lambda_2."""
    by_penalty = by(cells, lambda cell: cell.result["network_penalty"])
    constant = [
        f"{penalty:.3g}"
        for penalty, group in sorted(by_penalty.items())
        if not any(any(row) for cell in group for row in cell.result["contributions"])
    ]
    if not constant:
        return ""
    return (
        "Networks that fit a constant have no contributions: all of them at lambda_2 = "
        f"{', '.join(constant)}."
    )


def _csv_rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    return [
        {
            "network_penalty": cell.result["network_penalty"],
            "training": TRAININGS[cell.key.method],
            "draw": cell.key.seed,
            "network": number,
            **dict(zip(layer_names(len(shares)), shares, strict=True)),
        }
        for cell in cells
        for number, shares in enumerate(cell.result["contributions"])
    ]


def _checks(training: str, path: ContributionPath) -> list[Check]:
    penalties, means = path.network_penalties, path.mean  # penalties ascend
    linear = means[:, 0]
    deepest = int(means[0].argmax())
    checks = [
        (
            f"at the largest lambda_2 ({penalties[-1]:.3g}) the network is linear in its inputs",
            bool(linear[-1] >= 0.99),
            f"the inputs' share is {linear[-1]:.2f}",
        ),
        (
            f"the inputs' share falls as lambda_2 does (never rises by more than {_SLACK:g})",
            bool((np.diff(linear) >= -_SLACK).all() and linear[0] < linear[-1]),
            f"from {linear[-1]:.2f} to {linear[0]:.2f}",
        ),
        (
            f"at the smallest lambda_2 ({penalties[0]:.3g}) the last hidden layer contributes most",
            deepest == means.shape[1] - 1,
            f"{path.layers[deepest]} contributes most, {means[0, deepest]:.2f}; "
            f"{path.layers[-1]} {means[0, -1]:.2f}",
        ),
    ]
    onsets = _onsets(path)
    if onsets:
        checks.append(
            (
                "as lambda_2 falls, hidden layers begin to contribute "
                f"(more than {_ONSET:g}) in the order of their depth",
                bool((np.diff(list(onsets.values())) <= 0).all()),
                ", ".join(f"{name} from {onset:.3g}" for name, onset in onsets.items()),
            )
        )
    return [Check("paper", f"{training}: {text}", *rest) for text, *rest in checks]


def _onsets(path: ContributionPath) -> dict[str, float]:
    """For each hidden layer the largest lambda_2 at which it contributes; 0 where at none."""
    return {
        name: float(max(path.network_penalties[shares > _ONSET], default=0.0))
        for name, shares in zip(path.layers[1:], path.mean[:, 1:].T, strict=True)
    }


def _draw(figure: Any, *, paths: Mapping[str, ContributionPath]) -> None:
    """A panel a training."""
    figure.set_size_inches(4.6 * len(paths) + 1.2, 4.0)
    panels = figure.subplots(1, len(paths), squeeze=False, sharey=True)[0]
    for panel, (training, path) in zip(panels, paths.items(), strict=True):
        x = path.network_penalties
        for layer, name in enumerate(path.layers):
            color = f"C{layer}"
            panel.plot(x, path.mean[:, layer], ".-", color=color, label=name, lw=1.5)
            panel.fill_between(
                x, path.low[:, layer], path.high[:, layer], color=color, alpha=0.12, lw=0
            )
        panel.set_xscale("log")
        panel.set_xlabel(r"$\lambda_2$")
        panel.set_title(TRAININGS[training], fontsize=10)
        panel.set_ylim(-0.02, None)
        panel.grid(color="0.92")
    panels[0].set_ylabel("proportion of variance")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", fontsize=8, frameon=False)


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
