"""Finished work as small files, one a cell, so that a study goes on where it stopped.

A *cell* is one method on one seed of one setting of a study. Cells computed on several machines
meet in one folder; cells of other settings or of another version never mix with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import traceback
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import siernet
from siernet.experiments.machine import machine_in_words
from siernet.files import whole_file

_FOLDER = "cells"


class _Missing:
    """What a setting was before it existed; not None, which is a setting."""

    def __repr__(self) -> str:
        return "missing"


_MISSING = _Missing()


@dataclass(frozen=True, order=True)
class CellKey:
    """What a cell is of; its parts are plain words, for they make the file's name."""

    study: str
    setting: str
    seed: int
    method: str

    @property
    def file_name(self) -> str:
        return f"{self.setting}--{self.seed}--{self.method}.json"


@dataclass(frozen=True)
class Work:
    """A cell to compute.

    Parameters
    ----------
    key : CellKey
    settings : dict
        What determines the result beside the key: the study's own settings and the method's.
    run : callable
        Computes the result, a dict that JSON can hold.
    """

    key: CellKey
    settings: dict[str, Any]
    run: Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Cell:
    """A finished cell."""

    key: CellKey
    result: dict[str, Any]
    settings: dict[str, Any]
    version: str
    path: Path = field(compare=False)
    machine: str = field(default="", compare=False)


def digest_of(settings: dict[str, Any]) -> str:
    """A short digest of settings."""
    text = json.dumps(settings, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class CellStore:
    """The cells of a folder."""

    def __init__(self, out: str | os.PathLike[str]) -> None:
        self.out = Path(out)
        if self.out.exists() and not self.out.is_dir():
            raise ValueError(f"out={str(self.out)!r} is a file. Pass a folder, or a new name.")

    def path(self, key: CellKey) -> Path:
        return self.out / _FOLDER / key.study / key.file_name

    def load(self, key: CellKey) -> Cell | None:
        """The cell, or None where there is none or its file is damaged."""
        path = self.path(key)
        return _read(path) if path.exists() else None

    def save(self, work: Work, result: dict[str, Any]) -> None:
        """Writes a cell, whole or not at all."""
        key = work.key
        content = {
            "study": key.study,
            "setting": key.setting,
            "seed": key.seed,
            "method": key.method,
            "version": siernet.__version__,
            "machine": machine_in_words(),
            "digest": digest_of(work.settings),
            "settings": work.settings,
            "result": result,
        }
        path = self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(json.dumps(content, indent=1).encode())
        self._failure_path(key).unlink(missing_ok=True)

    def note_failure(self, key: CellKey, error: BaseException) -> None:
        """Writes why a cell could not be computed beside where it would be; it stays missing."""
        path = self._failure_path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [_in_one_line(error), "", *traceback.format_exception(error)]
        with whole_file(path) as file:
            file.write("\n".join(lines).encode())

    def failures(self, study: str) -> dict[str, str]:
        """For each cell that failed when it was last tried, its name and the error."""
        paths = sorted((self.out / _FOLDER / study).glob("*.failed"))
        return {path.stem: path.read_text().partition("\n")[0] for path in paths}

    def _failure_path(self, key: CellKey) -> Path:
        return self.path(key).with_suffix(".failed")

    def of_study(self, study: str) -> list[Cell]:
        """All cells of a study, in the order of their keys."""
        paths = (self.out / _FOLDER / study).glob("*.json")
        return sorted(
            (cell for path in paths if (cell := _read(path)) is not None),
            key=lambda cell: cell.key,
        )

    def unfinished(self, works: Iterable[Work]) -> list[Work]:
        """The works whose cell is missing, after a check that no other cell of theirs differs.

        Raises
        ------
        ValueError
            If the folder holds one of these cells, computed with other settings or by another
            version.
        """
        missing, problems = [], []
        for work in works:
            cell = self.load(work.key)
            if cell is None:
                missing.append(work)
            elif differing := _differences(cell, work.settings):
                problems.append(f"{cell.path} ({differing})")
        if problems:
            shown = "; ".join(problems[:3]) + (" ..." if len(problems) > 3 else "")
            raise ValueError(
                f"{len(problems)} finished cells in {self.out} were computed otherwise: {shown}. "
                "Pass another out folder, or remove these files."
            )
        return missing


def check_alike(cells: Iterable[Cell], study_settings: dict[str, Any] | None = None) -> None:
    """Refuses cells of one study that differ in version or in the study's own settings.

    With ``study_settings`` also cells that differ from these or from the present version, where
    new cells are to be added.
    """
    first: Cell | None = None
    for cell in cells:
        if study_settings is not None:
            wanted = {**cell.settings, "study": study_settings}
            if differing := _differences(cell, wanted):
                raise ValueError(
                    f"{cell.path} was computed otherwise ({differing}). Pass another out folder, "
                    "or remove the cells in this one."
                )
        if first is None:
            first = cell
        elif cell.version != first.version:
            raise ValueError(
                f"{cell.path} is by siernet {cell.version} and {first.path} by {first.version}. "
                "Remove one of them: a table holds results of one version."
            )
        elif cell.settings["study"] != first.settings["study"]:
            raise ValueError(
                f"{cell.path} and {first.path} are of different settings "
                f"({_changed(first.settings['study'], cell.settings['study'])}). Keep each in a "
                "folder of its own."
            )


def _read(path: Path) -> Cell | None:
    try:
        content = json.loads(path.read_text())
        key = CellKey(*(content[part] for part in ("study", "setting", "seed", "method")))
        if key.file_name != path.name:
            raise ValueError(f"it says {key.file_name}")
        if digest_of(content["settings"]) != content["digest"]:
            raise ValueError("its settings and their digest do not agree")
        return Cell(
            key,
            content["result"],
            content["settings"],
            content["version"],
            path,
            content.get("machine", ""),
        )
    except (ValueError, KeyError, TypeError) as error:
        warnings.warn(
            f"{path} is damaged ({_in_one_line(error)}) and counts as missing.",
            UserWarning,
            stacklevel=2,
        )
        return None


def _in_one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _differences(cell: Cell, settings: dict[str, Any]) -> str:
    if cell.version != siernet.__version__:
        return f"version {cell.version}, now {siernet.__version__}"
    # Through JSON, which knows no tuples and no integer keys.
    wanted = json.loads(json.dumps(settings))
    return "" if cell.settings == wanted else _changed(cell.settings, wanted)


def _changed(before: Any, now: Any, name: str = "") -> str:
    """The settings that differ, by dotted names."""
    if isinstance(before, dict) and isinstance(now, dict):
        keys = sorted({*before, *now})
        pairs = {key: (before.get(key, _MISSING), now.get(key, _MISSING)) for key in keys}
        parts = [_changed(*pair, f"{name}.{key}".strip(".")) for key, pair in pairs.items()]
        return ", ".join(part for part in parts if part)
    return "" if before == now else f"{name} {before!r}, now {now!r}"
