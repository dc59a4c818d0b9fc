"""The benchmarks' quick variants run and say what they claim; what they are made of is right."""

import json
import time
from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks import (
    ensemble_fit,
    growth,
    halving_against_grid,
    isolated,
    nested_cv,
    peers,
    predict_latency,
    published_code,
    readme,
    recipe,
    record,
    tuned_fit,
    wide,
)

from siernet import EasierNetRegressor
from siernet.datasets import make_section_4_1

QUICK = ["--quick"]


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    """Results go to a folder of the test."""
    for module in (record, growth, readme):
        monkeypatch.setattr(module, "RESULTS", tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture(scope="module")
def network_data():
    return make_section_4_1(90, n_features=30, random_state=0)


def test_ensemble_fit(results):
    rows = dict(ensemble_fit.main(QUICK))
    own, mlp = rows["EasierNetRegressor, 3 networks: seconds"], rows["MLPRegressors: test loss"]
    assert own > 0
    assert 0 < mlp < 5
    others = rows["3 MLPRegressors of (100,) * 5: seconds"]
    assert rows["MLPRegressors' time over EasierNetRegressor's"] == others / own
    assert not results.exists()


def test_ensemble_fit_multiplies_the_timed_part(monkeypatch):
    monkeypatch.setattr(
        published_code, "timed_part", lambda *_, **__: published_code.Costs(0.02, 0.01)
    )
    rows = dict(ensemble_fit.main(QUICK))
    assert rows["easier-net 0.0.8: 1500 epochs, seconds (extrapolated)"] == 3 * 1500 * 0.02
    proximal = "easier-net 0.0.8: 300 proximal steps more, seconds (extrapolated)"
    assert rows[proximal] == 3 * 300 * 0.01


def test_timed_part_of_the_published_code(network_data):
    pytest.importorskip("easier_net")
    costs = published_code.timed_part(network_data.X, network_data.y, epochs=8)
    assert 1e-4 < costs.proximal_step < 1
    assert costs.epoch < 1


def test_peers_that_are_not_installed_are_said_to_be(monkeypatch, capsys):
    monkeypatch.setattr(peers, "installed", lambda _: False)
    rows = dict(predict_latency.main(QUICK))
    for name in ("XGBoost, 1000 trees of depth 3", "LassoNetRegressor"):
        assert rows[name] == "not installed"
    assert rows["EasierNetRegressor, 3 networks: 1 row, ms"] > 0
    assert capsys.readouterr().out.count("not installed") == 3
    assert peers.tuned_peers()["LassoNetRegressorCV"] is None


@pytest.mark.parametrize("package", ["easier_net", "lassonet", "xgboost"])
def test_peers_predict_on_the_users_scale(package, network_data):
    pytest.importorskip(package)
    made = {
        "easier_net": lambda: peers.PublishedEnsemble(2, epochs=60),
        "lassonet": lambda: peers.lassonet(0, n_iters=(30, 2), path_multiplier=5.0),
        "xgboost": lambda: peers.xgboost(0, 20),
    }
    y = 100 + network_data.y
    predicted = made[package]().fit(network_data.X, y).predict(network_data.X)
    assert predicted.shape == y.shape
    assert predicted.mean() == pytest.approx(y.mean(), rel=0.05)


def test_dense_members_are_the_same_networks(network_data):
    model = EasierNetRegressor(
        n_estimators=2,
        n_hidden_layers=2,
        n_hidden_nodes=8,
        max_epochs=80,
        max_prox_iter=1000,
        input_penalty=0.05,
        network_penalty=0.01,
        random_state=0,
    ).fit(network_data.X, network_data.y)
    rows = np.random.default_rng(0).normal(size=(5, 30))
    for member in model:
        whole = predict_latency.dense(member)
        assert whole.kept_weights[0].shape == (30, 8)
        assert member.kept_beta.size < 30
        np.testing.assert_allclose(whole.outputs(rows), member.outputs(rows), atol=1e-12)


def test_tuned_fit_extrapolates_the_papers_protocols(monkeypatch, results):
    monkeypatch.setattr(
        published_code, "timed_part", lambda *_, **__: published_code.Costs(0.015, 0.01)
    )
    rows = dict(tuned_fit.main(QUICK))
    assert not results.exists()
    uci = "the paper's UCI tuning with easier-net 0.0.8 (extrapolated)"
    assert rows[f"{uci}: networks x epochs"] == "3200 x 3000"
    assert rows[f"{uci}: hours"] == pytest.approx(40)  # DESIGN's figure, at 5 ms a step
    assert rows[f"{uci}: hours, with 300 proximal steps"] == pytest.approx(40 + 3200 * 3 / 3600)
    own = rows["EasierNetRegressorCV: seconds"]
    assert rows[f"{uci}: time over EasierNetRegressorCV's"] == pytest.approx(144_000 / own)


def test_halving_against_grid(results):
    rows = dict(halving_against_grid.main(QUICK))
    assert rows["grid: networks trained while tuning"] == "16 (one draw)"  # 2 x 2, four folds
    halving = float(rows["halving: networks trained while tuning"].split()[0])
    share = float(rows["share of the grid's networks that halving trained"].split()[0])
    assert share == pytest.approx(halving / 16, rel=0.01)
    assert not results.exists()


def test_nested_cv(results):
    rows = dict(nested_cv.main(QUICK))
    assert rows["LassoCV: inner loss (mean squared error)"] > 0
    assert "se" in rows["EasierNetRegressorCV's optimism less LassoCV's, points"]
    assert not results.exists()


def test_growth(results):
    rows = dict(growth.main(QUICK))
    assert 0.1 < rows["fixed work, 2 to 20 members: exponent of time"] < 1.6
    assert not results.exists()


def test_growth_spans_a_decade_and_fits_powers(results):
    for kind in growth.BASE:
        for dimension in growth.DIMENSIONS:
            sizes = [w[dimension] for w in growth.points(kind, dimension, 4, growth.BASE[kind])]
            assert sizes[-1] == 10 * sizes[0]
    sizes = np.array([1.0, 3.0, 10.0])
    assert growth.exponent(sizes, 5 * sizes**0.7) == pytest.approx(0.7)
    curve = {"sizes": sizes, "seconds": sizes, "megabytes": sizes**2}
    results.mkdir()
    growth.draw({(kind, d): curve for kind in growth.BASE for d in growth.DIMENSIONS})
    assert (results / "growth.png").stat().st_size > 10_000


def test_wide_quick(results):
    rows = dict(wide.main(QUICK))
    assert rows["EasierNetClassifier(): seconds"] > 0
    peak = rows["EasierNetClassifier(): peak memory, GB"]
    assert peak >= rows["peak memory before a fit, table made, GB"] > 0.1
    assert not results.exists()


def test_made_up_genes_have_the_papers_shape():
    X, y = wide.made_up_genes(30)
    assert X.shape == (801, 30)
    assert X.min() >= 0
    assert dict(zip(*np.unique(y, return_counts=True), strict=True)) == wide.CLASS_SIZES


def test_a_stopped_process_has_said_what_it_knew(tmp_path, monkeypatch):
    (tmp_path / "slow.py").write_text(
        "import time\nfrom benchmarks import isolated\n"
        "isolated.say(peak=1, done=2)\nisolated.say(done=3)\ntime.sleep(60)\n"
    )
    (tmp_path / "wrong.py").write_text("raise SystemExit(3)\n")
    root = record.__file__.rsplit("/benchmarks/", 1)[0]
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{root}")
    start = time.perf_counter()
    facts = isolated.in_own_process("slow", {}, limit=3)
    assert facts == {"finished": False, "peak": 1, "done": 3}
    assert time.perf_counter() - start < 30
    assert wide.lines("a fit", {**facts, "stage": "Tuning", "total": 9}, 3)[-1] == (
        "a fit: stopped after 3 s in",
        "Tuning: 3 of 9 networks",
    )
    with pytest.raises(RuntimeError, match="status 3"):
        isolated.in_own_process("wrong", {})


def test_memory_of_a_process_of_its_own():
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isolated, "say", lambda **facts: said.append(facts))
        kept = []
        held = isolated.peak_memory()
        isolated.measured(lambda: kept.append(np.ones(int(held + 200) * 2**17)))
    assert said[0]["megabytes"] > 150
    assert said[0]["peak"] > held + 150


def test_report_writes_what_the_readme_reads(results, capsys):
    rows = [("speed", 12.3456), ("note", "text")]
    record.report("made", "A title", rows, headline=["speed"])
    assert "12.3" in capsys.readouterr().out
    written = json.loads((results / "made.json").read_text())
    assert written["rows"] == {"speed": 12.3456, "note": "text"}
    assert "numpy" in written["machine"]["versions"]
    assert "| note | text |" in (results / "made.md").read_text()
    section = readme.section(results)
    assert "| speed | 12.3 |" in section
    assert "note" not in section


def test_readme_without_its_comment_lines_is_refused(tmp_path, monkeypatch):
    page = tmp_path / "README.md"
    page.write_text(f"before {readme.BEGIN} old {readme.END} after")
    monkeypatch.setattr(readme, "README", page)
    monkeypatch.setattr(readme, "section", lambda: "new")
    readme.main()
    assert page.read_text() == "before new after"
    with pytest.raises(SystemExit, match="no lines"):
        readme.main()


def test_standard_errors():
    assert record.with_error([2.0]) == "2 (one draw)"
    assert record.with_error([1.0, 3.0]) == "2 (se 1)"


def test_inner_loss_is_what_the_choice_was_made_by():
    model = SimpleNamespace(best_score_=-0.3)
    assert nested_cv.inner_loss(model) == 0.3


def test_recipe_quick_says_the_best_candidates_and_their_paired_difference(results):
    rows = dict(recipe.main(["--quick", "--device", "cpu"]))
    assert set(rows) == {"candidates, seeds, members", "Table 1, 20-600"}
    assert "default 0." in rows["Table 1, 20-600"]
    assert "constant, 1500 " in rows["Table 1, 20-600"]
    assert not results.exists()


def test_recipes_are_compared_in_pairs():
    good, other = np.array([[1.0, 3.0], [2.0, 3.0]]), np.array([[3.0, 2.0], [3.0, 2.5]])
    text = recipe.told({"a": (good, 10.0, 1.0), "b": (other, 20.0, 1.0)})
    assert text == "a 1.5 in 10; b 2.25 (+0.7500, se 0.2500) in 20"


@pytest.mark.parametrize("name", ["20-600"])
def test_recipe_splits_train_on_their_own_draw(name):
    problem = recipe.simulated(name, 2)
    (train, _), (other, validation) = problem.splits
    assert not set(train) & {*other, *validation}
    assert len(train) == recipe.SIMULATED[name][0]
    own = make_section_4_1(600, n_relevant=20, random_state=101)
    np.testing.assert_array_equal(problem.X[other], own.X)
