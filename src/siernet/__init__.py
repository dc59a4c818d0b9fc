"""EASIER-net: ensembles of sparse-input hierarchical networks for wide tables of few rows."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# Imported when first used, so that `siernet --help` does not wait seconds for torch.
_MODULES = {
    "PAPER_SETTINGS": "siernet.base",
    "Member": "siernet.members",
    "load": "siernet.persistence",
    **{
        name: "siernet.cv_estimators" if name.endswith("CV") else "siernet.estimators"
        for name in ESTIMATORS
    },
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
