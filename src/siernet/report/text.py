"""Numbers and names as text: for sentences, for HTML, for plot labels and for scripts."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np

#: Longest name in a plot's labels; the table holds every name in full.
LABEL_LENGTH = 26
#: They change the direction of the text that follows, past the end of a name.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def number(value: float, digits: int = 3) -> str:
    """A value with some significant digits, thousands apart, no exponent where it can be read."""
    value = float(value)
    if not math.isfinite(value):
        return "not defined" if math.isnan(value) else ("∞" if value > 0 else "\N{MINUS SIGN}∞")
    size = abs(value)
    if size == 0:
        return "0"
    if not 1e-4 <= size < 1e7:
        text = f"{value:.{digits - 1}e}"
    elif size >= 10 ** (digits - 1):
        text = f"{value:,.0f}"
    else:
        decimals = digits - 1 - math.floor(math.log10(size))
        text = f"{value:.{decimals}f}"
    return text.replace("-", "\N{MINUS SIGN}") if value < 0 else text


def r_squared(value: float) -> str:
    """A share of variance to two decimals; a constant's is zero, not its rounding error."""
    if not math.isfinite(value):
        return number(value)
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    """A share in whole percent; one decimal below ten where it matters."""
    value = 100 * float(share)
    if not math.isfinite(value):
        return "not defined"
    text = f"{value:.0f}" if abs(value) >= 10 or round(value, 1) == round(value) else f"{value:.1f}"
    return text.replace("-", "\N{MINUS SIGN}") + "%"


def count(value: int, singular: str, plural: str | None = None) -> str:
    """``3 rows``, ``1 row``."""
    word = singular if value == 1 else plural or f"{singular}s"
    return f"{value:,} {word}"


def listing(items: Sequence[str], most: int = 6) -> str:
    """``a, b and c``; past ``most``, ``a, b and 7 others``."""
    shown = list(items[:most])
    if len(items) > most:
        return f"{', '.join(shown)} and {len(items) - most:,} others"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def plain(name: Any) -> str:
    """A name on one line, without characters that cannot be written or that hide others."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}"
        if unicodedata.category(character) in ("Cc", "Cs") or character in _REORDERING
        else character
        for character in " ".join(str(name).split())
    )


def label(name: Any, length: int = LABEL_LENGTH) -> str:
    """A name as a plot shows it: cut if long, and never read as plotly's pseudo-HTML.

    plotly turns ``<b>`` or ``<a href>`` in any text into markup, and entities into characters, so
    names go in as entities.
    """
    text = plain(name)
    if len(text) > length:
        text = text[: length - 1] + "…"
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def script_json(value: Any) -> str:
    """JSON that can stand inside a ``<script>`` element, whatever its texts hold."""
    text = json.dumps(
        _plain_values(value), ensure_ascii=True, allow_nan=False, separators=(",", ":")
    )
    for character in "<>&":  # they occur in texts only, never in JSON's own syntax
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def rounded(values: Any, digits: int = 6) -> list[Any]:
    """Numbers cut to some significant digits, to keep the page small; nested like the array."""
    array = np.asarray(values, dtype=np.float64)
    texts = [float(f"{value:.{digits}g}") for value in array.ravel()]
    return np.array(texts).reshape(array.shape).tolist()


def _plain_values(value: Any) -> Any:
    """The same with lists for arrays and None for what is not a finite number."""
    if isinstance(value, dict):
        return {str(key): _plain_values(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain_values(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain_values(item) for item in value]
    if isinstance(value, np.generic):
        return _plain_values(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
