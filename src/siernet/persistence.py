"""Model files: skops holding plain numbers, texts and arrays, never code."""

from __future__ import annotations

import os
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import siernet
from siernet.members import Member

_FORMAT = 1
_KIND = "siernet model"


def save(estimator: Any, path: str | os.PathLike[str]) -> Path:
    """Writes a fitted estimator to ``path``, whole or not at all."""
    skops_io = _skops()
    state = {name: value for name, value in vars(estimator).items() if name.endswith("_")}
    state["members_"] = [
        {field.name: getattr(member, field.name) for field in fields(Member)}
        for member in estimator.members_
    ]
    content = skops_io.dumps(
        {
            "kind": _KIND,
            "format": _FORMAT,
            "version": siernet.__version__,
            "estimator": type(estimator).__name__,
            "parameters": estimator.get_params(deep=False),
            "state": state,
        }
    )
    path = Path(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent or ".", prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a model that ``save`` wrote; nothing in the file is executed.

    Raises
    ------
    ValueError
        If the file is not a whole model file of this or an earlier version.
    """
    skops_io = _skops()
    content = Path(path).read_bytes()
    try:
        record = skops_io.loads(content, trusted=[])
    except Exception as error:
        raise ValueError(
            f"{path} is not a model file of siernet, or is damaged ({type(error).__name__}: "
            f"{error}). Save the model again with its save method."
        ) from error
    if not isinstance(record, dict) or record.get("kind") != _KIND:
        raise ValueError(f"{path} holds no siernet model. Load it with what wrote it.")
    if record["format"] > _FORMAT:
        raise ValueError(
            f"{path} was written by siernet {record['version']}, which is newer than this one "
            f"({siernet.__version__}). Upgrade siernet to read it."
        )
    if record["estimator"] not in siernet.ESTIMATORS:
        raise ValueError(
            f"{path} holds an estimator {record['estimator']!r}, which siernet "
            f"{siernet.__version__} does not have."
        )
    estimator = getattr(siernet, record["estimator"])(**record["parameters"])
    state = dict(record["state"])
    state["members_"] = [Member(**member) for member in state["members_"]]
    vars(estimator).update(state)
    return estimator


def _skops() -> Any:
    try:
        import skops.io
    except ImportError:
        raise ImportError(
            "Saving and loading models needs skops. Install it with: pip install 'siernet[cli]'"
        ) from None
    return skops.io
