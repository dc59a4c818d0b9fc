"""The estimators that find lambda_1 and lambda_2 themselves."""

from __future__ import annotations

from typing import Any, ClassVar

from siernet._docstrings import documented
from siernet.estimators import (
    ENSEMBLE_CONSTRAINTS,
    ClassificationMethods,
    EnsembleMethods,
    RegressionMethods,
)
from siernet.tuning.tuned import TUNING_CONSTRAINTS, Tuned, without_penalties

_TUNED_ENSEMBLE_CONSTRAINTS: dict[str, list[Any]] = {
    **ENSEMBLE_CONSTRAINTS,
    "n_estimators_tuning": ENSEMBLE_CONSTRAINTS["n_estimators"],
}
_CALIBRATION_CONSTRAINTS: dict[str, list[Any]] = {
    "temperatures": ["array-like", None],
    "prior_powers": ["array-like", None],
}


@documented
class SierNetRegressorCV(Tuned, RegressionMethods):
    """One sparse-input hierarchical network for regression, penalties tuned.

    Tunes lambda_1 and lambda_2 by cross-validation of the network's loss, then fits
    ``SierNetRegressor`` with the best to all rows.

    {parameters}

    {attributes}

    See Also
    --------
    SierNetRegressor : The same at given penalties.
    """

    _parameter_constraints: ClassVar = {
        **without_penalties(RegressionMethods),
        **TUNING_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        input_penalties: Any = None,
        network_penalties: Any = None,
        search: str = "halving",
        n_candidates: int | None = None,
        cv: Any = 4,
        scoring: Any = None,
        selection_rule: str = "min",
        checkpoint: Any = None,
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
        self.input_penalties = input_penalties
        self.network_penalties = network_penalties
        self.search = search
        self.n_candidates = n_candidates
        self.cv = cv
        self.scoring = scoring
        self.selection_rule = selection_rule
        self.checkpoint = checkpoint
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


@documented
class SierNetClassifierCV(Tuned, ClassificationMethods):
    """One sparse-input hierarchical network for classification, penalties tuned.

    Tunes lambda_1, lambda_2 and the calibration by cross-validation of the network's loss, then
    fits ``SierNetClassifier`` with the best to all rows.

    {parameters}

    {attributes}

    See Also
    --------
    SierNetClassifier : The same at given penalties.
    """

    _parameter_constraints: ClassVar = {
        **without_penalties(ClassificationMethods),
        **TUNING_CONSTRAINTS,
        **_CALIBRATION_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        input_penalties: Any = None,
        network_penalties: Any = None,
        temperatures: Any = None,
        prior_powers: Any = None,
        search: str = "halving",
        n_candidates: int | None = None,
        cv: Any = 4,
        scoring: Any = None,
        selection_rule: str = "min",
        checkpoint: Any = None,
        n_hidden_layers: int = 5,
        n_hidden_nodes: int = 100,
        class_weight: Any = "balanced",
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
        self.input_penalties = input_penalties
        self.network_penalties = network_penalties
        self.temperatures = temperatures
        self.prior_powers = prior_powers
        self.search = search
        self.n_candidates = n_candidates
        self.cv = cv
        self.scoring = scoring
        self.selection_rule = selection_rule
        self.checkpoint = checkpoint
        self.n_hidden_layers = n_hidden_layers
        self.n_hidden_nodes = n_hidden_nodes
        self.class_weight = class_weight
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


@documented
class EasierNetRegressorCV(Tuned, EnsembleMethods, RegressionMethods):
    """Ensemble of sparse-input hierarchical networks for regression, penalties tuned.

    Tunes lambda_1 and lambda_2 by cross-validation of the ensemble's loss, then fits
    ``EasierNetRegressor`` with the best to all rows.

    {parameters}

    {attributes}

    See Also
    --------
    EasierNetRegressor : The same at given penalties.

    Examples
    --------
    >>> from siernet import EasierNetRegressorCV
    >>> from siernet.datasets import make_section_4_2
    >>> data = make_section_4_2(random_state=0)
    >>> model = EasierNetRegressorCV(random_state=0).fit(data.X, data.y)  # doctest: +SKIP
    >>> model.best_params_  # doctest: +SKIP
    """

    _parameter_constraints: ClassVar = {
        **without_penalties(RegressionMethods),
        **TUNING_CONSTRAINTS,
        **_TUNED_ENSEMBLE_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        n_estimators: int = 20,
        n_estimators_tuning: int = 10,
        input_penalties: Any = None,
        network_penalties: Any = None,
        search: str = "halving",
        n_candidates: int | None = None,
        cv: Any = 4,
        scoring: Any = None,
        selection_rule: str = "min",
        checkpoint: Any = None,
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
        self.n_estimators = n_estimators
        self.n_estimators_tuning = n_estimators_tuning
        self.input_penalties = input_penalties
        self.network_penalties = network_penalties
        self.search = search
        self.n_candidates = n_candidates
        self.cv = cv
        self.scoring = scoring
        self.selection_rule = selection_rule
        self.checkpoint = checkpoint
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


@documented
class EasierNetClassifierCV(Tuned, EnsembleMethods, ClassificationMethods):
    """Ensemble of sparse-input hierarchical networks for classification, penalties tuned.

    Tunes lambda_1, lambda_2 and the calibration by cross-validation of the ensemble's loss, then
    fits ``EasierNetClassifier`` with the best to all rows.

    {parameters}

    {attributes}

    See Also
    --------
    EasierNetClassifier : The same at given penalties.
    """

    _parameter_constraints: ClassVar = {
        **without_penalties(ClassificationMethods),
        **TUNING_CONSTRAINTS,
        **_CALIBRATION_CONSTRAINTS,
        **_TUNED_ENSEMBLE_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        n_estimators: int = 20,
        n_estimators_tuning: int = 10,
        input_penalties: Any = None,
        network_penalties: Any = None,
        temperatures: Any = None,
        prior_powers: Any = None,
        search: str = "halving",
        n_candidates: int | None = None,
        cv: Any = 4,
        scoring: Any = None,
        selection_rule: str = "min",
        checkpoint: Any = None,
        n_hidden_layers: int = 5,
        n_hidden_nodes: int = 100,
        class_weight: Any = "balanced",
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
        self.n_estimators = n_estimators
        self.n_estimators_tuning = n_estimators_tuning
        self.input_penalties = input_penalties
        self.network_penalties = network_penalties
        self.temperatures = temperatures
        self.prior_powers = prior_powers
        self.search = search
        self.n_candidates = n_candidates
        self.cv = cv
        self.scoring = scoring
        self.selection_rule = selection_rule
        self.checkpoint = checkpoint
        self.n_hidden_layers = n_hidden_layers
        self.n_hidden_nodes = n_hidden_nodes
        self.class_weight = class_weight
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
