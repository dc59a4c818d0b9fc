"""Runs studies cell by cell, over processes if wanted, and writes their pages."""

from __future__ import annotations

import csv
import io
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import joblib

from siernet.experiments import layers, simulation, support, uci
from siernet.experiments.cells import CellKey, CellStore, Work, check_alike
from siernet.experiments.methods import METHODS
from siernet.experiments.methods.method import SCALES, Method
from siernet.experiments.pages import page_text, summary_line
from siernet.experiments.study import Check, Request, Study
from siernet.files import whole_file
from siernet.progress import progress_bar

STUDIES: dict[str, Study] = {
    study.name: study for study in (simulation.STUDY, layers.STUDY, support.STUDY, uci.STUDY)
}

_MOST_WARNINGS = 10  # that a cell keeps


@dataclass(frozen=True)
class StudyResult:
    """A study as it stands in its folder.

    Parameters
    ----------
    name : str
    page : Path
        The Markdown page; tables and figures are beside it.
    checks : list of Check
    n_cells : int
        Finished cells in the folder.
    failures : dict
        From a cell's name to its error, for cells that could not be computed.
    skipped : dict
        From a method or data set to the reason why it was left out.
    notes : tuple of str
        What else the user should know.
    """

    name: str
    page: Path
    checks: list[Check]
    n_cells: int
    failures: dict[str, str]
    skipped: dict[str, str]
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """One line: what matched the paper and DESIGN.md's targets and what did not."""
        return summary_line(self.checks)


def run_study(
    name: str,
    *,
    out: str | os.PathLike[str],
    scale: str = "quick",
    seeds: int | None = None,
    data: str | os.PathLike[str] | None = None,
    methods: Sequence[str] | None = None,
    sets: Sequence[str] | None = None,
    device: str = "auto",
    n_jobs: int | None = None,
    workers: int = 1,
    progress: Any = None,
    registry: Mapping[str, Method] | None = None,
) -> StudyResult:
    """Computes the cells of a study that ``out`` does not hold yet, then writes its page.

    Parameters
    ----------
    name : {"simulation", "layers", "support", "uci"}
    out : str or path
        A folder, made if need be. Cells computed elsewhere may be put under ``out/cells``.
    scale : {"quick", "paper"}, default="quick"
        A few minutes with fewer settings, networks and draws; or everything.
    seeds : int, optional
        Draws or splits; by default 1 for quick, 5 for paper.
    data : str or path, optional
        The folder of the UCI files (see ``siernet.datasets.load_uci``).
    methods : sequence of str, optional
        Of ``siernet.experiments.methods.METHODS``; by default all that the study usually compares
        and whose packages are installed.
    sets : sequence of str, optional
        Data sets, or settings of a simulation.
    device : {"auto", "cpu", "cuda"}, default="auto"
    n_jobs : int, optional
        Threads or processes in each fit.
    workers : int, default=1
        Processes over which the cells are spread, each of one thread.
    progress : bool or callable, optional
        True for a bar; a callable is told ``siernet.progress.ProgressEvent``s.
    registry : mapping, optional
        The methods to choose from, instead of ``METHODS``.

    Returns
    -------
    StudyResult
    """
    study = _study(name)
    if scale not in SCALES:
        raise ValueError(f"scale={scale!r} has to be one of {', '.join(SCALES)}.")
    seeds = study.seeds[scale] if seeds is None else seeds
    for label, value in (("seeds", seeds), ("workers", workers)):
        if value < 1:
            raise ValueError(f"{label}={value} has to be 1 or more.")
    if data is not None and not Path(data).is_dir():
        raise ValueError(f"data={os.fspath(data)!r} is no folder. Pass one that holds the files.")
    store = CellStore(out)
    chosen, skipped = _methods(study, scale, methods, METHODS if registry is None else registry)
    request = Request(
        scale=scale,
        seeds=seeds,
        sets=_names(sets, study.usual_sets[scale], study.known_sets, f"{name} has no set"),
        methods=chosen,
        data=None if data is None else os.fspath(data),
        device=device,
        n_jobs=1 if workers > 1 and n_jobs is None else n_jobs,
    )
    plan = study.plan(request)
    check_alike(store.of_study(name), study.settings(scale))
    works = store.unfinished(plan.works)
    _compute(store, works, study, workers, progress)
    return render_study(name, out, registry=registry, skipped={**skipped, **plan.skipped})


def render_study(
    name: str,
    out: str | os.PathLike[str],
    *,
    registry: Mapping[str, Method] | None = None,
    skipped: Mapping[str, str] | None = None,
) -> StudyResult:
    """Writes a study's page, tables and figures from the finished cells in ``out``.

    Without matplotlib the figures are left out, and a note says so.
    """
    study = _study(name)
    store = CellStore(out)
    cells, failures = store.of_study(name), store.failures(name)
    skipped = dict(skipped or {})
    if not cells:
        reasons = "; ".join(f"{key}: {error}" for key, error in {**skipped, **failures}.items())
        raise ValueError(
            f"{store.out} holds no finished cell of the study {name!r}. "
            + (f"What went wrong: {reasons}" if reasons else "Run the study first.")
        )
    check_alike(cells)
    methods = METHODS if registry is None else registry
    report = study.report(cells, {label: method.title for label, method in methods.items()})
    for file_name, rows in report.tables.items():
        _write(store.out / file_name, _as_csv(rows))
    drawn = draw_figures(store.out, report.figures)
    notes = () if drawn else ("The figures need matplotlib: pip install 'siernet[plot]'.",)
    page = store.out / f"{name}.md"
    _write(page, page_text(report, name, cells, failures, skipped))
    return StudyResult(name, page, report.checks, len(cells), failures, skipped, notes)


# -- what is asked for -----------------------------------------------------------------------------


def _study(name: str) -> Study:
    _names([name], (), tuple(STUDIES), "There is no study")
    return STUDIES[name]


def _names(
    asked: Sequence[str] | None, usual: Sequence[str], known: Sequence[str], what: str
) -> tuple[str, ...]:
    """The names asked for, each once, or the usual ones."""
    if asked is None:
        return tuple(usual)
    if isinstance(asked, str):
        asked = [asked]
    for name in asked:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]!r}? " if near else ""
            raise ValueError(f"{what} {name!r}. {hint}There are: {', '.join(known)}.")
    if not asked:
        raise ValueError(f"No name is given. There are: {', '.join(known)}.")
    return tuple(dict.fromkeys(asked))


def _methods(
    study: Study, scale: str, asked: Sequence[str] | None, registry: Mapping[str, Method]
) -> tuple[dict[str, Method], dict[str, str]]:
    """The methods to run, and the usual ones that cannot run here with the reason."""
    usual = study.usual_methods[scale]
    if not usual:
        _names(asked, (), ("easier",), f"The study {study.name} has no method")
        return {}, {}
    known = [name for name in usual if name in registry]
    names = _names(asked, known, tuple(registry), "There is no method")
    missing = {name: registry[name].missing() for name in names}
    reasons = {
        name: f"needs {', '.join(packages)} (pip install 'siernet[bench]')"
        for name, packages in missing.items()
        if packages
    }
    if asked is not None and reasons:
        raise ImportError("; ".join(f"{name} {reason}" for name, reason in reasons.items()) + ".")
    return {name: registry[name] for name in names if name not in reasons}, reasons


# -- cells -----------------------------------------------------------------------------------------


def _compute(
    store: CellStore, works: Sequence[Work], study: Study, workers: int, progress: Any
) -> None:
    with progress_bar(f"reproduce {study.name}", len(works), verbose=progress) as report:
        for done, _ in enumerate(_finished(store, works, workers), start=1):
            if report is not None:
                report(done)


def _finished(store: CellStore, works: Sequence[Work], workers: int) -> Iterator[CellKey]:
    """The works' keys as their cells are written."""
    if workers == 1:
        for work in works:
            yield _run(store, work)
        return
    # Processes of one thread each; loky's, for forked ones hang after torch has run.
    with joblib.parallel_config(backend="loky", n_jobs=workers, inner_max_num_threads=1):
        parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1)
        yield from parallel(joblib.delayed(_run_alone)(store, work) for work in works)


def _run_alone(store: CellStore, work: Work) -> CellKey:
    """A cell in a process of its own, on one thread."""
    import torch

    torch.set_num_threads(1)
    return _run(store, work)


def _run(store: CellStore, work: Work) -> CellKey:
    """Computes and saves a cell; an error is noted beside it and the study goes on."""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        try:
            result = work.run()
        except Exception as error:
            store.note_failure(work.key, error)
            return work.key
    seconds = round(time.perf_counter() - start, 2)
    store.save(work, {**result, "seconds": seconds, "warnings": _told(caught)})
    return work.key


def _told(caught: Sequence[warnings.WarningMessage]) -> list[str]:
    """Distinct warnings in one line each, so that a page tells of them and not the screen."""
    texts = (f"{one.category.__name__}: {' '.join(str(one.message).split())}" for one in caught)
    return list(dict.fromkeys(texts))[:_MOST_WARNINGS]


# -- files -----------------------------------------------------------------------------------------


def _write(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text.encode())


def _as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:  # a value that is not known is an empty field, NaN too
        writer.writerow({name: "" if value != value else value for name, value in row.items()})
    return text.getvalue()


def draw_figures(out: Path, figures: Mapping[str, Callable[[Any], None]]) -> bool:
    """Draws the figures into a folder; False where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    for file_name, draw in figures.items():
        figure = Figure(layout="constrained")
        draw(figure)
        with whole_file(out / file_name) as file:
            figure.savefig(file, format="png", dpi=150)
    return True
