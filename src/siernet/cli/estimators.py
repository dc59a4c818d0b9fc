"""Which estimator a fit from the command line trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from siernet.cli.errors import CommandError

_FOLDS, _QUICK_FOLDS = 4, 3
_QUICK = {
    "n_estimators": 8,
    "n_estimators_tuning": 3,
    "max_epochs": 200,
    "max_prox_iter": 100,
}


@dataclass(frozen=True)
class Effort:
    """How much is trained, on what, and where an interrupted search goes on."""

    quick: bool = False
    networks: int | None = None
    epochs: int | None = None
    folds: int | None = None
    input_penalty: float | None = None
    network_penalty: float | None = None
    class_weight: str | None = None
    device: str = "auto"
    jobs: int | None = None
    checkpoint: str | None = None

    def check(self) -> None:
        """Refuses what does not go together."""
        if (self.input_penalty is None) != (self.network_penalty is None):
            raise CommandError(
                "--input-penalty and --network-penalty go together: pass both, or neither to tune "
                "them."
            )
        if not self.tunes and self.checkpoint is not None:
            raise CommandError(
                "--checkpoint stores the search for penalties, but both are given. Leave one out."
            )
        if self.class_weight not in (None, "balanced", "none"):
            raise CommandError(
                f"--class-weight {self.class_weight} is not known. Use balanced or none."
            )
        if self.device not in ("auto", "cpu", "cuda"):
            raise CommandError(f"--device {self.device} is not known. Use auto, cpu or cuda.")

    @property
    def tunes(self) -> bool:
        """Whether the penalties are searched for."""
        return self.input_penalty is None

    def n_folds(self, y: np.ndarray, *, classes: bool) -> int:
        """Folds of the cross-validation, fewer than usual where there are too few rows."""
        if self.folds is not None:
            return self.folds
        usual = _QUICK_FOLDS if self.quick else _FOLDS
        most = int(np.unique(y, return_counts=True)[1].max()) if classes else len(y)
        return max(2, min(usual, most))


def make_estimator(
    effort: Effort, y: np.ndarray, *, classes: bool, seed: int, verbose: Any = 0
) -> Any:
    """An unfitted ensemble, which tunes its penalties unless they are given."""
    import siernet

    options: dict[str, Any] = dict(_QUICK) if effort.quick else {}
    if effort.networks is not None:
        options["n_estimators"] = effort.networks
        usual = options.get("n_estimators_tuning", 10)
        options["n_estimators_tuning"] = min(usual, effort.networks)
    if effort.epochs is not None:
        options["max_epochs"] = effort.epochs
    name = "EasierNetClassifier" if classes else "EasierNetRegressor"
    if effort.tunes:
        name += "CV"
        options["cv"] = effort.n_folds(y, classes=classes)
        options["checkpoint"] = effort.checkpoint
    else:
        options.pop("n_estimators_tuning", None)
        options["input_penalty"] = effort.input_penalty
        options["network_penalty"] = effort.network_penalty
    if classes and effort.class_weight is not None:
        options["class_weight"] = None if effort.class_weight == "none" else effort.class_weight
    return getattr(siernet, name)(
        **options,
        random_state=seed,
        device=effort.device,
        n_jobs=effort.jobs,
        verbose=verbose,
    )
