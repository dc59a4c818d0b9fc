"""What a report is about: a model, its variables' names, and the rows there are to show it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from siernet.base import BaseSierNet
from siernet.fit_record import FitRecord
from siernet.inspection import LossSurface, SelectionRates, loss_surface, selection_rates
from siernet.inspection.checks import fitted_model, is_classifier, variable_names
from siernet.inspection.effects import VariableEffects, variable_effects
from siernet.inspection.observed import observed_and_members
from siernet.report.text import plain


@dataclass(frozen=True, eq=False)
class Subject:
    """A fitted estimator with what is known beside it.

    Parameters
    ----------
    model : BaseSierNet
    given : object
        The model as it was passed: the same, or the Pipeline that ends with it.
    names : (d,) array of str
    record : FitRecord or None
    rows : (n, d) array or None
        Prepared rows to average over: those passed, else the record's sample.
    held_out : dict
        Arguments that give inspection the held-out rows; empty without any.
    """

    model: BaseSierNet
    given: Any
    names: np.ndarray
    record: FitRecord | None
    rows: Any
    held_out: dict[str, Any]

    @property
    def n_members(self) -> int:
        return len(self.model.members_)

    @property
    def n_variables(self) -> int:
        return self.model.n_features_in_

    @property
    def is_constant(self) -> bool:
        return not self.model.supports_.any()

    @property
    def classes(self) -> list[str] | None:
        """Class labels as text, or None for a regression."""
        return [str(c) for c in self.model.classes_] if is_classifier(self.model) else None

    @property
    def target(self) -> str:
        return plain(self.record.target) if self.record is not None else "the response"

    @cached_property
    def rates(self) -> SelectionRates:
        return selection_rates(self.model, feature_names=self.names.tolist())

    @cached_property
    def effects(self) -> VariableEffects:
        return variable_effects(self.model)

    @cached_property
    def ranking(self) -> np.ndarray:
        """Places in ``rates``, the most selected first; of equals, those that weigh most."""
        columns = self.rates.columns
        return np.lexsort((columns, -self.effects.share[columns], -self.rates.rates))

    @cached_property
    def surface(self) -> LossSurface | None:
        return loss_surface(self.model) if hasattr(self.model, "cv_results_") else None

    @cached_property
    def observed(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Held-out responses (class codes for classes) and the members' predictions of them."""
        if not self.held_out:
            return None
        arguments = {"X": None, "y": None, "record": None, **self.held_out}
        return observed_and_members(self.model, **arguments)


def subject_of(
    model: Any,
    *,
    record: FitRecord | None = None,
    X: Any = None,
    y: Any = None,
    feature_names: Sequence[Any] | None = None,
) -> Subject:
    """Checks and sorts out what a report was given."""
    if y is not None and X is None:
        raise ValueError("y was passed without X. Pass both, of rows that were not trained on.")
    estimator, X = _estimator_and_rows(model, X)
    names = variable_names(estimator, feature_names)
    rows = X
    if rows is None and record is not None and len(record.sample_rows):
        rows = _checked_sample(record.sample_rows, estimator)
    held_out: dict[str, Any] = {}
    if y is not None:
        held_out = {"X": X, "y": y}
    elif record is not None and len(record.test_y):
        held_out = {"record": record}
    subject = Subject(estimator, model, names, record, rows, held_out)
    if subject.observed is not None and len(subject.observed[0]) == 0:
        raise ValueError("X and y hold no rows. Leave them out, or pass held-out rows.")
    return subject


def _estimator_and_rows(model: Any, X: Any) -> tuple[BaseSierNet, Any]:
    """The estimator itself, and rows as it takes them."""
    if not isinstance(model, Pipeline):
        return fitted_model(model), X
    estimator = fitted_model(model[-1])
    if X is not None and len(model) > 1:
        X = model[:-1].transform(X)
    return estimator, X


def _checked_sample(rows: np.ndarray, model: BaseSierNet) -> np.ndarray:
    if rows.ndim != 2 or rows.shape[1] != model.n_features_in_:
        raise ValueError(
            f"The record's sample of rows has shape {rows.shape}, but the model has "
            f"{model.n_features_in_} variables. The record belongs to another model."
        )
    return rows
