"""Plots: the picture agrees with the model, on every kind of model, with any names."""

import io
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import small_models
from siernet import inspection, plots

matplotlib = pytest.importorskip("matplotlib", reason="plots need the extra plot")

from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

MODELS = ("regressor", "classifier", "tuned", "single", "constant", "wide")
DATA = {
    "selection_curve": inspection.SelectionRates,
    "selection_bars": inspection.SelectionRates,
    "layer_contributions": inspection.LayerContributions,
    "contribution_path": inspection.ContributionPath,
    "network": inspection.NetworkGraph,
    "co_selection": inspection.CoSelection,
    "partial_dependence": inspection.PartialDependence,
    "ensemble_size": inspection.EnsembleSizeLoss,
    "predicted_observed": inspection.PredictedObserved,
    "calibration": inspection.Calibration,
    "loss_surface": inspection.LossSurface,
}


def fitted(kind):
    return getattr(small_models, kind)()


def drawn(name, kind, **options):
    model, X, y = fitted(kind)
    given = {
        "co_selection": (X,),
        "partial_dependence": (X,),
        "ensemble_size": (X, y),
        "predicted_observed": (X, y),
        "calibration": (X, y),
    }
    return getattr(plots, name)(model, *given.get(name, ()), **options)


def fits(name, kind):
    """Whether the plot is for this kind of model at all."""
    classes = kind in ("classifier", "single")
    only_for = {
        "predicted_observed": not classes,
        "calibration": classes,
        "loss_surface": kind == "tuned",
    }
    return only_for.get(name, True)


def texts(ax):
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts, ax.title, ax.xaxis.label]
    return [t.get_text() for t in [*labels, ax.yaxis.label, ax._left_title]]


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in DATA for kind in MODELS if fits(name, kind)]
)
def test_every_plot_draws_on_every_model(name, kind):
    plot = drawn(name, kind)
    axes, data = plot
    for ax in np.atleast_1d(axes):
        assert isinstance(ax, Axes)
    assert isinstance(data, DATA[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a layout that collapses, limits that are equal
        plot.figure.savefig(io.BytesIO(), format="png")
    for ax in np.atleast_1d(axes):  # nothing is cut off at the edge of the picture
        box, page = ax.get_tightbbox(), plot.figure.bbox
        assert box.x0 >= page.x0 - 1
        assert box.x1 <= page.x1 + 1
        assert box.y0 >= page.y0 - 1
        assert box.y1 <= page.y1 + 1


@pytest.mark.parametrize("name", DATA)
def test_draws_on_the_axes_given(name):
    kind = next(kind for kind in ("tuned", "classifier") if fits(name, kind))
    figure = Figure()
    ax, other = figure.subplots(1, 2)
    options = {"n_variables": 1} if name == "partial_dependence" else {}
    axes, _ = drawn(name, kind, ax=ax, **options)
    assert np.atleast_1d(axes).tolist() == [ax]
    assert ax.has_data() or ax.texts
    assert not other.has_data()


@pytest.mark.parametrize("name", [name for name in DATA if name != "partial_dependence"])
def test_refuses_a_figure_as_axes(name):
    kind = next(kind for kind in ("tuned", "classifier") if fits(name, kind))
    with pytest.raises(TypeError, match=r"add_subplot"):
        drawn(name, kind, ax=Figure())


def test_bars_are_the_models_rates():
    model = small_models.wide().model
    ax, data = plots.selection_bars(model, n_variables=15)
    counts = np.sort(model.supports_.sum(axis=0))[::-1]
    widths = [bar.get_width() for bar in ax.patches]
    np.testing.assert_allclose(widths, counts[:15] / 3)
    labels = [tick.get_text() for tick in ax.get_yticklabels()]
    rates = dict(zip((f"x{i}" for i in range(20_000)), model.selection_rates_, strict=True))
    np.testing.assert_allclose([rates[label] for label in labels], widths)
    np.testing.assert_allclose(data.rates, counts / 3)
    assert not np.any((data.low > data.rates) | (data.high < data.rates))


def test_curve_of_many_variables_draws_what_was_selected():
    """And says how many are left out; it does not draw 20,000 points."""
    model = small_models.wide().model
    ax, data = plots.selection_curve(model)
    drawn_points = max(len(line.get_xdata()) for line in ax.lines)
    ever = int(model.supports_.any(axis=0).sum())
    assert ever <= drawn_points <= 2 * ever
    assert f"{20_000 - drawn_points:,}" in ax.get_xlabel()
    assert len(data.rates) == 20_000
    assert len(ax.texts) < 15


def test_single_network_claims_no_uncertainty():
    ax, _ = plots.selection_bars(small_models.single().model)
    assert not ax.containers[0].errorbar
    assert len(ax.containers) == 1
    assert "whiskers" not in ax.get_xlabel()


def test_names_are_shown_as_they_are():
    """``$`` starts no formula, markup is no markup, a line break is a space."""
    ax, _ = plots.selection_bars(small_models.regressor().model)
    shown = [tick.get_text() for tick in ax.get_yticklabels()]
    assert "$\\frac{a}{b}$ & co" in shown
    assert "<script>alert(1)</script>" in shown
    assert "two lines gnp" in shown
    assert not any(tick.get_parse_math() for tick in ax.get_yticklabels())
    plots.partial_dependence(
        *small_models.classifier()[:2], output="$mid_{dle}$"
    ).figure.draw_without_rendering()


def test_feature_names_replace_the_models_and_are_checked():
    model = small_models.tuned().model
    names = [f"gene {i}" for i in range(8)]
    ax, data = plots.selection_bars(model, feature_names=names)
    assert [t.get_text() for t in ax.get_yticklabels()] == data.names.tolist()
    assert set(data.names) == set(names)
    with pytest.raises(ValueError, match="7 names, but the model has 8"):
        plots.selection_bars(model, feature_names=names[:7])


def test_loss_surface_marks_the_choice():
    model = small_models.tuned().model
    ax, data = plots.loss_surface(model)
    assert data.input_penalties[data.chosen] == model.input_penalty_
    assert data.network_penalties[data.chosen] == model.network_penalty_
    np.testing.assert_allclose(data.value, -model.cv_results_["mean_test_score"])
    star = next(part for part in ax.collections if part.get_label() == "chosen")
    place = star.get_offsets()[0]
    np.testing.assert_allclose(
        10.0**place, [model.input_penalty_, model.network_penalty_], rtol=1e-9
    )
    rings = next(part for part in ax.collections if "standard error" in str(part.get_label()))
    assert len(rings.get_offsets()) == data.within_one_se.sum()
    assert data.within_one_se[data.best]


def test_loss_over_one_penalty_is_a_line_with_standard_errors():
    from dataclasses import replace

    data = inspection.loss_surface(small_models.tuned().model)
    column = np.flatnonzero(data.input_penalties == data.input_penalties[data.chosen])
    one = replace(
        data,
        **{
            name: getattr(data, name)[column]
            for name in (
                "input_penalties", "network_penalties", "value", "standard_error", "n_members",
                "n_selected", "within_one_se",
            )
        },
        chosen=int(np.flatnonzero(column == data.chosen)[0]),
        best=int(np.flatnonzero(column == data.chosen)[0]),
    )  # fmt: skip
    ax, _ = plots.loss_surface(one)
    line = ax.containers[0].lines[0]
    order = np.argsort(one.network_penalties)
    np.testing.assert_allclose(line.get_ydata(), one.value[order])


def test_plain_models_have_no_loss_surface():
    with pytest.raises(TypeError, match="Fit EasierNetRegressorCV"):
        plots.loss_surface(small_models.regressor().model)


def test_network_shows_exactly_the_living_part():
    model = small_models.regressor().model
    number = 1
    ax, graph = plots.network(model, member=number, max_inputs=100, max_nodes=100)
    member = model.members_[number]
    assert graph.n_inputs == member.support.sum()
    assert graph.n_nodes == sum(mask.sum() for mask in member.active_nodes)
    n_circles = sum(
        len(part.get_offsets()) for part in ax.collections if hasattr(part, "get_sizes")
    )
    assert n_circles == graph.n_inputs + graph.n_nodes
    assert ax.get_title(loc="left").startswith(f"Network {number}: {graph.n_inputs} variables")


def test_network_counts_what_it_does_not_show():
    model = small_models.wide().model
    ax, graph = plots.network(model, max_inputs=5)
    assert len(graph.layers[0].labels) == 5
    support = model.members_[graph.member].support
    assert f"+ {support.sum() - 5:,} more" in texts(ax)


def test_layer_bars_are_the_mean_contributions():
    model = small_models.regressor().model
    ax, _ = plots.layer_contributions(model)
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_allclose(heights, model.layer_contributions_.mean(axis=0), atol=1e-12)


def test_contribution_path_sorts_by_penalty():
    _, data = plots.contribution_path({0.1: [1.0, 0.0], 0.001: [0.2, 0.7], 0.01: [0.6, 0.4]})
    np.testing.assert_allclose(data.network_penalties, [0.001, 0.01, 0.1])
    np.testing.assert_allclose(data.mean[:, 0], [0.2, 0.6, 1.0])
    with pytest.raises(ValueError, match="different numbers of layers"):
        plots.contribution_path({0.1: [1.0, 0.0], 0.2: [1.0, 0.0, 0.0]})


def test_near_copies_that_replace_each_other_are_framed():
    model, X, _ = small_models.regressor()
    ax, data = plots.co_selection(model, X)
    (pair,) = data.pairs
    assert {pair.first, pair.second} == set(small_models.HOSTILE[:2])
    assert pair.either == 1.0
    assert pair.correlation > 0.99
    assert len(ax.patches) == 1


def test_partial_dependence_is_the_average_prediction():
    model, X, _ = small_models.tuned()
    _, data = plots.partial_dependence(model, X, variables=["x2"])
    for value, curve in zip(data.grids[0], data.members[0].T, strict=True):
        moved = X.copy()
        moved[:, 2] = value
        np.testing.assert_allclose(curve, model.predict_members(moved).mean(axis=1), rtol=1e-9)


def test_ensemble_size_ends_at_the_ensembles_loss():
    model, X, y = small_models.regressor()
    _, data = plots.ensemble_size(model, X, y)
    assert data.mean[-1] == pytest.approx(np.mean((model.predict(X) - y) ** 2))
    alone = np.mean((model.predict_members(X) - y) ** 2)
    assert data.mean[0] == pytest.approx(alone, rel=0.3)  # over random orders


def test_calibration_counts_every_row_once():
    model, X, y = small_models.classifier()
    _, data = plots.calibration(model, X, y)
    assert data.counts.sum() == len(y)
    assert data.accuracy == model.score(X, y)
    assert np.trace(data.confusion) == round(model.score(X, y) * len(y))


def test_a_finished_plots_data_can_be_drawn_again():
    _, data = plots.selection_bars(small_models.regressor().model)
    ax, again = plots.selection_curve(data)
    assert again is data
    assert ax.has_data()
    with pytest.raises(TypeError, match="feature_names has no effect"):
        plots.selection_curve(data, feature_names=["a"] * 8)


def test_errors_name_the_next_step():
    model, X, y = small_models.regressor()
    with pytest.raises(ValueError, match="Pass X, the rows"):
        plots.partial_dependence(model)
    with pytest.raises(ValueError, match="no variable 'nothing'"):
        plots.partial_dependence(model, X, variables=["nothing"])
    with pytest.raises(ValueError, match="n_variables=0 has to be"):
        plots.selection_bars(model, n_variables=0)
    with pytest.raises(TypeError, match="calibration instead"):
        plots.predicted_observed(*small_models.classifier())
    with pytest.raises(ValueError, match="X has 60 rows, but y has 59"):
        plots.predicted_observed(model, X, y[1:])
    axes = Figure().subplots(1, 2)
    with pytest.raises(ValueError, match="2 Axes for 4 variables"):
        plots.partial_dependence(model, X, ax=axes)


def test_without_pyplot_and_without_matplotlib():
    """Drawing starts no pyplot; ``import siernet`` is light; a missing extra is named."""
    code = """
        import sys
        import siernet
        from siernet import plots
        from siernet.inspection import LayerContributions
        import numpy as np
        light = {"matplotlib", "plotly", "jinja2", "skops", "typer"} & set(sys.modules)
        assert not light, light
        data = LayerContributions(("inputs", "hidden 1"), np.array([[0.4, 0.6]]))
        sys.modules["matplotlib"] = None
        try:
            plots.layer_contributions(data)
        except ImportError as error:
            assert "pip install 'siernet[plot]'" in str(error), error
        else:
            raise AssertionError("no error without matplotlib")
        del sys.modules["matplotlib"]
        plots.layer_contributions(data).figure.draw_without_rendering()
        assert "matplotlib.pyplot" not in sys.modules
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_where_pyplot_is_in_use_it_keeps_no_pile_of_figures():
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    model = small_models.regressor().model
    kept = [plots.selection_bars(model) for _ in range(4)]
    assert len(plt.get_fignums()) <= 1
    assert plt.gcf() is kept[-1].figure
    plt.close("all")
