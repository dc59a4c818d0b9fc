"""The report in words: what was asked, how good the answer is, which variables and how sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from siernet.report.scores import (
    ScoreTable,
    comparison,
    held_out_headline,
    score_table,
    tuning_sentence,
)
from siernet.report.subject import Subject
from siernet.report.text import count, listing, number, percent, plain

_MOST_TOP = 10
_MOST_LEFT_OUT = 30


@dataclass(frozen=True)
class TopVariable:
    """A line of the summary's list.

    Parameters
    ----------
    name, times, interval, effect : str
    rate, low, high : float
    """

    name: str
    times: str
    interval: str
    effect: str
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """The first part of the report.

    Parameters
    ----------
    question, goodness, meaning : tuple of str
        Paragraphs.
    selection : str
        The sentence above the list of variables.
    figures : tuple of (str, str)
        A few key figures with what they are.
    scores : tuple of ScoreTable
    top : tuple of TopVariable
    left_out : tuple of (str, str)
        Why, and which columns.
    """

    question: tuple[str, ...]
    goodness: tuple[str, ...]
    selection: str
    meaning: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    scores: tuple[ScoreTable, ...]
    top: tuple[TopVariable, ...]
    left_out: tuple[tuple[str, str], ...]


def summary_of(subject: Subject) -> Summary:
    """The summary of a subject."""
    record = subject.record
    scores = []
    if record is not None and record.test_scores:
        source = f"on {plain(record.tested_on) or count(record.n_test_rows, 'held-out row')}"
        scores.append(score_table(record.test_scores, source))
    if record is not None and record.cv_scores:
        scores.append(score_table(record.cv_scores, "in cross-validation"))
    return Summary(
        question=tuple(_question(subject)),
        goodness=tuple(_goodness(subject)),
        selection=_selection(subject),
        meaning=tuple(_meaning(subject)),
        figures=tuple(_key_figures(subject)),
        scores=tuple(scores),
        top=() if subject.is_constant else tuple(_top(subject)),
        left_out=_left_out(subject),
    )


def _question(subject: Subject) -> list[str]:
    record, classes = subject.record, subject.classes
    what = (
        "a number"
        if classes is None
        else f"one of {len(classes)} classes ({listing([plain(c) for c in classes])})"
    )
    if record is None:
        first = f"Predict {what} from {count(subject.n_variables, 'variable')}"
        first += ", and say which of them matter."
    else:
        first = (
            f"Predict {plain(record.target)}, {what}, from the other "
            f"{count(record.n_columns, 'column')} of {plain(record.source)}, and say which of them "
            f"matter. {count(record.n_rows, 'row')} were used to learn"
        )
        first += f", {record.n_test_rows:,} kept aside to test" if record.n_test_rows else ""
        if record.n_rows_dropped:
            first += f"; {count(record.n_rows_dropped, 'row')} without a target left out"
        first += "."
        if subject.n_variables != record.n_columns:
            first += f" Once prepared, the columns are {count(subject.n_variables, 'variable')}."
    return [first, _method(subject)]


def _method(subject: Subject) -> str:
    if subject.n_members == 1:
        text = "One small neural network was trained; it keeps only the variables it needs."
    else:
        text = (
            f"{subject.n_members} small neural networks were trained on the same rows from "
            "different random starts. Each keeps only the variables it needs; their predictions "
            "are averaged."
        )
    if subject.surface is not None:
        tried = len(subject.surface.value)
        text += (
            f" How sparse they are was tuned by {subject.model.n_splits_}-fold "
            f"cross-validation of {count(tried, 'pair')} of penalties."
        )
    return text


def _goodness(subject: Subject) -> list[str]:
    record = subject.record
    paragraphs = []
    headline = held_out_headline(subject)
    scores = {} if record is None else record.test_scores or record.cv_scores
    beside = comparison(scores)
    if headline is not None:
        paragraphs.append(headline[1])
    if beside:
        where = "" if record is not None and record.test_scores else "In cross-validation: "
        paragraphs.append(where + beside)
    tuned = tuning_sentence(subject)
    if tuned:
        paragraphs.append(tuned)
    if not paragraphs:
        paragraphs = [
            "Not known: no rows were held out. Pass X and y of rows that the model was not "
            "trained on, or fit with a held-out test."
        ]
    return paragraphs


def _key_figures(subject: Subject) -> list[tuple[str, str]]:
    rates = subject.rates
    figures = []
    headline = held_out_headline(subject)
    if headline is not None:
        figures.append((headline[0], "on held-out rows"))
    halves = int((rates.rates >= 0.5).sum())
    few = "selected" if subject.n_members == 1 else "selected by at least half of the networks"
    figures.append((f"{halves:,} of {subject.n_variables:,}", f"variables {few}"))
    nodes = [
        sum(int(mask.sum()) for mask in member.active_nodes) for member in subject.model.members_
    ]
    sizes = rates.support_sizes
    figures.append(
        (
            f"{_average(sizes)} variables",
            f"in a network, through {_average(nodes)} hidden nodes, on average",
        )
    )
    return figures


def _average(values: Sequence[int] | np.ndarray) -> str:
    return f"{np.mean(values):,.1f}".removesuffix(".0")


def _selection(subject: Subject) -> str:
    rates = subject.rates
    if subject.is_constant:
        return (
            "None: every network predicts a constant, so at these penalties no variable helped. "
            "Smaller penalties, more rows or better variables are needed."
        )
    if subject.n_members == 1:
        return (
            f"The network selected {rates.n_ever_selected:,} of {subject.n_variables:,} variables."
        )
    halves = int((rates.rates >= 0.5).sum())
    always = int((rates.rates == 1).sum())
    text = (
        f"{halves:,} of {count(subject.n_variables, 'variable')} were selected by at least half of "
        f"the {subject.n_members} networks, {always:,} by all of them; {rates.n_ever_selected:,} "
        "by at least one."
    )
    if subject.record is not None and subject.record.lasso_selected:
        text += f" The Lasso, fitted beside them, selected {subject.record.lasso_selected:,}."
    support, share = next(iter(subject.model.support_posterior().items()))
    if not support:
        text += f" The most frequent choice was no variable at all, by {percent(share)}."
    elif share > 1 / subject.n_members:
        text += (
            f" The most frequent set, of {count(len(support), 'variable')}, was the choice of "
            f"{percent(share)} of the networks."
        )
    else:
        text += " No two networks selected exactly the same set."
    return text


def _meaning(subject: Subject) -> list[str]:
    if subject.is_constant:
        return []
    if subject.n_members == 1:
        return [
            "A single network cannot say how sure a selection is: from another random start it "
            "may select other variables. An ensemble (EasierNet) shows how often it does."
        ]
    return [
        "What a rate means: the share of the networks, each from its own random start, whose "
        "prediction depends on the variable. It approximates the probability that the variable is "
        "among those needed to predict, given these rows. The interval (Wilson, 95%) is what other "
        f"random starts would give, as there are only {subject.n_members} networks.",
        "What it does not mean: it is no p-value and no size of an effect, and a high rate does "
        "not make a variable a cause. The interval does not cover other rows: a new sample could "
        "change the rates by more than it says.",
    ]


def _top(subject: Subject) -> list[TopVariable]:
    """The variables that half of the networks selected; if there is none, the first five."""
    rates = subject.rates
    half = int((rates.rates >= 0.5).sum())
    shown = subject.ranking[: min(_MOST_TOP, half) if half else min(5, rates.n_ever_selected)]
    result = []
    for place in shown:
        times = round(float(rates.rates[place]) * rates.n_members)
        column = rates.columns[place]
        result.append(
            TopVariable(
                name=plain(rates.names[place]),
                times=f"{times} of {rates.n_members}",
                interval=f"{percent(rates.low[place])} to {percent(rates.high[place])}",
                effect=_effect(subject, int(column)),
                rate=float(rates.rates[place]),
                low=float(rates.low[place]),
                high=float(rates.high[place]),
            )
        )
    return result


def _effect(subject: Subject, column: int) -> str:
    """How the prediction moves, from one deviation below the variable's mean to one above."""
    if subject.effects.change is None:
        return ""
    change = float(subject.effects.change[column])
    if subject.classes is not None:
        points = round(100 * change)
        return f"{points:+d} points".replace("-", "\N{MINUS SIGN}")
    return f"{'+' if change >= 0 else ''}{number(change)}"


def _left_out(subject: Subject) -> tuple[tuple[str, str], ...]:
    if subject.record is None:
        return ()
    reasons: dict[str, list[str]] = {}
    for column, why in subject.record.left_out.items():
        reasons.setdefault(plain(why), []).append(plain(column))
    return tuple((why, listing(columns, _MOST_LEFT_OUT)) for why, columns in reasons.items())
