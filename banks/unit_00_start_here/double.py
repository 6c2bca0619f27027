"""Right and wrong answers to `double`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_right, right, wrong

# Right answers, each in its own style


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


# Wrong answers, those with one mistake together


@wrong("double", "squared-instead-of-doubled", note="right for 0 and 2 only")
def double_squared(x):
    return x**2


@wrong("double", "squared-instead-of-doubled", note="2 ** x")
def double_power(x):
    return 2.0**x


@wrong("double", "added-instead-of-multiplied", note="right for 2 only")
def double_plus_two(x):
    return x + 2


@wrong("double", "returns-input")
def double_identity(x):
    return x


@wrong("double", "input-changed")
def double_in_place(x):
    x *= 2
    return x


@wrong("double", "input-changed", note="returns a fresh array, but the caller's one changed too")
def double_in_place_copy(x):
    x += x
    return x.copy()


@wrong("double", "float32")
def double_float32(x):
    return 2 * x.astype(np.float32)


@wrong("double", "truncates-to-int")
def double_int(x):
    return 2 * x.astype(int)


@wrong("double", "returns-list")
def double_list(x):
    return (2 * x).tolist()


@wrong("double", "doubled-length", note="2 * list, not 2 * array")
def double_length(x):
    return np.array(2 * list(x))


@wrong("double", "returns-none")
def double_prints(x):
    y = 2 * x
    str(y)


@wrong("double", "lost-sign", note="right for positive numbers")
def double_abs(x):
    return 2 * np.abs(x)


@wrong("double", "shape-flattened", note="right for one axis")
def double_flat(x):
    return 2 * x.ravel()


@wrong("double", "first-batch-only")
def double_first_row(x):
    y = x.copy()
    y[:1] *= 2
    return y


@wrong("double", "adds-transpose", note="right for symmetric arrays and vectors")
def double_plus_transpose(x):
    return x + x.T


@wrong(
    "double",
    "fixed-size",
    note="The result has the fixed size (2, 2) of the example in the try_it cell, and exactly two index loops: vectors, batches and other matrices crash or lose entries.",
)
def double_fixed_size(x):
    result = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            result[i, j] = 2 * x[i, j]
    return result


@wrong(
    "double",
    "fixed-number-of-axes",
    note="It is written for matrices only: two index loops over rows and columns, vectors and batches crash; and the result is an integer array, so doubled numbers that are not whole (2 * 1.3) are cut off to whole numbers.",
)
def double_fixed_number_of_axes(x):
    result = np.zeros(x.shape, dtype=int)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            result[i, j] = x[i, j] * 2
    return result


@wrong("double", "truncates-to-int")
def rounded_to_six_digits(x):
    return np.round(2 * x, 6)


@wrong("double", "truncates-to-int", note="right for any number of axes")
def double_into_an_array_of_integers(x):
    result = np.zeros(x.shape, dtype=int)
    result[...] = 2 * x
    return result


@wrong("double", "out-of-place", note="flattened by columns, put back by rows")
def double_read_by_columns(x):
    return (2 * x.flatten(order="F")).reshape(x.shape)
