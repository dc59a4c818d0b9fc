"""Numbers, names and JSON as the report writes them."""

import json
import re

import numpy as np
import pytest

from siernet.report import text


def test_plain_names_stay_what_they_are():
    assert text.plain("日本語 x² naïve") == "日本語 x² naïve"
    assert text.plain("a\n\tb\x00c") == "a b\N{REPLACEMENT CHARACTER}c"
    assert text.label("x" * 40, 10) == "x" * 9 + "…"


def test_json_in_a_script_reads_back():
    value = {"</script>": ["<!--", float("nan"), np.float64(0.5), np.arange(3), "\u2028&"]}
    written = text.script_json(value)
    assert not re.search(r"[<>&\u2028]", written)
    assert json.loads(written) == {"</script>": ["<!--", None, 0.5, [0, 1, 2], "\u2028&"]}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"), (1234567, "1,234,567"), (0.012345, "0.0123"), (-1.5, "\N{MINUS SIGN}1.50"),
        (99.96, "100.0"), (1e-9, "1.00e-09"), (float("nan"), "not defined"),
    ],
)  # fmt: skip
def test_numbers_as_text(value, shown):
    assert text.number(value) == shown
