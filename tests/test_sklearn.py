"""The estimators are scikit-learn's in every respect that it checks, and in daily use."""

import pickle
import re

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from siernet import (
    EasierNetClassifier,
    EasierNetRegressor,
    SierNetClassifier,
    SierNetRegressor,
)

SMALL = {"n_hidden_nodes": 10, "max_epochs": 80, "random_state": 0}
REGRESSORS = [SierNetRegressor, EasierNetRegressor]
CLASSIFIERS = [SierNetClassifier, EasierNetClassifier]

# Checks that are expected to fail, with the reason. There are none.
EXPECTED_FAILURES: dict[str, str] = {}


def small(Estimator):
    size = {"n_estimators": 3} if "Easier" in Estimator.__name__ else {}
    return Estimator(**SMALL, **size)


@parametrize_with_checks(
    [
        SierNetRegressor(n_hidden_nodes=8, n_hidden_layers=2),
        SierNetClassifier(n_hidden_nodes=8, n_hidden_layers=2),
        EasierNetRegressor(n_estimators=2, n_hidden_nodes=8, n_hidden_layers=2),
        EasierNetClassifier(n_estimators=2, n_hidden_nodes=8, n_hidden_layers=2),
    ],
    expected_failed_checks=lambda _: EXPECTED_FAILURES,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(params=REGRESSORS + CLASSIFIERS, ids=lambda Estimator: Estimator.__name__)
def case(request, regression_data, class_data):
    data = regression_data if request.param in REGRESSORS else class_data
    return (small(request.param), *data)


def test_init_only_assigns(case):
    model, *_ = case
    odd = {name: object() for name in model.get_params()}
    assert type(model)(**odd).get_params() == odd
    assert clone(model).get_params() == model.get_params()


def test_pipeline_and_cross_validation(case):
    model, X, y = case
    pipeline = make_pipeline(StandardScaler(), model)
    scores = cross_val_score(pipeline, X, y, cv=3)
    assert scores.shape == (3,)
    assert (scores > 0.3).all()


def test_grid_search_with_workers_at_both_levels(case):
    model, X, y = case
    model.set_params(n_jobs=2)
    grid = {"input_penalty": [0.002, 10.0]}
    search = GridSearchCV(model, grid, cv=2, n_jobs=2)
    search.fit(X, y)
    assert search.best_params_ == {"input_penalty": 0.002}


@pytest.mark.parametrize("dump", ["pickle", "joblib"])
def test_fitted_models_survive_pickling(case, dump, tmp_path):
    model, X, y = case
    model.fit(X, y)
    if dump == "pickle":
        copy = pickle.loads(pickle.dumps(model))
    else:
        joblib.dump(model, tmp_path / "model")
        copy = joblib.load(tmp_path / "model")
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="read-only"):
        copy.members_[0].beta[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        copy.members_[0].alpha[0] = 1.0


def test_fitted_state_holds_no_tensors(case):
    model, X, y = case
    assert b"torch" not in pickle.dumps(model.fit(X, y))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_bring_names(case, frame):
    model, X, y = case
    names = [f"gene_{i}" for i in range(X.shape[1])]
    table = frame(dict(zip(names, X.T, strict=True)))
    framed = clone(model).fit(table, y)
    plain = clone(model).fit(X, y)
    np.testing.assert_array_equal(framed.predict(table), plain.predict(X))
    assert framed.feature_names_in_.tolist() == names
    chosen = next(iter(framed.support_posterior()))
    assert set(chosen) <= set(names)
    with pytest.raises(ValueError, match="feature names"):
        framed.predict(table[names[::-1]])


def test_string_labels(class_data):
    X, y = class_data
    model = small(EasierNetClassifier).fit(X, y)
    assert model.classes_.tolist() == ["ant", "bee", "cat"]
    assert set(model.predict(X)) <= {"ant", "bee", "cat"}
    assert model.score(X, y) > 0.65


def test_two_classes_are_two_outputs(class_data):
    X, y = class_data
    model = small(EasierNetClassifier).fit(X, y == "ant")
    assert model.members_[0].skip_biases[0].shape == (2,)
    assert model.predict_proba(X).shape == (len(X), 2)


def test_class_weights(class_data):
    X, y = class_data
    favoured = small(EasierNetClassifier).set_params(class_weight={"ant": 50, "bee": 1, "cat": 1})
    share = [
        (m.fit(X, y).predict(X) == "ant").mean() for m in (favoured, small(EasierNetClassifier))
    ]
    assert share[0] > share[1]


def test_an_ensemble_is_a_sequence_of_its_members(regression_data):
    model = small(EasierNetRegressor).fit(*regression_data)
    assert len(model) == 3
    assert list(model) == list(model.members_)
    assert model[1] is model.members_[1]
    assert re.fullmatch(r"Member\(selected=\d of 8, hidden_nodes=\[.*\]\)", repr(model[0]))


def test_response_scale_does_not_matter(regression_data):
    """Scaling is inside: another unit of y, or of a column, gives the same model."""
    X, y = regression_data
    plain = small(SierNetRegressor).fit(X, y)
    scaled = small(SierNetRegressor).fit(X * 4 + 64, y * 1024)  # exact in floating point
    np.testing.assert_allclose(scaled.predict(X * 4 + 64), plain.predict(X) * 1024, rtol=0.02)
