"""The methods that studies compare, all behind one interface."""

from siernet.experiments.methods.boosting import BOOSTING
from siernet.experiments.methods.forests import FORESTS
from siernet.experiments.methods.lasso_net import LASSO_NET
from siernet.experiments.methods.linear import LINEAR
from siernet.experiments.methods.method import Method, Outcome
from siernet.experiments.methods.networks import NETWORKS
from siernet.experiments.methods.published_code import PUBLISHED_CODE
from siernet.experiments.methods.real_mlp import REAL_MLP
from siernet.experiments.methods.tabular import TABULAR

#: By name; the paper's own first.
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *NETWORKS,
        *LINEAR,
        *FORESTS,
        *BOOSTING,
        *LASSO_NET,
        *TABULAR,
        *REAL_MLP,
        *PUBLISHED_CODE,
    )
}

__all__ = ["METHODS", "Method", "Outcome"]
