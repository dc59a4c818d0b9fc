"""A fitted model explains itself: four plots on one page, one network drawn, and the report.

Writes docs/plots.png, docs/network.png (the pictures of docs/plots_and_report.md) and report.html.
Needs the extras plot and report; a minute or two on a laptop.
"""

from pathlib import Path

from matplotlib.figure import Figure
from sklearn.model_selection import train_test_split

from siernet import EasierNetRegressorCV, plots
from siernet.datasets import make_section_4_1
from siernet.report import write_report

DOCS = Path(__file__).parents[1] / "docs"


def main() -> None:
    data = make_section_4_1(400, n_relevant=8, n_features=40, random_state=0)
    X, X_test, y, y_test = train_test_split(data.X, data.y, random_state=0)
    model = EasierNetRegressorCV(n_estimators=10, random_state=0).fit(X, y)

    figure = Figure(figsize=(11, 8), layout="constrained")
    axes = figure.subplots(2, 2)
    plots.selection_bars(model, n_variables=12, ax=axes[0, 0])
    plots.loss_surface(model, ax=axes[0, 1])
    plots.predicted_observed(model, X_test, y_test, ax=axes[1, 0])
    plots.ensemble_size(model, X_test, y_test, ax=axes[1, 1])
    figure.savefig(DOCS / "plots.png", dpi=80)

    plot = plots.network(model)
    plot.figure.savefig(DOCS / "network.png", dpi=80)
    print("drawn:", plot.data.describe())

    path = write_report(model, "report.html", X=X_test, y=y_test, force=True)
    print("written:", path)


if __name__ == "__main__":
    main()
