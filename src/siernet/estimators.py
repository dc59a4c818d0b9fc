"""The plain estimators: one network, and ensembles of networks, at given penalties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.special import log_softmax, logsumexp, softmax
from sklearn.base import ClassifierMixin, RegressorMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from siernet import validation
from siernet._docstrings import documented
from siernet.base import BaseSierNet
from siernet.calibration import Calibration
from siernet.losses import CrossEntropy, OutputLoss, SquaredError
from siernet.members import Member
from siernet.random_streams import entropy_of
from siernet.rows import Rows, Scaling


class RegressionMethods(RegressorMixin, BaseSierNet):
    """What regressors add to the base."""

    def _loss(self) -> OutputLoss:
        return SquaredError()

    def _checked_target(self, y: np.ndarray) -> np.ndarray:
        if y.dtype.kind not in "fiub":
            try:
                y = y.astype(np.float64)
            except (TypeError, ValueError):
                raise ValueError(
                    f"{type(self).__name__} needs a numeric y, got values such as {str(y[0])!r}. "
                    "For classes, use a classifier."
                ) from None
        return y.astype(np.float64, copy=False)

    def _encoded(self, rows: Rows, classes: Any) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
        y = rows.y[:, None]
        scaling = Scaling.learn(y, rows.weight) if self.standardize else Scaling.none(1)
        learnt = {"y_mean_": float(scaling.mean[0]), "y_scale_": float(scaling.scale[0])}
        return scaling.apply(y), rows.weight, learnt

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RegressionMethods:
        """Trains on a table.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), optional
            A row of weight two counts as two rows, a row of weight zero as none.

        Returns
        -------
        self
        """
        rows = self._checked_rows(self._checked_table(X, y, sample_weight))
        entropy = entropy_of(self.random_state)
        self._fit_members(rows, entropy, self.input_penalty, self.network_penalty)
        return self

    def predict_members(self, X: Any) -> np.ndarray:
        """Each member's prediction, shape (B, n)."""
        return self._as_predictions(self._member_outputs(X), vars(self))

    def _as_predictions(self, outputs: np.ndarray, learnt: Mapping[str, Any]) -> np.ndarray:
        return outputs[..., 0] * learnt["y_scale_"] + learnt["y_mean_"]

    def predict(self, X: Any) -> np.ndarray:
        """The mean of the members' predictions, shape (n,)."""
        return self.predict_members(X).mean(axis=0)


class ClassificationMethods(ClassifierMixin, BaseSierNet):
    """What classifiers add to the base."""

    classes_: np.ndarray
    class_prior_: np.ndarray
    temperature_: float
    prior_power_: float
    class_weight: Any

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSierNet._parameter_constraints,
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "temperature": [Interval(Real, 0, None, closed="neither")],
        "prior_power": [Interval(Real, 0, None, closed="left")],
    }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _loss(self) -> OutputLoss:
        return CrossEntropy()

    def _checked_target(self, y: np.ndarray) -> np.ndarray:
        check_classification_targets(y)
        return y

    def _checked_rows(self, table: Rows) -> Rows:
        rows = super()._checked_rows(table)
        classes, counts = np.unique(rows.y, return_counts=True)
        validation.check_classes(classes, type(self).__name__)
        validation.warn_of_single_rows(classes, counts)
        return rows

    def _encoded(self, rows: Rows, classes: Any) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
        if classes is None:
            classes = np.unique(rows.y)
        codes = np.searchsorted(classes, rows.y)
        weight = rows.weight * self._class_weights(codes, classes, rows.weight)[codes]
        learnt = {
            "classes_": classes,
            "class_prior_": np.bincount(codes, rows.weight, len(classes)) / rows.weight.sum(),
            # The estimators that tune these do so after training.
            "temperature_": float(getattr(self, "temperature", 1)),
            "prior_power_": float(getattr(self, "prior_power", 0)),
        }
        return np.eye(len(classes))[codes], weight, learnt

    def _class_weights(
        self, codes: np.ndarray, classes: np.ndarray, row_weight: np.ndarray
    ) -> np.ndarray:
        """Weight of each class; ``"balanced"`` counts rows by their weight."""
        if isinstance(self.class_weight, str):
            totals = np.bincount(codes, row_weight, minlength=len(classes))
            return row_weight.sum() / (len(classes) * np.where(totals > 0, totals, 1))
        weights = compute_class_weight(self.class_weight, classes=classes, y=classes)
        if (weights < 0).any() or not weights[codes].any():
            raise ValueError(
                f"class_weight={self.class_weight!r} of {type(self).__name__} has to be positive "
                "for a class in y, and negative for none."
            )
        return weights

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ClassificationMethods:
        """Trains on a table.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
        y : array-like of shape (n,)
            Classes, as numbers or strings.
        sample_weight : array-like of shape (n,), optional
            A row of weight two counts as two rows, a row of weight zero as none.

        Returns
        -------
        self
        """
        rows = self._checked_rows(self._checked_table(X, y, sample_weight))
        entropy = entropy_of(self.random_state)
        self._fit_members(rows, entropy, self.input_penalty, self.network_penalty)
        return self

    def predict_members(self, X: Any) -> np.ndarray:
        """Each member's class probabilities, shape (B, n, K)."""
        return self._as_predictions(self._member_outputs(X), vars(self))

    def _as_predictions(self, outputs: np.ndarray, learnt: Mapping[str, Any]) -> np.ndarray:
        return softmax(_logits(outputs, learnt), axis=-1)

    def predict_proba(self, X: Any) -> np.ndarray:
        """The mean of the members' probabilities, shape (n, K), columns as in ``classes_``."""
        return self.predict_members(X).mean(axis=0)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of ``predict_proba``, exact where probabilities underflow."""
        logs = log_softmax(_logits(self._member_outputs(X), vars(self)), axis=2)
        return logsumexp(logs, axis=0) - np.log(len(logs))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class, shape (n,)."""
        most_probable = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_probable]


def _logits(outputs: np.ndarray, learnt: Mapping[str, Any]) -> np.ndarray:
    """Outputs (.., K) as the softmax takes them."""
    calibration = Calibration(learnt["temperature_"], learnt["prior_power_"])
    return calibration.logits(outputs, learnt["class_prior_"])


class EnsembleMethods(BaseSierNet):
    """What ensembles add: their size, and being a sequence of members."""

    n_estimators: int

    def _n_members(self) -> int:
        return self.n_estimators

    def __len__(self) -> int:
        check_is_fitted(self)
        return len(self.members_)

    def __getitem__(self, index: int) -> Member:
        check_is_fitted(self)
        return self.members_[index]

    def __iter__(self) -> Iterator[Member]:
        check_is_fitted(self)
        return iter(self.members_)


ENSEMBLE_CONSTRAINTS: dict[str, list[Any]] = {
    "n_estimators": [Interval(Integral, 1, None, closed="left")]
}


@documented
class SierNetRegressor(RegressionMethods):
    """One sparse-input hierarchical network for regression.

    {parameters}

    {attributes}

    See Also
    --------
    EasierNetRegressor : The ensemble, which predicts better and says how sure a selection is.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from siernet import SierNetRegressor
    >>> X, y = make_friedman1(200, n_features=10, random_state=0)
    >>> model = SierNetRegressor(random_state=0).fit(X, y)
    >>> model.members_[0].support[:5].all()
    np.True_
    """


@documented
class SierNetClassifier(ClassificationMethods):
    """One sparse-input hierarchical network for classification.

    {parameters}

    {attributes}

    See Also
    --------
    EasierNetClassifier : The ensemble, which predicts better and says how sure a selection is.
    """

    def __init__(
        self,
        *,
        input_penalty: float = 0.01,
        network_penalty: float = 0.002,
        n_hidden_layers: int = 5,
        n_hidden_nodes: int = 100,
        class_weight: Any = "balanced",
        temperature: float = 1.0,
        prior_power: float = 0.0,
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
        super().__init__(
            input_penalty=input_penalty,
            network_penalty=network_penalty,
            n_hidden_layers=n_hidden_layers,
            n_hidden_nodes=n_hidden_nodes,
            n_batches=n_batches,
            max_epochs=max_epochs,
            max_prox_iter=max_prox_iter,
            learning_rate=learning_rate,
            schedule=schedule,
            tol=tol,
            standardize=standardize,
            random_state=random_state,
            n_jobs=n_jobs,
            device=device,
            max_memory=max_memory,
            verbose=verbose,
        )
        self.class_weight = class_weight
        self.temperature = temperature
        self.prior_power = prior_power


@documented
class EasierNetRegressor(EnsembleMethods, RegressionMethods):
    """Ensemble of sparse-input hierarchical networks for regression.

    Every member is trained on all rows, from its own initial weights and with its own order of
    mini-batches; predictions are averaged.

    {parameters}

    {attributes}

    References
    ----------
    Feng and Simon, Ensembled sparse-input hierarchical networks for high-dimensional datasets.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from siernet import EasierNetRegressor
    >>> X, y = make_friedman1(200, n_features=10, random_state=0)
    >>> model = EasierNetRegressor(n_estimators=5, random_state=0).fit(X, y)
    >>> model.get_support(indices=True)[:5]
    array([0, 1, 2, 3, 4])
    """

    _parameter_constraints: ClassVar = {
        **RegressionMethods._parameter_constraints,
        **ENSEMBLE_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        n_estimators: int = 20,
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
        super().__init__(
            input_penalty=input_penalty,
            network_penalty=network_penalty,
            n_hidden_layers=n_hidden_layers,
            n_hidden_nodes=n_hidden_nodes,
            n_batches=n_batches,
            max_epochs=max_epochs,
            max_prox_iter=max_prox_iter,
            learning_rate=learning_rate,
            schedule=schedule,
            tol=tol,
            standardize=standardize,
            random_state=random_state,
            n_jobs=n_jobs,
            device=device,
            max_memory=max_memory,
            verbose=verbose,
        )
        self.n_estimators = n_estimators


@documented
class EasierNetClassifier(EnsembleMethods, ClassificationMethods):
    """Ensemble of sparse-input hierarchical networks for classification.

    Every member is trained on all rows, from its own initial weights and with its own order of
    mini-batches; probabilities are averaged.

    {parameters}

    {attributes}

    References
    ----------
    Feng and Simon, Ensembled sparse-input hierarchical networks for high-dimensional datasets.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from siernet import EasierNetClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = EasierNetClassifier(n_estimators=5, random_state=0).fit(X, y)
    >>> model.predict_proba(X[:1]).shape
    (1, 3)
    """

    _parameter_constraints: ClassVar = {
        **ClassificationMethods._parameter_constraints,
        **ENSEMBLE_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        n_estimators: int = 20,
        input_penalty: float = 0.01,
        network_penalty: float = 0.002,
        n_hidden_layers: int = 5,
        n_hidden_nodes: int = 100,
        class_weight: Any = "balanced",
        temperature: float = 1.0,
        prior_power: float = 0.0,
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
        super().__init__(
            input_penalty=input_penalty,
            network_penalty=network_penalty,
            n_hidden_layers=n_hidden_layers,
            n_hidden_nodes=n_hidden_nodes,
            n_batches=n_batches,
            max_epochs=max_epochs,
            max_prox_iter=max_prox_iter,
            learning_rate=learning_rate,
            schedule=schedule,
            tol=tol,
            standardize=standardize,
            random_state=random_state,
            n_jobs=n_jobs,
            device=device,
            max_memory=max_memory,
            verbose=verbose,
        )
        self.n_estimators = n_estimators
        self.class_weight = class_weight
        self.temperature = temperature
        self.prior_power = prior_power
