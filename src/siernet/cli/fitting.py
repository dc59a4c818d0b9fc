"""The work of ``siernet fit``: prepares, trains, compares, records."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

import siernet
from siernet.cli import comparison, splitting
from siernet.cli.errors import for_user, one_line
from siernet.cli.estimators import Effort, make_estimator
from siernet.cli.target import class_counts
from siernet.cli.training_data import TrainingData, sample_of
from siernet.fit_record import FitRecord
from siernet.table_pipeline import table_pipeline

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Fit:
    """A fitted Pipeline with the facts of its fit."""

    model: Pipeline
    record: FitRecord

    @property
    def estimator(self) -> Any:
        """The Pipeline's last step."""
        return self.model[-1]

    def without_rows(self) -> FitRecord:
        """The record without any row of the data, nor what was observed or predicted for one."""
        return replace(
            self.record,
            test_y=np.zeros(0),
            test_members=np.zeros((0, 0)),
            sample_rows=np.zeros((0, 0)),
        )


def fit_model(
    data: TrainingData,
    effort: Effort,
    *,
    seed: int,
    command: str,
    verbose: Any = 0,
    tell: Tell = lambda _: None,
) -> Fit:
    """Trains a model and measures it beside simple ones.

    Parameters
    ----------
    data : TrainingData
    effort : Effort
    seed : int
    command : str
        Repeats the fit; for the record.
    verbose : int or callable
        As the estimators take it.
    tell : callable
        Is told what is done besides training.
    """
    start = time.perf_counter()
    classes = data.target.is_classification
    estimator = make_estimator(effort, data.y, classes=classes, seed=seed, verbose=verbose)
    with for_user(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(data.X, data.y)
    estimator.verbose = 0
    notes = [*data.notes, *_warnings_in_words(caught, quick=effort.quick)]
    tell("Fitting the Lasso, for comparison")
    n_folds = effort.n_folds(data.y, classes=classes)
    methods = comparison.simple_methods(data.target.task, n_folds, seed)
    members = np.zeros((0, 0))
    test_scores, cv_scores = {}, {}
    if len(data.y_test):
        members = estimator.predict_members(data.X_test)
        own = comparison.scores_of(estimator, data.X_test, data.y_test)
        others = comparison.fitted_scores(methods, (data.X, data.y), (data.X_test, data.y_test))
        test_scores = {"siernet": own, **others}
    else:
        comparison.fitted_scores({"lasso": methods["lasso"]}, (data.X, data.y), (data.X, data.y))
        cv_scores = _cross_validated(estimator, data, n_folds, seed)
    record = FitRecord(
        task=data.target.task,
        target=data.target.name,
        source=data.table.path.name,
        command=command,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        siernet_version=siernet.__version__,
        seed=seed,
        n_rows=len(data.y),
        n_test_rows=len(data.y_test),
        n_rows_dropped=data.target.n_dropped,
        n_columns=data.n_columns,
        left_out=data.columns.left_out,
        notes=tuple(notes),
        class_counts=class_counts(data.y) if classes else {},
        test_scores=test_scores,
        cv_scores=cv_scores,
        seconds=time.perf_counter() - start,
        task_reason=data.target.why,
        tested_on=data.tested_on,
        lasso_selected=comparison.n_selected_by(methods["lasso"]),
        quick=effort.quick,
        test_y=data.y_test.astype(str) if classes else data.y_test,
        test_members=members,
        sample_rows=sample_of(data.X, seed).to_numpy(dtype=np.float64),
    )
    return Fit(table_pipeline(data.preparation, estimator), record)


def _cross_validated(
    estimator: Any, data: TrainingData, n_folds: int, seed: int
) -> comparison.Scores:
    """Scores without a test: the search's own for the chosen penalties, and others' beside it."""
    if not hasattr(estimator, "best_score_"):
        return {}
    loss = "log_loss" if data.target.is_classification else "mse"
    others = comparison.cross_validated_scores(
        lambda: comparison.simple_methods(data.target.task, n_folds, seed),
        lambda train, test: (data.X.iloc[train], data.X.iloc[test]),
        data.y,
        splitting.folds(data.y, n_folds, seed, classes=data.target.is_classification),
    )
    return {"siernet": {loss: -float(estimator.best_score_)}, **others}


def _warnings_in_words(caught: list[warnings.WarningMessage], *, quick: bool) -> list[str]:
    """What the estimator warned of, without the advice that only holds in Python."""
    ignored = (DeprecationWarning, FutureWarning, ResourceWarning)
    texts = [one_line(w.message) for w in caught if not issubclass(w.category, ignored)]
    if quick:  # asked for: training that ends early is what makes it quick
        texts = [text for text in texts if "still improving" not in text]
    return list(dict.fromkeys(text.split(" Raise max_prox_iter")[0] for text in texts))
