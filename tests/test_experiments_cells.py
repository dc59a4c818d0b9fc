"""Finished work in files: what is kept, what is refused, what is computed again."""

from __future__ import annotations

import json

import pytest

from siernet.experiments.cells import CellKey, CellStore, Work, check_alike

KEY = CellKey("simulation", "20-600", 3, "easier")
SETTINGS = {"study": {"scale": "quick"}, "method": {"depths": (1, 3)}}


def work(settings=SETTINGS, key=KEY):
    return Work(key, settings, dict)


def stored(tmp_path, result=None, settings=SETTINGS, key=KEY):
    store = CellStore(tmp_path)
    store.save(work(settings, key), result or {"loss": 0.25})
    return store


def edited(store, **changes):
    path = store.path(KEY)
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_cell_comes_back_as_it_was_saved(tmp_path):
    store = stored(tmp_path)
    cell = store.load(KEY)
    assert cell.result == {"loss": 0.25}
    assert cell.key == KEY
    assert "torch" in cell.machine
    assert store.of_study("simulation") == [cell]
    assert store.of_study("uci") == []
    assert store.unfinished([work()]) == []


def test_a_missing_cell_is_unfinished(tmp_path):
    other = work(key=CellKey("simulation", "20-600", 4, "easier"))
    assert stored(tmp_path).unfinished([work(), other]) == [other]


@pytest.mark.parametrize("content", ["", '{"study": "simulation"', "[1, 2]", "{}"])
def test_a_damaged_cell_counts_as_missing(tmp_path, content):
    store = stored(tmp_path)
    store.path(KEY).write_text(content)
    with pytest.warns(UserWarning, match="20-600--3--easier.json is damaged"):
        assert store.unfinished([work()])


def test_a_cell_under_another_name_or_with_altered_settings_is_damaged(tmp_path):
    store = stored(tmp_path)
    edited(store, seed=4)
    with pytest.warns(UserWarning, match="it says 20-600--4--easier.json"):
        assert store.load(KEY) is None
    store = stored(tmp_path)
    edited(store, settings={"study": {"scale": "paper"}})
    with pytest.warns(UserWarning, match="digest do not agree"):
        assert store.load(KEY) is None


def test_a_cell_of_other_settings_or_version_is_refused_by_name(tmp_path):
    store = stored(tmp_path)
    changed = {"study": {"scale": "quick"}, "method": {"depths": (1, 5)}}
    with pytest.raises(ValueError, match=r"method\.depths \[1, 3\], now \[1, 5\].*another out"):
        store.unfinished([work(changed)])
    edited(store, version="0.0.1")
    with pytest.raises(ValueError, match=r"version 0\.0\.1, now"):
        store.unfinished([work()])


def test_a_new_setting_is_a_difference_even_when_it_is_none(tmp_path):
    store = stored(tmp_path)
    settings = work().settings
    changed = {**settings, "method": {**settings["method"], "temperatures": None}}
    with pytest.raises(ValueError, match=r"method\.temperatures missing, now None"):
        store.unfinished([work(changed)])


def test_cells_of_two_scales_do_not_share_a_table(tmp_path):
    store = stored(tmp_path)
    paper = {"study": {"scale": "paper"}, "method": {}}
    store.save(work(paper, CellKey("simulation", "20-600", 0, "easier")), {})
    with pytest.raises(ValueError, match="scale 'paper', now 'quick'"):
        check_alike(store.of_study("simulation"))
    with pytest.raises(ValueError, match="was computed otherwise"):
        check_alike(stored(tmp_path / "own").of_study("simulation"), {"scale": "paper"})


def test_a_failure_is_noted_until_the_cell_is_there(tmp_path):
    store = CellStore(tmp_path)
    store.note_failure(KEY, ValueError("bad\nluck"))
    assert store.failures("simulation") == {"20-600--3--easier": "ValueError: bad luck"}
    assert store.unfinished([work()])
    store.save(work(), {})
    assert store.failures("simulation") == {}


def test_a_file_is_no_folder(tmp_path):
    path = tmp_path / "results"
    path.write_text("")
    with pytest.raises(ValueError, match=r"is a file\. Pass a folder"):
        CellStore(path)
