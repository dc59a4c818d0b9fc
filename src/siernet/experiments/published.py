"""The numbers that the paper prints, so that ours can stand beside them."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A row of Table 1."""

    test_loss: float
    validation_loss: float  # in the paper's source, but hidden in its print
    n_layers: float
    n_hidden_nodes: float
    support_size: float


#: Table 1: (relevant variables, observations) -> method -> row.
TABLE_1: dict[tuple[int, int], dict[str, Row]] = {
    (20, 600): {
        "dropout_single": Row(0.497423, 0.384651, 5, 100.0, 100.0),
        "dropout": Row(0.355795, 0.299026, 3.0, 100.0, 100.0),
        "sparse_single": Row(0.241641, 0.189753, 1, 100.0, 39.0),
        "sparse": Row(0.226045, 0.156973, 3.0, 100.0, 100.0),
        "sier": Row(0.223311, 0.189781, 3, 100.0, 17.0),
        "easier": Row(0.226281, 0.173028, 3.0, 100.0, 25.6),
    },
    (20, 3000): {
        "dropout_single": Row(0.473178, 0.431147, 5, 100.0, 100.0),
        "dropout": Row(0.278896, 0.258332, 5.0, 100.0, 100.0),
        "sparse_single": Row(0.076208, 0.068500, 1, 65.0, 25.0),
        "sparse": Row(0.060577, 0.054455, 1.0, 100.0, 23.6),
        "sier": Row(0.087473, 0.078205, 5, 100.0, 43.0),
        "easier": Row(0.069780, 0.060710, 5.0, 100.0, 43.2),
    },
    (100, 600): {
        "dropout_single": Row(0.511054, 0.470498, 3, 100.0, 100.0),
        "dropout": Row(0.404107, 0.375981, 3.0, 100.0, 100.0),
        "sparse_single": Row(0.382923, 0.362970, 1, 71.0, 58.0),
        "sparse": Row(0.399566, 0.338478, 3.0, 100.0, 100.0),
        "sier": Row(0.382481, 0.390588, 3, 100.0, 64.0),
        "easier": Row(0.385061, 0.345800, 5.0, 100.0, 92.0),
    },
    (100, 3000): {
        "dropout_single": Row(0.513196, 0.481725, 3, 100.0, 100.0),
        "dropout": Row(0.304877, 0.275531, 3.0, 100.0, 100.0),
        "sparse_single": Row(0.271722, 0.267776, 1, 16.5, 100.0),
        "sparse": Row(0.269778, 0.267736, 1.0, 17.7, 100.0),
        "sier": Row(0.264340, 0.264534, 2, 32.0, 100.0),
        "easier": Row(0.256367, 0.262547, 2.0, 86.4, 100.0),
    },
}

#: Table 2: rho -> share of 100 networks that select each of the eight covariates.
TABLE_2: dict[float, tuple[float, ...]] = {
    0.0: (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0),
    0.5: (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0),
    0.8: (0.98, 1.0, 1.0, 1.0, 0.02, 0.0, 0.0, 0.0),
    0.9: (0.86, 0.89, 0.87, 0.99, 0.16, 0.12, 0.28, 0.01),
    0.95: (0.63, 0.73, 0.54, 0.94, 0.38, 0.30, 0.57, 0.27),
    1.0: (0.55, 0.48, 0.47, 0.57, 0.46, 0.54, 0.60, 0.64),
}

#: The table in Figure 3: method -> average test loss over six regression and five
#: classification data sets.
FIGURE_3_AVERAGES: dict[str, tuple[float, float]] = {
    "easier": (0.259, 0.448),
    "sier": (0.286, 0.605),
    "lasso": (0.306, 0.500),
    "random_forest": (0.302, 0.568),
    "xgboost": (0.273, 0.541),
    "dropout": (0.276, 0.637),
}


class Structure(NamedTuple):
    """A row of Table 3: means over an ensemble's members and their standard errors."""

    n_layers: tuple[float, float]  # in the paper's source, but hidden in its print
    support_size: tuple[float, float]  # likewise
    n_hidden_nodes: tuple[float, float]
    contributions: tuple[tuple[float, float], ...]  # of layers 1..6


def _sure(*values: float) -> tuple[tuple[float, float], ...]:
    """Contributions whose standard errors are all 0.00 in print."""
    return tuple((value, 0.0) for value in values)


#: Table 3, by the names of ``siernet.datasets.UCI_NAMES``.
TABLE_3: dict[str, Structure] = {
    "gene_cancer_c": Structure(
        (0.0, 0.0), (20013.70, 5.32), (0.0, 0.0), _sure(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    ),
    "soybean": Structure(
        (0.0, 0.0), (22.35, 0.17), (0.0, 0.0), _sure(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    ),
    "semeion": Structure(
        (5.0, 0.0), (86.50, 1.68), (100.0, 0.0), _sure(0.0, 0.0, 0.0, 0.0, 0.0, 0.99)
    ),
    "hill_valley": Structure(
        (5.0, 0.0),
        (100.0, 0.0),
        (100.0, 0.0),
        (*_sure(0.0, 0.0, 0.01, 0.01), (0.02, 0.01), (0.61, 0.03)),
    ),
    "arrhythmia": Structure(
        (2.80, 0.17),
        (34.45, 0.60),
        (60.0, 6.1),
        (*_sure(0.0, 0.0), (0.61, 0.10), (0.32, 0.09), (0.07, 0.03), (0.0, 0.0)),
    ),
    "crime": Structure(
        (2.05, 0.05),
        (8.05, 0.11),
        (6.5, 0.6),
        (*_sure(0.0, 0.0), (0.95, 0.05), (0.05, 0.05), *_sure(0.0, 0.0)),
    ),
    "ct_slices": Structure(
        (5.0, 0.0),
        (384.0, 0.0),
        (100.0, 0.0),
        (*_sure(0.02, 0.0, 0.0, 0.0), (0.03, 0.01), (0.46, 0.02)),
    ),
    "boston": Structure(
        (5.0, 0.0),
        (11.60, 0.18),
        (100.0, 0.0),
        (*_sure(0.0, 0.0, 0.0, 0.0), (0.10, 0.02), (0.53, 0.04)),
    ),
    "iran_house": Structure(
        (5.0, 0.0),
        (12.25, 0.29),
        (100.0, 0.0),
        (*_sure(0.0, 0.0, 0.0, 0.01, 0.08), (0.32, 0.01)),
    ),
    "wine": Structure(
        (1.30, 0.11),
        (11.0, 0.0),
        (9.9, 4.9),
        ((0.01, 0.01), (0.71, 0.11), (0.30, 0.11), *_sure(0.0, 0.0, 0.0)),
    ),
    "gene_cancer_r": Structure(
        (0.0, 0.0), (15.90, 0.26), (0.0, 0.0), _sure(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    ),
}
