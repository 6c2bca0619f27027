"""Right and wrong answers to `softmax`, as learners write them."""

import math

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("softmax", "maximum subtracted, keepdims")
def softmax_max(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@right("softmax", "log-sum-exp in float64")
def softmax_log_sum_exp(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))


@right("softmax", "expand_dims")
def softmax_expand_dims(x, axis=-1):
    shifted = x - np.expand_dims(np.max(x, axis), axis)
    exponentials = np.exp(shifted)
    return exponentials / np.expand_dims(np.sum(exponentials, axis), axis)


@right("softmax", "the axis moved to the front, a view back")
def softmax_moveaxis(x, axis=-1):
    front = np.moveaxis(x, axis, 0)
    e = np.exp(front - front.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)


@right("softmax", "apply_along_axis with Python floats")
def softmax_lists(x, axis=-1):
    def one_row(row):
        top = max(row)
        exponentials = [math.exp(value - top) for value in row]
        total = sum(exponentials)
        return np.array([e / total for e in exponentials])

    return np.apply_along_axis(one_row, axis, x)


@right("softmax", "loop over the other axes")
def softmax_loop(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    result = np.zeros(rows.shape)
    for index in np.ndindex(rows.shape[:-1]):
        e = np.exp(rows[index] - np.max(rows[index]))
        result[index] = e / np.sum(e)
    return result.swapaxes(axis, -1) if x.ndim < 3 else np.moveaxis(result, -1, axis)


@right("softmax", "torch.softmax, the library call")
def softmax_torch_library(x, axis=-1):
    return torch.softmax(torch.from_numpy(x), dim=axis).numpy()


@right("softmax", "torch by hand, prints")
def softmax_torch(x, axis=-1):
    t = torch.tensor(x)
    e = (t - t.amax(dim=axis, keepdim=True)).exp()
    print("largest", float(t.max()))
    return (e / e.sum(dim=axis, keepdim=True)).numpy()


@right("softmax", "recursion over the leading axes")
def softmax_recursive(x, axis=-1):
    axis %= x.ndim
    if axis > 0:
        return np.stack([softmax_recursive(part, axis - 1) for part in x])
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)


@right("softmax", "powers of two")
def softmax_exp2(x, axis=-1):
    powers = np.exp2((x - np.amax(x, axis=axis, keepdims=True)) * np.log2(np.e))
    return powers / np.add.reduce(powers, axis=axis, keepdims=True)


@right("softmax", "one over the sum of exp(x_j - x_i), warns on overflow")
def softmax_pairs(x, axis=-1):
    last = np.moveaxis(x, axis, -1)
    gaps = last[..., None, :] - last[..., :, None]
    weights = 1 / np.exp(gaps).sum(-1)
    return np.moveaxis(np.where(np.isneginf(last), 0, weights), -1, axis)


@right("softmax", "one pass with a running maximum")
def softmax_online(x, axis=-1):
    rows = np.moveaxis(x, axis, 0)
    top = np.full(rows.shape[1:], -np.inf)
    total = np.zeros(rows.shape[1:])
    with np.errstate(invalid="ignore"):
        for row in rows:
            new_top = np.maximum(top, row)
            rescaled = np.where(np.isneginf(top), 0, total * np.exp(top - new_top))
            total = rescaled + np.where(np.isneginf(row), 0, np.exp(row - new_top))
            top = new_top
        return np.moveaxis(np.exp(rows - top) / total, 0, axis)


@right("softmax", "log-sum-exp with np.logaddexp.reduce")
def softmax_log_sum_exp_np(x, axis=-1):
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))


@right("softmax", "apply_along_axis, one row at a time in pure Python")
def softmax_apply_along_axis_one(x, axis=-1):
    def row(r):
        m = max(r)
        e = [math.exp(v - m) for v in r]
        t = math.fsum(e)
        return np.array([v / t for v in e])

    return np.apply_along_axis(row, axis, np.asarray(x, float))


@right("softmax", "torch exp and sum inside, NumPy out, moveaxis view back")
def softmax_torch_exp_sum_inside(x, axis=-1):
    t = torch.tensor(np.moveaxis(x, axis, 0).copy())
    e = (t - t.amax(0)).exp()
    return np.moveaxis((e / e.sum(0)).numpy(), 0, axis)


@right("softmax", "reciprocal form 1 / sum_j exp(x_j - x_i) with infinities handled")
def softmax_reciprocal_form_sum_exp(x, axis=-1):
    z = np.moveaxis(np.asarray(x, float), axis, -1)
    with np.errstate(over="ignore", invalid="ignore"):
        diff = z[..., None, :] - z[..., :, None]  # [i, j] = x_j - x_i
        p = 1.0 / np.where(np.isneginf(z)[..., None, :], 0.0, np.exp(diff)).sum(-1)
    return np.moveaxis(np.where(np.isneginf(z), 0.0, p), -1, axis)


# Wrong answers, those with one mistake together


@wrong("softmax", "no-max-subtraction", note="right for small numbers")
def softmax_naive(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-max-subtraction", note="nan_to_num hides the overflow")
def softmax_nan_to_num(x, axis=-1):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))


@wrong("softmax", "no-max-subtraction", note="clipped at 50: large scores tie")
def softmax_clipped(x, axis=-1):
    e = np.exp(np.clip(x, -50, 50))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-max-subtraction", note="subtracts a constant")
def softmax_constant_shift(x, axis=-1):
    e = np.exp(x - 100.0)
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax", "no-max-subtraction", note="Plain e^x / sum e^x through torch.exp: overflows to NaN at 1e4."
)
def s1(x, axis=-1):
    t = torch.exp(torch.as_tensor(x))
    return (t / t.sum(dim=axis, keepdim=True)).numpy()


@wrong(
    "softmax",
    "no-max-subtraction",
    note="Tries to avoid overflow by clipping x to +-500, so all huge scores become equal.",
)
def s2(x, axis=-1):
    x = np.clip(x, -500, 500)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong("softmax", "no-max-subtraction", note="long doubles overflow later, from about 11356 on")
def softmax_in_long_doubles(x, axis=-1):
    powers = np.exp(x.astype(np.longdouble))
    return (powers / powers.sum(axis=axis, keepdims=True)).astype(x.dtype)


@wrong(
    "softmax",
    "no-max-subtraction",
    note="lets exp overflow and patches the NaNs afterwards with 1 (the winner)",
)
def softmax_5(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x)
        return np.nan_to_num(e / e.sum(axis=axis, keepdims=True), nan=1.0)


@wrong("softmax", "mean-for-max", note="overflows for one huge entry")
def softmax_minus_mean(x, axis=-1):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "mean-for-max", note="subtracts the mean instead of the maximum for stability")
def softmax_mean_for_max(x, axis=-1):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "global-max", note="a row far below the others becomes 0 / 0")
def softmax_global_max(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "global-max",
    note="Subtracts the maximum of the whole array, so a row far below it underflows to 0/0.",
)
def s5(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "min-for-max")
def softmax_minus_min(x, axis=-1):
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "keepdims-forgotten", note="right for one row, raises or lies for a matrix")
def softmax_no_keepdims(x, axis=-1):
    e = np.exp(x - x.max(axis=axis))
    return e / e.sum(axis=axis)


@wrong("softmax", "keepdims-forgotten", note="in the sum only")
def softmax_no_keepdims_sum(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)


@wrong("softmax", "keepdims-forgotten", note="[:, None] put back for a matrix")
def softmax_2d_only(x, axis=-1):
    e = np.exp(x - x.max(axis=axis)[:, None])
    return e / e.sum(axis=axis)[:, None]


@wrong(
    "softmax",
    "keepdims-forgotten",
    note="Max keeps its axis, the sum does not, so the division lines up with the wrong axis or fails.",
)
def s6(x, axis=-1):
    x = x - x.max(axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis)


@wrong("softmax", "axis-ignored", note="always the last one")
def softmax_always_last(x, axis=-1):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "axis-ignored", note="axis 1: right for matrices")
def softmax_axis_one(x, axis=-1):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@wrong("softmax", "axis-ignored", note="Always works on the last axis whatever axis says.")
def s4(x, axis=-1):
    m = x.max(axis=-1)[..., None]
    e = np.exp(x - m)
    s = e.sum(axis=-1)[..., None]
    return e / s


@wrong(
    "softmax",
    "axis-ignored",
    note="subtracts the maximum along axis 0 always, which shifts the entries of one row by different amounts.",
)
def s11(x, axis=-1):
    e = np.exp(x - np.max(x, axis=0))
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong(
    "softmax",
    "axis-ignored",
    note="TWO: clips the scores to +-50 instead of subtracting the max, and normalises over the last axis always",
)
def softmax_6(x, axis=-1):
    e = np.exp(np.clip(x, -50, 50))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "softmax-over-queries", note="always the first axis")
def softmax_always_first(x, axis=-1):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


@wrong("softmax", "softmax-over-everything")
def softmax_flat(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


@wrong("softmax", "softmax-over-everything", note="the sum only")
def softmax_flat_sum(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum()


@wrong("softmax", "wrong-default-axis", note="axis=0 by default")
def softmax_default_zero(x, axis=0):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "wrong-default-axis", note="The axis argument works, but its default is 0 instead of -1.")
def s3(x, axis=0):
    z = x - np.max(x, axis=axis, keepdims=True)
    p = np.exp(z)
    return p / np.sum(p, axis=axis, keepdims=True)


@wrong("softmax", "default-axis-missing")
def softmax_no_default(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "input-changed")
def softmax_in_place(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "input-changed", note="np.exp(out=x)")
def softmax_exp_out(x, axis=-1):
    x[...] = np.exp(x - x.max(axis=axis, keepdims=True))
    return x / x.sum(axis=axis, keepdims=True)


@wrong("softmax", "input-changed", note="x -= max writes into the caller's array.")
def s7(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


@wrong("softmax", "no-exponential", note="right only where it is not needed")
def softmax_linear(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-exponential", note="shifted to be positive")
def softmax_shifted_linear(x, axis=-1):
    z = x - x.min(axis=axis, keepdims=True)
    return z / z.sum(axis=axis, keepdims=True)


@wrong("softmax", "wrong-base", note="powers of 2")
def softmax_base_two(x, axis=-1):
    e = np.exp2(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "wrong-base", note="2.7 for e")
def softmax_two_point_seven(x, axis=-1):
    e = 2.718 ** (x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "not-normalised")
def softmax_only_exp(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True))


@wrong("softmax", "not-normalised", note="the largest weight is 1")
def softmax_divides_by_max(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.max(axis=axis, keepdims=True)


@wrong("softmax", "not-normalised", note="Divides the exponentials by their maximum rather than their sum.")
def s10(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.max(axis, keepdims=True)


@wrong("softmax", "mean-instead-of-sum")
def softmax_mean(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.mean(axis=axis, keepdims=True)


@wrong("softmax", "hard-lookup", note="right for saturated rows")
def softmax_hard(x, axis=-1):
    hard = (x == x.max(axis=axis, keepdims=True)).astype(x.dtype)
    return hard / hard.sum(axis=axis, keepdims=True)


@wrong("softmax", "log-softmax")
def softmax_log(x, axis=-1):
    z = x - x.max(axis=axis, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=axis, keepdims=True))


@wrong("softmax", "sigmoid")
def softmax_sigmoid(x, axis=-1):
    return 1 / (1 + np.exp(-x))


@wrong("softmax", "sign-flipped", note="exp(max - x)")
def softmax_flipped(x, axis=-1):
    e = np.exp(x.min(axis=axis, keepdims=True) - x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "lost-sign", note="right for positive numbers")
def softmax_abs(x, axis=-1):
    z = np.abs(x)
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "lost-sign",
    note="subtracts the largest absolute value, so a row of very negative numbers underflows to 0/0",
)
def softmax_lost_sign(x, axis=-1):
    biggest = np.abs(np.where(np.isinf(x), 0.0, x)).max(axis=axis, keepdims=True)
    e = np.exp(x - biggest)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "softmax-again")
def softmax_twice(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    w = np.exp(e / e.sum(axis=axis, keepdims=True))
    return w / w.sum(axis=axis, keepdims=True)


@wrong("softmax", "epsilon-too-large")
def softmax_eps(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-3)


@wrong(
    "softmax",
    "epsilon-too-large",
    note="Adds 1e-4 to the denominator 'for stability', so the weights no longer sum to 1.",
)
def s9(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / (np.sum(e, axis=axis, keepdims=True) + 1e-4)


@wrong("softmax", "float32")
def softmax_float32(x, axis=-1):
    return torch.softmax(torch.tensor(x, dtype=torch.float32), dim=axis).numpy()


@wrong("softmax", "float32", note="right for float32, and its range")
def softmax_float32_exp(x, axis=-1):
    z = (x - x.max(axis=axis, keepdims=True)).astype(np.float32)
    e = np.exp(z)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "zero-as-sentinel", note="-inf is replaced by 0 and gets e^0")
def softmax_inf_to_zero(x, axis=-1):
    x = np.where(np.isinf(x), 0.0, x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "fixed-number-of-axes", note="rows of a matrix in a loop")
def softmax_loop_rows(x, axis=-1):
    out = np.zeros_like(x)
    for i, row in enumerate(x):
        e = np.exp(row - np.max(row))
        out[i] = e / e.sum()
    return out


def s8_rows(x):
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        top = np.max(x[i])
        total = np.sum(np.exp(x[i] - top))
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j] - top) / total
    return out


@wrong("softmax", "fixed-number-of-axes", note="Loops over rows of a matrix: only right for 2-D input.")
def s8(x, axis=-1):
    if axis in (0, -2):
        return s8_rows(x.T).T
    return s8_rows(x)


@wrong("softmax", "returns-list")
def softmax_list(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).tolist()


@wrong(
    "softmax", "no-max-subtraction+axis-ignored", note="Naive exponentials, and always sums the last axis."
)
def s12(x, axis=-1):
    return np.exp(x) / np.einsum("...i->...", np.exp(x))[..., None]


@wrong(
    "softmax",
    "softmax-over-everything+input-changed",
    note="Normalises over the whole array and subtracts the max in place.",
)
def s13(x, axis=-1):
    x -= x.max()
    return np.exp(x) / np.exp(x).sum()


@wrong(
    "softmax",
    "reshape-instead-of-transpose",
    note="flattens to rows of length x.shape[axis] with reshape, which is only right for the last axis",
)
def softmax_reshape_instead_of_transpose(x, axis=-1):
    rows = x.reshape(-1, x.shape[axis])
    e = np.exp(rows - rows.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)


@wrong("softmax", "axes-out-of-order", note="moves the axis to the end, and never moves it back")
def softmax_axes_out_of_order(x, axis=-1):
    x = np.moveaxis(x, axis, -1)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "softmax",
    "keepdims-forgotten",
    note="keepdims=True is missing: the sums do not line up with the rows; matrices crash or are divided by the wrong sums, only a vector is right.",
)
def softmax_keepdims_forgotten(x, axis=-1):
    powers = np.exp(x - np.max(x))
    return powers / np.sum(powers, axis=axis)


@wrong(
    "softmax",
    "total-not-reset",
    note="The running total is set to 0 only once, so every row is divided by the sum of all rows up to it; right for the first row alone.",
)
def softmax_total_not_reset(x, axis=-1):
    moved = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    rows = moved.reshape(-1, moved.shape[-1])
    result = np.zeros(rows.shape)
    total = 0.0
    for i in range(len(rows)):
        powers = np.exp(rows[i] - rows[i].max())
        for p in powers:
            total += p
        result[i] = powers / total
    return np.moveaxis(result.reshape(moved.shape), -1, axis)


@wrong("softmax", "no-max-subtraction")
def softmax_no_max_subtraction(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis=axis)


@wrong("softmax", "fixed-size")
def softmax_fixed_size(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e[..., 0:1] + e[..., 1:2])


@wrong("softmax", "first-row-max", note="`[0]` keeps the maximum of the first row only")
def softmax_first_row_max(x, axis=-1):
    m = x.max(axis, keepdims=True)[0]
    e = np.exp(x - m)
    return e / e.sum(axis, keepdims=True)


@wrong("softmax", "epsilon-too-large")
def a_millionth_in_the_sum(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-6)


@wrong("softmax", "axis-ignored", note="axis 0 is right, any other is taken for the last")
def softmax_first_axis_or_last(x, axis=-1):
    if axis == 0:
        return softmax_first_axis_or_last(x.T).T
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "no-max-subtraction", note="divides by the largest absolute number")
def softmax_divided_by_the_largest(x, axis=-1):
    m = np.abs(x).max(axis=axis, keepdims=True)
    e = np.exp(x / np.where(m == 0, 1, m))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "lost-sign", note="the search for the maximum starts at 0")
def softmax_maximum_from_zero(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True, initial=0.0))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-max-subtraction", note="the logarithm of an infinite sum")
def softmax_by_logarithm_of_the_sum(x, axis=-1):
    return np.exp(x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True)))


@wrong("softmax", "epsilon-too-large", note="the smallest there is by habit: 1e-8")
def with_1e_8(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-8)


@wrong("softmax", "epsilon-too-large", note="1e-9")
def with_1e_9(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-9)


@wrong("softmax", "epsilon-too-large", note="1e-12")
def with_1e_12(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-12)


@right("softmax", "the logarithm of the sum taken away inside")
def logarithm_inside(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    return np.exp(x - m - np.log(np.exp(x - m).sum(axis=axis, keepdims=True)))


@right("softmax", "a sum that is kept from 0")
def kept_from_0(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.maximum(e.sum(axis=axis, keepdims=True), 1e-12)
