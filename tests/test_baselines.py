"""DropoutNet and SparseNet against independent arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold

from siernet.experiments.baselines.dropout_net import DropoutNetClassifier, DropoutNetRegressor
from siernet.experiments.baselines.sparse_net import (
    BestDepth,
    SparseNetClassifier,
    SparseNetEnsembleRegressor,
    SparseNetEnsembleRegressorCV,
)
from siernet.experiments.baselines.stacked import (
    DenseRecipe,
    DenseStack,
    NetworkRows,
    NetworkScaling,
    train_dense,
)

RECIPE = DenseRecipe(
    n_hidden_layers=2,
    n_hidden_nodes=5,
    dropout=0.0,
    max_epochs=1,
    learning_rate=1e-3,
    n_batches=1,
)
TINY = {"n_hidden_nodes": 8, "max_epochs": 40, "n_estimators": 3, "n_estimators_tuning": 2}
SMALL_NET = {"n_hidden_layers": 2, "n_hidden_nodes": 8, "max_epochs": 40, "random_state": 0}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) * [1, 10, 0.1] + [0, 50, 0]
    return X, 5 + 2 * X[:, 0] + np.abs(X[:, 1] - 50) + 0.1 * rng.normal(size=40)


def layers_of(stack, network):
    return [
        (w[network].detach().double().numpy(), b[network, 0].detach().double().numpy())
        for w, b in zip(stack.weights, stack.biases, strict=True)
    ]


def forward(layers, X):
    """Outputs and the nodes before them, in numpy: hidden layers rectified, the last one not."""
    nodes = [X]
    for place, (weight, bias) in enumerate(layers):
        values = nodes[-1] @ weight + bias
        nodes.append(np.maximum(values, 0) if place < len(layers) - 1 else values)
    return nodes


def gradients(layers, X, output_slope):
    """Backpropagation in numpy: (weight, bias) gradients by layer."""
    nodes, found = forward(layers, X), []
    slope = output_slope
    for place in reversed(range(len(layers))):
        found.append((nodes[place].T @ slope, slope.sum(axis=0)))
        slope = (slope @ layers[place][0].T) * (nodes[place] > 0)
    return found[::-1]


# -- DropoutNet ------------------------------------------------------------------------------------


def test_forward_pass_is_the_equation(table):
    X, _ = table
    stack = DenseStack(2, (3, 5, 4, 1), torch.Generator().manual_seed(0))
    outputs = stack.predict(X / 100)
    for network in range(2):
        expected = forward(layers_of(stack, network), X / 100)[-1]
        np.testing.assert_allclose(outputs[network], expected, atol=1e-5)


def test_dropout_keeps_the_mean_and_drops_its_share():
    stack = DenseStack(1, (2, 2000, 1), torch.Generator().manual_seed(0))
    inputs = torch.ones(1, 2)
    sure = stack.outputs(inputs).detach()
    random = torch.Generator().manual_seed(1)
    draws = [stack.outputs(inputs, dropout=0.15, random=random).detach() for _ in range(400)]
    draws = torch.stack(draws)
    hidden = torch.relu(inputs @ stack.weights[0][0] + stack.biases[0][0])
    terms = (hidden * stack.weights[1][0, :, 0]).detach()
    spread = float((terms.square().sum() * 0.15 / 0.85).sqrt())  # of independent Bernoulli masks
    assert abs(float(draws.mean() - sure)) < 4 * spread / 400**0.5
    assert float(draws.std()) == pytest.approx(spread, rel=0.15)


@pytest.mark.parametrize("n_classes", [0, 3])
def test_a_first_step_goes_down_the_gradient_of_the_weighted_loss(table, n_classes):
    """Adam's first step is the rate times gradient / (|gradient| + 1e-8)."""
    X, y = table
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    target = np.digitize(y, np.quantile(y, [0.3, 0.6])) if n_classes else y
    weight = np.linspace(0.5, 2, len(y))
    rows = NetworkRows.of_parts([np.arange(len(y))], weight, copies=2)
    scaling = NetworkScaling.none(2, 3)
    arguments = {"n_classes": n_classes, "seed": 3, "device": "cpu"}
    stack = train_dense(X, target, rows, scaling, RECIPE, **arguments)
    start = DenseStack(2, (3, 5, 5, max(n_classes, 1)), torch.Generator("cpu").manual_seed(3))
    for network in range(2):
        before, after = layers_of(start, network), layers_of(stack, network)
        outputs = forward(before, X)[-1]
        if n_classes:
            odds = np.exp(outputs - outputs.max(axis=1, keepdims=True))
            slope = odds / odds.sum(axis=1, keepdims=True) - np.eye(3)[target]
        else:
            slope = 2 * (outputs - y[:, None])
        slope = slope * weight[:, None] / len(y)
        for old, new, gradient in zip(before, after, gradients(before, X, slope), strict=True):
            for a, b, g in zip(old, new, gradient, strict=True):
                clear = np.abs(g) > 1e-5
                np.testing.assert_allclose((a - b)[clear], 1e-3 * np.sign(g[clear]), rtol=0.05)
                assert clear.any()


def test_a_folds_networks_do_not_see_the_rows_left_out(table):
    X, y = table
    part = np.arange(25)
    outputs = []
    for change in (0.0, 100.0):
        other_X, other_y = X.copy(), y.copy()
        other_X[25:] += change
        other_y[25:] -= change
        rows = NetworkRows.of_parts([part], np.ones(len(y)), copies=2)
        scaling = NetworkScaling.of_parts(other_X, other_y, [part], copies=2)
        recipe = DenseRecipe(1, 4, 0.15, 5, 1e-2, 3)
        arguments = {"n_classes": 0, "seed": 0, "device": "cpu"}
        stack = train_dense(other_X, other_y, rows, scaling, recipe, **arguments)
        outputs.append(stack.predict(X))
    np.testing.assert_array_equal(*outputs)


def test_rows_that_fill_up_a_shorter_part_weigh_nothing():
    parts = [np.arange(10), np.arange(16)]
    rows = NetworkRows.of_parts(parts, np.ones(16), copies=1)
    assert rows.index.shape == (2, 16)
    assert rows.weight.sum(axis=1).tolist() == [10, 16]
    np.testing.assert_array_equal(np.unique(rows.index[0]), np.arange(10))


def test_depth_is_the_one_of_the_lowest_cross_validated_ensemble_loss(table):
    X, y = table
    folds = list(KFold(3).split(X))
    model = DropoutNetRegressor(**TINY, depths=(1, 2), cv=folds, random_state=0).fit(X, y)
    assert model.depth_ == min(model.cv_losses_, key=model.cv_losses_.get)
    # One depth alone gives the same networks: the losses come from an ensemble of two a fold.
    alone = DropoutNetRegressor(**TINY, depths=(2, 2), cv=folds, random_state=0).fit(X, y)
    assert alone.cv_losses_[2] == model.cv_losses_[2]
    assert len(model.stack_.weights[0]) == TINY["n_estimators"]
    assert len(model.stack_.weights) == model.depth_ + 1


def test_dropout_nets_learn_and_repeat_themselves(table):
    X, y = table
    settings = {**TINY, "max_epochs": 300, "learning_rate": 1e-2, "depths": (1,)}
    first, again = (DropoutNetRegressor(**settings, random_state=1).fit(X, y) for _ in range(2))
    assert first.predict(X).shape == (40,)
    assert first.score(X, y) > 0.8
    np.testing.assert_array_equal(first.predict(X), again.predict(X))
    other = DropoutNetRegressor(**settings, random_state=2).fit(X, y)
    assert not np.array_equal(first.predict(X), other.predict(X))


def test_dropout_net_for_classes(table):
    X, y = table
    labels = np.array(["low", "mid", "top"])[np.digitize(y, np.quantile(y, [0.4, 0.8]))]
    settings = {**TINY, "max_epochs": 200, "learning_rate": 1e-2, "depths": (1, 2), "cv": 3}
    model = DropoutNetClassifier(**settings, random_state=0).fit(X, labels)
    probabilities = model.predict_proba(X)
    assert probabilities.shape == (40, 3)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert model.score(X, labels) > 0.8
    assert set(model.cv_losses_) == {1, 2}
    unweighted = model.set_params(class_weight=None).fit(X, labels).predict_proba(X)
    assert not np.allclose(probabilities, unweighted)


# -- SparseNet -------------------------------------------------------------------------------------


def test_sparse_nets_have_the_topmost_skip_connection_only(table):
    X, y = table
    model = SparseNetEnsembleRegressor(
        n_estimators=3, input_penalty=0.01, network_penalty=1e-3, **SMALL_NET
    ).fit(X, y)
    for member in model.members_:
        np.testing.assert_array_equal(member.alpha, [0, 0, 1])
    np.testing.assert_allclose(model.layer_contributions_, [[0, 0, 1]] * 3, atol=1e-6)
    # By hand: the input filter, then an ordinary network.
    member = model.members_[1]
    nodes = (X - model.x_mean_) / model.x_scale_ * member.beta
    for weight, bias in zip(member.weights, member.biases, strict=True):
        nodes = np.maximum(nodes @ weight + bias, 0)
    outputs = nodes @ member.skip_weights[-1] + member.skip_biases[-1]
    predicted = outputs[:, 0] * model.y_scale_ + model.y_mean_
    np.testing.assert_allclose(model.predict_members(X)[1], predicted, rtol=1e-5)


def test_a_larger_input_penalty_of_a_sparse_net_selects_less(table):
    X, y = table
    X = np.hstack([X, np.random.default_rng(1).normal(size=(40, 5))])
    labels = (y > np.median(y)).astype(int)
    weak, strong = (
        SparseNetClassifier(input_penalty=penalty, network_penalty=1e-3, **SMALL_NET).fit(X, labels)
        for penalty in (1e-4, 0.05)
    )
    assert weak.predict_proba(X).shape == (40, 2)
    assert strong.supports_.sum() < weak.supports_.sum()


class Scored(BaseEstimator):
    """Stands for a CV estimator: its score depends on the depth in a known way."""

    def __init__(self, n_hidden_layers=1):
        self.n_hidden_layers = n_hidden_layers

    def fit(self, X, y):
        self.best_score_ = -abs(self.n_hidden_layers - 3) - 1.0
        return self

    def predict(self, X):
        return np.full(len(X), self.n_hidden_layers)


def test_best_depth_is_the_one_of_the_highest_validation_score():
    model = BestDepth(Scored(), depths=(1, 3, 5)).fit(np.zeros((2, 1)), np.zeros(2))
    assert model.best_depth_ == 3
    assert model.best_score_ == -1
    assert model.predict(np.zeros((4, 1))).tolist() == [3, 3, 3, 3]


def test_sparse_net_is_tuned_over_penalties_and_depth(table):
    X, y = table
    estimator = SparseNetEnsembleRegressorCV(
        search="grid",
        input_penalties=[0.01],
        network_penalties=[1e-3, 0.3],
        n_estimators=3,
        n_estimators_tuning=2,
        cv=2,
        n_hidden_nodes=8,
        max_epochs=40,
        random_state=0,
    )
    models = [BestDepth(estimator, depths=(1, 2)).fit(X, y) for _ in range(2)]
    best = models[0].best_estimator_
    assert best.n_hidden_layers == models[0].best_depth_
    assert best.network_penalty_ == 1e-3
    assert all(member.alpha[:-1].sum() == 0 for member in best.members_)
    np.testing.assert_array_equal(*(model.predict(X) for model in models))
