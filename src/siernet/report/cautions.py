"""What a reader should be careful about, each with the numbers that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.inspection import CoSelection, ensemble_size_loss
from siernet.inspection.checks import scaled_rows
from siernet.report.scores import advantage, metric_name
from siernet.report.subject import Subject
from siernet.report.text import count, listing, number, percent, plain

_FEW_ROWS = 100
_FEW_TEST_ROWS = 30
_FEW_IN_CLASS = 10
_FEW_MEMBERS = 10
_UNBALANCED = 1.5
_COPY = 0.9  # correlation from which a variable could take another's place
_MOST_COPIES = 5


@dataclass(frozen=True)
class Caution:
    """One thing to be careful about.

    Parameters
    ----------
    title, text : str
    serious : bool
        Whether it puts the answer itself in doubt.
    """

    title: str
    text: str
    serious: bool = False


def cautions_of(subject: Subject, together: CoSelection | None) -> tuple[Caution, ...]:
    """All that apply, the serious ones first."""
    checks: tuple[Callable[[Subject], Iterator[Caution]], ...] = (
        _about_selection,
        _about_scores,
        _about_test,
        _about_rows,
        _about_classes,
        _about_copies,
        _about_search,
        _about_training,
        _about_size,
    )
    found = [caution for check in checks for caution in check(subject)]
    if together is not None:
        found += _about_stand_ins(together)
    if subject.record is not None:
        found += [Caution("Noted during the fit", _sentence(note)) for note in subject.record.notes]
    return tuple(sorted(found, key=lambda caution: not caution.serious))


def _sentence(note: str) -> str:
    text = plain(note)
    return text[:1].upper() + text[1:] + "." * (not text.endswith((".", "!", "?")))


def _about_selection(subject: Subject) -> Iterator[Caution]:
    if subject.is_constant:
        yield Caution(
            "No variable was selected",
            "All networks predict a constant. Nothing can be said about the variables.",
            serious=True,
        )
        return
    if subject.n_members == 1:
        yield Caution(
            "A single network",
            "Its selection depends on its random start. Fit an ensemble to see how much.",
        )
        return
    empty = int((~subject.model.supports_.any(axis=1)).sum())
    if empty:
        yield Caution(
            "Networks that selected nothing",
            f"{empty} of {count(subject.n_members, 'network')} predict a constant, which lowers "
            "all rates. The penalties are near the edge of what these data bear.",
        )
    if subject.n_members < _FEW_MEMBERS:
        widest = float((subject.rates.high - subject.rates.low).max())
        yield Caution(
            "Few networks",
            f"With {subject.n_members} networks the intervals of the rates are up to "
            f"{percent(widest)} wide. Raise n_estimators (20 by default) for narrower ones.",
        )


def _about_scores(subject: Subject) -> Iterator[Caution]:
    if subject.record is None:
        return
    scores = subject.record.test_scores or subject.record.cv_scores
    for method, title, advice in (
        ("baseline", "No better than the baseline", "do not interpret the selected variables"),
        ("lasso", "The Lasso predicts better", "a linear model may be all these data support"),
    ):
        gain = advantage(scores, method)
        if (gain is not None and gain < 0) or (gain == 0 and method == "baseline"):
            metric = next(iter(scores["siernet"]))
            yield Caution(
                title,
                f"{metric_name(metric)[0]}: {number(scores['siernet'][metric])} here, "
                f"{number(scores[method][metric])} for the {method.capitalize()}: {advice}."
                .replace("the Baseline", "the baseline"),
                serious=True,
            )  # fmt: skip


def _about_test(subject: Subject) -> Iterator[Caution]:
    if subject.observed is None:
        yield Caution(
            "No held-out test",
            "How well the model predicts new rows was not measured on rows it never saw."
            + (
                " The cross-validated loss was used to choose the penalties, so it flatters a bit."
                if subject.surface is not None
                else ""
            ),
        )
        return
    n_rows = len(subject.observed[0])
    if n_rows < _FEW_TEST_ROWS:
        yield Caution(
            "The test is small",
            f"Only {count(n_rows, 'row')} were held out, so the test score could be quite "
            "different on other rows: look at its interval, not at the figure.",
        )
    if subject.classes is None and subject.observed[0].var() == 0:
        yield Caution(
            "The held-out response does not vary",
            "All held-out rows have the same value, so no share of variance can be computed.",
        )


def _about_rows(subject: Subject) -> Iterator[Caution]:
    if subject.record is None:
        return
    n_rows, n_variables = subject.record.n_rows, subject.n_variables
    if n_rows < _FEW_ROWS:
        yield Caution(
            "Few rows",
            f"{count(n_rows, 'row')} were used to learn. A new sample of as many rows could give "
            "other rates; the intervals do not show that.",
        )
    if n_variables > n_rows:
        yield Caution(
            "More variables than rows",
            f"With {count(n_variables, 'variable')} and {count(n_rows, 'row')}, different sets of "
            "variables can fit about equally well. Take the list as candidates to confirm on new "
            "rows.",
        )


def _about_classes(subject: Subject) -> Iterator[Caution]:
    if subject.record is None or subject.classes is None or not subject.record.class_counts:
        return
    counts = subject.record.class_counts
    few = [f"{plain(name)} ({n:,})" for name, n in counts.items() if n < _FEW_IN_CLASS]
    if few:
        yield Caution(
            "Classes with few members",
            f"{listing(few)}: fewer than {_FEW_IN_CLASS} rows to learn from. Predictions of "
            "such classes, and what distinguishes them, are unreliable.",
        )
    most, fewest = max(counts.values()), min(counts.values())
    model: Any = subject.model
    balanced = isinstance(model.class_weight, str) and model.prior_power_ < 1
    if balanced and most > _UNBALANCED * max(fewest, 1):
        back = "" if model.prior_power_ == 0 else ", of which tuning took a part back"
        yield Caution(
            "Probabilities are of balanced classes",
            f"The classes have {fewest:,} to {most:,} rows, and class_weight='balanced' gave each "
            f"class the same weight{back}: rare classes get higher probabilities than their share "
            "in the table. Use class_weight=None if probabilities must match frequencies.",
        )


def _about_stand_ins(together: CoSelection) -> Iterator[Caution]:
    if not together.pairs:
        return
    shown = [
        f"{plain(pair.first)} ({percent(pair.rates[0])}) and {plain(pair.second)} "
        f"({percent(pair.rates[1])}), at least one by {percent(pair.either)}"
        for pair in together.pairs[:3]
    ]
    yield Caution(
        "Variables that share their rates",
        "Some variables stand in for each other, so each one's rate is lower than what the pair "
        f"deserves: {'; '.join(shown)}. {count(len(together.pairs), 'such pair')} in all.",
    )


def _about_copies(subject: Subject) -> Iterator[Caution]:
    """Near copies, in the data, of variables that at least half of the networks selected."""
    rows = subject.rows
    if rows is None or subject.is_constant or len(rows) < 10:
        return
    rates = subject.rates
    strong = rates.columns[rates.rates >= 0.5][:20]
    values = scaled_rows(subject.model, rows)
    values = values - values.mean(axis=0)
    size = np.sqrt((values**2).sum(axis=0))
    values = values / np.where(size > 0, size, 1)
    correlation = np.abs(values[:, strong].T @ values)
    correlation[np.arange(len(strong)), strong] = 0
    copies = []
    for row, column in enumerate(strong.tolist()):
        nearest = int(correlation[row].argmax())
        if correlation[row, nearest] >= _COPY:
            n_copies = int((correlation[row] >= _COPY).sum())
            copies.append(
                f"{plain(subject.names[column])} ({count(n_copies, 'near copy', 'near copies')}, "
                f"the nearest {plain(subject.names[nearest])}, |r| = "
                f"{correlation[row, nearest]:.2f})"
            )
    if copies:
        yield Caution(
            "Selected variables with near copies",
            f"{listing(copies, _MOST_COPIES)}. These data can hardly tell a variable from its "
            "near copies, selected or not; the rate belongs to the group.",
        )


def _about_search(subject: Subject) -> Iterator[Caution]:
    surface = subject.surface
    if surface is None:
        return
    edges = surface.at_edge()
    if edges:
        yield Caution(
            "The search ended at its edge",
            f"The chosen {listing(edges)} is the smallest or largest value tried, so a better one "
            "may lie beyond. Pass wider input_penalties and network_penalties.",
        )


def _about_training(subject: Subject) -> Iterator[Caution]:
    model: Any = subject.model
    unfinished = int((~np.asarray(model.converged_)).sum())
    if unfinished:
        yield Caution(
            "Networks that had not converged",
            f"{unfinished} of {count(subject.n_members, 'network')} stopped above the tolerance "
            f"(largest residual {number(np.max(model.residuals_))}, tol {model.tol:g}). Their "
            "weights, and a few zeros, might still change; raise max_epochs or max_prox_iter.",
        )
    asked = getattr(model, "n_estimators", 1)
    if subject.n_members < asked:
        yield Caution(
            "Networks that diverged",
            f"{asked - subject.n_members} of {asked} diverged and are left out. Lower "
            "learning_rate.",
            serious=True,
        )
    if subject.record is not None and subject.record.quick:
        yield Caution(
            "A quick fit",
            "Fewer networks were trained, and for a shorter time, than by default. Fit without "
            "--quick before you rely on the answer.",
        )
    if subject.record is None and model.random_state is None:
        yield Caution(
            "No seed",
            "random_state was not set, so fitting again gives slightly different networks.",
        )


def _about_size(subject: Subject) -> Iterator[Caution]:
    if subject.n_members < 2 or not subject.held_out:
        return
    gain = ensemble_size_loss(subject.model, **subject.held_out).gain_of_last_half
    if gain > 0.02:
        yield Caution(
            "More networks may help",
            f"The second half of the networks still took {percent(gain)} off the held-out loss. "
            "Raise n_estimators.",
        )
