"""What a fitted model says, in numbers: the data behind ``siernet.plots`` and the report."""

from siernet.inspection.checks import variable_names
from siernet.inspection.coselection import CoSelection, StandIn, co_selection
from siernet.inspection.dependence import PartialDependence, partial_dependence
from siernet.inspection.effects import VariableEffects, variable_effects
from siernet.inspection.ensemble_size import EnsembleSizeLoss, ensemble_size_loss
from siernet.inspection.layers import (
    ContributionPath,
    LayerContributions,
    contribution_path,
    layer_contributions,
)
from siernet.inspection.network_graph import NetworkGraph, network_graph, typical_member
from siernet.inspection.observed import (
    Calibration,
    PredictedObserved,
    calibration,
    predicted_observed,
)
from siernet.inspection.rates import SelectionRates, selection_rates
from siernet.inspection.surface import LossSurface, loss_surface

__all__ = [
    "Calibration",
    "CoSelection",
    "ContributionPath",
    "EnsembleSizeLoss",
    "LayerContributions",
    "LossSurface",
    "NetworkGraph",
    "PartialDependence",
    "PredictedObserved",
    "SelectionRates",
    "StandIn",
    "VariableEffects",
    "calibration",
    "co_selection",
    "contribution_path",
    "ensemble_size_loss",
    "layer_contributions",
    "loss_surface",
    "network_graph",
    "partial_dependence",
    "predicted_observed",
    "selection_rates",
    "typical_member",
    "variable_effects",
    "variable_names",
]
