"""The README's code runs, and its figures are those in benchmarks/results."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_code_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    names: dict = {}
    exec(block, names)
    assert names["model"].score(names["X_test"], names["y_test"]) > 0.3
    assert "selected by most networks" in capsys.readouterr().out


def test_figures_are_those_measured():
    quoted = re.findall(r"<!-- results: (\S+) -->\n(.*?)\n\n", README, flags=re.DOTALL)
    assert quoted
    for path, table in quoted:
        assert table.strip() in (ROOT / path).read_text(), f"{path} has other figures"


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("http") or (ROOT / target).exists(), target
