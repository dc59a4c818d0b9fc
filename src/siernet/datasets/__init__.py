"""The paper's data: its two simulations, its eleven UCI sets, and four sets more."""

from siernet.datasets.more import MORE_NAMES, load_more
from siernet.datasets.simulations import Simulation, make_section_4_1, make_section_4_2
from siernet.datasets.splitting import preparation, split, split_rows
from siernet.datasets.table import UCI_NAMES, UCI_TABLE, PaperRow, UciDataset
from siernet.datasets.uci import (
    load_arrhythmia,
    load_boston,
    load_crime,
    load_ct_slices,
    load_gene_cancer_c,
    load_gene_cancer_r,
    load_hill_valley,
    load_iran_house,
    load_semeion,
    load_soybean,
    load_uci,
    load_wine,
)

__all__ = [
    "MORE_NAMES",
    "UCI_NAMES",
    "UCI_TABLE",
    "PaperRow",
    "Simulation",
    "UciDataset",
    "load_arrhythmia",
    "load_boston",
    "load_crime",
    "load_ct_slices",
    "load_gene_cancer_c",
    "load_gene_cancer_r",
    "load_hill_valley",
    "load_iran_house",
    "load_more",
    "load_semeion",
    "load_soybean",
    "load_uci",
    "load_wine",
    "make_section_4_1",
    "make_section_4_2",
    "preparation",
    "split",
    "split_rows",
]
