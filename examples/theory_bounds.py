"""Draws Theorems 1 and 2 against the number of rows, section 4.2's design. Needs matplotlib.

Predictive values decide how many rows screening takes: as resemblance (rho) lowers them, both
bounds move to the right, one as 1/gamma and one as 1/gamma^2. Between the two lie eight orders of
magnitude or more, about which the theorems are silent.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from siernet.theory import (
    Section42Design,
    predictive_value,
    screening_lower_bound,
    screening_upper_bound,
)

OUT = Path(__file__).parents[1] / "docs" / "theory_bounds.png"
ROWS = np.logspace(0, 15, 3001)
# The most favourable networks: the mean reaches 2, so no smaller bounds would hold it.
NETWORKS = {"n_features": 8, "n_layers": 7, "sup_norm": 2.0, "total_variation": 2.0}
COLOURS = {0.0: "#1b6ca8", 0.8: "#e08e1b", 0.95: "#d1495b"}


def main() -> None:
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    for rho, colour in COLOURS.items():
        design = Section42Design(rho)
        one, two = (predictive_value(design, m, random_state=0) for m in (1, 2))
        common = {"noise_variance": design.noise_variance}
        lower = screening_lower_bound(ROWS, two.value, **common)
        upper = screening_upper_bound(ROWS, one.value, **NETWORKS, **common)
        axes.plot(ROWS, lower, color=colour, label=rf"$\rho$ = {rho:g}")
        axes.plot(ROWS, upper, color=colour, linestyle="--")
        print(
            f"rho {rho:g}: gamma(1) = {one.value:.5f} (se {one.standard_error:.5f}), gamma(2) = "
            f"{two.value:.5f} (se {two.standard_error:.5f}), noise variance "
            f"{design.noise_variance:.4f}; Theorem 2 is above zero up to n = "
            f"{ROWS[lower > 0].max(initial=0):.3g}, Theorem 1 below one from n = "
            f"{ROWS[upper < 1].min():.2g}"
        )
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("rows n")
    axes.set_ylabel("chance of missing a\nrelevant variable")
    axes.annotate("Theorem 2: no procedure\nhas less in the worst case", (500, 0.22), fontsize=9)
    axes.annotate(
        "Theorem 1:\nthe best-fitting network\nhas at most this",
        (1e8, 0.75),
        ha="right",
        fontsize=9,
    )
    axes.set_title("Section 4.2: x5..x8 resemble the relevant x1..x4 as $\\rho$ grows", fontsize=10)
    axes.legend(frameon=False, loc=(0.25, 0.42))
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(OUT, dpi=130)


if __name__ == "__main__":
    main()
