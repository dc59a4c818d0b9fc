"""Plots of a fitted model (extra ``plot``): each returns its Axes and the data behind them.

Every function takes a fitted estimator, or what the function of ``siernet.inspection`` beneath it
returns, and ``ax``, the Axes to draw on; without one it makes a figure. A figure belongs to pyplot
only where pyplot is in use, which is in notebooks and in programs that imported it.
"""

from siernet.plots.canvas import Plot
from siernet.plots.coselection import co_selection
from siernet.plots.dependence import partial_dependence
from siernet.plots.ensemble_size import ensemble_size
from siernet.plots.layers import contribution_path, layer_contributions
from siernet.plots.network import network
from siernet.plots.observed import calibration, predicted_observed
from siernet.plots.selection import selection_bars, selection_curve
from siernet.plots.surface import loss_surface

__all__ = [
    "Plot",
    "calibration",
    "co_selection",
    "contribution_path",
    "ensemble_size",
    "layer_contributions",
    "loss_surface",
    "network",
    "partial_dependence",
    "predicted_observed",
    "selection_bars",
    "selection_curve",
]
