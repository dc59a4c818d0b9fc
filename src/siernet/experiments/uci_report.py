"""The page of the real-data study: Figure 3 with its table, Table 3 and Figure 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from siernet.experiments.cells import Cell
from siernet.experiments.published import FIGURE_3_AVERAGES, TABLE_3
from siernet.experiments.scoring import FLOOR
from siernet.experiments.study import (
    Check,
    Report,
    counted,
    markdown_table,
    picture,
    scale_note,
    seeds_in_words,
    shown,
    win_line,
)
from siernet.experiments.uci_figures import draw_losses, draw_rates
from siernet.experiments.uci_tables import (
    OURS,
    Averages,
    FittedStructure,
    Losses,
    MemberMean,
    average_rows,
    averages,
    csv_rows,
    difference_rows,
    losses_of,
    ours_by_set,
    rate_rows,
    sorted_rates,
    structure_of,
    structure_rows,
    winners,
)

NAME = "uci"
PAPER_METHODS = ("easier", "sier", "lasso", "random_forest", "xgboost", "dropout")
TASKS = ("regression", "classification")
#: The paper's eleven data sets; averages are over these.
PAPER_SETS = tuple(TABLE_3)


def report(cells: list[Cell], titles: Mapping[str, str]) -> Report:
    """All tables and figures of section 4.3."""
    cells = _ordered(cells)
    losses = {task: losses_of(cells, task) for task in TASKS}
    losses = {task: found for task, found in losses.items() if found.values}
    average = {task: averages(found, PAPER_SETS) for task, found in losses.items()}
    ours = ours_by_set(cells)
    structures = {name: structure_of(group) for name, group in ours.items()}
    blocks = [
        scale_note(cells),
        _note(cells),
        "## Average test losses (Figure 3, table)",
        _average_table(average, titles),
        _average_notes(average, titles, {cell.key.setting for cell in cells}),
    ]
    for task, found in losses.items():
        blocks += [
            f"## {task.capitalize()}: test loss by data set (Figure 3)",
            _loss_table(found, titles),
            _difference_table(found, titles),
            _winner_notes(found, titles),
        ]
    blocks.append(picture("uci_losses.png", "Test losses by data set and method"))
    if "classification" in losses:
        blocks += ["## Classification in other measures", _other_measures(cells, titles)]
    if structures:
        blocks += [
            "## Structure of EASIER-net's networks (Table 3)",
            _structure_note(),
            _structure_table(structures, ours),
            "## Selection rates (Figure 4)",
            "Share of EASIER-net's networks that select each column, the largest first; a line a "
            "split.",
            picture("uci_rates.png", "Sorted selection rates, a panel for each data set"),
        ]
    rates = {name: splits for name, group in ours.items() if (splits := sorted_rates(group))}
    figures: dict[str, Any] = {"uci_losses.png": partial(draw_losses, losses=losses, titles=titles)}
    if rates:
        figures["uci_rates.png"] = partial(draw_rates, rates=rates, structures=structures)
    return Report(
        title="Real data (Figures 3 and 4, Table 3)",
        blocks=blocks,
        tables={
            "uci_losses.csv": csv_rows(cells),
            "uci_differences.csv": difference_rows(losses),
            "uci_averages.csv": average_rows(average),
            "uci_structure.csv": structure_rows(ours),
            "uci_rates.csv": rate_rows(rates),
        },
        figures=figures,
        checks=[*_average_checks(average), *_structure_checks(structures)],
        wins=_wins(losses, titles),
    )


def _ordered(cells: Sequence[Cell]) -> list[Cell]:
    """The paper's sets and methods first, in its order."""

    def place(names: Sequence[str], name: str) -> int:
        return names.index(name) if name in names else len(names)

    return sorted(
        cells,
        key=lambda cell: (
            place(PAPER_SETS, cell.key.setting),
            cell.key.setting,
            place(PAPER_METHODS, cell.key.method),
            cell.key.method,
            cell.key.seed,
        ),
    )


def _note(cells: Sequence[Cell]) -> str:
    return (
        f"{seeds_in_words(cells, 'split').capitalize()} of each set, the same rows for every "
        "method; mean ± standard error over splits. Hill valley is split as it was published, so "
        "there only the methods' own randomness varies. Loss: squared error in units of the "
        "training response's variance, or negative log-likelihood (natural logarithm; a "
        "probability of zero counts as 2e-16). Nominal columns are one-hot, missing values are "
        "imputed and marked, all learnt from training rows. Each method tunes itself on the "
        f"training rows. {_weight_note(cells)}The trees' probabilities are averaged with one more "
        "tree's that gives all classes the same, or a class that no tree votes for would have an "
        "infinite loss. The paper has one split and prints averages only: its losses on single "
        "sets are points in a figure without numbers, so its averages cannot be recomputed over "
        "fewer sets."
    )


def _weight_note(cells: Sequence[Cell]) -> str:
    """How classes are weighted, in training and in the losses shown."""
    ours = [cell for cell in cells if cell.result["task"] == "classification"]
    weights = {
        str(cell.settings["method"]["class_weight"]) for cell in ours if cell.key.method == OURS
    }
    if not weights:
        return ""
    return (
        f"EASIER-net was trained with class_weight={', '.join(sorted(weights))} (the paper weights "
        "classes by inverse frequency, which is *balanced*); penalties are chosen and all losses "
        "shown by the unweighted likelihood, for every method. EASIER-net, SIER-net and SparseNet "
        "also tune how sure their probabilities are, which the others' own code does not. "
    )


def _average_table(average: Mapping[str, Averages], titles: Mapping[str, str]) -> str:
    methods = list(dict.fromkeys(m for found in average.values() for m in found.means))
    header = ["Method"]
    for task in average:
        header += [task.capitalize(), "less EASIER-net's", "the paper's"]
    best = {
        task: min(found.means, key=lambda m: found.means[m].value)
        for task, found in average.items()
        if found.means
    }
    lines = []
    for method in methods:
        line = [titles.get(method, method)]
        for task, found in average.items():
            paper = FIGURE_3_AVERAGES.get(method)
            if method in found.means:
                text = shown(found.means[method])
                line.append(f"**{text}**" if best[task] == method else text)
            else:
                line.append("")
            difference = found.differences.get(method)
            line.append("" if difference is None else shown(difference, sign=True))
            line.append("" if paper is None else f"{paper[TASKS.index(task)]:.3f}")
        lines.append(line)
    return markdown_table(header, lines)


def _average_notes(
    average: Mapping[str, Averages], titles: Mapping[str, str], sets: set[str]
) -> str:
    notes = []
    for task, found in average.items():
        over = ", ".join(found.sets) if found.sets else "no set, for none was finished by all"
        text = f"{task.capitalize()}: averages over {over}."
        for method, lacking in found.left_out.items():
            text += f" {titles.get(method, method)} is left out: it lacks {', '.join(lacking)}."
        notes.append(text)
    absent = [name for name in PAPER_SETS if name not in sets]
    if absent:
        notes.append(
            f"Not run: {', '.join(absent)}. The paper's averages are over all eleven sets, so "
            "they are another average than ours."
        )
    return "\n".join(f"- {note}" for note in notes)


def _loss_table(losses: Losses, titles: Mapping[str, str]) -> str:
    """Mean losses, a row a method and a column a data set."""
    best = {
        name: min(values, key=lambda method: losses.mean(name, method).value)
        for name, values in losses.values.items()
    }
    lines = []
    for method in losses.methods:
        line = [titles.get(method, method)]
        for name in losses.values:
            text = shown(losses.mean(name, method))
            line.append(f"**{text}**" if method == best[name] else text)
        lines.append(line)
    return markdown_table(["Method", *losses.values], lines)


def _difference_table(losses: Losses, titles: Mapping[str, str]) -> str:
    """Paired differences to EASIER-net; empty where it or all others were not run."""
    others = [method for method in losses.methods if method != OURS]
    if OURS not in losses.methods or not others:
        return ""
    lines = [
        [
            titles.get(method, method),
            *(shown(losses.difference(name, method), sign=True) for name in losses.values),
        ]
        for method in others
    ]
    table = markdown_table(["Less EASIER-net's", *losses.values], lines)
    return f"The differences to EASIER-net's loss, split by split:\n\n{table}"


def _winner_notes(losses: Losses, titles: Mapping[str, str]) -> str:
    return "\n".join(
        f"- {name}: {titles.get(OURS, OURS)} has the lowest loss."
        if best == OURS
        else win_line(name, titles.get(best, best), difference)
        for name, best, difference in winners(losses)
    )


def _wins(losses: Mapping[str, Losses], titles: Mapping[str, str]) -> list[str]:
    return [
        win_line(f"{name} ({task})", titles.get(best, best), difference)
        for task, found in losses.items()
        for name, best, difference in winners(found)
        if best != OURS
    ]


def _other_measures(cells: Sequence[Cell], titles: Mapping[str, str]) -> str:
    """Error rates, and the likelihood without its weight on a single confident mistake."""
    blocks = []
    for what, column in (("Error rate", "error_rate"), ("Floored loss", "floored_loss")):
        found = losses_of(cells, "classification", column)
        lines = [
            [titles.get(m, m), *(shown(found.mean(name, m)) for name in found.values)]
            for m in found.methods
        ]
        blocks.append(markdown_table([what, *found.values], lines))
    blocks.append(
        f"*Floored loss*: negative log-likelihood with every probability raised to {FLOOR:g} at "
        "least, for methods that give zeros (forests) pay much for a single row."
    )
    return "\n\n".join(blocks)


def _structure_note() -> str:
    return (
        "Over EASIER-net's networks, then over splits; in parentheses the standard error over the "
        "networks of one ensemble, as in the paper. Ours count prepared columns (nominal ones "
        "one-hot, marks of missing values included), the paper features. Contributions are each "
        "layer's variance over that of the prediction; layer 1 is the inputs."
    )


def _structure_table(
    structures: Mapping[str, FittedStructure], ours: Mapping[str, Sequence[Cell]]
) -> str:
    header = ["Data set", "", "Columns", "Layers", "Support size", "Hidden nodes"]
    header += [str(layer) for layer in range(1, 7)]
    lines = []
    for name, found in structures.items():
        columns = str(ours[name][0].result["n_columns"])
        parts = (found.n_layers, found.support_size, found.n_hidden_nodes, *found.contributions)
        lines.append([name, "ours", columns, *_parts(parts)])
        if name in TABLE_3:
            row = TABLE_3[name]
            paper = (row.n_layers, row.support_size, row.n_hidden_nodes, *row.contributions)
            features = str(ours[name][0].result["n_features"])
            lines.append(["", "paper", features, *_parts([MemberMean(*part) for part in paper])])
    return markdown_table(header, lines)


def _parts(parts: Sequence[MemberMean | None]) -> list[str]:
    """Numbers with their errors; the greatest contribution in bold."""
    texts = ["" if p is None else f"{p.value:.2f} ({p.error:.2f})" for p in parts]
    shares = [part.value for part in parts[3:] if part is not None]
    if shares and max(shares) > 0:
        most = 3 + int(np.argmax(shares))
        texts[most] = f"**{texts[most]}**"
    return texts


# -- checks ----------------------------------------------------------------------------------------


def _average_checks(average: Mapping[str, Averages]) -> list[Check]:
    checks = []
    for task, found in average.items():
        if OURS not in found.means:
            lacking = ", ".join(found.left_out.get(OURS, ()))
            checks.append(
                Check(
                    "target",
                    f"{task}: EASIER-net has the lowest average loss",
                    holds=False,
                    found=f"it lacks {lacking}" if lacking else "it was not run",
                )
            )
            continue
        for against, rivals in (
            ("paper", [m for m in PAPER_METHODS if m in found.means and m != OURS]),
            ("target", [m for m in found.means if m != OURS]),
        ):
            if rivals:
                checks.append(_lowest(task, against, found, rivals))
    return checks


def _lowest(task: str, against: str, found: Averages, rivals: Sequence[str]) -> Check:
    ours = found.means[OURS].value
    next_best = min(rivals, key=lambda method: found.means[method].value)
    whose = "the paper's methods" if against == "paper" else "all methods"
    return Check(
        against,
        f"{task}: EASIER-net has the lowest average loss of {whose} ({len(rivals) + 1} run) over "
        f"{counted(len(found.sets), 'set')}",
        all(ours < found.means[method].value for method in rivals),
        f"{ours:.3f}; the lowest of the others is {next_best}'s, "
        f"{found.means[next_best].value:.3f}, a difference of "
        f"{shown(found.differences[next_best], sign=True)}",
    )


def _structure_checks(structures: Mapping[str, FittedStructure]) -> list[Check]:
    """Whether the layer that contributes most is the paper's."""
    compared = {}
    for name, found in structures.items():
        if name in TABLE_3 and len(found.contributions) == len(TABLE_3[name].contributions):
            ours = int(np.argmax([part.value for part in found.contributions])) + 1
            paper = int(np.argmax([value for value, _ in TABLE_3[name].contributions])) + 1
            compared[name] = ours, paper
    if not compared:
        return []
    other = [
        f"{name} {ours} (paper {paper})"
        for name, (ours, paper) in compared.items()
        if ours != paper
    ]
    return [
        Check(
            "paper",
            "the layer that contributes most is the paper's on every set",
            not other,
            f"on {len(compared) - len(other)} of {len(compared)}"
            + (f"; {', '.join(other)}" if other else ""),
        )
    ]
