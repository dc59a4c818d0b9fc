"""Fits an ensemble to data whose truth is known, and says how much of the truth it found."""

from pathlib import Path

import numpy as np
from sklearn.linear_model import LassoCV

from siernet import EasierNetRegressor
from siernet.datasets import make_section_4_1

REPORT = Path("demo-report.md")


def main() -> None:
    train = make_section_4_1(600, random_state=0)
    test = make_section_4_1(2000, random_state=1)
    print("Simulated: 600 rows, 100 variables, of which the first 20 matter (paper, section 4.1).")
    model = EasierNetRegressor(
        input_penalty=0.01, network_penalty=0.002, n_estimators=10, random_state=0, verbose=1
    )
    model.fit(train.X, train.y)
    lasso = LassoCV(cv=4).fit(train.X, train.y)

    def loss(predictor):
        return np.mean((predictor.predict(test.X) - test.mean) ** 2) / train.y.var()

    rates = model.selection_rates_
    chosen = model.get_support()
    lines = [
        f"Test loss (noise-free, response of variance one): {loss(model):.3f}; "
        f"LassoCV {loss(lasso):.3f}.",
        f"Variables that most members selected: {chosen.sum()}, of which "
        f"{(chosen & train.relevant).sum()} of the 20 relevant and "
        f"{(chosen & ~train.relevant).sum()} of the 80 irrelevant; "
        f"LassoCV {np.sum(lasso.coef_ != 0)}, of which {np.sum((lasso.coef_ != 0)[:20])} relevant.",
        f"Mean selection rate: relevant {rates[:20].mean():.2f}, irrelevant "
        f"{rates[20:].mean():.2f}.",
        f"Distinct supports among {len(model)} members: {len(model.support_posterior())}.",
        "Hidden nodes in use, by layer (mean): "
        + ", ".join(
            f"{np.mean([m.active_nodes[layer].sum() for m in model]):.0f}" for layer in range(5)
        )
        + " of 100 each.",
        "Proportion of variance by layer: "
        + ", ".join(f"{share:.2f}" for share in model.layer_contributions_.mean(axis=0))
        + ".",
    ]
    print("\n".join(lines))
    table = [
        f"| x{i + 1} | {rates[i]:.2f} | {'yes' if train.relevant[i] else 'no'} |"
        for i in np.argsort(-rates, kind="stable")
        if rates[i] > 0
    ]
    REPORT.write_text(
        "\n".join(
            [
                "# siernet demo",
                "",
                *(f"- {line}" for line in lines),
                "",
                "| variable | selection rate | truly relevant |",
                "|---|---|---|",
                *table,
                "",
            ]
        )
    )
    print(f"Report: {REPORT}")


if __name__ == "__main__":
    main()
