"""EASIER-net: ensembles of sparse-input hierarchical networks for wide tables of few rows."""

from siernet.base import PAPER_SETTINGS
from siernet.cv_estimators import (
    EasierNetClassifierCV,
    EasierNetRegressorCV,
    SierNetClassifierCV,
    SierNetRegressorCV,
)
from siernet.estimators import (
    EasierNetClassifier,
    EasierNetRegressor,
    SierNetClassifier,
    SierNetRegressor,
)
from siernet.members import Member
from siernet.persistence import load

__version__ = "0.1.0"

ESTIMATORS = (
    "SierNetRegressor",
    "SierNetClassifier",
    "EasierNetRegressor",
    "EasierNetClassifier",
    "SierNetRegressorCV",
    "SierNetClassifierCV",
    "EasierNetRegressorCV",
    "EasierNetClassifierCV",
)

__all__ = [
    "ESTIMATORS",
    "PAPER_SETTINGS",
    "EasierNetClassifier",
    "EasierNetClassifierCV",
    "EasierNetRegressor",
    "EasierNetRegressorCV",
    "Member",
    "SierNetClassifier",
    "SierNetClassifierCV",
    "SierNetRegressor",
    "SierNetRegressorCV",
    "load",
]
