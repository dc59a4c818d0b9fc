"""EASIER-net as its authors' package ``easier-net`` 0.0.8 fits it."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import torch
from scipy.special import softmax
from sklearn.utils.class_weight import compute_class_weight

from siernet.experiments.methods.cross_validation import mean_loss, splits
from siernet.experiments.methods.method import TASKS, Method, Outcome, Predict, Training
from siernet.rows import Scaling


def _describe(task: str, scale: str) -> dict[str, Any]:
    """A small tuning, for the package has none and is slow: the paper's takes it two days.

    Six pairs of penalties around what the paper's data ask for, each tried by one network in every
    fold and with fewer epochs; then an ensemble of half the paper's size.
    """
    paper = scale == "paper"
    return {
        "n_folds": 4 if paper else 3,
        "input_penalties": [5.0**-4, 5.0**-2] if paper else [5.0**-3],
        "network_penalties": [5.0**-5, 5.0**-4, 5.0**-3] if paper else [5.0**-5, 5.0**-4],
        "n_estimators": 10 if paper else 3,
        "n_layers": 5,
        "n_hidden": 100 if paper else 50,
        "tuning_epochs": 300 if paper else 60,
        "max_iters": 1000 if paper else 100,
        "max_prox_iters": 100 if paper else 20,
    }


def _train(training: Training) -> Outcome:
    settings = training.settings
    folds = splits(training, settings["n_folds"])
    candidates = [
        (a, b) for a in settings["input_penalties"] for b in settings["network_penalties"]
    ]
    everything = np.arange(len(training.y))
    n_members = settings["n_estimators"]
    seeds = np.random.SeedSequence(training.seed).generate_state(len(folds) + n_members)
    with joblib.Parallel(n_jobs=training.n_jobs) as parallel:
        losses = parallel(
            joblib.delayed(_fold_loss)(training, candidate, fold, int(seed))
            for candidate in candidates
            for fold, seed in zip(folds, seeds, strict=False)
        )
        means = np.array(losses).reshape(len(candidates), len(folds)).mean(axis=1)
        best = candidates[int(means.argmin())]
        members = parallel(
            joblib.delayed(_member)(training, best, everything, settings["max_iters"], int(seed))
            for seed in seeds[len(folds) :]
        )

    def predict(X: np.ndarray) -> np.ndarray:
        return np.mean([member(X) for member in members], axis=0)

    details = {
        "validation_loss": float(means.min()),
        "input_penalty": best[0],
        "network_penalty": best[1],
    }
    return Outcome(predict, details)


def _fold_loss(
    training: Training,
    candidate: tuple[float, float],
    fold: tuple[np.ndarray, np.ndarray],
    seed: int,
) -> float:
    train, test = fold
    member = _member(training, candidate, train, training.settings["tuning_epochs"], seed)
    return mean_loss(training, member(training.X[test]), test)


def _member(
    training: Training, candidate: tuple[float, float], rows: np.ndarray, epochs: int, seed: int
) -> Predict:
    """One network of theirs; it wants scaled data and seeds nothing itself."""
    from easier_net.sier_net import SierNetEstimator

    y = training.y[rows]
    x_scaling = Scaling.learn(training.X[rows], np.ones(len(rows)))
    y_scaling = Scaling.none(1)
    weight: list[float] = []
    if training.classes:
        weight = compute_class_weight("balanced", classes=np.unique(y), y=y).tolist()
    else:
        y_scaling = Scaling.learn(y[:, None], np.ones(len(y)))
    model = SierNetEstimator(
        input_filter_layer=True,
        n_layers=training.settings["n_layers"],
        n_hidden=training.settings["n_hidden"],
        input_pen=candidate[0],
        full_tree_pen=candidate[1],
        batch_size=-(-len(rows) // 3),
        num_classes=training.n_classes,
        weight=weight,
        max_iters=epochs,
        max_prox_iters=training.settings["max_prox_iters"],
    )
    with _seeded(seed), contextlib.redirect_stdout(io.StringIO()):
        model.fit(x_scaling.apply(training.X[rows]), y_scaling.apply(y[:, None]))
    return _Predictor(model.net, x_scaling, y_scaling, training.classes)


class _Predictor:
    """What a network of theirs predicts; its own ``predict_proba`` overflows."""

    def __init__(
        self, net: torch.nn.Module, x_scaling: Scaling, y_scaling: Scaling, classes: bool
    ) -> None:
        self.net, self.x_scaling, self.y_scaling, self.classes = net, x_scaling, y_scaling, classes

    def __call__(self, X: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            inputs = torch.as_tensor(self.x_scaling.apply(X), dtype=torch.float32)
            outputs = self.net(inputs).numpy().astype(np.float64)
        if self.classes:
            return softmax(outputs, axis=1)
        return outputs[:, 0] * self.y_scaling.scale[0] + self.y_scaling.mean[0]


@contextlib.contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Torch's global stream seeded for a while, on one thread."""
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


PUBLISHED_CODE = (
    Method(
        "easier_net_008",
        "easier-net 0.0.8",
        ("easier-net",),
        TASKS,
        describe=_describe,
        train=_train,
    ),
)
