"""What all estimators share: parameters, fitting a list of members, predicting with them."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from siernet import engine, validation
from siernet.losses import OutputLoss
from siernet.members import Member
from siernet.objective import TrainingRows
from siernet.progress import progress_bar
from siernet.random_streams import task_key
from siernet.rows import Rows, Scaling, distinct_rows
from siernet.tasks import Recipe, Task, TrainedTask
from siernet.training.schedules import Schedule

MEMBER = 0  # first part of the identity of an ensemble's member, for its random stream

#: Parameters that train as the paper's published scripts did (simulations of Table 1): a constant
#: rate of 1e-3, 1500 epochs, then up to 300 proximal steps.
PAPER_SETTINGS: dict[str, Any] = {
    "schedule": "constant",
    "learning_rate": 1e-3,
    "max_epochs": 1500,
    "max_prox_iter": 300,
    "n_batches": 3,
    "n_hidden_layers": 5,
    "n_hidden_nodes": 100,
}


@dataclass(frozen=True)
class Prepared:
    """A table ready for training, and what was learnt from it on the way."""

    X: np.ndarray  # (rows, varying columns), scaled
    target: np.ndarray  # (rows, outputs): the scaled response, or one-hot classes
    weight: np.ndarray  # (rows,), of sum one
    varying: np.ndarray  # (varying columns,), their places among all columns
    learnt: dict[str, Any]  # fitted attributes: x_mean_, x_scale_, and y's or classes_

    def training_rows(self) -> TrainingRows:
        return TrainingRows(
            *(
                torch.as_tensor(np.ascontiguousarray(part), dtype=torch.float32)
                for part in (self.X, self.target, self.weight)
            )
        )


class BaseSierNet(BaseEstimator):
    """Parameters and methods of every estimator; see ``EasierNetRegressor`` for what they mean."""

    members_: list[Member]
    x_mean_: np.ndarray
    x_scale_: np.ndarray
    y_mean_: float
    y_scale_: float
    selection_rates_: np.ndarray
    supports_: np.ndarray
    layer_contributions_: np.ndarray
    n_iter_: np.ndarray
    converged_: np.ndarray
    objective_: np.ndarray
    residuals_: np.ndarray
    n_features_in_: int

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "input_penalty": [Interval(Real, 0, None, closed="left")],
        "network_penalty": [Interval(Real, 0, None, closed="left")],
        "n_hidden_layers": [Interval(Integral, 0, None, closed="left")],
        "n_hidden_nodes": [Interval(Integral, 1, None, closed="left")],
        "n_batches": [Interval(Integral, 1, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "max_prox_iter": [Interval(Integral, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "schedule": [StrOptions({"cosine", "constant"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "standardize": ["boolean"],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "device": [StrOptions({"auto", "cpu", "cuda"})],
        "max_memory": [str, Interval(Real, 0, None, closed="neither")],
        "verbose": ["verbose", callable],
    }

    def __init__(
        self,
        *,
        input_penalty: float = 0.01,
        network_penalty: float = 0.002,
        n_hidden_layers: int = 5,
        n_hidden_nodes: int = 100,
        n_batches: int = 3,
        max_epochs: int = 1000,
        max_prox_iter: int = 300,
        learning_rate: float = 1e-2,
        schedule: str = "cosine",
        tol: float = 1e-2,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
        max_memory: str | float = "auto",
        verbose: Any = 0,
    ) -> None:
        self.input_penalty = input_penalty
        self.network_penalty = network_penalty
        self.n_hidden_layers = n_hidden_layers
        self.n_hidden_nodes = n_hidden_nodes
        self.n_batches = n_batches
        self.max_epochs = max_epochs
        self.max_prox_iter = max_prox_iter
        self.learning_rate = learning_rate
        self.schedule = schedule
        self.tol = tol
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.device = device
        self.max_memory = max_memory
        self.verbose = verbose

    # -- what a regressor and a classifier say differently ---------------------------------------

    def _loss(self) -> OutputLoss:
        raise NotImplementedError

    def _encoded(self, rows: Rows, classes: Any) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
        """Target (rows, outputs), weight (rows,) and the fitted attributes that say how."""
        raise NotImplementedError

    def _prepared(self, rows: Rows, classes: np.ndarray | None = None) -> Prepared:
        """Scales the rows and encodes their response, learning how from these rows.

        ``classes`` are those of the whole data, where the rows are a part of it.
        """
        if self.standardize:
            scaling = Scaling.learn(rows.X, rows.weight)
        else:
            scaling = Scaling.none(rows.X.shape[1])
        target, weight, learnt = self._encoded(rows, classes)
        varying = np.flatnonzero(np.ptp(rows.X, axis=0) > 0)
        return Prepared(
            X=scaling.apply(rows.X)[:, varying],
            target=target,
            weight=weight / weight.sum(),
            varying=varying,
            learnt={"x_mean_": scaling.mean, "x_scale_": scaling.scale, **learnt},
        )

    def _as_predictions(self, outputs: np.ndarray, learnt: Mapping[str, Any]) -> np.ndarray:
        """Predictions from networks' outputs (..., n, d_L), given what scaled the response."""
        raise NotImplementedError

    def _n_members(self) -> int:
        return 1

    # -- fitting -----------------------------------------------------------------------------------

    def _checked_table(self, X: Any, y: Any, sample_weight: Any) -> Rows:
        """The user's rows as they came, checked."""
        names_from = X
        name = type(self).__name__
        validation.check_finite_target(y)
        if sample_weight is not None and not np.asarray(sample_weight).any():
            raise ValueError(f"All sample_weight are zero: {name} has no row left to learn from.")
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], ensure_all_finite=False)
        validation.check_finite(X, validation.column_names(names_from, X.shape[1]), name)
        y = self._checked_target(y)
        sample_weight = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        return Rows(X.astype(np.float64, copy=False), y, sample_weight)

    def _checked_rows(self, table: Rows) -> Rows:
        """The distinct rows of a table, checked for being enough."""
        rows = distinct_rows(table)
        validation.check_enough_rows(len(rows.weight), self.n_batches, type(self).__name__)
        return rows

    def _checked_target(self, y: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _recipe(self) -> Recipe:
        return Recipe(
            n_hidden_layers=self.n_hidden_layers,
            n_hidden_nodes=self.n_hidden_nodes,
            n_batches=self.n_batches,
            schedule=Schedule(self.learning_rate, self.max_epochs, decay=self.schedule == "cosine"),
            max_prox_iter=self.max_prox_iter,
            tol=self.tol,
        )

    def _fit_members(
        self, rows: Rows, entropy: int, input_penalty: float, network_penalty: float
    ) -> None:
        """Trains the members on the rows and sets the fitted attributes."""
        prepared = self._prepared(rows)
        tasks = [
            Task(task_key(entropy, MEMBER, member), input_penalty, network_penalty)
            for member in range(self._n_members())
        ]
        with progress_bar(type(self).__name__, len(tasks), verbose=self.verbose) as progress:
            trained = self._trained(tasks, [prepared], self._recipe(), progress)
        self._assemble(trained, prepared)
        self._warn_unfinished(trained)
        if not self.supports_.any():
            self._warn_constant(tasks[0], prepared)

    def _trained(
        self,
        tasks: list[Task],
        data: list[Prepared],
        recipe: Recipe,
        progress: engine.Progress | None = None,
    ) -> list[TrainedTask]:
        return engine.train(
            tasks,
            [prepared.training_rows() for prepared in data],
            self._loss(),
            recipe,
            device=engine.resolve_device(self.device),
            n_jobs=self.n_jobs,
            max_memory=validation.memory_bytes(self.max_memory),
            progress=progress,
        )

    def _assemble(self, trained: list[TrainedTask], prepared: Prepared) -> None:
        """Sets the fitted attributes from trained tasks."""
        name = type(self).__name__
        diverged = [index for index, task in enumerate(trained) if task.diverged]
        if len(diverged) == len(trained):
            raise FloatingPointError(
                f"Training of {name} diverged for every member, at learning_rate="
                f"{self.learning_rate} and at a tenth of it. Lower learning_rate"
                + ("." if self.standardize else ", or set standardize=True.")
            )
        if diverged:
            warnings.warn(
                f"Members {diverged} of {name} diverged twice and are left out. Lower "
                f"learning_rate (now {self.learning_rate}).",
                ConvergenceWarning,
                stacklevel=4,
            )
            trained = [task for task in trained if not task.diverged]
        for attribute, value in prepared.learnt.items():
            setattr(self, attribute, value)
        self.members_ = [self._member_of(task, prepared) for task in trained]
        self.supports_ = np.stack([member.support for member in self.members_])
        self.selection_rates_ = self.supports_.mean(axis=0)
        scaled = np.zeros((len(prepared.X), self.n_features_in_))
        scaled[:, prepared.varying] = prepared.X
        self.layer_contributions_ = np.stack(
            [member.layer_contributions(scaled, prepared.weight) for member in self.members_]
        )
        self.n_iter_ = np.array([task.n_epochs + task.n_prox_iter for task in trained])
        self.objective_ = np.array([task.objective for task in trained])
        self.residuals_ = np.array([task.residual for task in trained])
        self.converged_ = self.residuals_ < self.tol

    def _member_of(self, task: TrainedTask, prepared: Prepared) -> Member:
        """The record of a trained task."""
        return Member(
            widths=(self.n_features_in_, *(self.n_hidden_nodes,) * self.n_hidden_layers),
            nodes=(prepared.varying[task.nodes[0]], *task.nodes[1:]),
            kept_beta=task.beta,
            kept_alpha=task.alpha,
            kept_weights=task.weights,
            kept_biases=task.biases,
            kept_skip_weights=task.skip_weights,
            kept_skip_biases=task.skip_biases,
        )

    def _warn_unfinished(self, trained: list[TrainedTask]) -> None:
        improving = [not (task.flat or task.residual < self.tol) for task in trained]
        unfinished = sum(improving) - sum(task.diverged for task in trained)
        if unfinished and self.max_prox_iter > 0:
            warnings.warn(
                f"{unfinished} of {len(trained)} networks of {type(self).__name__} were still "
                f"improving after max_prox_iter={self.max_prox_iter} proximal steps. "
                "Raise max_prox_iter or tol.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _warn_constant(self, task: Task, prepared: Prepared) -> None:
        """Says that nothing was selected and, by pilot fits, from where on something would be."""
        advice = "no column varies" if not prepared.X.shape[1] else "the response does not vary"
        if prepared.X.shape[1] and np.ptp(prepared.target, axis=0).any():
            largest = self._largest_useful_penalty(task, prepared)
            advice = (
                "no smaller input_penalty helps at this network_penalty"
                if largest is None
                else f"the largest useful input_penalty here is about {largest:.2g} (found by "
                "pilot fits)"
            )
        warnings.warn(
            f"{type(self).__name__} selected no variable and predicts a constant, with "
            f"input_penalty={task.input_penalty:.3g} and "
            f"network_penalty={task.network_penalty:.3g}: {advice}.",
            UserWarning,
            stacklevel=4,
        )

    def _largest_useful_penalty(self, task: Task, prepared: Prepared) -> float | None:
        """The largest lambda_1, of a few below the one given, that selects a variable."""
        pilots = [
            Task(task.key, task.input_penalty / 2**halving, task.network_penalty)
            for halving in range(1, 13)
        ]
        trained = self._trained(pilots, [prepared], self._recipe())
        for pilot, result in zip(pilots, trained, strict=True):
            if not result.diverged and self._member_of(result, prepared).support.any():
                return pilot.input_penalty
        return None

    # -- prediction and inspection ---------------------------------------------------------------

    def _scaled_inputs(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        names_from = X
        X = validate_data(
            self, X, dtype=[np.float64, np.float32], ensure_all_finite=False, reset=False
        )
        names = validation.column_names(names_from, X.shape[1])
        validation.check_finite(X, names, type(self).__name__)
        return (X.astype(np.float64, copy=False) - self.x_mean_) / self.x_scale_

    def _member_outputs(self, X: Any) -> np.ndarray:
        """Outputs of each member before the output function, (B, n, d_L)."""
        scaled = self._scaled_inputs(X)
        return np.stack([member.outputs(scaled) for member in self.members_])

    def get_support(self, threshold: float = 0.5, *, indices: bool = False) -> np.ndarray:
        """Variables that at least a share ``threshold`` of the members selected.

        Parameters
        ----------
        threshold : float, default=0.5
        indices : bool, default=False
            Return positions instead of a mask.

        Returns
        -------
        ndarray of shape (n_features_in_,), dtype bool, or (n_selected,), dtype int
        """
        check_is_fitted(self)
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold={threshold!r} has to be above 0 and at most 1.")
        mask = self.selection_rates_ >= threshold
        return np.flatnonzero(mask) if indices else mask

    def support_posterior(self) -> dict[tuple[Any, ...], float]:
        """How often each distinct support was chosen, most frequent first.

        Returns
        -------
        dict
            From the selected variables (a tuple of names, or of positions if the model was
            fitted without names) to the share of members that selected exactly these: an
            approximate posterior probability that they are the support.
        """
        check_is_fitted(self)
        labels = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        counts = Counter(tuple(labels[support].tolist()) for support in self.supports_)
        return {chosen: count / len(self.supports_) for chosen, count in counts.most_common()}

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the fitted model to a file that ``siernet.load`` reads; extra ``cli``.

        The file holds numbers, names and nothing that is executed. It is written whole or not at
        all.
        """
        from siernet.persistence import save

        check_is_fitted(self)
        return save(self, path)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "members_")
