"""Draws the README's picture: selection rates on a Table 1 draw. Needs matplotlib."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from siernet import EasierNetRegressor
from siernet.datasets import make_section_4_1

OUT = Path(__file__).parents[1] / "docs" / "selection_rates.png"


def main() -> None:
    data = make_section_4_1(600, random_state=0)
    model = EasierNetRegressor(random_state=0).fit(data.X, data.y)
    order = np.argsort(-model.selection_rates_, kind="stable")[:24]
    figure, axes = plt.subplots(figsize=(8, 2.8), layout="constrained")
    colours = np.where(data.relevant[order], "#1b6ca8", "#d1495b")
    axes.bar(range(24), model.selection_rates_[order], color=colours)
    axes.set_xticks(range(24), [f"x{i + 1}" for i in order], rotation=90, fontsize=7)
    axes.set_ylabel("selected by this share\nof 20 networks")
    axes.set_title("600 rows, 100 variables, 20 of which matter: the 24 most selected", fontsize=10)
    handles = [plt.Rectangle((0, 0), 1, 1, color=c) for c in ("#1b6ca8", "#d1495b")]
    axes.legend(handles, ["matters", "does not"], frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(OUT, dpi=130)


if __name__ == "__main__":
    main()
