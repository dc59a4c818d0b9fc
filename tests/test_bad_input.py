"""Each bad input has one message that says what was wrong and what to do."""

import warnings

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.exceptions import NotFittedError

from siernet import EasierNetClassifier, EasierNetRegressor, SierNetClassifier, SierNetRegressor

SMALL = {"n_hidden_nodes": 8, "max_epochs": 30, "random_state": 0}


@pytest.fixture
def regressor():
    return SierNetRegressor(**SMALL)


@pytest.fixture
def classifier():
    return SierNetClassifier(**SMALL)


def damaged(X, value, columns):
    X = X.copy()
    X[3, columns] = value
    return X


def test_missing_values_name_their_columns_and_the_way_out(regressor, regression_data):
    X, y = regression_data
    names = [f"gene_{i}" for i in range(8)]
    with pytest.raises(ValueError, match=r"NaN, in columns 'gene_2', 'gene_5'.*SimpleImputer"):
        regressor.fit(pd.DataFrame(damaged(X, np.nan, [2, 5]), columns=names), y)
    with pytest.raises(ValueError, match=r"NaN, in column 4\b"):
        regressor.fit(damaged(X, np.nan, [4]), y)
    with pytest.raises(ValueError, match=r"and 3 more"):
        regressor.fit(damaged(X, np.nan, slice(None)), y)


def test_infinity_names_its_columns(regressor, regression_data):
    X, y = regression_data
    with pytest.raises(ValueError, match=r"infinity.*in column 1"):
        regressor.fit(damaged(X, np.inf, [1]), y)
    with pytest.raises(ValueError, match=r"infinity.*in column 1"):
        regressor.fit(X, y).predict(damaged(X, -np.inf, [1]))


def test_target_with_holes(regressor, regression_data):
    X, y = regression_data
    y = np.where(np.arange(len(y)) == 7, np.nan, y)
    with pytest.raises(ValueError, match=r"y contains NaN, in 1 of 120 rows.*row 7"):
        regressor.fit(X, y)


def test_wrong_shapes(regressor, regression_data):
    X, y = regression_data
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        regressor.fit(X, y[:-1])
    with pytest.raises(ValueError, match="2D array"):
        regressor.fit(X[:, 0], y)
    with pytest.raises(ValueError, match="1d array"):
        regressor.fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="expecting 8 features"):
        regressor.fit(X, y).predict(X[:, :5])


def test_text_in_a_regression_target(regressor, regression_data):
    X, y = regression_data
    with pytest.raises(ValueError, match=r"numeric y, got values such as 'low'.*classifier"):
        regressor.fit(X, np.where(y > y.mean(), "high", "low"))


def test_continuous_target_for_a_classifier(classifier, regression_data):
    with pytest.raises(ValueError, match="Unknown label type"):
        classifier.fit(*regression_data)


def test_one_class(classifier, class_data):
    X, _ = class_data
    with pytest.raises(ValueError, match="only one class: 'ant'"):
        classifier.fit(X, np.full(len(X), "ant"))


def test_a_class_with_one_member_is_fitted_and_mentioned(classifier, class_data):
    X, y = class_data
    y = np.where(np.arange(len(y)) == 5, "dragonfly", y.astype(object))
    with pytest.warns(UserWarning, match=r"'dragonfly'.* one row"):
        classifier.fit(X, y)
    assert "dragonfly" in classifier.classes_


@pytest.mark.parametrize("constant", [0.0, 3.25])
def test_constant_target(regressor, regression_data, constant):
    X, _ = regression_data
    with pytest.warns(UserWarning, match="response does not vary"):
        regressor.fit(X, np.full(len(X), constant))
    np.testing.assert_allclose(regressor.predict(X), constant, atol=1e-6)


def test_constant_columns_are_left_out_silently(regression_data):
    X, y = regression_data
    settings = {**SMALL, "n_estimators": 2}
    padded = np.insert(X, [0, 4, 8], [1.5, 0.0, 1e9], axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = EasierNetRegressor(**settings).fit(padded, y)
        plain = EasierNetRegressor(**settings).fit(X, y)
    np.testing.assert_array_equal(model.predict(padded), plain.predict(X))
    assert model.selection_rates_[[0, 5, 10]].tolist() == [0, 0, 0]
    moved = padded + np.isin(np.arange(11), [0, 5, 10])
    np.testing.assert_array_equal(model.predict(moved), plain.predict(X))


def test_no_column_varies(regressor):
    with pytest.warns(UserWarning, match="no column varies"):
        regressor.fit(np.ones((10, 3)), np.arange(10.0))
    np.testing.assert_allclose(regressor.predict(np.zeros((2, 3))), 4.5, atol=1e-6)


def test_fewer_rows_than_mini_batches(regressor, regression_data):
    X, y = regression_data
    with pytest.raises(ValueError, match=r"n_batches=5.*lower n_batches"):
        regressor.set_params(n_batches=5).fit(X[:4], y[:4])
    with pytest.raises(ValueError, match="1 sample"):
        regressor.set_params(n_batches=1).fit(X[:1], y[:1])
    regressor.set_params(n_batches=4).fit(X[:4], y[:4])


def test_no_weight_is_left(regressor, regression_data):
    X, y = regression_data
    with pytest.raises(ValueError, match="All sample_weight are zero"):
        regressor.fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        regressor.fit(X, y, sample_weight=-np.ones(len(y)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("input_penalty", -0.1),
        ("network_penalty", -1),
        ("n_estimators", 0),
        ("n_hidden_layers", -1),
        ("n_batches", 0),
        ("schedule", "linear"),
        ("device", "tpu"),
        ("learning_rate", 0),
        ("tol", None),
    ],
)
def test_parameters_out_of_range_are_named(name, value, regression_data):
    model = EasierNetRegressor().set_params(**{name: value})
    with pytest.raises(ValueError, match=f"The '{name}' parameter of EasierNetRegressor"):
        model.fit(*regression_data)


@pytest.mark.parametrize("value", ["lots", "12 parsecs", "GB"])
def test_memory_that_is_no_size(value, regressor, regression_data):
    with pytest.raises(ValueError, match=r"max_memory='.*'2GB'"):
        regressor.set_params(max_memory=value).fit(*regression_data)


def test_penalties_that_leave_nothing(regression_data, class_data):
    """A valid constant model, and the largest penalty that is of use, which indeed is."""
    X, y = regression_data
    model = EasierNetRegressor(n_estimators=2, input_penalty=50.0, **SMALL)
    with pytest.warns(UserWarning, match="largest useful input_penalty") as caught:
        model.fit(X, y)
    np.testing.assert_allclose(model.predict(X), y.mean(), rtol=1e-6)
    assert not model.supports_.any()
    message = str(caught[0].message)
    largest = float(message.split("about ")[1].split(" ")[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert model.set_params(input_penalty=largest).fit(X, y).supports_.any()
        assert not model.set_params(input_penalty=2 * largest).fit(X, y).supports_[0].any()
    names = EasierNetClassifier(n_estimators=2, input_penalty=50.0, **SMALL)
    with pytest.warns(UserWarning, match="largest useful input_penalty"):
        names.fit(*class_data)
    np.testing.assert_allclose(names.predict_proba(class_data[0]), 1 / 3, atol=0.01)


@pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA device is present")
def test_cuda_that_is_absent(regressor, regression_data):
    with pytest.raises(ValueError, match=r"device='cuda'.*Use device='cpu'"):
        regressor.set_params(device="cuda").fit(*regression_data)


def test_a_failed_fit_leaves_the_old_model(regressor, regression_data):
    X, y = regression_data
    before = regressor.fit(X, y).predict(X)
    with pytest.raises(ValueError, match="NaN"):
        regressor.fit(damaged(X, np.nan, [0]), y)
    np.testing.assert_array_equal(regressor.predict(X), before)


def test_nothing_is_printed(regression_data, capfd):
    EasierNetRegressor(n_estimators=2, **SMALL).fit(*regression_data)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("class_weight", [{0: 0, 1: 0, 2: 0}, {0: -1}])
def test_class_weights_that_leave_nothing_or_are_negative(classifier, class_data, class_weight):
    X, y = class_data
    weights = dict(zip(np.unique(y), class_weight.values(), strict=False))
    with pytest.raises(ValueError, match="has to be positive for a class in y"):
        classifier.set_params(class_weight=weights).fit(X, y)


def test_an_unfitted_ensemble_is_no_sequence_yet():
    for use in (len, list, lambda model: model[0]):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            use(EasierNetRegressor())
