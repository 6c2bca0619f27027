"""Right and wrong answers to `dot`, as learners write them."""

import functools
import math
import operator

import numpy as np
import torch

from banks.registry import add_right, right, wrong

# Right answers, each in its own style


@right("dot", "loop")
def dot_loop(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@right("dot", "sum of zip")
def dot_zip(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@right("dot", "@")
def dot_at(a, b):
    return a @ b


@right("dot", "multiply and sum")
def dot_multiply_sum(a, b):
    return (a * b).sum()


@right("dot", "einsum")
def dot_einsum(a, b):
    return np.einsum("i,i->", a, b)


@right("dot", "tensordot, a 0-d array")
def dot_tensordot(a, b):
    return np.tensordot(a, b, axes=1)


@right("dot", "a row times a column, then .item()")
def dot_row_column(a, b):
    return (a.reshape(1, -1) @ b.reshape(-1, 1)).item()


@right("dot", "torch.dot, the library call")
def dot_torch(a, b):
    return torch.dot(torch.from_numpy(a), torch.from_numpy(b)).item()


@right("dot", "torch, a 0-d array")
def dot_torch_array(a, b):
    return (torch.tensor(a) * torch.tensor(b)).sum().numpy()


@right("dot", "recursion by halves")
def dot_recursive(a, b):
    if len(a) == 0:
        return 0.0
    if len(a) == 1:
        return a[0] * b[0]
    half = len(a) // 2
    return dot_recursive(a[:half], b[:half]) + dot_recursive(a[half:], b[half:])


@right("dot", "math.fsum of Python floats, prints")
def dot_fsum(a, b):
    terms = [float(x) * float(y) for x, y in zip(a, b, strict=True)]
    print(terms)
    return math.fsum(terms)


@right("dot", "functools.reduce")
def dot_reduce(a, b):
    return functools.reduce(operator.add, map(operator.mul, a, b), 0.0)


add_right("dot", "the name np.dot itself", np.dot)


add_right("dot", "lambda over np.inner", lambda a, b: np.inner(a, b))


@right("dot", "math.fsum generator over map(operator.mul)")
def dot_math_fsum_generator_map(a, b):
    import operator

    return math.fsum(map(operator.mul, a.tolist(), b.tolist()))


@right("dot", "polarisation identity")
def dot_polarisation_identity(a, b):
    return ((a + b) @ (a + b) - (a - b) @ (a - b)) / 4


@right("dot", "trace of outer, 0-d array")
def dot_trace_outer_array(a, b):
    return np.array(np.trace(np.outer(a, b)))


@right("dot", "0-d torch tensor to numpy")
def dot_torch_tensor_numpy(a, b):
    return torch.einsum("i,i->", torch.as_tensor(a), torch.as_tensor(b)).numpy()


# Wrong answers, those with one mistake together


@wrong("dot", "no-sum")
def dot_elementwise(a, b):
    return a * b


@wrong("dot", "no-sum", note="Multiplies entry by entry and never adds the products up.")
def dot_no_sum(a, b):
    products = [x * y for x, y in zip(a, b)]
    return np.array(products)


@wrong("dot", "mean-instead-of-sum")
def dot_mean(a, b):
    return np.mean(a * b)


@wrong("dot", "mean-instead-of-sum", note="Divides by the length: mean of products instead of the sum")
def dot_mean_instead_of_sum(a, b):
    return np.mean(a * b)


@wrong("dot", "outer-product")
def dot_outer(a, b):
    return np.outer(a, b)


@wrong("dot", "outer-product", note="the sum of the outer product: right for one entry")
def dot_outer_sum(a, b):
    return np.outer(a, b).sum()


@wrong(
    "dot",
    "outer-product",
    note="np.outer pairs every entry of a with every entry of b, then adds everything.",
)
def dot_outer_product(a, b):
    return np.outer(a, b).sum()


@wrong("dot", "outer-product", note="sum(a)*sum(b): sums each vector first and multiplies the totals")
def dot_outer_product_2(a, b):
    return a.sum() * b.sum()


@wrong("dot", "cosine-instead-of-dot", note="right for unit vectors")
def dot_cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("dot", "lost-sign", note="right for positive numbers")
def dot_abs(a, b):
    return np.abs(a * b).sum()


@wrong("dot", "lost-sign", note="right when the result is positive")
def dot_abs_result(a, b):
    return abs(a @ b)


@wrong("dot", "lost-sign", note="np.abs around the result because 'a similarity cannot be negative'")
def dot_lost_sign(a, b):
    return np.abs(np.sum(a * b))


@wrong("dot", "added-instead-of-multiplied")
def dot_added(a, b):
    return np.sum(a + b)


@wrong("dot", "scaled-too-early")
def dot_scaled(a, b):
    return a @ b / np.sqrt(len(a))


@wrong("dot", "float32")
def dot_float32(a, b):
    return np.dot(a.astype(np.float32), b.astype(np.float32))


@wrong("dot", "float32", note="through a default torch tensor")
def dot_torch_float(a, b):
    return torch.dot(torch.Tensor(a), torch.Tensor(b)).numpy()


@wrong("dot", "keepdims-left", note="shape (1,), not a scalar")
def dot_keepdims(a, b):
    return np.sum(a * b, keepdims=True)


@wrong("dot", "keepdims-left", note="Row times column as matrices gives a (1, 1) array, not a scalar.")
def dot_keepdims_left(a, b):
    return a.reshape(1, -1) @ b.reshape(-1, 1)


@wrong(
    "dot", "keepdims-left", note="Returns an array of shape (1,) by reshaping a to a row and b to a column"
)
def dot_keepdims_left_2(a, b):
    return (a.reshape(1, -1) @ b.reshape(-1, 1))[0]


@wrong("dot", "last-left-out")
def dot_range_minus_one(a, b):
    total = 0.0
    for i in range(len(a) - 1):
        total += a[i] * b[i]
    return total


@wrong("dot", "last-left-out", note="the first one, this time")
def dot_range_from_one(a, b):
    return sum(a[i] * b[i] for i in range(1, len(a)))


@wrong("dot", "last-left-out", note="The loop stops one entry too early (range(len(a) - 1)).")
def dot_last_left_out(a, b):
    total = 0.0
    for i in range(len(a) - 1):
        total += a[i] * b[i]
    return total


@wrong("dot", "last-left-out", note="Loop starts at 1 instead of 0, so the first component is skipped")
def dot_last_left_out_2(a, b):
    s = 0.0
    for i in range(1, len(a)):
        s += a[i] * b[i]
    return s


@wrong("dot", "input-changed")
def dot_in_place(a, b):
    a *= b
    return a.sum()


@wrong("dot", "returned-inside-loop")
def dot_return_in_loop(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
        return total


@wrong("dot", "returned-inside-loop", note="return inside the for loop: returns after the first product")
def dot_returned_inside_loop(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
        return total


@wrong("dot", "truncates-to-int", note="right for integers")
def dot_int(a, b):
    return sum(int(x * y) for x, y in zip(a, b, strict=True))


@wrong("dot", "truncates-to-int", note="rounded for nice printing")
def dot_rounded(a, b):
    return round(float(a @ b), 2)


@wrong("dot", "truncates-to-int", note="The accumulator is an integer array, so fractions are cut off.")
def dot_truncates_to_int(a, b):
    acc = np.zeros(1, dtype=int)
    for x, y in zip(a, b):
        acc[0] += int(x * y)
    return acc[0]


@wrong(
    "dot",
    "truncates-to-int",
    note="Truncates the accumulated sum by starting an int array (int cast of each product)",
)
def dot_truncates_to_int_2(a, b):
    s = 0
    for x, y in zip(a, b):
        s += int(x * y)
    return s


@wrong("dot", "one-matrix-twice", note="right when a equals b")
def dot_a_a(a, b):
    return np.dot(a, a)


@wrong("dot", "wrong-order", note="np.convolve runs one of them backwards")
def dot_reversed(a, b):
    return np.convolve(a, b, mode="full")[len(a) - 1]


@wrong("dot", "wrong-order", note="np.convolve-ish: pairs a with reversed b")
def dot_wrong_order(a, b):
    return sum(a[i] * b[-i - 1] for i in range(len(a)))


@wrong("dot", "breaks-at-zero", note="leaves the loop at the first 0")
def dot_breaks_at_zero(a, b):
    s = 0.0
    for x, y in zip(a, b):
        if x == 0 or y == 0:
            break
        s += x * y
    return s


@wrong("dot", "state-between-calls", note="right on the first call only")
def dot_mutable_default(a, b, total=[0.0]):
    for x, y in zip(a, b, strict=True):
        total[0] += x * y
    return total[0]


@wrong("dot", "overwritten-instead-of-summed")
def dot_overwrites(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total = x * y
    return total


@wrong(
    "dot",
    "overwritten-instead-of-summed",
    note="Uses = where += was meant, so only the last product is left.",
)
def dot_overwritten_instead_of_summed(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total = x * y
    return total


@wrong("dot", "returns-none")
def dot_none(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y


@wrong("dot", "equal-products-once", note="a set keeps one of several equal products")
def dot_set(a, b):
    return float(sum(set(a * b)))


@wrong("dot", "lengths-only", note="multiplies the two lengths and forgets the cosine of the angle.")
def dot_lengths_only(a, b):
    length_a = math.sqrt(sum(x**2 for x in a))
    length_b = math.sqrt(sum(y**2 for y in b))
    return length_a * length_b


@wrong(
    "dot",
    "mean-instead-of-sum+lost-sign",
    note="Averages instead of adding and takes absolute values, so opposite directions look similar.",
)
def dot_mean_instead_of_sum_and_lost_sign(a, b):
    return np.mean(np.abs(a * b))


@wrong(
    "dot",
    "fixed-size",
    note="The three entries of the example are written out: longer vectors lose everything after entry 2, shorter ones crash.",
)
def dot_fixed_size(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@wrong("dot", "entry-as-index")
def dot_entry_as_index(a, b):
    total = 0
    for i in a:
        total += a[i] * b[i]
    return total


@wrong("dot", "truncates-to-int")
def dot_total_as_an_integer(a, b):
    total = 0
    for i in range(len(a)):
        total += a[i] * b[i]
    return int(total)


@wrong("dot", "constant-factor", note="the identity divides by 4")
def dot_from_two_squares(a, b):
    return (((a + b) ** 2) - ((a - b) ** 2)).sum() / 2


@wrong("dot", "lost-sign")
def dot_of_positive_places(a, b):
    keep = (a > 0) & (b > 0)
    return (a[keep] * b[keep]).sum()


@wrong("dot", "last-left-out+mean-instead-of-sum")
def dot_mean_without_the_first_pair(a, b):
    total = 0
    for i in range(1, len(a)):
        total += a[i] * b[i]
    return total / len(a)


@wrong("dot", "truncates-to-int+lost-sign")
def dot_of_rounded_sizes(a, b):
    return np.abs(np.round(a * b, 2)).sum()


@wrong("dot", "truncates-to-int", note="the sum rounded to two digits")
def dot_rounded_at_the_end(a, b):
    return round(sum(a * b), 2)


@wrong("dot", "truncates-to-int", note="the sum cut off")
def dot_int_at_the_end(a, b):
    return int(sum(a * b))


@wrong("dot", "truncates-to-int", note="each product rounded to two digits")
def dot_each_product_rounded(a, b):
    return sum(round(x * y, 2) for x, y in zip(a, b, strict=True))


@wrong("dot", "truncates-to-int", note="each product cut off")
def dot_each_product_cut_off(a, b):
    return sum(int(x * y) for x, y in zip(a, b, strict=True))


@wrong("dot", "outer-product", note="two loops, one inside the other")
def dot_two_loops(a, b):
    total = 0
    for i in range(len(a)):
        for j in range(len(b)):
            total += a[i] * b[j]
    return total


@wrong("dot", "outer-product", note="b has no index")
def dot_b_without_index(a, b):
    total = 0
    for i in range(len(a)):
        total += a[i] * b
    return total
