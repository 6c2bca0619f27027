"""Wrong answers to the exercise of unit 00."""

import numpy as np

from ..registry import wrong

# ------------------------------------------------------------------ double


@wrong("double", "squared-instead-of-doubled", note="right for 0 and 2 only")
def double_squared(x):
    return x**2


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


@wrong("double", "squared-instead-of-doubled", note="2 ** x")
def double_power(x):
    return 2.0**x
