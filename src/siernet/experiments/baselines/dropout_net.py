"""DropoutNet: dense networks regularised by dropout alone, single or in an ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import check_cv
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_is_fitted, validate_data

from siernet.engine import resolve_device
from siernet.experiments.baselines.stacked import (
    DenseRecipe,
    DenseStack,
    NetworkRows,
    NetworkScaling,
    train_dense,
)
from siernet.random_streams import entropy_of
from siernet.rows import Scaling


class _DropoutNet(BaseEstimator):
    """What both share; responses and predictions differ by task.

    Parameters
    ----------
    n_estimators, n_estimators_tuning : int, default=20, 10
        Networks of the final fit, and while the depth is tuned; their outputs (probabilities, for
        classes) are averaged.
    depths : sequence of int, default=(5,)
        Numbers of hidden layers to choose from, by cross-validation of the ensemble's loss.
    n_hidden_nodes : int, default=100
    dropout : float, default=0.15
        Share of hidden nodes left out in each step.
    max_epochs, learning_rate, n_batches
        Adam at a constant rate.
    cv : int, splitter or iterable, default=4
    random_state : int, RandomState instance or None, default=None
    device : {"auto", "cpu", "cuda"}, default="auto"

    Attributes
    ----------
    depth_ : int
    cv_losses_ : dict
        From each depth to its mean validation loss; empty where there is one depth only.
    stack_ : DenseStack
    """

    stack_: DenseStack
    scaling_: Scaling

    def __init__(
        self,
        *,
        n_estimators: int = 20,
        n_estimators_tuning: int = 10,
        depths: Sequence[int] = (5,),
        n_hidden_nodes: int = 100,
        dropout: float = 0.15,
        max_epochs: int = 1500,
        learning_rate: float = 1e-3,
        n_batches: int = 3,
        cv: Any = 4,
        random_state: Any = None,
        device: str = "auto",
    ) -> None:
        self.n_estimators = n_estimators
        self.n_estimators_tuning = n_estimators_tuning
        self.depths = depths
        self.n_hidden_nodes = n_hidden_nodes
        self.dropout = dropout
        self.max_epochs = max_epochs
        self.learning_rate = learning_rate
        self.n_batches = n_batches
        self.cv = cv
        self.random_state = random_state
        self.device = device

    def _averaged(self, outputs: np.ndarray) -> np.ndarray:
        """The ensemble's prediction on the training's scale from (networks, n, outputs)."""
        raise NotImplementedError

    def _mean_loss(self, predictions: np.ndarray, target: np.ndarray) -> float:
        raise NotImplementedError

    def _tune_and_train(
        self, X: np.ndarray, target: np.ndarray, weight: np.ndarray, n_classes: int
    ) -> None:
        # For the sake of single precision only: every network scales by its own rows again.
        self.scaling_ = Scaling.learn(X, np.ones(len(X)))
        X = self.scaling_.apply(X)
        seed = entropy_of(self.random_state)

        def trained(depth: int, parts: list[np.ndarray], copies: int) -> DenseStack:
            rows = NetworkRows.of_parts(parts, weight, copies)
            scaling = NetworkScaling.of_parts(X, None if n_classes else target, parts, copies)
            recipe = DenseRecipe(
                n_hidden_layers=depth,
                n_hidden_nodes=self.n_hidden_nodes,
                dropout=self.dropout,
                max_epochs=self.max_epochs,
                learning_rate=self.learning_rate,
                n_batches=self.n_batches,
            )
            device = resolve_device(self.device)
            return train_dense(
                X, target, rows, scaling, recipe, n_classes=n_classes, seed=seed, device=device
            )

        self.cv_losses_ = {}
        if len(self.depths) > 1:
            splitter = check_cv(self.cv, target, classifier=n_classes > 0)
            folds = list(splitter.split(X, target))
            copies = min(self.n_estimators, self.n_estimators_tuning)
            for depth in self.depths:
                outputs = trained(depth, [train for train, _ in folds], copies).predict(X)
                by_fold = np.split(outputs, len(folds))
                losses = [
                    self._mean_loss(self._averaged(outputs[:, test]), target[test])
                    for outputs, (_, test) in zip(by_fold, folds, strict=True)
                ]
                self.cv_losses_[depth] = float(np.mean(losses))
        self.depth_ = min(self.depths, key=lambda depth: self.cv_losses_.get(depth, 0.0))
        self.stack_ = trained(self.depth_, [np.arange(len(X))], self.n_estimators)

    def _outputs(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return self.stack_.predict(self.scaling_.apply(X))


class DropoutNetRegressor(RegressorMixin, _DropoutNet):
    """Dense networks with dropout for regression; X and y are centred and scaled inside."""

    def fit(self, X: Any, y: Any) -> DropoutNetRegressor:
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self.y_scaling_ = Scaling.learn(y[:, None], np.ones(len(y)))
        target = self.y_scaling_.apply(y[:, None])[:, 0]
        self._tune_and_train(X, target, np.ones(len(y)), n_classes=0)
        return self

    def _averaged(self, outputs: np.ndarray) -> np.ndarray:
        return outputs[:, :, 0].astype(np.float64).mean(axis=0)

    def _mean_loss(self, predictions: np.ndarray, target: np.ndarray) -> float:
        return float(np.mean((predictions - target) ** 2) * self.y_scaling_.scale[0] ** 2)

    def predict(self, X: Any) -> np.ndarray:
        scaling = self.y_scaling_
        return self._averaged(self._outputs(X)) * scaling.scale[0] + scaling.mean[0]


class DropoutNetClassifier(ClassifierMixin, _DropoutNet):
    """Dense networks with dropout for classification.

    ``class_weight`` is "balanced" (by inverse frequency, as in the paper), a dict, or None.
    """

    def __init__(
        self,
        *,
        n_estimators: int = 20,
        n_estimators_tuning: int = 10,
        depths: Sequence[int] = (5,),
        n_hidden_nodes: int = 100,
        dropout: float = 0.15,
        max_epochs: int = 1500,
        learning_rate: float = 1e-3,
        n_batches: int = 3,
        cv: Any = 4,
        class_weight: Any = "balanced",
        random_state: Any = None,
        device: str = "auto",
    ) -> None:
        super().__init__(
            n_estimators=n_estimators,
            n_estimators_tuning=n_estimators_tuning,
            depths=depths,
            n_hidden_nodes=n_hidden_nodes,
            dropout=dropout,
            max_epochs=max_epochs,
            learning_rate=learning_rate,
            n_batches=n_batches,
            cv=cv,
            random_state=random_state,
            device=device,
        )
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any) -> DropoutNetClassifier:
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        weight = compute_sample_weight(self.class_weight, y)
        self._tune_and_train(X, codes, weight, n_classes=len(self.classes_))
        return self

    def _averaged(self, outputs: np.ndarray) -> np.ndarray:
        return softmax(outputs.astype(np.float64), axis=2).mean(axis=0)

    def _mean_loss(self, predictions: np.ndarray, target: np.ndarray) -> float:
        observed = predictions[np.arange(len(target)), target]
        return -float(np.log(np.maximum(observed, np.finfo(np.float64).tiny)).mean())

    def predict_proba(self, X: Any) -> np.ndarray:
        return self._averaged(self._outputs(X))

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
