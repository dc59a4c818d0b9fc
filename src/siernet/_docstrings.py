"""The parameters and attributes that all estimators have, written once."""

from __future__ import annotations

import inspect
from textwrap import indent
from typing import TypeVar

_PARAMETERS = {
    "n_estimators": """n_estimators : int, default=20
    Number of networks, B.""",
    "input_penalty": """input_penalty : float, default=0.01
    lambda_1, the L1 penalty on the input filter and on the linear part: fewer variables.
network_penalty : float, default=0.002
    lambda_2, the L1 penalty on all other weights: fewer nodes and layers.""",
    "n_estimators_tuning": """n_estimators_tuning : int, default=10
    Number of networks while penalties are tuned. Classes' probabilities are calibrated with so
    many: with far fewer than ``n_estimators`` they come out less sure than they could be.""",
    "input_penalties": """input_penalties, network_penalties : list of float or None, default=None
    The penalties to try, searched as given; None derives a range from the data.{calibration}
search : {"halving", "grid", "random"}, default="halving"
    "halving" gives few members to many candidates and many members to few, refining the range
    around the best; "grid" tries all pairs and "random" draws pairs, with all members each.
n_candidates : int or None, default=None
    How many candidates "random" draws; 25 if None.
cv : int, splitter or iterable, default=4
    Folds; an int shuffles the rows, stratified for classes.
scoring : str, callable or None, default=None
    A scikit-learn scorer; None is the paper's loss (squared error, negative log-likelihood).
selection_rule : {"min", "1se"}, default="min"
    The best candidate, or the one with the fewest variables within one standard error of it.
checkpoint : path or None, default=None
    A folder for finished work: an interrupted search goes on from there.""",
    "n_hidden_layers": """n_hidden_layers, n_hidden_nodes : int, default=5, 100
    Size of the network that training starts from.""",
    "class_weight": """class_weight : "balanced", dict or None, default="balanced"
    As in scikit-learn; "balanced" weights classes by their inverse frequency. A prior power above
    0, which the CV estimators may choose, takes that back in part or whole.""",
    "temperature": """temperature : float, default=1.0
    The outputs are divided by it before the softmax: above 1, probabilities are less sure.
prior_power : float, default=0.0
    Probabilities are multiplied by this power of the classes' shares, and scaled to add up to 1.
    With ``class_weight="balanced"`` 1 takes the balancing back.""",
    "n_batches": """n_batches : int, default=3
    Mini-batches an epoch of Adam is cut into.
max_epochs : int, default=1000
    Adam's epochs at most. The default schedule stops by convergence, usually much earlier; a
    constant rate takes them all.
max_prox_iter : int, default=300
    Steps of proximal gradient descent at most.
learning_rate : float, default=0.01
    Adam's full rate.
schedule : {"cosine", "constant"}, default="cosine"
    "cosine" warms up, searches at the full rate until what the network explains has stopped
    growing fast, then lowers the rate to zero while the penalties act by soft-thresholding.
    "constant" is the published scripts', which do not stop before ``max_epochs``.
tol : float, default=0.01
    Proximal gradient descent ends when no penalised parameter is further than this from
    meeting its optimality condition (in units of the scaled loss).
standardize : bool, default=True
    Centre and scale X (and y in regression) inside.
random_state : int, RandomState instance or None, default=None
    Seed of the initial weights and of the mini-batch orders.
n_jobs : int or None, default=None
    Workers. None takes as many threads as torch would. Never changes the result.
device : {"auto", "cpu", "cuda"}, default="auto"
    Where to train. A fitted model holds numpy arrays and predicts anywhere.
max_memory : "auto", int or str, default="auto"
    Bytes that training may use, or a size such as "2GB". Never changes the result.
verbose : int or callable, default=0
    Whether to show progress; a callable receives ``siernet.progress.ProgressEvent`` objects.""",
}

_ATTRIBUTES = """members_ : list of Member
    The networks, each with the paper's arrays ``beta``, ``alpha``, ``weights``, ``biases``,
    ``skip_weights``, ``skip_biases``, and with ``support``, ``active_nodes``, ``layer_outputs``.
x_mean_, x_scale_ : ndarray of shape (d,)
    What X was centred and scaled by.
{y_scaling}selection_rates_ : ndarray of shape (d,)
    Share of the members that selected each variable; approximately the posterior probability
    that the variable matters.
supports_ : ndarray of shape (B, d), dtype bool
    Which member selected which variable.
layer_contributions_ : ndarray of shape (B, L-1)
    Proportion of variance that each layer contributes.
n_iter_ : ndarray of shape (B,)
    Epochs of Adam plus proximal steps.
objective_ : ndarray of shape (B,)
    Penalised training loss.
residuals_ : ndarray of shape (B,)
    Largest distance of a penalised parameter from its optimality condition.
converged_ : ndarray of shape (B,), dtype bool
    Whether ``residuals_`` is below ``tol``. Networks can rest at a kink of the ReLU, where no
    step lowers the objective though the residual stays above ``tol``; only members that were
    still improving are warned of.
{tuned}n_features_in_ : int
feature_names_in_ : ndarray of shape (d,)
    Present if X had column names."""

_Y_SCALING = """y_mean_, y_scale_ : float
    What y was centred and scaled by.
"""
_CALIBRATION = """
temperatures, prior_powers : list of float or None, default=None
    What the classes' probabilities may be tempered by, and the powers of the classes' shares they
    may be multiplied by, chosen with the penalties by rows outside a fold's training. None tries
    17 temperatures from 1/2 to 8 and the powers 0, 1/2 and 1; only the power 0, which leaves
    classes balanced, with a ``scoring`` other than None and "neg_log_loss", and where
    ``class_weight`` is None. [1.0] and [0.0] leave the probabilities as they are."""
_TUNED = """input_penalty_, network_penalty_ : float
    The penalties chosen.
best_params_, best_score_, best_index_
    The same as a dict, its mean score, and its place in ``cv_results_``.
cv_results_ : dict
    In scikit-learn's layout; scores are minus the loss by default. ``n_resources`` is the number
    of members a candidate was given, ``se_test_score`` the standard error of its mean score, and
    ``mean_n_selected`` the mean number of variables its networks selected.
n_splits_ : int
"""
_CLASSES = """classes_ : ndarray of shape (K,)
class_prior_ : ndarray of shape (K,)
    The classes' shares of the training rows.
temperature_, prior_power_ : float
    What the outputs are divided by before the softmax, and the power of ``class_prior_`` that
    multiplies the probabilities.
"""

Estimator = TypeVar("Estimator", bound=type)


def documented(estimator: Estimator) -> Estimator:
    """Fills ``{parameters}`` and ``{attributes}`` into a class's docstring."""
    taken = inspect.signature(estimator).parameters
    parameters = "\n".join(text for first, text in _PARAMETERS.items() if first in taken)
    calibration = _CALIBRATION if "temperatures" in taken else ""
    parameters = parameters.replace("{calibration}", calibration)
    scaling = _CLASSES if "class_weight" in taken else _Y_SCALING
    tuned = _TUNED if "cv" in taken else ""
    attributes = _ATTRIBUTES.replace("{y_scaling}", scaling).replace("{tuned}", tuned)
    filled = estimator.__doc__ or ""
    for name, text in (("parameters", parameters), ("attributes", attributes)):
        heading = name.capitalize()
        block = f"{heading}\n{'-' * len(heading)}\n{text}"
        filled = filled.replace(f"    {{{name}}}", indent(block, "    "))
    estimator.__doc__ = filled
    return estimator
