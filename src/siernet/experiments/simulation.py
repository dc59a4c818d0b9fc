"""Table 1: what sparsity, ensembling and skip-connections bring on simulated data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from siernet.datasets.simulations import make_section_4_1
from siernet.experiments.cells import Cell, CellKey, Work
from siernet.experiments.methods.method import Method
from siernet.experiments.published import TABLE_1, Row
from siernet.experiments.scoring import squared_error
from siernet.experiments.study import (
    Check,
    Mean,
    Plan,
    Report,
    Request,
    Study,
    by,
    markdown_table,
    mean_of,
    number,
    picture,
    scale_note,
    seeds_in_words,
    shown,
    win_line,
)

NAME = "simulation"
OURS = "easier"
# Set -> (relevant variables, observations).
SETS = {"20-600": (20, 600), "20-3000": (20, 3000), "100-600": (100, 600), "100-3000": (100, 3000)}
PAPER_METHODS = ("dropout_single", "dropout", "sparse_single", "sparse", "sier", "easier")
OTHERS = (
    "easier_paper",
    "lasso",
    "random_forest",
    "extra_trees",
    "xgboost",
    "lightgbm",
    "lassonet",
    "tabm",
    "realmlp",
    "easier_net_008",
)
#: DESIGN.md section 5: test losses of EASIER-net, mean of 5 draws.
TARGETS = {"20-600": 0.19, "100-600": 0.38, "20-3000": 0.055, "100-3000": 0.255}
RIVALS = ("lasso", "random_forest", "xgboost", "lassonet", "easier_net_008")

SETTINGS: dict[str, dict[str, Any]] = {
    "quick": {"n_features": 100, "signal_to_noise": 2.0, "n_test": 2000},
    "paper": {"n_features": 100, "signal_to_noise": 2.0, "n_test": 10_000},
}


def study_settings(scale: str) -> dict[str, Any]:
    """What every cell of a scale shares."""
    return {"scale": scale, **SETTINGS[scale]}


def plan(request: Request) -> Plan:
    """A cell for each set, draw and method."""
    study = study_settings(request.scale)
    works = []
    for seed in range(request.seeds):
        for name in request.sets:
            for label, method in request.methods.items():
                settings = {"study": study, "method": method.settings("regression", request.scale)}
                run = partial(
                    run_cell,
                    method,
                    name,
                    seed,
                    study=study,
                    device=request.device,
                    n_jobs=request.n_jobs,
                )
                works.append(Work(CellKey(NAME, name, seed, label), settings, run))
    return Plan(works)


def run_cell(
    method: Method,
    name: str,
    seed: int,
    *,
    study: Mapping[str, Any],
    device: str,
    n_jobs: int | None,
) -> dict[str, Any]:
    """Fits a method to one draw and measures it against the mean without noise."""
    n_relevant, n_samples = SETS[name]
    drawn = partial(
        make_section_4_1,
        n_relevant=n_relevant,
        n_features=study["n_features"],
        signal_to_noise=study["signal_to_noise"],
    )
    states = np.random.SeedSequence((n_relevant, n_samples, seed)).generate_state(2)
    train = drawn(n_samples, random_state=int(states[0]))
    test = drawn(study["n_test"], random_state=int(states[1]))
    outcome = method.fit(
        train.X,
        train.y,
        task="regression",
        scale=study["scale"],
        seed=seed,
        device=device,
        n_jobs=n_jobs,
    )
    scale = float(train.y.std())
    loss = squared_error(test.mean, outcome.predict(test.X), scale)
    return {"test_loss": loss, "response_scale": scale, "details": outcome.details}


# -- the report ------------------------------------------------------------------------------------

_COLUMNS = ("n_layers", "n_hidden_nodes", "support_size")


def row_of(cell: Cell) -> dict[str, Any]:
    """A cell as a row of the CSV; both losses in units of the training response's variance."""
    key, details = cell.key, cell.result["details"]
    validation = details.get("validation_loss")
    scale = cell.result.get("response_scale")
    validation = None if validation is None or scale is None else validation / scale**2
    return {
        "set": key.setting,
        "method": key.method,
        "draw": key.seed,
        "test_loss": cell.result["test_loss"],
        "validation_loss": validation,
        **{name: details.get(name) for name in _COLUMNS},
        "seconds": cell.result["seconds"],
    }


def summary(rows: Sequence[Mapping[str, Any]], column: str) -> Mean:
    """The mean of a column over draws, as far as it is known."""
    return mean_of(row[column] for row in rows if row[column] is not None)


def report(cells: list[Cell], titles: Mapping[str, str]) -> Report:
    """Table 1 with further methods, its picture and its checks."""
    table: dict[str, dict[str, list[dict[str, Any]]]] = {
        name: {
            method: [row_of(cell) for cell in found]
            for method in (*PAPER_METHODS, *OTHERS, *_unknown(cells))
            if (found := grouped.get((name, method)))
        }
        for grouped in [by(cells, lambda cell: (cell.key.setting, cell.key.method))]
        for name in SETS
    }
    table = {name: methods for name, methods in table.items() if methods}
    blocks = [scale_note(cells), _method_note(cells)]
    for name, methods in table.items():
        n_relevant, n_samples = SETS[name]
        draws = seeds_in_words([c for c in cells if c.key.setting == name], "draw")
        blocks += [
            f"## {n_relevant} relevant of 100 variables, {n_samples} observations ({draws})",
            _set_table(methods, TABLE_1[SETS[name]], titles),
        ]
    wins = [line for name, methods in table.items() for line in _wins(name, methods, titles)]
    if wins:
        blocks += ["## Where another method wins", "\n".join(wins)]
    blocks.append(picture("simulation.png", "Test losses by method and setting"))
    return Report(
        title="Simulation: deconstructing EASIER-net (Table 1)",
        blocks=blocks,
        tables={
            "simulation.csv": [row for m in table.values() for rows in m.values() for row in rows]
        },
        figures={"simulation.png": partial(_draw, table=table, titles=titles)},
        checks=[
            check
            for name, methods in table.items()
            for check in _checks(
                name, {method: summary(rows, "test_loss") for method, rows in methods.items()}
            )
        ],
        wins=wins,
    )


def _unknown(cells: Sequence[Cell]) -> list[str]:
    """Methods that the lists above do not name."""
    return sorted({cell.key.method for cell in cells} - {*PAPER_METHODS, *OTHERS})


def _method_note(cells: Sequence[Cell]) -> str:
    settings = cells[0].settings["study"]
    ratio = settings["signal_to_noise"]
    return (
        "Test loss: mean squared error against the mean without noise on "
        f"{settings['n_test']} new rows, in units of the training response's variance; mean ± "
        "standard error over draws. Each method sees the training rows alone and tunes itself "
        "on them. The paper has one draw.\n\n"
        "The validation losses are no comparison. The paper's lie below the share of noise in the "
        "response's variance, so they are against the mean without noise (on rows beside the "
        "training rows); ours are against noisy responses, as a user would have them, and cannot "
        f"fall below about {1 / (1 + ratio**2):.2f}. "
        f"Signal to noise ({ratio:g}) is a ratio of standard deviations, as in the paper's "
        "published generator. Layers are hidden layers that a network uses, nodes are those of a "
        "used layer; support is the number of selected variables. An empty field: the method does "
        "not say."
    )


def _set_table(
    methods: Mapping[str, Sequence[Mapping[str, Any]]],
    published: Mapping[str, Row],
    titles: Mapping[str, str],
) -> str:
    header = ["Method", "Test loss", "paper", "Validation loss", "paper", "Layers", "paper"]
    header += ["Hidden nodes", "paper", "Support", "paper", "Seconds"]
    digits = {"validation_loss": 3, "n_layers": 1, "n_hidden_nodes": 1, "support_size": 1}
    best = min(methods, key=lambda method: summary(methods[method], "test_loss").value)
    lines = []
    for method, rows in methods.items():
        paper = published.get(method)
        loss = shown(summary(rows, "test_loss"))
        line = [titles.get(method, method), f"**{loss}**" if method == best else loss]
        line.append(number(paper and paper.test_loss, 3))
        for name, places in digits.items():
            line.append(number(_known(summary(rows, name).value), places))
            line.append(number(paper and getattr(paper, name), places))
        line.append(number(summary(rows, "seconds").value, 0))
        lines.append(line)
    return markdown_table(header, lines)


def _wins(
    name: str, methods: Mapping[str, Sequence[Mapping[str, Any]]], titles: Mapping[str, str]
) -> list[str]:
    """Whether another method has the lowest loss, and by how much on the same draws."""
    if OURS not in methods:
        return []
    losses = {m: {row["draw"]: row["test_loss"] for row in methods[m]} for m in methods}
    ours = losses[OURS]
    finished = [method for method, draws in losses.items() if set(ours) <= set(draws)]
    best = min(finished, key=lambda method: mean_of(losses[method][draw] for draw in ours).value)
    if best == OURS:
        return []
    difference = mean_of(losses[best][draw] - ours[draw] for draw in ours)
    return [win_line(name, titles.get(best, best), difference)]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def _checks(name: str, losses: Mapping[str, Mean]) -> list[Check]:
    """Statements of the paper and of DESIGN.md about one set."""
    if OURS not in losses:
        return []
    ours = losses[OURS].value
    paper = TABLE_1[SETS[name]][OURS].test_loss

    def at_most(against: str, limit: float, whose: str) -> Check:
        statement = f"{name}: EASIER-net's test loss is at or below {whose}"
        return Check(against, statement, ours <= limit, f"{ours:.3f}, {limit:.3f}")

    checks = [at_most("paper", paper, "the paper's")]
    for better, worse, what in (
        ("dropout", "dropout_single", "ensembling improves DropoutNet"),
        ("sparse_single", "dropout_single", "sparsity improves a single network"),
        ("sparse", "dropout", "sparsity improves an ensemble"),
    ):
        if better in losses and worse in losses:
            pair = losses[better].value, losses[worse].value
            found = f"{pair[0]:.3f}, {pair[1]:.3f}"
            checks.append(Check("paper", f"{name}: {what}", pair[0] < pair[1], found))
    checks.append(at_most("target", TARGETS[name], f"{TARGETS[name]:g}"))
    rivals = {method: losses[method].value for method in RIVALS if method in losses}
    if rivals:
        ahead = [method for method, loss in rivals.items() if ours < loss]
        behind = [f"{method} {loss:.3f}" for method, loss in rivals.items() if ours >= loss]
        absent = [method for method in RIVALS if method not in losses]
        statement = f"{name}: EASIER-net is ahead of {', '.join(rivals)}"
        if absent:
            statement += f" (not run: {', '.join(absent)})"
        found = f"{ours:.3f}; behind {', '.join(behind)}" if behind else f"{ours:.3f}"
        checks.append(Check("target", statement, len(ahead) == len(rivals), found))
    return checks


def _draw(
    figure: Any,
    *,
    table: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]],
    titles: Mapping[str, str],
) -> None:
    """A panel a set: draws as dots, their mean, and the paper's number."""
    most = max(len(methods) for methods in table.values())
    n_columns = min(2, len(table))
    n_rows = -(-len(table) // n_columns)
    figure.set_size_inches(5.2 * n_columns, (0.26 * most + 1.2) * n_rows)
    panels = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    for panel, (name, methods) in zip(panels, table.items(), strict=False):
        for place, (method, rows) in enumerate(methods.items()):
            losses = [row["test_loss"] for row in rows]
            own = method == OURS
            panel.plot(losses, [place] * len(losses), "o", color="0.7", markersize=3, zorder=1)
            (mean,) = panel.plot(
                np.mean(losses), place, "o", color="C3" if own else "C0", markersize=6, zorder=3
            )
            paper = TABLE_1[SETS[name]].get(method)
            if paper:
                (ring,) = panel.plot(
                    paper.test_loss, place, "D", mfc="none", mec="black", markersize=6, zorder=2
                )
                ring.set_label("paper")
            mean.set_label("mean of our draws")
        panel.set_yticks(range(len(methods)), [titles.get(m, m) for m in methods], fontsize=8)
        panel.invert_yaxis()
        panel.set_xlim(left=0)
        panel.grid(axis="x", color="0.9")
        panel.set_axisbelow(True)
        panel.set_title("{} relevant, {} observations".format(*SETS[name]), fontsize=9)
        panel.set_xlabel("test loss", fontsize=8)
        panel.tick_params(axis="x", labelsize=8)
    for panel in panels[len(table) :]:
        panel.set_visible(False)
    handles, labels = panels[0].get_legend_handles_labels()
    shown_once = dict(zip(labels, handles, strict=True))
    figure.legend(
        shown_once.values(),
        shown_once.keys(),
        loc="outside lower center",
        ncols=2,
        fontsize=8,
        frameon=False,
    )


STUDY = Study(
    name=NAME,
    title="Table 1: simulated data, all methods",
    seeds={"quick": 1, "paper": 5},
    known_sets=tuple(SETS),
    usual_sets={"quick": ("20-600", "100-600"), "paper": tuple(SETS)},
    usual_methods={
        "quick": ("easier", "sier", "dropout", "sparse", "lasso", "random_forest", "xgboost"),
        "paper": ("easier", *(m for m in PAPER_METHODS if m != "easier"), *OTHERS),
    },
    settings=study_settings,
    plan=plan,
    report=report,
)
