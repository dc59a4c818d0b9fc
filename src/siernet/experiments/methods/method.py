"""What a method is: a name, settings, and a way from training rows to predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

Details = dict[str, Any]
Predict = Callable[[np.ndarray], np.ndarray]

TASKS = ("regression", "classification")
SCALES = ("quick", "paper")
# Distributions whose module has another name.
_MODULES = {"easier-net": "easier_net", "xgboost-cpu": "xgboost"}


@dataclass(frozen=True)
class Outcome:
    """What a fitted method gives.

    Parameters
    ----------
    predict : callable
        From a table (n, d) to numbers (n,), or to probabilities (n, K) whose columns are in the
        order of ``np.unique(y)``.
    details : dict
        What the method has to say of itself, in values that JSON holds: ``validation_loss``,
        ``support_size``, ``n_hidden_nodes``, ``n_layers``, ``contributions``,
        ``selection_rates``, and what was tuned.
    """

    predict: Predict
    details: Details


@dataclass(frozen=True)
class Training:
    """Rows to learn from and how.

    Parameters
    ----------
    X : (n, d) float array
    y : (n,) array
        Numbers, or the codes 0, 1, .., K-1 of the classes.
    n_classes : int
        K; zero in regression.
    settings : dict
        What ``Method.settings`` gave.
    """

    X: np.ndarray
    y: np.ndarray
    n_classes: int
    settings: dict[str, Any]
    seed: int
    device: str
    n_jobs: int | None

    @property
    def classes(self) -> bool:
        return self.n_classes > 0


@dataclass(frozen=True)
class Method:
    """A way to learn from a table, of this project or of others.

    Parameters
    ----------
    name : str
        A plain word, fit for a file's name.
    title : str
        For tables and plots.
    packages : tuple of str
        Distributions needed beyond siernet's own.
    tasks : tuple of str
        Of ``"regression"`` and ``"classification"``.
    describe : callable
        From (task, scale) to the settings.
    train : callable
        From a ``Training`` to an ``Outcome``.
    """

    name: str
    title: str
    packages: tuple[str, ...]
    tasks: tuple[str, ...]
    describe: Callable[[str, str], dict[str, Any]]
    train: Callable[[Training], Outcome]

    def settings(self, task: str, scale: str) -> dict[str, Any]:
        """What determines the result beside data and seed; JSON can hold it.

        Parameters
        ----------
        task : {"regression", "classification"}
        scale : {"quick", "paper"}
            A few minutes at most, or the paper's tuning.
        """
        if task not in self.tasks:
            raise ValueError(f"task={task!r} is not one of {self.name}'s: {', '.join(self.tasks)}.")
        if scale not in SCALES:
            raise ValueError(f"scale={scale!r} has to be one of {', '.join(SCALES)}.")
        return self.describe(task, scale)

    def missing(self) -> list[str]:
        """Packages that the method needs and that are not installed."""
        return [name for name in self.packages if find_spec(_MODULES.get(name, name)) is None]

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        *,
        task: str,
        scale: str,
        seed: int,
        device: str = "auto",
        n_jobs: int | None = None,
    ) -> Outcome:
        """Tunes the method on these rows alone and fits it to them.

        Parameters
        ----------
        X : (n, d) array of finite numbers; scaled inside.
        y : (n,) array of numbers, or of classes of any kind.
        task, scale
            As in ``settings``.
        seed : int
            The same seed gives the same result on the same machine.
        device : {"auto", "cpu", "cuda"}
            For methods made of networks.
        n_jobs : int, optional
            How many threads or processes; None leaves it to the method.
        """
        settings = self.settings(task, scale)
        if missing := self.missing():
            raise ImportError(
                f"{self.title} needs {', '.join(missing)}: pip install 'siernet[bench]'."
            )
        X, y = _checked(X, y)
        n_classes = 0
        if task == "classification":
            classes, y = np.unique(y, return_inverse=True)
            n_classes = len(classes)
            if n_classes < 2:
                raise ValueError(
                    f"{self.title} needs two classes at least, but y holds only {classes[0]!r}."
                )
        else:
            y = y.astype(np.float64)
        return self.train(Training(X, y, n_classes, settings, seed, device, n_jobs))


def _checked(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    if X.ndim != 2 or y.shape != X.shape[:1]:
        raise ValueError(f"X of shape {X.shape} and y of shape {y.shape} are not n rows of each.")
    if not np.isfinite(X).all():
        raise ValueError(
            f"X has missing or infinite values in {(~np.isfinite(X)).any(axis=1).sum()} rows. "
            "Impute them before the comparison, alike for every method."
        )
    return X, y
