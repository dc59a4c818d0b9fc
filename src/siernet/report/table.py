"""The table of all variables: its numbers for the page's script, and its first page as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.report.subject import Subject
from siernet.report.text import number, percent, plain, rounded

PAGE_SIZE = 25


@dataclass(frozen=True)
class VariableTable:
    """All variables, the most selected first; of equals, those that weigh most.

    Parameters
    ----------
    data : dict
        Columns for the page's script; lists stop where only zeros would follow.
    first_page : tuple of tuple of str
        Rank, name, networks, rate, interval, share of weight and, where known, change.
    has_change : bool
    """

    data: dict[str, Any]
    first_page: tuple[tuple[str, ...], ...]
    has_change: bool


def variable_table(subject: Subject) -> VariableTable:
    """The table of a subject."""
    rates, effects = subject.rates, subject.effects
    order = subject.ranking
    columns = rates.columns[order]
    counts = np.rint(rates.rates[order] * rates.n_members).astype(int)
    share = effects.share[columns]
    change = None if effects.change is None else effects.change[columns]
    used = int((counts > 0).sum())
    low, high = {}, {}
    for place, times in zip(order, counts.tolist(), strict=True):
        low[times], high[times] = rates.low[place], rates.high[place]
    data = {
        "names": [plain(name) for name in rates.names[order]],
        "columns": columns,
        "counts": counts[:used],
        "share": rounded(share[:used], 4),
        "change": None if change is None else rounded(change[:used], 4),
        "members": rates.n_members,
        "low": {times: round(float(value), 4) for times, value in low.items()},
        "high": {times: round(float(value), 4) for times, value in high.items()},
        "pageSize": PAGE_SIZE,
    }
    first_page = tuple(
        (
            f"{rank + 1:,}",
            data["names"][rank],
            f"{counts[rank]} of {rates.n_members}",
            percent(counts[rank] / rates.n_members),
            f"{percent(low[counts[rank]])} to {percent(high[counts[rank]])}",
            percent(share[rank]),
            *(() if change is None else (number(change[rank]),)),
        )
        for rank in range(min(PAGE_SIZE, len(columns)))
    )
    return VariableTable(data, first_page, change is not None)
