"""Right answers to unit 00."""

import numpy as np
import torch

from ..registry import add_right, right


@right("double", "2 * x")
def double_product(x):
    return 2 * x


@right("double", "x + x")
def double_sum(x):
    return x + x


@right("double", "np.multiply")
def double_multiply(x):
    return np.multiply(x, 2)


@right("double", "in-place on a copy")
def double_copy(x):
    result = x.copy()
    result *= 2
    return result


@right("double", "loop over every entry")
def double_loop(x):
    result = np.empty_like(x)
    for index in np.ndindex(x.shape):
        result[index] = x[index] * 2
    return result


@right("double", "torch inside, prints")
def double_torch(x):
    result = torch.tensor(x).mul(2)
    print("doubled", tuple(result.shape))
    return result.numpy()


@right("double", "einsum")
def double_einsum(x):
    return np.einsum("...,->...", x, 2)


@right("double", "recursion over the first axis")
def double_recursive(x):
    if np.ndim(x) == 0:
        return np.asarray(x) * 2
    return np.array([double_recursive(row) for row in x]).reshape(x.shape)


@right("double", "a transposed view")
def double_transposed(x):
    return (x.T * 2).T


add_right("double", "lambda", lambda x: x * 2)
