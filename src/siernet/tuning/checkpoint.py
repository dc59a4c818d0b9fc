"""Results of trained tasks in a folder, so that an interrupted search goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import siernet

_MANIFEST = "siernet-search.json"
_FORMAT = 1


class Checkpoint:
    """A folder of finished work.

    Each file holds the results of some tasks, under a name made of what the tasks are; it is
    written whole or not at all. The manifest says which search the folder belongs to.

    Parameters
    ----------
    folder : path
    description : dict
        What determines the search: parameters and a digest of the data.
    """

    def __init__(self, folder: str | os.PathLike[str], description: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self.description = description

    def entropy(self, proposed: int, *, fixed: bool) -> int:
        """The search's entropy: that of the folder, or else the proposed one, noted there.

        Parameters
        ----------
        fixed : bool
            Whether the user chose the random state; then it has to be the folder's.
        """
        manifest = self.folder / _MANIFEST
        wanted = {"format": _FORMAT, "version": siernet.__version__, **self.description}
        if fixed:
            wanted["entropy"] = str(proposed)
        if not manifest.exists():
            if self.folder.exists() and not self.folder.is_dir():
                raise ValueError(f"checkpoint={str(self.folder)!r} is a file, not a folder.")
            self.folder.mkdir(parents=True, exist_ok=True)
            noted = {**wanted, "entropy": str(proposed)}
            _write_whole(manifest, json.dumps(noted, indent=1).encode())
            return proposed
        try:
            found = json.loads(manifest.read_text())
            entropy = int(found["entropy"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{manifest} is damaged ({error}), so it is not known which search it belongs to. "
                "Remove the folder, or pass another checkpoint."
            ) from error
        different = [name for name, value in wanted.items() if found.get(name) != value]
        if different:
            raise ValueError(
                f"checkpoint={str(self.folder)!r} belongs to another search: "
                f"{_listed(different)} differ. Pass a new folder, or remove this one."
            )
        return entropy

    def load(self, names: Iterable[str]) -> dict[str, np.ndarray] | None:
        """The arrays stored for these tasks, or None if there are none or they are damaged."""
        path = self._path(names)
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as stored:
                return {name: stored[name] for name in stored.files}
        except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile) as error:
            warnings.warn(
                f"{path} is damaged ({type(error).__name__}) and is computed again.",
                UserWarning,
                stacklevel=2,
            )
            return None

    def store(self, names: Iterable[str], arrays: dict[str, np.ndarray]) -> None:
        """Writes the arrays of these tasks."""
        path = self._path(names)
        handle, temporary = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    def _path(self, names: Iterable[str]) -> Path:
        digest = hashlib.blake2b("\n".join(names).encode(), digest_size=12).hexdigest()
        return self.folder / f"tasks-{digest}.npz"


def _listed(names: list[str]) -> str:
    return ", ".join(names)


def _write_whole(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def digest_of(*arrays: np.ndarray) -> str:
    """A digest of arrays' types, shapes and values."""
    digest = hashlib.blake2b(digest_size=16)
    for array in arrays:
        if array.dtype == object:
            array = np.array([repr(value) for value in array.ravel()])
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
