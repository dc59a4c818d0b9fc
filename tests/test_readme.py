"""The README's code runs, and its figures are those in benchmarks/results."""

import json
import re
from pathlib import Path

from benchmarks.readme import BEGIN, END, section

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_code_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    names: dict = {}
    exec(block, names)
    assert names["model"].score(names["X_test"], names["y_test"]) > 0.3
    assert "selected by most networks" in capsys.readouterr().out


def test_speed_section_is_what_the_results_say():
    assert section() in README, "run `python -m benchmarks.readme`"


def test_speed_section_follows_the_results(tmp_path):
    (tmp_path / "tuned_fit.json").write_text(
        json.dumps(
            {
                "title": "Tuned fits",
                "machine": {
                    "cores": 2,
                    "processor": "x",
                    "python": "3.11",
                    "versions": {"siernet": "1", "torch": "2"},
                },
                "rows": {"seconds": 12.3456, "not quoted": 1.0},
                "headline": ["seconds"],
            }
        )
    )
    text = section(tmp_path)
    assert text.startswith(BEGIN)
    assert text.endswith(END)
    assert "| seconds | 12.3 |" in text
    assert "not quoted" not in text
    assert "2 cores, x, Python 3.11, siernet 1, torch 2" in text


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("http") or (ROOT / target).exists(), target
