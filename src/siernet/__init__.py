"""EASIER-net: ensembles of sparse-input hierarchical networks for wide tables of few rows."""

from siernet.base import PAPER_SETTINGS
from siernet.estimators import (
    EasierNetClassifier,
    EasierNetRegressor,
    SierNetClassifier,
    SierNetRegressor,
)
from siernet.members import Member
from siernet.persistence import load

__version__ = "0.1.0"

ESTIMATORS = ("SierNetRegressor", "SierNetClassifier", "EasierNetRegressor", "EasierNetClassifier")

__all__ = [
    "ESTIMATORS",
    "PAPER_SETTINGS",
    "EasierNetClassifier",
    "EasierNetRegressor",
    "Member",
    "SierNetClassifier",
    "SierNetRegressor",
    "load",
]
