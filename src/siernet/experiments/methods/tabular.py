"""TabM, a network of today for tables: many networks that share most of their weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from scipy.special import softmax
from sklearn.preprocessing import QuantileTransformer
from torch.nn import functional

from siernet.engine import resolve_device
from siernet.experiments.methods.cross_validation import Split, mean_loss, splits
from siernet.experiments.methods.method import TASKS, Method, Outcome, Predict, Training
from siernet.rows import Scaling


def _describe(task: str, scale: str) -> dict[str, Any]:
    """Sizes as the package advises, but half as wide, which small tables allow."""
    paper = scale == "paper"
    return {
        "n_folds": 4,
        "k": 32 if paper else 8,
        "d_block": 256 if paper else 64,
        "dropout": 0.1,
        "learning_rate": 2e-3,
        "weight_decay": 3e-4,
        "batch_size": 256,
        "max_epochs": 500 if paper else 60,
        "patience": 30 if paper else 10,
        # Piecewise-linear embeddings of the columns, or none; columns beyond a number have none.
        "candidates": [{"n_bins": 0}, {"n_bins": 16}] if paper else [{"n_bins": 0}],
        "d_embedding": 16,
        "most_embedded_columns": 300,
    }


def _train(training: Training) -> Outcome:
    """Each fold's network is stopped early by the rows it leaves out, and all are averaged.

    That is how comparisons of today run such networks: the folds that tune make the ensemble.
    """
    settings = training.settings
    folds = splits(training, settings["n_folds"])
    candidates = settings["candidates"]
    if training.X.shape[1] > settings["most_embedded_columns"]:
        candidates = [{"n_bins": 0}]
    results = []
    with torch.random.fork_rng():
        for candidate in candidates:
            fits = [
                _fold(training, candidate, fold, training.seed + number)
                for number, fold in enumerate(folds)
            ]
            results.append(([p for p, _ in fits], float(np.mean([loss for _, loss in fits]))))
    best = int(np.argmin([loss for _, loss in results]))
    predictors, loss = results[best]

    def predict(X: np.ndarray) -> np.ndarray:
        return np.mean([predictor(X) for predictor in predictors], axis=0)

    return Outcome(predict, {"validation_loss": loss, **candidates[best]})


class _Inputs:
    """Columns made normal by their ranks; those that do not vary are left out."""

    def __init__(self, X: np.ndarray, seed: int) -> None:
        varying = np.ptp(X, axis=0) > 0
        self.columns = varying if varying.any() else np.arange(X.shape[1]) == 0
        n_quantiles = min(len(X), max(len(X) // 30, 10), 1000)
        self.transformer = QuantileTransformer(
            n_quantiles=n_quantiles, output_distribution="normal", random_state=seed
        ).fit(X[:, self.columns])

    def __call__(self, X: np.ndarray, device: str) -> torch.Tensor:
        values = self.transformer.transform(X[:, self.columns])
        return torch.as_tensor(values, dtype=torch.float32, device=device)


def _fold(
    training: Training, candidate: dict[str, Any], fold: Split, seed: int
) -> tuple[Predict, float]:
    settings = training.settings
    train, test = fold
    device = resolve_device(training.device)
    torch.manual_seed(seed)
    inputs = _Inputs(training.X[train], seed)
    X = inputs(training.X[train], device)
    scaling = Scaling.none(1)
    if not training.classes:
        scaling = Scaling.learn(training.y[train, None], np.ones(len(train)))
    target = training.y[train] if training.classes else scaling.apply(training.y[train, None])[:, 0]
    y = torch.as_tensor(
        target, dtype=torch.int64 if training.classes else torch.float32, device=device
    )
    model = _network(training, candidate, X).to(device)

    def predict(table: np.ndarray) -> np.ndarray:
        model.eval()
        with torch.no_grad():
            outputs = model(inputs(table, device)).cpu().numpy().astype(np.float64)
        if training.classes:
            return softmax(outputs, axis=2).mean(axis=1)
        return outputs[:, :, 0].mean(axis=1) * scaling.scale[0] + scaling.mean[0]

    optimiser = torch.optim.AdamW(
        model.parameters(), lr=settings["learning_rate"], weight_decay=settings["weight_decay"]
    )
    lowest, best_state, since = np.inf, model.state_dict(), 0
    n_batches = math.ceil(len(train) / settings["batch_size"])
    for _ in range(settings["max_epochs"]):
        _epoch(model, optimiser, X, y, n_batches)
        loss = mean_loss(training, predict(training.X[test]), test)
        since += 1
        if loss < lowest:
            lowest, since = loss, 0
            best_state = {name: value.clone() for name, value in model.state_dict().items()}
        if since >= settings["patience"]:
            break
    model.load_state_dict(best_state)
    return predict, lowest


def _network(training: Training, candidate: dict[str, Any], X: torch.Tensor) -> Any:
    import tabm
    from rtdl_num_embeddings import PiecewiseLinearEmbeddings, compute_bins

    settings = training.settings
    embeddings = None
    if candidate["n_bins"]:
        bins = compute_bins(X.cpu(), n_bins=min(candidate["n_bins"], len(X) - 1))
        embeddings = PiecewiseLinearEmbeddings(
            bins, settings["d_embedding"], activation=False, version="B"
        )
    return tabm.TabM.make(
        n_num_features=X.shape[1],
        d_out=max(training.n_classes, 1),
        num_embeddings=embeddings,
        k=settings["k"],
        d_block=settings["d_block"],
        dropout=settings["dropout"],
    )


def _epoch(
    model: Any,
    optimiser: torch.optim.Optimizer,
    X: torch.Tensor,
    y: torch.Tensor,
    n_batches: int,
) -> None:
    """Each of the networks that share weights has a loss of its own; their mean is minimised."""
    model.train()
    for rows in torch.randperm(len(X), device=X.device).tensor_split(n_batches):
        outputs = model(X[rows])  # (rows, networks, outputs)
        target = y[rows, None].expand(outputs.shape[:2])
        if y.dtype == torch.int64:
            loss = functional.cross_entropy(outputs.flatten(0, 1), target.flatten())
        else:
            loss = functional.mse_loss(outputs[:, :, 0], target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


TABULAR = (Method("tabm", "TabM", ("tabm",), TASKS, describe=_describe, train=_train),)
