"""The report as a file: its numbers are the model's, and names from data stay text."""

import html
import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import small_models
from siernet.report import render_report, write_report

pytest.importorskip("plotly", reason="reports need the extra report")
pytest.importorskip("jinja2", reason="reports need the extra report")

from siernet.report import cautions, text
from siernet.report.selection_figures import co_selection_of
from siernet.report.subject import subject_of


class Page(HTMLParser):
    """What a browser would find in a page: elements, attributes, text, and scripts by id."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.ids, self.scripts = [], [], [], {}
        self.words, self._script = [], None
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "script":
            self._script = attrs.get("id", f"script {len(self.scripts)}")
            self.scripts[self._script] = ""

    def handle_endtag(self, tag):
        if tag == "script":
            self._script = None

    def handle_data(self, data):
        if self._script is not None:
            self.scripts[self._script] += data
        else:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def json(self, name):
        return json.loads(self.scripts[name])


@pytest.fixture(scope="module")
def regression():
    fitted = small_models.regressor()
    record = small_models.record(
        fitted,
        target=small_models.HOSTILE[1],
        source="<img src=x onerror=alert(9)>.csv",
        notes=(small_models.HOSTILE[0],),
        tested_on="20 rows held out by day",
        lasso_selected=3,
        quick=True,
        left_out={small_models.HOSTILE[4]: "</script>every value is different"},
        test_scores={
            "siernet": {"mse": 0.5, "r2": 0.9},
            "baseline": {"mse": 2.0, "r2": 0.0},
            "lasso": {"mse": 0.25, "r2": 0.95},
        },
    )
    return fitted, record, Page(render_report(fitted.model, record=record))


@pytest.fixture(scope="module")
def classes():
    fitted = small_models.classifier()
    record = small_models.record(fitted)
    return fitted, record, Page(render_report(fitted.model, record=record))


def cautions_of(model, **given):
    subject = subject_of(model, **given)
    return {c.title: c for c in cautions.cautions_of(subject, co_selection_of(subject))}


def test_the_summary_comes_first_and_every_part_is_there(regression):
    page = regression[-1]
    parts = ["summary", "cautions", "figures", "variables", "settings"]
    assert [name for name in page.ids if name in parts] == parts
    assert len(set(page.ids)) == len(page.ids)
    assert page.tags.count("h1") == 1
    links = {value for tag, name, value in page.attributes if (tag, name) == ("a", "href")}
    assert {f"#{part}" for part in parts} <= links


def test_nothing_refers_outside_the_file(regression, classes):
    for *_, page in (regression, classes):
        refer = [(t, n, v) for t, n, v in page.attributes if n in ("src", "href", "action", "data")]
        assert all(value.startswith("#") for _, _, value in refer)
        assert not {"link", "img", "iframe", "object", "base"} & set(page.tags)
        policy = next(v for _, n, v in page.attributes if n == "content" and "default-src" in v)
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy.split("style-src")[0]


def test_plotly_is_embedded_once(regression):
    page = regression[-1]
    assert sum(len(script) > 1_000_000 for script in page.scripts.values()) == 1


def test_every_figure_says_in_words_what_it_shows(regression, classes):
    for *_, page in (regression, classes):
        shown = page.json("figure-data")
        named = [v for _, n, v in page.attributes if n == "data-figure"]
        assert named == list(shown)
        alts = [v for t, n, v in page.attributes if t == "div" and n == "aria-label" and v]
        assert sum(len(alt) > 40 for alt in alts) >= len(shown)


def test_which_figures_are_shown(regression, classes):
    assert list(regression[-1].json("figure-data")) == [
        "rates", "curve", "coselection", "dependence", "predicted", "size", "layers", "network",
    ]  # fmt: skip
    shown = list(classes[-1].json("figure-data"))
    assert {"calibration", "confusion"} <= set(shown)
    assert "Loss surface: the penalties were given, not tuned." in classes[-1].text


@pytest.mark.parametrize("kind", ["tuned", "single", "constant"])
def test_every_kind_of_model_has_a_report(kind):
    model, X, y = getattr(small_models, kind)()
    page = Page(render_report(model, X=X, y=y))
    shown = page.json("figure-data")
    assert ("surface" in shown) == (kind == "tuned")
    assert ("network" in shown) == (kind != "constant")
    assert ("size" in shown) == (kind == "tuned")
    assert page.json("table-data")["names"] == [f"x{j}" for j in page.json("table-data")["columns"]]
    if kind == "constant":
        assert "No variable was selected" in page.text
        assert "R² 0.00" in page.text


def test_the_same_model_makes_the_same_page(classes):
    fitted, record, page = classes
    again = Page(render_report(fitted.model, record=record))
    assert again.text == page.text
    assert again.scripts == page.scripts


def test_the_tables_numbers_are_the_models(regression):
    import pandas as pd

    (model, *_), _, page = regression
    names = model.feature_names_in_
    table = page.json("table-data")
    columns = np.array(table["columns"])
    assert sorted(columns) == list(range(8))
    counts = np.zeros(8)
    counts[: len(table["counts"])] = table["counts"]
    np.testing.assert_allclose(counts / table["members"], model.selection_rates_[columns])
    assert np.all(np.diff(counts) <= 0)
    share = np.array(table["share"])
    assert share.sum() == pytest.approx(1, abs=1e-3)
    for place, column in enumerate(columns.tolist()):
        if place < len(table["change"]) and table["counts"][place]:
            ends = np.tile(model.x_mean_, (2, 1))
            ends[:, column] += [-model.x_scale_[column], model.x_scale_[column]]
            low, high = model.predict(pd.DataFrame(ends, columns=names))
            assert table["change"][place] == pytest.approx(high - low, rel=1e-3)


def test_the_summarys_scores_are_those_of_the_held_out_rows(regression, classes):
    (model, X, y), _, page = regression
    held_out = model.score(X[40:], y[40:])
    assert f"(R² {held_out:.2f}; resampling" in page.text
    (model, X, y), _, page = classes
    right = model.score(X[40:], y[40:])
    assert f"{100 * right:.0f}% right" in page.text
    confusion = page.json("figure-data")["confusion"]["data"][0]
    counts = [[int(n) for n in row] for row in confusion["text"]]
    assert np.sum(counts) == 20
    assert np.trace(counts) == round(20 * right)


def test_the_figures_values_are_the_models(regression):
    (model, X, y), _, page = regression
    shown = page.json("figure-data")
    bars = shown["rates"]["data"][0]["x"]
    rates = model.selection_rates_
    np.testing.assert_allclose(bars, np.sort(rates[rates > 0])[::-1])
    points = shown["predicted"]["data"][1]
    np.testing.assert_allclose(points["x"], model.predict(X[40:]), rtol=1e-5)
    np.testing.assert_allclose(points["y"], y[40:], rtol=1e-5)


def test_scores_beside_the_baseline_and_the_lasso(regression):
    page = regression[-1]
    assert "the Lasso (0.250) is better; the baseline (2.00) is worse" in page.text
    assert "The Lasso predicts better" in page.text
    assert "No better than the baseline" not in page.text
    assert "Scores on 20 rows held out by day" in page.text
    assert "The Lasso, fitted beside them, selected 3." in page.text


def test_the_tuned_penalties_are_in_the_settings():
    model, *_ = small_models.tuned()
    page = Page(render_report(model))
    assert repr(float(model.input_penalty_)) in page.text
    assert repr(float(model.network_penalty_)) in page.text
    assert "model.fit(X, y)" in page.text
    assert f"{len(model.cv_results_['params'])} pairs of penalties" in page.text


def test_a_pipeline_is_reported_with_its_preparation():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PowerTransformer

    from siernet import EasierNetRegressor

    X, y = small_models.rows()
    model = make_pipeline(
        PowerTransformer(),
        EasierNetRegressor(n_estimators=2, **small_models.SIZE, **small_models.PENALTIES),
    )
    small_models.quietly(model, X[:40], y[:40])
    page = Page(render_report(model, X=X[40:], y=y[40:]))
    assert "PowerTransformer()" in page.text
    points = page.json("figure-data")["predicted"]["data"][1]
    np.testing.assert_allclose(points["x"], model.predict(X[40:]), rtol=1e-5)


def test_twenty_thousand_variables_are_all_there_and_few_are_html():
    model, X, _ = small_models.wide()
    source = render_report(model, X=X)
    page = Page(source)
    table = page.json("table-data")
    assert len(table["names"]) == len(set(table["names"])) == 20_000
    assert len(table["counts"]) == model.supports_.any(axis=0).sum()
    assert page.tags.count("tr") < 400
    for figure in page.json("figure-data").values():
        assert len(json.dumps(figure)) < 400_000
    without_plotly = len(source) - max(len(script) for script in page.scripts.values())
    assert without_plotly < 2_000_000


def test_hostile_names_are_text(regression, classes):
    for fitted, _, page in (regression, classes):
        assert page.tags.count("script") == 4
        assert not {"img", "b"} & set(page.tags)
        assert not [v for _, n, v in page.attributes if n.startswith("on")]
        assert not [v for _, n, v in page.attributes if v and v.startswith("javascript")]
        for name in fitted.X.columns[[0, 1, 2]]:
            assert name in page.text
        assert "{{ 7 * 7 }}" in page.json("table-data")["names"]
    assert "What predicts </script><img src=x onerror=alert(2)>" in regression[-1].text
    assert "<img src=x onerror=alert(9)>.csv" in regression[-1].text
    assert "</script><b>low</b>" in classes[-1].text


def test_scripts_hold_no_markup(regression, classes):
    """Whatever the names are, the JSON in a script element cannot end the element."""
    for *_, page in (regression, classes):
        for name in ("table-data", "figure-data"):
            assert not re.search(r"[<>&]", page.scripts[name])


def test_plotly_gets_names_as_entities(regression, classes):
    """plotly reads ``<b>`` and ``<a href>`` in any text; only its line breaks may be markup."""
    for *_, page in (regression, classes):
        for figure in page.json("figure-data").values():
            for value in strings(figure):
                left = value.replace("<br>", "").replace("<extra></extra>", "")
                assert "<" not in left, value
        names = page.json("figure-data")["rates"]["layout"]["yaxis"]["ticktext"]
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in names
        assert "<script>alert(1)</script>" in [html.unescape(name) for name in names]


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def test_a_name_cannot_turn_the_text_after_it_around(regression):
    page = regression[-1]
    assert "\u202e" not in page.text
    assert not any("\u202e" in name for name in page.json("table-data")["names"])


def test_cautions_about_what_these_data_lack(classes, regression):
    fitted, record, page = classes
    found = cautions_of(fitted.model, record=record)
    assert "40 rows" in found["Few rows"].text
    assert "20 rows" in found["The test is small"].text
    small = {name: n for name, n in record.class_counts.items() if n < 10}
    assert ("Classes with few members" in found) == bool(small)
    assert "Selected variables with near copies" in found
    for caution in found.values():
        assert text.plain(caution.text)[:40] in page.text
    fitted, record, _ = regression
    found = cautions_of(fitted.model, record=record)
    shared = found["Variables that share their rates"].text
    assert small_models.HOSTILE[0] in shared
    assert small_models.HOSTILE[1] in shared
    assert found["The Lasso predicts better"].serious
    assert next(iter(found)) == "The Lasso predicts better"
    assert "A quick fit" in found


def test_few_members_of_a_class_are_named(classes):
    fitted, record, _ = classes
    counts = dict.fromkeys(record.class_counts, 50)
    rare = min(counts)
    found = cautions_of(fitted.model, record=replace(record, class_counts={**counts, rare: 3}))
    assert f"{rare} (3)" in found["Classes with few members"].text
    found = cautions_of(fitted.model, record=replace(record, class_counts=counts))
    assert "Classes with few members" not in found


def test_no_caution_without_a_reason(regression):
    fitted, record, _ = regression
    rng = np.random.default_rng(0)
    plenty = replace(
        record, n_rows=5000, test_scores={}, sample_rows=rng.normal(size=(200, 8)),
        test_y=np.tile(record.test_y, 5), test_members=np.tile(record.test_members, (1, 5)),
        n_test_rows=100, notes=(),
    )  # fmt: skip
    found = set(cautions_of(fitted.model, record=plenty))
    assert not found & {
        "Few rows", "More variables than rows", "The test is small", "No held-out test",
        "Selected variables with near copies", "The Lasso predicts better",
    }  # fmt: skip


def test_more_variables_than_rows_and_no_test():
    model, X, y = small_models.wide()
    record = small_models.record(
        (model, X, y), n_rows=39, test_y=np.zeros(0), test_members=np.zeros((0, 0)), n_test_rows=0
    )
    found = cautions_of(model, record=record)
    assert "20,000 variables and 39 rows" in found["More variables than rows"].text
    assert "No held-out test" in found
    assert cautions_of(small_models.single().model)["A single network"]
    assert cautions_of(small_models.constant().model)["No variable was selected"].serious


def test_a_report_is_written_whole_and_replaces_nothing_unasked(tmp_path):
    model = small_models.single().model
    path = tmp_path / "report.html"
    assert write_report(model, path) == path
    source = path.read_text(encoding="utf-8")
    assert source.startswith("<!DOCTYPE html>")
    assert source.rstrip().endswith("</html>")
    with pytest.raises(FileExistsError, match="force=True"):
        write_report(model, path)
    write_report(model, path, force=True, title="A & B")
    assert "<title>A &amp; B</title>" in path.read_text(encoding="utf-8")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write_report(model, tmp_path, force=True)
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_report_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    model, X, _ = small_models.tuned()
    with pytest.raises(ValueError, match="60 rows, but y has 3"):
        write_report(model, path, X=X, y=[1.0, 2.0, 3.0], force=True)
    assert path.read_text() == "old"
    with pytest.raises(FileNotFoundError, match="nowhere"):
        write_report(model, tmp_path / "nowhere" / "report.html")


def test_a_record_of_another_model_is_refused(regression, classes):
    model = small_models.tuned().model
    with pytest.raises(ValueError, match="belongs to another model"):
        render_report(model, record=classes[1])
    record = replace(regression[1], sample_rows=np.zeros((5, 3)))
    with pytest.raises(ValueError, match=r"shape \(5, 3\), but the model has 8"):
        render_report(model, record=record)
    with pytest.raises(ValueError, match="y was passed without X"):
        render_report(model, y=[1.0])


@pytest.mark.parametrize("package", ["jinja2", "plotly"])
def test_a_missing_extra_is_named(monkeypatch, package):
    from siernet.report import page

    page._plotly_script.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=r"pip install 'siernet\[report\]'"):
        render_report(small_models.single().model)
