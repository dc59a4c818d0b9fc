"""Methods that cost nothing, and fake cells, for tests of the studies around them."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

import siernet
from siernet.experiments.cells import Cell, CellKey
from siernet.experiments.methods.method import TASKS, Method, Outcome


def toy_method(name, predict=np.zeros, *, train=None, packages=(), **settings):
    """A method that predicts ``predict(number of rows)``, or the classes' shares."""

    def fit(training):
        if training.classes:
            share = np.bincount(training.y) / len(training.y)
            return Outcome(lambda X: np.tile(share, (len(X), 1)), {})
        return Outcome(lambda X: predict(len(X)), {"validation_loss": 4.0, "support_size": 2.0})

    return Method(
        name,
        f"Toy {name}",
        tuple(packages),
        TASKS,
        describe=lambda task, scale: dict(settings),
        train=train or fit,
    )


def registry(*methods):
    return {method.name: method for method in methods}


def mean_of_training(training):
    """Predicts the training response's mean; at the top of a module, so that workers find it."""
    mean = training.y.mean()
    return Outcome(lambda X: np.full(len(X), mean), {})


def failing(training):
    raise FloatingPointError("it went to infinity\nand beyond")


class Interrupting:
    """Trains so many cells, then is interrupted as by Ctrl-C."""

    def __init__(self, cells_before):
        self.left = cells_before
        self.trained = 0

    def __call__(self, training):
        if self.left == self.trained:
            self.left = -1
            raise KeyboardInterrupt
        self.trained += 1
        return Outcome(np.zeros_like if training is None else lambda X: np.zeros(len(X)), {})


def fake_cell(study, setting, seed, method, result, study_settings=None, **method_settings):
    settings = {"study": {"scale": "paper", **(study_settings or {})}, "method": method_settings}
    key = CellKey(study, setting, seed, method)
    filled = {"seconds": 1.0, "warnings": [], **result}
    return Cell(key, filled, settings, siernet.__version__, Path(key.file_name))


def table_rows(markdown):
    """Cells of every Markdown table row in a text, without the rulers."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if not set("".join(row)) <= set("-:")]


def first_row(markdown, *beginning):
    """The first table row that begins with these cells."""
    n = len(beginning)
    return next(
        itertools.dropwhile(lambda row: tuple(row[:n]) != beginning, table_rows(markdown)), None
    )
