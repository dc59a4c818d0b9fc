"""``docs/results.md`` from finished cells: ``python -m siernet.experiments.document OUT DOCS``.

Every number on the page comes from the cells. What stands between the two marks of the page is
written by hand and stays as it is.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from siernet.experiments.cells import Cell, CellStore, check_alike
from siernet.experiments.methods import METHODS
from siernet.experiments.methods.method import Method
from siernet.experiments.pages import body, origin
from siernet.experiments.running import STUDIES, draw_figures
from siernet.experiments.study import Report, Study, markdown_table
from siernet.files import whole_file

PAGE = "results.md"
PICTURES = "results"
_BEGIN = "<!-- written by hand: begin -->"
_END = "<!-- written by hand: end -->"
_UNWRITTEN = "What these numbers taught is in [accuracy.md](accuracy.md)."


@dataclass(frozen=True)
class Chapter:
    """A study's part of the page."""

    study: Study
    cells: list[Cell]
    failures: dict[str, str]
    report: Report


def write_document(
    out: str | Path, docs: str | Path, *, registry: Mapping[str, Method] | None = None
) -> Path:
    """Writes ``docs/results.md`` and its pictures from the cells of all studies in ``out``.

    Parameters
    ----------
    out : str or path
        A folder that ``run_study`` filled, or that holds cells from several machines.
    docs : str or path
        Where the page goes; its pictures go into the folder ``results`` there.
    registry : mapping, optional
        The methods whose titles are shown, instead of ``METHODS``.

    Returns
    -------
    Path
        The page.
    """
    methods = METHODS if registry is None else registry
    chapters = _chapters(CellStore(out), {name: one.title for name, one in methods.items()})
    page = Path(docs) / PAGE
    by_hand = _by_hand(page)
    pictures = Path(docs) / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    for chapter in chapters:
        if not draw_figures(pictures, chapter.report.figures):
            raise ImportError("The page's pictures need matplotlib: pip install 'siernet[plot]'.")
    with whole_file(page) as file:
        file.write(document_text(chapters, by_hand).encode())
    return page


def document_text(chapters: Sequence[Chapter], by_hand: str) -> str:
    """The page in Markdown, with a part that was written by hand."""
    blocks = [
        "# The paper's study, reproduced",
        "All numbers here come from finished cells of `siernet reproduce`, by `python -m "
        "siernet.experiments.document`. How to compute them again is in "
        "[reproducing.md](reproducing.md).",
        f"{_BEGIN}\n\n{by_hand}\n\n{_END}",
        "## In short",
        _overview(chapters),
        "## Where another method wins",
        _wins(chapters),
    ]
    for chapter in chapters:
        blocks += [
            f"## {chapter.report.title}",
            origin(chapter.study.name, chapter.cells),
            *(
                _below(block)
                for block in body(chapter.report, chapter.cells, chapter.failures, skipped={})
            ),
        ]
    return "\n\n".join(blocks) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page; 0 when it is done, 2 for bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m siernet.experiments.document",
        description="Writes docs/results.md from the finished cells of a folder.",
    )
    parser.add_argument("out", type=Path, help="folder of cells, such as results/paper")
    parser.add_argument("docs", type=Path, help="folder of the documentation")
    options = parser.parse_args(arguments)
    try:
        page = write_document(options.out, options.docs)
    except (ValueError, OSError, ImportError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{page}\n")
    return 0


def _chapters(store: CellStore, titles: Mapping[str, str]) -> list[Chapter]:
    chapters = []
    for name, study in STUDIES.items():
        cells = store.of_study(name)
        if cells:
            check_alike(cells)
            report = study.report(cells, titles)
            chapters.append(Chapter(study, cells, store.failures(name), report))
    if not chapters:
        raise ValueError(
            f"{store.out} holds no finished cell of any study. Run `siernet reproduce` first, or "
            "name the folder that has the folder `cells`."
        )
    return chapters


def _by_hand(page: Path) -> str:
    """What an earlier page has between its marks."""
    if not page.exists():
        return _UNWRITTEN
    found = re.search(f"{_BEGIN}(.*?){_END}", page.read_text(), flags=re.DOTALL)
    if found is None:
        raise ValueError(
            f"{page} lacks the lines {_BEGIN!r} and {_END!r} around what is written by hand, so it "
            "would be lost. Put them in, or move the page away."
        )
    return found.group(1).strip()


def _overview(chapters: Sequence[Chapter]) -> str:
    rows = []
    for chapter in chapters:
        line = [chapter.study.title, str(len(chapter.cells))]
        for against in ("paper", "target"):
            checks = [check for check in chapter.report.checks if check.against == against]
            held = sum(check.holds for check in checks)
            line.append(f"{held} of {len(checks)}" if checks else "")
        rows.append(line)
    table = markdown_table(("Study", "Cells", "Hold against the paper", "and targets"), rows)
    present = {chapter.study.name for chapter in chapters}
    missing = [study.title for name, study in STUDIES.items() if name not in present]
    return f"{table}\n\nNot run: {'; '.join(missing)}." if missing else table


def _wins(chapters: Sequence[Chapter]) -> str:
    lines = [line for chapter in chapters for line in chapter.report.wins]
    if not lines:
        return "Nowhere: EASIER-net has the lowest mean loss in every comparison below."
    return (
        "A mean over draws or splits, less EASIER-net's on the same ones, with the standard error "
        "of that difference; the best of many methods is partly so by luck. Everywhere else "
        "EASIER-net has the lowest mean loss.\n\n" + "\n".join(lines)
    )


def _below(block: str) -> str:
    """A block of a study's own page as part of this one: a level lower, pictures in a folder."""
    block = re.sub(r"^#", "##", block, flags=re.MULTILINE)
    return re.sub(r"!\[(.*?)\]\((.*?)\)", rf"![\1]({PICTURES}/\2)", block)


if __name__ == "__main__":
    sys.exit(main())
