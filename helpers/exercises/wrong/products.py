"""The wrong versions of one product of two arrays, for every exercise that has one in it.

Rows of the left array meet columns of the right one, entry by entry, and the products are added up: dot products,
scores, projections and mixtures are all made so.  An exercise gives the words in braces: `pair`, what meets ("a query
and a key"); `products` ("weighted values"); `operation` ("a mixture"); `width`, how many are added up ("d_k"); `entry`,
one of them ("feature"); `along`, all of them ("the features of one token"); `lines` and `columns`, what should not be
added up ("the queries", "the keys"); `meets`, the rule ("each entry meets only the entry at the same place").
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.wrong.generic import turned
from helpers.exercises.wrong.rows import paired, rows

Array = np.ndarray


def as_it_is(array: Array) -> Array:
    """An array that stays what it is."""
    return array


def product(
    *,
    before: Callable[[Array, Array], tuple[Array, Array]] = lambda one, other: (one, other),
    left: Callable[[Array], Array] = as_it_is,
    right: Callable[[Array], Array] = as_it_is,
    multiply: Callable[[Array, Array], Any] = np.matmul,
    after: Callable[[Any, Array, Array], Any] = lambda result, one, other: result,
) -> Callable[[Array, Array], Any]:
    """A product of two arrays, with any of its steps replaced by a wrong one.

    Args:
        before: what becomes of both arrays first.
        left: what becomes of the left one then.
        right: what becomes of the right one, such as the turn that makes columns of its rows.
        multiply: the product itself.
        after: what becomes of the result; it is called with both arrays too, as they came.
    """

    def answer(one: Array, other: Array) -> Any:
        first, second = before(one, other)
        return after(multiply(left(first), right(second)), one, other)

    return answer


def meet(one: Array, other: Array, join: Callable[[Array, Array], Array] = np.multiply) -> Array:
    """Every row with every column, entry by entry; what should be added up is the last axis."""
    if other.ndim == 1:
        return join(one, other)
    return join(one[..., :, None, :], turned(other)[..., None, :, :])


def summed(
    total: Callable[[Array], Any] = lambda products: products.sum(-1),
    join: Callable[[Array, Array], Array] = np.multiply,
) -> Callable[[Array, Array], Any]:
    """The step `multiply` with another way to join two entries, or to add up."""
    return lambda one, other: total(meet(one, other, join))


def into(room: Callable[[Array, Array], Array], each: int = 0) -> Callable[[Any, Array, Array], Array]:
    """The step `after` that writes the result into zeros of the shape of `room`.

    Args:
        room: takes both arrays and returns one of the shape that is made.
        each: the axis that a loop runs over, counted from the end; 0 for no loop.
    """

    def after(result: Array, one: Array, other: Array) -> Array:
        made = np.zeros_like(room(one, other))
        for i in range(result.shape[each]) if each else [slice(None)]:
            place = (..., i) if each == -1 else (..., i, slice(None))
            made[place] = result[place]
        return made

    return after


def only_first(array: Array, count: int = 1) -> Array:
    """The first so many numbers of an array, and zeros for all others."""
    return np.where(np.arange(array.size).reshape(array.shape) < count, array, 0)


def linear(tokens: Array, weight: Array) -> Array:
    """What `F.linear` makes of them: it wants the weight transposed."""
    return F.linear(torch.from_numpy(tokens), torch.from_numpy(weight)).numpy()


def first_sequence(array: Array) -> Array:
    """The first sequence of a batch alone."""
    return array.reshape(-1, *array.shape[-2:])[0]


SUMS = rows(
    "mean-instead-of-sum: You divided by {width}, which makes a mean of the {products}; they should be added up.",
    "Look for `mean` or a division.",
    paired(multiply=summed(lambda products: products.mean(-1))),
    "scaled-too-early: You divided by the root of {width}. Nothing is scaled here; that comes in unit 03.",
    "Return the plain product.",
    paired(multiply=lambda one, other: one @ other / np.sqrt(one.shape[-1])),
    "max-for-sum: You took the largest of the {products}; they should be added up.",
    "What does {operation} do with the {products}?",
    paired(multiply=summed(lambda products: products.max(-1))),
    "no-sum: You kept the {products}; they should be added up.",
    "Over which axis should be added up, and how many numbers are left then?",
    paired(multiply=meet),
    {"multiply": lambda one, other: np.swapaxes(meet(one, other), -2, -1)},
    "wrong-sum-axis: You added up over {lines}; each sum runs over {along}.",
    "Which axis should be gone after the sum?",
    {"multiply": lambda one, other: meet(one, other).sum(-3)},
    {"multiply": lambda one, other: turned(meet(one, other).sum(-3))},
    "wrong-sum-axis: You added up over {columns}; each sum runs over {along}.",
    {"multiply": lambda one, other: meet(one, other).sum(-2)},
    "overwritten-instead-of-summed: You kept only the product of the last {entry}: each round of your loop overwrites the one before.",
    "Should `=` or `+=` stand inside your loop?",
    paired(multiply=summed(lambda products: products[..., -1])),
)

SLIPS = rows(
    "returned-inside-loop: You kept only the product of the first {entry}: your loop ends on the first round.",
    "How far is your `return` indented, or where does your slice end?",
    paired(multiply=summed(lambda products: products[..., 0])),
    "last-left-out: You left out the last {entry}: every sum is one term short.",
    "Where does your loop or slice end?",
    paired(multiply=summed(lambda products: products[..., :-1].sum(-1))),
    "last-left-out: You left out the first {entry}: every sum is one term short.",
    "Where does your loop or slice begin?",
    paired(multiply=summed(lambda products: products[..., 1:].sum(-1))),
    "wrong-start: Your numbers are larger by 1 everywhere: each sum should start at 0.",
    "Which number do you begin with?",
    {"after": lambda result, one, other: result + 1},
    "returns-tensor: You return a torch.Tensor; this unit works with NumPy arrays.",
    "A tensor has a method that gives its array.",
    {"after": lambda result, one, other: torch.from_numpy(result)},
)

JOINS = rows(
    "no-sum: You multiplied entry by entry, which is not the matrix product.",
    "Which operator is the matrix product: `*` or `@`?",
    paired(multiply=np.multiply),
    "added-instead-of-multiplied: You added the entries of {pair} where they should be multiplied.",
    "Which operation joins two entries that meet?",
    paired(multiply=summed(join=np.add)),
    {"multiply": np.add},
    {"multiply": summed(join=lambda one, other: np.tanh(one + other))},
    "outer-product: Every number meets every other in your sums, as when whole sums are multiplied; {meets}.",
    "What comes first: multiplying, or adding up?",
    paired(multiply=lambda one, other: one.sum(-1, keepdims=True) * other.sum(-2, keepdims=True)),
    "outer-product: You multiplied every number with every number; {meets}.",
    "Which axis of the one and which axis of the other run together?",
    {"multiply": np.outer},
    {"multiply": lambda one, other: np.outer(one, turned(other))},
    {"multiply": lambda one, other: np.tensordot(one, other, axes=0)},
)

DISTANCES = rows(
    "euclidean-distance: You measured distances, which are small where {pair} agree; a dot product is large there.",
    "Which operation joins two entries that meet?",
    paired(multiply=summed(lambda gaps: np.sqrt((gaps**2).sum(-1)), np.subtract)),
    "euclidean-distance: You added up squared differences, which are small where {pair} agree; a dot product is large there.",
    {"multiply": summed(lambda gaps: (gaps**2).sum(-1), np.subtract)},
    "euclidean-distance: You added up the sizes of the differences: these are distances, not dot products.",
    {"multiply": summed(lambda gaps: np.abs(gaps).sum(-1), np.subtract)},
    "euclidean-distance: You measured distances, with a minus sign; near is not the same as a large dot product.",
    {"multiply": summed(lambda gaps: -np.sqrt((gaps**2).sum(-1)), np.subtract)},
    {"multiply": summed(lambda gaps: -(gaps**2).sum(-1), np.subtract)},
)

BATCHES = rows(
    "np-dot-crosses-batches: Every sequence of the batch meets every other one: that is how `np.dot`, `np.inner` and `np.tensordot` work.",
    "`@` and `np.matmul` keep the sequences of a batch apart.",
    paired(multiply=np.dot),
    {"multiply": lambda one, other: np.tensordot(one, other, axes=1)},
)
