"""What every CV estimator does: search, choose, refit."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import _fit_context, is_classifier
from sklearn.metrics import check_scoring
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from siernet.base import BaseSierNet, Prepared
from siernet.calibration import PRIOR_POWERS, TEMPERATURES, Calibration, best_calibrations
from siernet.engine import resolve_device
from siernet.random_streams import entropy_of
from siernet.rows import Rows
from siernet.tasks import Task, TrainedTask
from siernet.tuning.checkpoint import Checkpoint, digest_of
from siernet.tuning.evaluation import (
    CandidateScore,
    Evaluator,
    PredictedClassification,
    PredictedRegression,
)
from siernet.tuning.folds import Fold, make_folds
from siernet.tuning.penalty_range import largest_penalty
from siernet.tuning.search import (
    Candidate,
    Plane,
    grid_candidates,
    halve,
    random_candidates,
    refine,
)

TUNING_CONSTRAINTS: dict[str, list[Any]] = {
    "input_penalties": ["array-like", None],
    "network_penalties": ["array-like", None],
    "search": [StrOptions({"halving", "grid", "random"})],
    "n_candidates": [Interval(Integral, 1, None, closed="left"), None],
    "cv": ["cv_object"],
    "scoring": [str, callable, None],
    "selection_rule": [StrOptions({"min", "1se"})],
    "checkpoint": [str, HasMethods("__fspath__"), None],
}
_RANDOM_CANDIDATES = 25
# Proximal steps while tuning, after a constant rate; a settled network's zeros are exact already
# and further steps do not change its loss noticeably.
_PROXIMAL_STEPS = 20
# They cannot change which networks are trained, or not what is stored of them.
_NOT_IN_CHECKPOINT = {
    "n_jobs",
    "max_memory",
    "verbose",
    "checkpoint",
    "random_state",
    "cv",
    "scoring",
    "selection_rule",
    "n_estimators",
    "temperatures",
    "prior_powers",
}


def without_penalties(Estimator: type[BaseSierNet]) -> dict[str, list[Any]]:
    """The parameter constraints of an estimator that tunes the penalties itself."""
    return {
        name: constraint
        for name, constraint in Estimator._parameter_constraints.items()
        if name not in ("input_penalty", "network_penalty", "temperature", "prior_power")
    }


class Tuned(BaseSierNet):
    """Search over penalties by cross-validation, then a refit with the chosen pair."""

    input_penalty_: float
    network_penalty_: float
    best_params_: dict[str, float]
    best_score_: float
    best_index_: int
    cv_results_: dict[str, Any]
    n_splits_: int

    input_penalties: Any
    network_penalties: Any
    search: str
    n_candidates: int | None
    cv: Any
    scoring: Any
    selection_rule: str
    checkpoint: Any

    _parameter_constraints: ClassVar[dict[str, list[Any]]]

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Tuned:
        """Tunes the penalties, then trains on all rows with the chosen ones.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
            Weights of the rows in training and in validation.
        groups : array-like of shape (n,), optional
            Rows of one group are never on both sides of a split.

        Returns
        -------
        self
        """
        table = self._checked_table(X, y, sample_weight)
        rows = self._checked_rows(table)
        classes = np.unique(rows.y) if is_classifier(self) else None
        entropy, checkpoint = self._entropy_and_checkpoint(table)
        folds = make_folds(table, self.cv, groups, classes=classes, seed=entropy)
        evaluator = self._evaluator(folds, classes, entropy, checkpoint)
        self._search_penalties(evaluator, self._prepared(rows), entropy)
        chosen = self._choose(evaluator.results)
        evaluator([chosen], self._tuning_members())  # dropped early, it may have had fewer
        self._record_search(evaluator.results, chosen)
        self._warn_nothing_found()
        self._fit_members(rows, entropy, chosen.input_penalty, chosen.network_penalty)
        if classes is not None:
            self.temperature_ = self.best_params_["temperature"]
            self.prior_power_ = self.best_params_["prior_power"]
        return self

    # -- search ----------------------------------------------------------------------------------

    def _entropy_and_checkpoint(self, table: Rows) -> tuple[int, Checkpoint | None]:
        entropy = entropy_of(self.random_state)
        if self.checkpoint is None:
            return entropy, None
        parameters = {
            name: repr(value)
            for name, value in self.get_params(deep=False).items()
            if name not in _NOT_IN_CHECKPOINT
        }
        description = {
            "estimator": type(self).__name__,
            "data": digest_of(table.X, table.y, table.weight),
            **parameters,
        }
        checkpoint = Checkpoint(os.fspath(self.checkpoint), description)
        fixed = self.random_state is not None
        return checkpoint.entropy(entropy, fixed=fixed), checkpoint

    def _tuning_members(self) -> int:
        return getattr(self, "n_estimators_tuning", 1)

    def _calibrations(self) -> list[Calibration]:
        temperatures = _checked_list(
            getattr(self, "temperatures", None), "temperatures", zero=False
        )
        powers = _checked_list(getattr(self, "prior_powers", None), "prior_powers")
        if powers is None:
            # Where classes were not weighted there is nothing to take back; and another score may
            # well be one for which they count alike.
            likelihood = self.scoring is None or self.scoring == "neg_log_loss"
            weighted = getattr(self, "class_weight", None) is not None
            powers = list(PRIOR_POWERS) if likelihood and weighted else [0.0]
        return [
            Calibration(temperature, power)
            for temperature in temperatures or TEMPERATURES
            for power in powers
        ]

    def _evaluator(
        self,
        folds: list[Fold],
        classes: np.ndarray | None,
        entropy: int,
        checkpoint: Checkpoint | None,
    ) -> Evaluator:
        prepared = [self._prepared(fold.train, classes) for fold in folds]
        recipe = self._recipe()
        steps = 0 if recipe.schedule.decay else min(recipe.max_prox_iter, _PROXIMAL_STEPS)
        recipe = replace(recipe, max_prox_iter=steps)

        def train(tasks: list[Task], progress: Callable[[float], None] | None) -> list[TrainedTask]:
            return self._trained(tasks, prepared, recipe, progress)

        def predict(result: TrainedTask, fold: int) -> tuple[np.ndarray, int]:
            return self._fold_predictions(result, prepared[fold], folds[fold].test.X)

        calibrate = None
        if classes is not None:
            calibrate = partial(
                best_calibrations,
                shares=[own.learnt["class_prior_"] for own in prepared],
                rows=[fold.test for fold in folds],
                calibrations=self._calibrations(),
                log_likelihood=_LogLikelihood(classes),
            )
        return Evaluator(
            folds,
            entropy,
            train=train,
            predict=predict,
            score=self._scorer(classes),
            n_members=self._tuning_members(),
            calibrate=calibrate,
            device=resolve_device(self.device),
            checkpoint=checkpoint,
            verbose=self.verbose,
        )

    def _fold_predictions(
        self, result: TrainedTask, prepared: Prepared, X: np.ndarray
    ) -> tuple[np.ndarray, int]:
        """One network's predictions, and how many variables it selected."""
        if result.diverged:
            return np.full(len(X), np.nan), 0
        member = self._member_of(result, prepared)
        learnt = prepared.learnt
        outputs = member.outputs((X - learnt["x_mean_"]) / learnt["x_scale_"])
        return self._as_predictions(outputs, learnt), int(member.support.sum())

    def _scorer(self, classes: np.ndarray | None) -> Callable[[np.ndarray, Rows], float]:
        if self.scoring is None:
            return _negative_squared_error if classes is None else _LogLikelihood(classes)

        def score(predictions: np.ndarray, rows: Rows) -> float:
            model: Any
            if classes is None:
                model = PredictedRegression(predictions)
            else:
                model = PredictedClassification(predictions, classes)
            scorer = check_scoring(model, scoring=self.scoring)
            uneven = np.ptp(rows.weight) > 0
            options = {"sample_weight": rows.weight} if uneven else {}
            return float(scorer(model, rows.X, rows.y, **options))

        return score

    def _search_penalties(self, evaluator: Evaluator, prepared: Prepared, entropy: int) -> None:
        # A response or columns that do not vary leave nothing to bound; any range will do.
        plane = Plane(largest_penalty(prepared.training_rows(), self._loss()) or 1.0)
        n_members = self._tuning_members()
        inputs = _checked_list(self.input_penalties, "input_penalties")
        networks = _checked_list(self.network_penalties, "network_penalties")
        explicit = inputs is not None or networks is not None
        if self.search == "random":
            n_candidates = self.n_candidates or _RANDOM_CANDIDATES
            candidates = random_candidates(plane, n_candidates, entropy)
            if explicit:
                pairs = grid_candidates(plane, inputs, networks)
                order = np.random.default_rng(entropy).permutation(len(pairs))
                candidates = [pairs[i] for i in order[:n_candidates]]
            evaluator(candidates, n_members)
        elif self.search == "grid":
            evaluator(grid_candidates(plane, inputs, networks), n_members)
        elif explicit:
            halve(grid_candidates(plane, inputs, networks), evaluator, n_members)
        else:
            at_edge = refine(plane, evaluator, n_members)
            if at_edge:
                warnings.warn(
                    f"The best {' and '.join(at_edge)} {'lie' if at_edge[1:] else 'lies'} at the "
                    "lower edge of what was searched. Smaller values may be better: pass them as "
                    "input_penalties and network_penalties.",
                    UserWarning,
                    stacklevel=4,
                )

    # -- choice ----------------------------------------------------------------------------------

    def _choose(self, results: dict[Candidate, CandidateScore]) -> Candidate:
        """The best of those with most members, or the sparsest within one standard error of it."""
        most = max(result.n_members for result in results.values())
        full = [c for c, result in results.items() if result.n_members == most]
        best = max(full, key=lambda candidate: results[candidate].mean)
        if not np.isfinite(results[best].mean):
            raise FloatingPointError(
                "Training diverged for every candidate. Lower learning_rate (now "
                f"{self.learning_rate})."
            )
        if self.selection_rule == "min":
            return best
        # Fewer members only make a loss larger, so candidates dropped early may count too; not so
        # with scores such as the accuracy.
        eligible = list(results) if self.scoring is None else full
        bound = results[best].mean - results[best].standard_error
        within = [c for c in eligible if results[c].mean >= bound]
        return min(
            within, key=lambda c: (results[c].n_selected, -c.input_penalty, -c.network_penalty)
        )

    def _record_search(self, results: dict[Candidate, CandidateScore], chosen: Candidate) -> None:
        candidates = list(results)
        self.best_index_ = candidates.index(chosen)
        self.best_score_ = results[chosen].mean
        self.input_penalty_ = chosen.input_penalty
        self.network_penalty_ = chosen.network_penalty
        self.best_params_ = _as_params(chosen, results[chosen])
        self.n_splits_ = len(results[chosen].scores)
        self.cv_results_ = _cv_results(candidates, [results[c] for c in candidates])

    def _nothing_found(self) -> bool:
        """Whether networks that select hardly anything were preferred to others that do."""
        selected = self.cv_results_["mean_n_selected"]
        return bool(selected[self.best_index_] < 1 <= selected.max())

    def _warn_nothing_found(self) -> None:
        """Says that a constant was hardly beaten, and which candidate that selects comes next."""
        if not self._nothing_found():
            return
        table, chosen = self.cv_results_, self.best_index_
        selected, score = table["mean_n_selected"], table["mean_test_score"]
        best = int(np.where(selected >= 1, score, -np.inf).argmax())
        penalties = table["params"][best]
        warnings.warn(
            "Cross-validation found nothing that predicts better than (nearly) a constant: the "
            f"networks at the chosen penalties select {selected[chosen]:.2g} variables on average "
            f"(mean score {score[chosen]:.3g}). The best that select one or more have "
            f"input_penalty={penalties['input_penalty']:.3g} and "
            f"network_penalty={penalties['network_penalty']:.3g} (mean score {score[best]:.3g}). "
            "More rows would tell more; so may more folds, such as cv=10.",
            UserWarning,
            stacklevel=4,
        )

    def _warn_constant(self, task: Task, prepared: Prepared) -> None:
        if not self._nothing_found():  # else it is said, and better advice than pilot fits give
            super()._warn_constant(task, prepared)


def _as_params(candidate: Candidate, result: CandidateScore) -> dict[str, float]:
    params = {
        "input_penalty": candidate.input_penalty,
        "network_penalty": candidate.network_penalty,
    }
    return params if result.calibration is None else {**params, **asdict(result.calibration)}


def _cv_results(candidates: list[Candidate], results: list[CandidateScore]) -> dict[str, Any]:
    """scikit-learn's layout; ``n_resources`` is the number of members, as in its halving search.

    Ranks go by members first: scores of candidates that were dropped early are of smaller
    ensembles.
    """
    scores = np.stack([result.scores for result in results])
    seconds = np.stack([result.seconds for result in results])
    members = np.array([result.n_members for result in results])
    mean = scores.mean(axis=1)
    order = np.lexsort((-mean, -members))
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(1, len(order) + 1)
    params = [_as_params(*pair) for pair in zip(candidates, results, strict=True)]
    table: dict[str, Any] = {
        "mean_fit_time": seconds.mean(axis=1),
        "std_fit_time": seconds.std(axis=1),
        **{f"param_{name}": np.ma.array([own[name] for own in params]) for name in params[0]},
        "params": params,
        **{f"split{fold}_test_score": scores[:, fold] for fold in range(scores.shape[1])},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1),
        "se_test_score": np.array([result.standard_error for result in results]),
        "rank_test_score": rank,
        "n_resources": members,
        "mean_n_selected": np.array([result.n_selected for result in results]),
    }
    return table


def _checked_list(values: Any, name: str, *, zero: bool = True) -> list[float] | None:
    """The numbers as a list; one at least, none negative."""
    if values is None:
        return None
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.zeros(0)
    numbers = array.ndim == 1 and len(array) and np.isfinite(array).all()
    if numbers and ((array > 0).all() or (zero and (array >= 0).all())):
        return array.tolist()
    bound = "not negative" if zero else "above 0"
    raise ValueError(f"{name}={values!r} has to be a list of one or more numbers, {bound}.")


def _negative_squared_error(predictions: np.ndarray, rows: Rows) -> float:
    return -float(np.average((predictions - rows.y) ** 2, weights=rows.weight))


class _LogLikelihood:
    """Mean log-probability of the observed classes."""

    def __init__(self, classes: np.ndarray) -> None:
        self.classes = classes

    def __call__(self, predictions: np.ndarray, rows: Rows) -> float:
        observed = np.searchsorted(self.classes, rows.y)
        probability = predictions[np.arange(len(observed)), observed]
        tiny = np.finfo(np.float64).tiny
        return float(np.average(np.log(np.maximum(probability, tiny)), weights=rows.weight))
