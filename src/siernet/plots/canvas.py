"""What all plots share: where they are drawn, colours, and names from data shown as they are."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Drawn = TypeVar("Drawn")  # Axes, or an array of them
Data = TypeVar("Data")

# Colours of Okabe and Ito, which people with any colour vision tell apart, and greys.
BLUE, ORANGE, AMBER = "#0072B2", "#D55E00", "#E69F00"
BLUE_SOFT, BLUE_PALE = "#7fb6dc", "#d6e6f3"  # whiskers can be seen on them
INK, MUTED, FAINT = "#222222", "#767676", "#dddddd"
# Signed values, blue for negative; and values from good (dark) to bad (light).
DIVERGING, SEQUENTIAL = "RdBu_r", "viridis"

SMALL, NORMAL = 8, 9
LITERAL: dict[str, Any] = {
    "parse_math": False,
    "usetex": False,
}  # a name may hold $, _ and backslashes


class Plot(NamedTuple, Generic[Drawn, Data]):
    """A drawn plot; unpacks to ``axes, data``.

    Parameters
    ----------
    axes : Axes, or an array of Axes where a plot has several
    data : object
        What ``siernet.inspection`` returned, which the plot shows.
    """

    axes: Drawn
    data: Data

    @property
    def figure(self) -> Figure:
        """The figure that holds the axes, for ``plot.figure.savefig("file.pdf")``."""
        axes: Any = self.axes
        return (axes if hasattr(axes, "figure") else axes.flat[0]).figure

    def __repr__(self) -> str:  # the arrays of the data would fill a notebook
        return f"Plot(axes={self.axes!r}, data={type(self.data).__name__})"


def given(model: Any, kind: type[Data], **unused: Any) -> Data | None:
    """What was passed in place of a model, if it is the data; options would have no effect then."""
    if not isinstance(model, kind):
        return None
    for name, value in unused.items():
        if value is not None:
            raise TypeError(
                f"{name} has no effect on a finished {kind.__name__}. Pass it to the function of "
                "siernet.inspection that made it, or pass the fitted estimator here."
            )
    return model


def axes_for(ax: Any, width: float = 6.4, height: float = 4.0) -> Axes:
    """The Axes given, else those of a new figure of this size in inches."""
    require_matplotlib()
    from matplotlib.axes import Axes

    if ax is None:
        return new_figure(width, height).subplots()
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax has to be one matplotlib Axes, got {type(ax).__name__}. Of several, pass one, "
            "such as axes[0]; of a figure, figure.add_subplot()."
        )
    return ax


def require_matplotlib() -> None:
    """Raises ImportError, naming the extra, where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError(
            "Plots need matplotlib. Install it with: pip install 'siernet[plot]'"
        ) from None


_newest: list[weakref.ref[Figure]] = []  # the last figure made where pyplot has no windows


def new_figure(width: float, height: float) -> Figure:
    """A figure: pyplot's where pyplot is in use, else one that nothing else holds on to."""
    from matplotlib.figure import Figure

    options: dict[str, Any] = {"figsize": (width, height), "layout": "constrained"}
    if "matplotlib.pyplot" not in sys.modules and not _in_ipython():
        return Figure(**options)
    import matplotlib.pyplot as plt

    if plt.get_backend().lower() not in {"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"}:
        return plt.figure(**options)
    # Without windows or a notebook nobody closes figures. Only the newest stays with pyplot, which
    # is what plt.savefig and plt.gca mean; the older live on for as long as their plots do.
    while _newest:
        older = _newest.pop()()
        if older is not None:
            plt.close(older)
    figure = plt.figure(**options)
    _newest.append(weakref.ref(figure))
    return figure


def _in_ipython() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


def finish(ax: Axes, *, title: str, x: str, y: str, grid: str | None = "y") -> None:
    """Labels and the quiet look that plots share."""
    ax.set_title(title, fontsize=NORMAL + 1, loc="left", color=INK, **LITERAL)
    ax.set_xlabel(x, fontsize=NORMAL, color=INK, **LITERAL)
    ax.set_ylabel(y, fontsize=NORMAL, color=INK, **LITERAL)
    ax.tick_params(labelsize=SMALL, color=MUTED, labelcolor=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.set_axisbelow(True)
    if grid is not None:
        ax.grid(axis=grid, color=FAINT, linewidth=0.6)  # type: ignore[arg-type]


def write_note(ax: Axes, text: str) -> None:
    """A sentence in place of a picture, where there is nothing to draw."""
    ax.set_axis_off()
    ax.text(
        0.5, 0.5, text, ha="center", va="center", wrap=True, fontsize=NORMAL, color=INK,
        transform=ax.transAxes, **LITERAL,
    )  # fmt: skip


def padded(low: float, high: float) -> tuple[float, float]:
    """Limits a little beyond the values; far beyond where these differ by rounding only."""
    spread, size = high - low, max(abs(low), abs(high))
    margin = 0.05 * (spread if spread > 1e-6 * size else size) or 1.0
    return low - margin, high + margin


def whole_numbers(ax: Axes) -> None:
    """Ticks of the x axis at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))


def legend(ax: Axes, **options: Any) -> None:
    """The legend of what was drawn with a label."""
    ax.legend(fontsize=SMALL, frameon=False, labelcolor=INK, **options)


def short(name: Any, length: int = 28) -> str:
    """A name on one line, its middle left out if it is longer than ``length``."""
    text = "".join(c if c.isprintable() else " " for c in str(name)).strip() or repr(str(name))
    if len(text) <= length:
        return text
    head = (length - 1) * 2 // 3
    return f"{text[:head]}…{text[head + 1 - length :]}"


def short_names(names: Iterable[Any], length: int = 28) -> list[str]:
    """Several names on one line each."""
    return [short(name, length) for name in names]


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 network``, ``2,000 networks``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def depth_colours(n_layers: int) -> list[Any]:
    """A colour for each layer, ink for the inputs, then from dark to light with depth."""
    from matplotlib import colormaps

    hidden = colormaps["viridis"]
    steps = [0.15 + 0.7 * i / max(n_layers - 2, 1) for i in range(n_layers - 1)]
    return [INK, *(hidden(step) for step in steps)]
