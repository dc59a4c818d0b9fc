"""Cross-validated scores of candidates, from networks trained once and remembered."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from siernet.calibration import Calibration
from siernet.progress import progress_bar
from siernet.random_streams import task_key
from siernet.rows import Rows
from siernet.tasks import Task, TrainedTask
from siernet.tuning.checkpoint import Checkpoint, digest_of
from siernet.tuning.folds import Fold
from siernet.tuning.search import Candidate

_FOLD = 1  # first part of the identity of a network trained on a fold, for its random stream
# Tasks trained at a time, and with a checkpoint stored. A GPU is idle with fewer than a thousand,
# but what is not stored is lost when a search is interrupted.
_CHUNK = {"cpu": 64, "cuda": 4096}
_STORED_CHUNK = {"cpu": 64, "cuda": 512}


@dataclass(frozen=True)
class TaskScore:
    """What is kept of a network that was trained on a fold."""

    predictions: np.ndarray  # on the fold's validation rows, (n,) or (n, K)
    n_selected: int
    seconds: float


@dataclass(frozen=True)
class CandidateScore:
    """A candidate's result with a number of members."""

    n_members: int
    scores: np.ndarray  # (folds,), higher is better
    single: float  # mean score of the members by themselves
    n_selected: float
    seconds: np.ndarray  # (folds,)
    calibration: Calibration | None = None  # of classes: the best on all folds

    @property
    def mean(self) -> float:
        """Mean score over the folds."""
        return float(self.scores.mean())

    def expected_mean(self, n_members: int) -> float:
        """Mean score that so many members would have.

        What an ensemble lacks to one without end falls as one over the number of its members,
        exactly so for squared errors. So candidates whose members differ much, whose ensembles gain
        more from further members, are not dropped for having few yet.
        """
        own = self.n_members
        if own == 1 or not np.isfinite(self.single):
            return self.mean
        gain = (self.mean - self.single) / (1 - 1 / own)
        return self.mean + gain * (1 / own - 1 / max(own, n_members))

    @property
    def standard_error(self) -> float:
        """Standard error of the mean over the folds."""
        n_folds = len(self.scores)
        return float(self.scores.std(ddof=1) / np.sqrt(n_folds)) if n_folds > 1 else 0.0


# Trains tasks whose ``data`` counts the folds; predicts with one network on a fold's test rows.
Train = Callable[[list[Task], Callable[[float], None] | None], list[TrainedTask]]
Predict = Callable[[TrainedTask, int], tuple[np.ndarray, int]]
# Score of an ensemble's predictions for validation rows, higher is better.
Score = Callable[[np.ndarray, Rows], float]
# Every fold's probabilities (B, n, K) as sure as the other folds say, and what all say.
Calibrate = Callable[[list[np.ndarray]], tuple[list[np.ndarray], Calibration]]


class Evaluator:
    """Scores candidates with as many members as asked for, training only what is missing.

    A fold's member has the same random stream for every candidate, so that candidates differ by
    their penalties alone, and more members are added to those that are there.
    """

    def __init__(
        self,
        folds: Sequence[Fold],
        entropy: int,
        *,
        train: Train,
        predict: Predict,
        score: Score,
        n_members: int,
        calibrate: Calibrate | None = None,
        device: str = "cpu",
        checkpoint: Checkpoint | None = None,
        verbose: Any = 0,
    ) -> None:
        self.results: dict[Candidate, CandidateScore] = {}
        self._folds = folds
        self._entropy = entropy
        self._train = train
        self._predict = predict
        self._score = score
        self._all_members = n_members
        self._calibrate = calibrate
        self._chunk_size = (_CHUNK if checkpoint is None else _STORED_CHUNK)[device]
        self._checkpoint = checkpoint
        self._verbose = verbose
        self._known: dict[tuple[Candidate, int, int], TaskScore] = {}
        self._digests = [digest_of(f.test.X, f.test.y, f.train.X, f.train.weight) for f in folds]
        self._round = 0

    def __call__(self, candidates: Sequence[Candidate], n_members: int) -> np.ndarray:
        """Losses (lower is better), shape (candidates,), that all members are expected to have."""
        self._train_missing(candidates, n_members)
        for candidate in candidates:
            self.results[candidate] = self._candidate_score(candidate, n_members)
        return np.array([-self.results[c].expected_mean(self._all_members) for c in candidates])

    def _train_missing(self, candidates: Sequence[Candidate], n_members: int) -> None:
        # Members outermost: parts of the list then cost about the same.
        wanted = [
            (candidate, fold, member)
            for member in range(n_members)
            for fold in range(len(self._folds))
            for candidate in candidates
        ]
        missing = [key for key in wanted if key not in self._known]
        self._round += 1
        best = max((r.mean for r in self.results.values()), default=None)
        stage = f"Tuning, round {self._round}"
        with progress_bar(
            stage,
            len(missing),
            verbose=self._verbose if missing else 0,
            best_loss=None if best is None else -best,
        ) as progress:
            for start in range(0, len(missing), self._chunk_size):
                chunk = missing[start : start + self._chunk_size]
                report = None if progress is None else _shifted(progress, start)
                self._known.update(self._chunk(chunk, report))
                if progress is not None:
                    progress(start + len(chunk))

    def _chunk(
        self,
        keys: list[tuple[Candidate, int, int]],
        progress: Callable[[float], None] | None,
    ) -> dict[tuple[Candidate, int, int], TaskScore]:
        names = [
            f"{candidate} {self._digests[fold]} {fold} {member}" for candidate, fold, member in keys
        ]
        if self._checkpoint is not None:
            stored = self._checkpoint.load(names)
            if stored is not None:
                scores = _unpacked(stored)
                return dict(zip(keys, scores, strict=True))
        tasks = [
            Task(
                task_key(self._entropy, _FOLD, fold, member),
                candidate.input_penalty,
                candidate.network_penalty,
                fold,
            )
            for candidate, fold, member in keys
        ]
        start = time.perf_counter()
        trained = self._train(tasks, progress)
        seconds = (time.perf_counter() - start) / len(tasks)
        scores = [
            TaskScore(*self._predict(result, fold), seconds)
            for result, (_, fold, _) in zip(trained, keys, strict=True)
        ]
        if self._checkpoint is not None:
            self._checkpoint.store(names, _packed(scores))
        return dict(zip(keys, scores, strict=True))

    def _candidate_score(self, candidate: Candidate, n_members: int) -> CandidateScore:
        scores, single, selected, seconds, predictions = [], [], [], [], []
        for fold in range(len(self._folds)):
            members = [self._known[candidate, fold, member] for member in range(n_members)]
            predictions.append(np.stack([member.predictions for member in members]))
            selected += [member.n_selected for member in members]
            seconds.append(sum(member.seconds for member in members))
        predictions, calibration = self._calibrated(predictions)
        for own, rows in zip(predictions, self._folds, strict=True):
            finite = bool(np.isfinite(own).all())
            scores.append(self._score(own.mean(axis=0), rows.test) if finite else -np.inf)
            if finite:
                single += [self._score(member, rows.test) for member in own]
        return CandidateScore(
            n_members,
            np.array(scores),
            float(np.mean(single)) if np.isfinite(scores).all() else -np.inf,
            float(np.mean(selected)),
            np.array(seconds),
            calibration,
        )

    def _calibrated(
        self, predictions: list[np.ndarray]
    ) -> tuple[list[np.ndarray], Calibration | None]:
        """Each fold's probabilities (B, n, K) as sure as the other folds say, and as all say."""
        if self._calibrate is None:
            return predictions, None
        if not all(np.isfinite(own).all() for own in predictions):
            return predictions, Calibration()
        return self._calibrate(predictions)


def _shifted(progress: Callable[[float], None], start: int) -> Callable[[float], None]:
    return lambda done: progress(start + done)


def _packed(scores: list[TaskScore]) -> dict[str, np.ndarray]:
    arrays = {f"predictions{i}": score.predictions for i, score in enumerate(scores)}
    arrays["n_selected"] = np.array([score.n_selected for score in scores])
    arrays["seconds"] = np.array([score.seconds for score in scores])
    return arrays


def _unpacked(arrays: dict[str, np.ndarray]) -> list[TaskScore]:
    return [
        TaskScore(arrays[f"predictions{i}"], int(n_selected), float(seconds))
        for i, (n_selected, seconds) in enumerate(
            zip(arrays["n_selected"], arrays["seconds"], strict=True)
        )
    ]


class PredictedRegression(RegressorMixin, BaseEstimator):
    """Looks to a scorer like a fitted regressor, and returns predictions made before."""

    def __init__(self, predictions: np.ndarray) -> None:
        self.predictions = predictions

    def predict(self, X: Any) -> np.ndarray:
        """The predictions, one for each row of ``X``."""
        return self.predictions

    def __sklearn_is_fitted__(self) -> bool:
        return True


class PredictedClassification(ClassifierMixin, BaseEstimator):
    """Looks to a scorer like a fitted classifier, and returns probabilities made before."""

    def __init__(self, predictions: np.ndarray, classes: np.ndarray) -> None:
        self.predictions = predictions
        self.classes = classes

    @property
    def classes_(self) -> np.ndarray:
        """All classes."""
        return self.classes

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probabilities, one row for each row of ``X``."""
        return self.predictions

    def predict(self, X: Any) -> np.ndarray:
        """The most probable classes."""
        return self.classes[self.predictions.argmax(axis=1)]

    def __sklearn_is_fitted__(self) -> bool:
        return True
