"""Where results are written."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from siernet.cli.errors import CommandError, check_output, printable

MODEL_SUFFIX = ".siernet"
_REPORT_PACKAGES = ("jinja2", "plotly")


def model_path(data: Path, out: Path | None) -> Path:
    """The model's file: by default in the current folder, named as the data."""
    if out is not None:
        return out
    stem = data.name
    while Path(stem).suffix.lower() in {".gz", *_DATA_SUFFIXES}:
        stem = Path(stem).stem
    return Path(f"{stem}{MODEL_SUFFIX}")


_DATA_SUFFIXES = frozenset(
    {".csv", ".tsv", ".tab", ".txt", ".data", ".dat", ".parquet", ".pq", ".xlsx", ".xlsm", ".npz"}
)


def report_path(model: Path, report: Path | None, *, wanted: bool) -> tuple[Path | None, str]:
    """The report's file, by default beside the model; None, with why, where there will be none."""
    if not wanted:
        return None, ""
    if report is not None:
        require_report_packages()
        return report, ""
    missing = _missing_packages()
    if missing:
        return None, (
            f"no report, because {' and '.join(missing)} is not installed: pip install "
            "'siernet[report]'"
        )
    return model.with_suffix(".html"), ""


def require_report_packages() -> None:
    """Refuses a report that the installed packages cannot make."""
    missing = _missing_packages()
    if missing:
        raise CommandError(
            f"A report needs {' and '.join(missing)}. Install with: pip install 'siernet[report]'"
        )


def _missing_packages() -> list[str]:
    return [name for name in _REPORT_PACKAGES if importlib.util.find_spec(name) is None]


def check_outputs(outputs: list[Path], inputs: list[Path], *, force: bool) -> None:
    """Refuses, before any work, outputs that could not be written or would replace an input."""
    taken = {_resolved(path): "is read by this command" for path in inputs}
    for path in outputs:
        if _resolved(path) in taken:
            raise CommandError(
                f"{printable(path)} {taken[_resolved(path)]}. Choose another name to write to."
            )
        taken[_resolved(path)] = "is already written by this command"
        check_output(path, force=force)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a loop of links
        return path.absolute()
