"""How good the predictions are, beside a baseline's and the Lasso's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest

from siernet.report.subject import Subject
from siernet.report.text import count, number, percent, r_squared

#: How metrics are called, and which way is better; others are shown by the name they came with.
METRICS: dict[str, tuple[str, bool | None]] = {
    "r2": ("R²", True),
    "mse": ("Squared error", False),
    "squared_error": ("Squared error", False),
    "mean_squared_error": ("Squared error", False),
    "rmse": ("Root mean squared error", False),
    "root_mean_squared_error": ("Root mean squared error", False),
    "mae": ("Absolute error", False),
    "mean_absolute_error": ("Absolute error", False),
    "accuracy": ("Accuracy", True),
    "balanced_accuracy": ("Balanced accuracy", True),
    "log_loss": ("Negative log-likelihood", False),
    "nll": ("Negative log-likelihood", False),
    "negative_log_likelihood": ("Negative log-likelihood", False),
    "log_likelihood": ("Log-likelihood", True),
    "auc": ("Area under the ROC curve", True),
    "roc_auc": ("Area under the ROC curve", True),
    "f1": ("F1", True),
}
_METHODS = {"siernet": "This model", "baseline": "Baseline", "lasso": "Lasso"}
_BOOTSTRAPS = 1000


@dataclass(frozen=True)
class ScoreTable:
    """Scores by method and metric, the tuned metric first.

    Parameters
    ----------
    source : str
        Where they were measured, as a phrase.
    metrics : tuple of str
        Titles, each with which way is better.
    rows : tuple of (str, tuple of str)
        A method and its values as text.
    """

    source: str
    metrics: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def metric_name(metric: str) -> tuple[str, bool | None]:
    """A metric's title and whether larger is better; None if that is not known."""
    return METRICS.get(metric.lower().replace(" ", "_").replace("-", "_"), (metric, None))


def score_table(scores: Mapping[str, Mapping[str, float]], source: str) -> ScoreTable:
    """A record's scores for the page."""
    metrics = list(dict.fromkeys(metric for values in scores.values() for metric in values))
    methods = [method for method in _METHODS if method in scores]
    methods += [method for method in scores if method not in _METHODS]
    arrows = {True: " ↑", False: " ↓", None: ""}
    titles = []
    for metric in metrics:
        name, larger_is_better = metric_name(metric)
        titles.append(name + arrows[larger_is_better])
    rows = [
        (
            _METHODS.get(method, method),
            tuple(
                number(scores[method][metric]) if metric in scores[method] else "\N{EN DASH}"
                for metric in metrics
            ),
        )
        for method in methods
    ]
    return ScoreTable(source, tuple(titles), tuple(rows))


def advantage(scores: Mapping[str, Mapping[str, float]], other: str) -> float | None:
    """How much better this model's first metric is than another method's; None if not known."""
    if not {"siernet", other} <= set(scores) or not scores["siernet"]:
        return None
    metric = next(iter(scores["siernet"]))
    better = metric_name(metric)[1]
    if better is None or metric not in scores[other]:
        return None
    difference = float(scores["siernet"][metric]) - float(scores[other][metric])
    return difference if better else -difference


def held_out_headline(subject: Subject) -> tuple[str, str] | None:
    """The main figure on held-out rows with a 95% interval, and the sentence that says it."""
    if subject.observed is None:
        return None
    observed, members = subject.observed
    prediction = members.mean(axis=0)
    rows = count(len(observed), "row")
    if subject.classes is None:
        if observed.var() == 0:
            return None
        value, low, high = _r2_interval(observed, prediction)
        return (
            f"R² {r_squared(value)}",
            f"On {rows} that the fit never saw, the predictions explain {_explained(value)} of "
            f"the variance of {subject.target} (R² {r_squared(value)}; resampling these rows gives "
            f"{r_squared(low)} to {r_squared(high)} in 95 of 100 cases).",
        )
    hits = int((prediction.argmax(axis=1) == observed).sum())
    interval = binomtest(hits, len(observed)).proportion_ci(method="wilson")
    share = percent(hits / len(observed))
    most_common = np.bincount(observed).max() / len(observed)
    return (
        f"{share} right",
        f"On {rows} that the fit never saw, the most probable class is the right one for {hits:,} "
        f"({share}; 95% interval {percent(interval.low)} to {percent(interval.high)}). Always "
        f"naming these rows' most frequent class would be right for {percent(most_common)}.",
    )


def comparison(scores: Mapping[str, Mapping[str, float]]) -> str:
    """A sentence that sets the first metric beside the other methods'; may be empty."""
    own = scores.get("siernet", {})
    if not own:
        return ""
    metric = next(iter(own))
    title = metric_name(metric)[0]
    verdicts: dict[str, list[str]] = {}
    for method, phrase in (("lasso", "the Lasso"), ("baseline", "the baseline")):
        gain = advantage(scores, method)
        if gain is not None:
            verdict = "worse" if gain > 0 else "better" if gain < 0 else "as good"
            value = number(scores[method][metric])
            verdicts.setdefault(verdict, []).append(f"{phrase} ({value})")
    others = [
        f"{' and '.join(methods)} {'is' if len(methods) == 1 else 'are'} {verdict}"
        for verdict, methods in verdicts.items()
    ]
    return "; ".join([f"{title} is {number(own[metric])}", *others]) + "."


def tuning_sentence(subject: Subject) -> str:
    """What cross-validation says of the chosen penalties; empty for a model that was not tuned."""
    surface = subject.surface
    if surface is None:
        return ""
    value, error = surface.value[surface.chosen], surface.standard_error[surface.chosen]
    text = (
        f"In cross-validation the chosen penalties reached a {surface.label} of {number(value)} "
        f"(standard error {number(error, 2)})"
    )
    model: Any = subject.model
    if subject.classes is None and surface.lower_is_better and model.standardize:
        explained = 1 - value / model.y_scale_**2
        text += f", which is an R² of about {r_squared(explained)}"
    return text + ". It was used to choose the penalties, so it is slightly too good."


def _explained(r2: float) -> str:
    return percent(r2) if r2 > 0 else "none"


def _r2_interval(observed: np.ndarray, predicted: np.ndarray) -> tuple[float, float, float]:
    """R², and the 2.5th and 97.5th percentiles over resampled rows."""
    rng = np.random.default_rng(0)
    square = (observed - predicted) ** 2
    values = []
    for _ in range(_BOOTSTRAPS):  # one at a time: memory stays that of the rows
        picked = rng.integers(len(observed), size=len(observed))
        variance = observed[picked].var()
        if variance > 0:
            values.append(1 - square[picked].mean() / variance)
    value = 1 - square.mean() / observed.var()
    low, high = np.quantile(values, [0.025, 0.975])
    return float(value), float(low), float(high)
