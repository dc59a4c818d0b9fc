"""Model files: skops holding plain numbers, texts and arrays, never code."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import siernet
from siernet.files import whole_file

if TYPE_CHECKING:
    from siernet.fit_record import FitRecord

_FORMAT = 1
_KIND = "siernet model"


def save(model: Any, path: str | os.PathLike[str], *, record: FitRecord | None = None) -> Path:
    """Writes a fitted model to ``path``, whole or not at all.

    Parameters
    ----------
    model : fitted estimator, or Pipeline that ``load`` returned
    path : path-like
    record : FitRecord, optional
        Facts about the fit to store with it; by default those the model was loaded with.

    Returns
    -------
    Path
        ``path``.
    """
    from siernet.model_state import plain_state

    skops_io = _skops()
    plain = plain_state(model, record)
    content = skops_io.dumps(
        {"kind": _KIND, "format": _FORMAT, "version": siernet.__version__, **plain},
        compression=zipfile.ZIP_DEFLATED,
    )
    if skops_io.get_untrusted_types(data=content):
        raise ValueError(_not_storable(skops_io, plain["parameters"]))
    with whole_file(path) as file:
        file.write(content)
    return Path(path)


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a model that ``save`` wrote; nothing in the file is executed.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    estimator or Pipeline
        A Pipeline, which takes a DataFrame, if the file is the command line's. What is known
        about the fit (scores, rows, columns left out) is its attribute ``fit_record_``, where the
        file has it.

    Raises
    ------
    ValueError
        If the file is not a whole model file of this or an earlier version.
    """
    from siernet.model_state import model_from

    content = _content(path)
    if content["estimator"] not in siernet.ESTIMATORS:
        raise ValueError(
            f"{path} holds an estimator {content['estimator']!r}, which siernet "
            f"{siernet.__version__} does not have."
        )
    try:
        return model_from(content)
    except Exception as error:
        raise _damaged(path, error) from error


def _content(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The file's dictionary, checked for being one of ours and not too new."""
    skops_io = _skops()
    raw = Path(path).read_bytes()
    if not raw:
        raise _damaged(path, EOFError("it is empty"))
    try:
        unknown = skops_io.get_untrusted_types(data=raw)
        content = None if unknown else skops_io.loads(raw, trusted=[])
    except Exception as error:
        raise _damaged(path, error) from error
    if unknown:
        raise ValueError(
            f"{path} is refused: it holds {', '.join(unknown[:5])}, which no model file of siernet "
            "holds and which could run code. Do not trust where it comes from."
        )
    if not isinstance(content, dict) or content.get("kind") != _KIND:
        raise ValueError(f"{path} holds no siernet model. Load it with what wrote it.")
    try:
        if content["format"] > _FORMAT:
            raise ValueError(
                f"{path} was written by siernet {content['version']}, which is newer than this "
                f"one ({siernet.__version__}). Upgrade siernet to read it."
            )
        return {**content, "estimator": str(content["estimator"])}
    except (KeyError, TypeError) as error:
        raise _damaged(path, error) from error


def _damaged(path: str | os.PathLike[str], error: Exception) -> ValueError:
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return ValueError(
        f"{path} is not a model file of siernet, or is damaged ({reason[:200]}). Copy it again, or "
        "save the model again."
    )


def _not_storable(skops_io: Any, parameters: dict[str, Any]) -> str:
    for name, value in parameters.items():
        unknown = skops_io.get_untrusted_types(data=skops_io.dumps(value))
        if unknown:
            return (
                f"{name}={value!r} cannot be stored: a model file holds no {unknown[0]}. Call "
                f"set_params({name}=None) on the fitted model, then save it."
            )
    return "The model holds objects that cannot be stored. Fit it to an array or a DataFrame."


def _skops() -> Any:
    try:
        import skops.io
    except ImportError:
        raise ImportError(
            "Saving and loading models needs skops. Install it with: pip install 'siernet[cli]'"
        ) from None
    return skops.io
