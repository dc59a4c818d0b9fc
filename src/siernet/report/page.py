"""The report as one HTML file that opens offline."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from siernet.files import whole_file
from siernet.fit_record import FitRecord
from siernet.inspection import CoSelection
from siernet.report.cautions import cautions_of
from siernet.report.figure import Figure
from siernet.report.fit_figures import observed_figures, size_figure, surface_figure
from siernet.report.network_figures import dependence_figure, layers_figure, network_figure
from siernet.report.selection_figures import (
    co_selection_figure,
    co_selection_of,
    contested,
    rate_bars,
    rate_curve,
)
from siernet.report.settings import settings_of
from siernet.report.subject import Subject, subject_of
from siernet.report.summary import summary_of
from siernet.report.table import variable_table
from siernet.report.text import plain, script_json


def write_report(
    model: Any,
    path: str | os.PathLike[str],
    *,
    record: FitRecord | None = None,
    X: Any = None,
    y: Any = None,
    feature_names: Sequence[Any] | None = None,
    title: str | None = None,
    force: bool = False,
) -> Path:
    """Writes the report of a fitted model to an HTML file; extra ``report``.

    Parameters
    ----------
    model : fitted estimator of siernet, or fitted Pipeline that ends with one
    path : path-like
        Written whole or not at all.
    record : FitRecord, optional
        What ``siernet.load`` finds beside a model made on the command line: scores, held-out
        rows, a sample of rows and the command that repeats the fit.
    X : array-like or DataFrame of shape (n, d), optional
        Rows to average over (partial dependence) and to correlate, as the model, or the whole
        Pipeline, takes them. In place of the record's sample.
    y : array-like of shape (n,), optional
        The response of X, if these rows were not trained on. In place of the record's test.
    feature_names : sequence of str, optional
        Names of the variables as the last step sees them; by default the model's own.
    title : str, optional
    force : bool, default=False
        Whether a file at ``path`` may be replaced.

    Returns
    -------
    Path
        ``path``.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Name a file in it, such as report.html.")
    if path.exists() and not force:
        raise FileExistsError(f"{path} exists. Choose another name, or pass force=True.")
    page = render_report(model, record=record, X=X, y=y, feature_names=feature_names, title=title)
    with whole_file(path) as file:
        file.write(page.encode("utf-8"))
    return path


def render_report(
    model: Any,
    *,
    record: FitRecord | None = None,
    X: Any = None,
    y: Any = None,
    feature_names: Sequence[Any] | None = None,
    title: str | None = None,
) -> str:
    """The report as HTML; parameters as in ``write_report``."""
    jinja2, plotly_script = _jinja2(), _plotly_script()
    from markupsafe import Markup  # comes with jinja2

    subject = subject_of(model, record=record, X=X, y=y, feature_names=feature_names)
    together = co_selection_of(subject)
    figures = _figures(subject, together)
    table = variable_table(subject)
    style, script = _asset("report.css"), _asset("report.js")
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_template),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        title=plain(title) if title is not None else _title(subject),
        subject=subject,
        record=record,
        summary=summary_of(subject),
        cautions=cautions_of(subject, together),
        figures=figures,
        not_shown=_not_shown(subject, figures),
        table=table,
        settings=settings_of(subject),
        policy=_policy(plotly_script, script),
        style=Markup(style),
        plotly_script=Markup(plotly_script),
        script=Markup(script),
        table_json=Markup(script_json(table.data)),
        figures_json=Markup(
            script_json({f.key: {"data": f.traces, "layout": f.layout} for f in figures})
        ),
    )


def _figures(subject: Subject, together: CoSelection | None) -> list[Figure]:
    """Those that this model and these data allow, in the order of the page."""
    constant = subject.is_constant
    figures = [
        None if constant else rate_bars(subject),
        None if constant or subject.n_members == 1 else rate_curve(subject),
        None if together is None else co_selection_figure(subject, together),
        dependence_figure(subject),
        *observed_figures(subject),
        None if constant else size_figure(subject),
        None if subject.surface is None else surface_figure(subject.surface),
        None if constant else layers_figure(subject),
        None if constant else network_figure(subject),
    ]
    return [figure for figure in figures if figure is not None]


def _not_shown(subject: Subject, figures: list[Figure]) -> tuple[tuple[str, str], ...]:
    """Figures that are missing, each with why."""
    constant = "no network selected a variable"
    single = "the model is a single network"
    why_dependence = constant if subject.is_constant else "no rows were at hand"
    why_together = (
        single
        if subject.n_members == 1
        else "it needs two variables on which the networks disagree; there are "
        f"{contested(subject)}"
    )
    outcome = "predicted" if subject.classes is None else "calibration"
    reasons = {
        "rates": ("Selection rates", constant),
        "curve": ("Curve of all selection rates", constant if subject.is_constant else single),
        "coselection": ("Co-selection", why_together),
        "dependence": ("Partial dependence", why_dependence),
        outcome: ("Predictions against observations", "no rows were held out"),
        "size": (
            "Loss against the number of networks",
            single
            if subject.n_members == 1
            else constant
            if subject.is_constant
            else "no rows were held out",
        ),
        "surface": ("Loss surface", "the penalties were given, not tuned"),
        "layers": ("Layers", constant),
        "network": ("Drawing of a network", constant),
    }
    shown = {figure.key for figure in figures}
    return tuple(reason for key, reason in reasons.items() if key not in shown)


def _title(subject: Subject) -> str:
    if subject.record is not None:
        return f"What predicts {plain(subject.record.target)}"
    return f"What {type(subject.model).__name__} found"


def _policy(*scripts: str) -> str:
    """A content security policy: these scripts run, no others, and nothing is fetched."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _asset(name: str) -> str:
    return (files("siernet.report") / "assets" / name).read_text(encoding="utf-8")


def _template(name: str) -> str:
    return (files("siernet.report") / "templates" / name).read_text(encoding="utf-8")


def _jinja2() -> Any:
    try:
        import jinja2
    except ImportError:
        raise ImportError(
            "Reports need jinja2. Install it with: pip install 'siernet[report]'"
        ) from None
    return jinja2


@cache
def _plotly_script() -> str:
    """plotly.js whole: plotly for Python ships no smaller bundle."""
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise ImportError(
            "Reports need plotly. Install it with: pip install 'siernet[report]'"
        ) from None
    return get_plotlyjs().replace("</script", "<\\/script").replace("\r\n", "\n")
