"""Algorithm 1: Adam, then proximal gradient descent. Both see only an objective."""
