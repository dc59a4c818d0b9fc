"""The paper's theory of variable screening (section 2.2.1) as functions."""

from siernet.theory.designs import Design, GaussianDesign, Section41Design, Section42Design
from siernet.theory.lower_bound import screening_lower_bound
from siernet.theory.predictive_value import PredictiveValue, predictive_value
from siernet.theory.upper_bound import best_delta, complexity_bound, screening_upper_bound

__all__ = [
    "Design",
    "GaussianDesign",
    "PredictiveValue",
    "Section41Design",
    "Section42Design",
    "best_delta",
    "complexity_bound",
    "predictive_value",
    "screening_lower_bound",
    "screening_upper_bound",
]
