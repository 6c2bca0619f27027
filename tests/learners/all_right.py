"""A learner whose answers are all right, mostly the last ones of the banks, seldom those of the solutions.

One answer prints, one warns, one logs and one writes to stderr: they get their points all the same.
"""
# ruff: noqa: I001

import numpy as np

# %% like banks

# %% double
import warnings


def double(x):
    warnings.warn("this is noisy, and right", stacklevel=1)
    return np.add(x, x)


# %% dot
def dot(a, b):
    total = a.dtype.type(0)
    for one, other in zip(a, b, strict=True):
        print("adding", one * other)
        total += one * other
    return total


# %% similarity_matrix
def similarity_matrix(X, Y):
    import sys

    result = np.empty((len(X), len(Y)), dtype=X.dtype)
    for i, x in enumerate(X):
        sys.stderr.write(f"row {i}\n")
        for j, y in enumerate(Y):
            result[i, j] = (x * y).sum()
    return result


# %% scaled_scores
def scaled_scores(Q, K):
    import logging

    logging.getLogger("learner").warning("scaling")
    d_k = K.shape[-1]
    return np.einsum("...qd,...kd->...qk", Q / d_k**0.5, K)
