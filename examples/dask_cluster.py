"""The same search on a Dask cluster: start one with `dask scheduler` and `dask worker ADDRESS`.

python examples/dask_cluster.py tcp://127.0.0.1:8786
"""

import sys

import joblib
from distributed import Client

from siernet import EasierNetRegressorCV
from siernet.datasets import make_section_4_2


def main(address: str) -> None:
    data = make_section_4_2(random_state=0)
    model = EasierNetRegressorCV(n_hidden_layers=2, n_hidden_nodes=20, random_state=0)
    with Client(address), joblib.parallel_config(backend="dask"):
        model.fit(data.X, data.y)
    print("chosen:", model.best_params_)
    print("selection rates:", model.selection_rates_)


if __name__ == "__main__":
    main(sys.argv[1])
