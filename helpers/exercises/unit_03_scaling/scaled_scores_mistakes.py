"""What people get wrong in `scaled_scores`: the same function with one step replaced."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import softmax


def _swapped(K: np.ndarray) -> np.ndarray:
    return np.swapaxes(K, -2, -1)


def _root(Q: np.ndarray, K: np.ndarray) -> Any:
    return np.sqrt(Q.shape[-1])


@replaceable
def variant(
    *,
    before: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]] = lambda Q, K: (Q, K),
    product: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda Q, K: Q @ _swapped(K),
    divisor: Callable[[np.ndarray, np.ndarray], Any] = _root,
    after: Callable[[np.ndarray], Any] = lambda scores: scores,
) -> Callable[..., Any]:
    """Scaled scores with one or more steps replaced by a wrong one."""

    def answer(Q: np.ndarray, K: np.ndarray) -> Any:
        return after(product(*before(Q, K)) / divisor(Q, K))

    return answer


def _reshaped(K: np.ndarray) -> np.ndarray:
    return K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])


def _norms(X: np.ndarray) -> np.ndarray:
    return np.sqrt((X * X).sum(-1, keepdims=True))


def _in_place(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    Q /= np.sqrt(Q.shape[-1])
    return Q @ _swapped(K)


def _measured(Q: np.ndarray, K: np.ndarray) -> float:
    return (Q @ _swapped(K)).std()


_OTHER_AXIS = "Which axis does the dot product add over?"

MISTAKES = (
    Mistake(
        "no-scaling",
        "You did not divide at all: these are the raw scores.",
        variant(divisor=lambda Q, K: 1.0),
        "What should the scores be divided by?",
    ),
    Mistake(
        "scaled-by-d_k",
        "You divided by d_k; the spread grows with its square root.",
        variant(divisor=lambda Q, K: Q.shape[-1]),
        "With d_k = 4, should you divide by 4 or by 2?",
    ),
    Mistake(
        "scaled-by-d_k",
        "You divided by d_k squared; the spread grows with the square root of d_k.",
        variant(divisor=lambda Q, K: Q.shape[-1] ** 2),
        "With d_k = 4, should you divide by 16 or by 2?",
    ),
    Mistake(
        "scaled-up",
        "You multiplied by sqrt(d_k), which makes the spread worse.",
        variant(divisor=lambda Q, K: 1 / _root(Q, K)),
        "`/ d ** -0.5` multiplies: two minus signs cancel.",
    ),
    Mistake(
        "scaled-up",
        "You multiplied by d_k, which makes the spread worse.",
        variant(divisor=lambda Q, K: 1 / Q.shape[-1]),
        "Should the scores get larger or smaller?",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of keys. The spread of a score does not depend on it.",
        variant(divisor=lambda Q, K: np.sqrt(K.shape[-2])),
        _OTHER_AXIS,
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of queries. The spread of a score does not depend on it.",
        variant(divisor=lambda Q, K: np.sqrt(Q.shape[-2])),
        _OTHER_AXIS,
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of scores, queries times keys. The spread does not depend on it.",
        variant(divisor=lambda Q, K: np.sqrt(Q.shape[-2] * K.shape[-2])),
        _OTHER_AXIS,
    ),
    Mistake(
        "scaled-by-n",
        "You divided by the number of keys. The spread of a score does not depend on it.",
        variant(divisor=lambda Q, K: K.shape[-2]),
        _OTHER_AXIS,
    ),
    Mistake(
        "scaled-by-n",
        "You divided by the number of queries. The spread of a score does not depend on it.",
        variant(divisor=lambda Q, K: Q.shape[-2]),
        _OTHER_AXIS,
    ),
    Mistake(
        "scaled-by-n",
        "You divided by the number of scores, queries times keys. The spread does not depend on it.",
        variant(divisor=lambda Q, K: Q.shape[-2] * K.shape[-2]),
        _OTHER_AXIS,
    ),
    Mistake(
        "scaled-by-sqrt-size",
        "You divided by the root of the number of all entries of Q; it should be the root of d_k alone.",
        variant(divisor=lambda Q, K: np.sqrt(Q.size)),
        "How many products does one score add up?",
    ),
    Mistake(
        "scaled-by-sqrt-size",
        "You divided by the root of the number of all entries of K; it should be the root of d_k alone.",
        variant(divisor=lambda Q, K: np.sqrt(K.size)),
        "How many products does one score add up?",
    ),
    Mistake(
        "axis-counted-from-front",
        "You took the second axis for d_k; in a batch that is the number of queries.",
        variant(divisor=lambda Q, K: np.sqrt(Q.shape[1])),
        "Count the axes from the end: `shape[-1]`.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You took the second axis of K for d_k; in a batch that is the number of keys.",
        variant(divisor=lambda Q, K: np.sqrt(K.shape[1])),
        "Count the axes from the end: `shape[-1]`.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You took the first axis for d_k: that is the number of queries, or of sequences in a batch.",
        variant(divisor=lambda Q, K: np.sqrt(Q.shape[0])),
        "Count the axes from the end: `shape[-1]`.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You took the first axis of K for d_k: that is the number of keys, or of sequences in a batch.",
        variant(divisor=lambda Q, K: np.sqrt(K.shape[0])),
        "Count the axes from the end: `shape[-1]`.",
    ),
    Mistake(
        "half-the-scaling",
        "You divided by the fourth root of d_k: taken on Q alone, or on K alone, it is half of the scaling.",
        variant(divisor=lambda Q, K: Q.shape[-1] ** 0.25),
        "With d_k = 4, should you divide by 1.41 or by 2?",
    ),
    *(
        Mistake(
            "constant-divisor",
            f"You divided by {number:g}, whatever the width. The divisor depends on d_k.",
            variant(divisor=lambda Q, K, number=number: number),
            "For which d_k would this number be right?",
        )
        for number in (8.0, 2.0, 64.0, 16.0, math.sqrt(512), math.sqrt(2), math.sqrt(3))
    ),
    Mistake(
        "truncates-to-int",
        "You rounded the root of d_k down to a whole number.",
        variant(divisor=lambda Q, K: math.isqrt(Q.shape[-1])),
        "Look for `isqrt`, `int` or `//`.",
    ),
    Mistake(
        "truncates-to-int",
        "You rounded the root of d_k to a whole number.",
        variant(divisor=lambda Q, K: round(Q.shape[-1] ** 0.5)),
        "Look for `round`.",
    ),
    Mistake(
        "truncates-to-int",
        "You rounded the root of d_k up to a whole number.",
        variant(divisor=lambda Q, K: math.ceil(Q.shape[-1] ** 0.5)),
        "Look for `ceil`.",
    ),
    Mistake(
        "off-by-one",
        "You divided by the root of d_k - 1.",
        variant(divisor=lambda Q, K: np.sqrt(Q.shape[-1] - 1)),
        "How many products does one score add up?",
    ),
    Mistake(
        "off-by-one",
        "You divided by the root of d_k + 1.",
        variant(divisor=lambda Q, K: np.sqrt(Q.shape[-1] + 1)),
        "How many products does one score add up?",
    ),
    Mistake(
        "log-for-root",
        "You divided by the logarithm of d_k; the spread grows with its square root.",
        variant(divisor=lambda Q, K: np.log(Q.shape[-1])),
        "With d_k = 4, should you divide by 2?",
    ),
    Mistake(
        "scaled-by-sqrt-2-d_k",
        "You divided by the root of 2 d_k, the widths of Q and K added; one score adds up d_k products.",
        variant(divisor=lambda Q, K: np.sqrt(2 * Q.shape[-1])),
        "With d_k = 4, should you divide by 2?",
    ),
    Mistake(
        "subtracted-instead-of-divided",
        "You subtracted sqrt(d_k) from the scores; they have to be divided by it.",
        lambda Q, K: Q @ _swapped(K) - _root(Q, K),
        "Which operation makes a spread smaller?",
    ),
    Mistake(
        "operator-precedence",
        "You took the root of the whole quotient; only d_k stands under the root.",
        lambda Q, K: (lambda S: np.sign(S) * np.sqrt(np.abs(S) / Q.shape[-1]))(Q @ _swapped(K)),
        "Where does the bracket of your root close?",
    ),
    Mistake(
        "operator-precedence",
        "You took the root of the whole quotient; only d_k stands under the root. A negative score has no root: NaN.",
        lambda Q, K: np.sqrt(Q @ _swapped(K) / Q.shape[-1]),
        "Where does the bracket of your root close?",
    ),
    Mistake(
        "operator-precedence",
        "You took the root of the scores; only d_k stands under the root. A negative score has no root: NaN.",
        lambda Q, K: np.sqrt(Q @ _swapped(K)) / Q.shape[-1],
        "Where does the bracket of your root close?",
    ),
    Mistake(
        "operator-precedence",
        "You wrote `** 1 / 2`, which is the power 1 and then a division by 2.",
        variant(divisor=lambda Q, K: Q.shape[-1] / 2),
        "Which goes first, `**` or `/`?",
    ),
    Mistake(
        "operator-precedence",
        "You divided by d_k and halved the result, or wrote `/ d ** 1 / 2`: the power comes first.",
        variant(divisor=lambda Q, K: Q.shape[-1] * 2),
        "Which goes first, `**` or `/`?",
    ),
    Mistake(
        "reversed-all-axes",
        "`K.T` reverses all axes, the batch axis too; only the last two should change places.",
        variant(product=lambda Q, K: Q @ K.T),
        "Look for a NumPy function that swaps two axes you name.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You swapped the first two axes of K; in a batch the first is the batch axis.",
        variant(product=lambda Q, K: Q @ np.swapaxes(K, 0, 1)),
        "Count the axes from the end: -1, -2.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You swapped the axes 1 and 2 of K: that fits a single batch axis only.",
        variant(product=lambda Q, K: Q @ np.swapaxes(K, 1, 2)),
        "Count the axes from the end: -1, -2.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You named the axes of K for one batch axis; two batch axes, or none, do not fit.",
        variant(product=lambda Q, K: Q @ K.transpose(0, 2, 1)),
        "Count the axes from the end: -1, -2.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You named the axes with letters for one batch axis; two batch axes, or none, do not fit.",
        variant(product=lambda Q, K: np.einsum("bqd,bkd->bqk", Q, K)),
        "In `einsum` three dots stand for any axes in front.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You named the axes with letters for a single sequence; a batch has more axes.",
        variant(product=lambda Q, K: np.einsum("qd,kd->qk", Q, K)),
        "In `einsum` three dots stand for any axes in front.",
    ),
    Mistake(
        "np-dot-crosses-batches",
        "`np.dot` lets every sequence of Q meet every sequence of K.",
        variant(product=lambda Q, K: np.dot(Q, _swapped(K))),
        "Which product treats the leading axes as a batch?",
    ),
    Mistake(
        "np-dot-crosses-batches",
        "`np.inner` and `np.tensordot` let every sequence of Q meet every sequence of K.",
        variant(product=lambda Q, K: np.inner(Q, K)),
        "Which product treats the leading axes as a batch?",
    ),
    Mistake(
        "no-transpose",
        "You multiplied Q by K as it is; the dot products need K turned.",
        variant(product=lambda Q, K: Q @ K),
        "Which axis of Q and which axis of K must have the same length?",
    ),
    Mistake(
        "columns-as-tokens",
        "You turned Q instead of K: the result compares features, not tokens.",
        variant(product=lambda Q, K: _swapped(Q) @ K),
        _OTHER_AXIS,
    ),
    Mistake(
        "elementwise-instead-of-matrix-product",
        "You joined Q and K entry by entry: that is not the matrix product.",
        variant(product=lambda Q, K: Q * K),
        "Which operator multiplies matrices?",
    ),
    Mistake(
        "rows-paired",
        "You compared query i with key i only.",
        variant(product=lambda Q, K: (Q * K).sum(-1)),
        "Every query meets every key: how many scores are that?",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "`reshape` cuts the same numbers anew; it does not turn rows into columns.",
        variant(product=lambda Q, K: Q @ _reshaped(K)),
        "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
    ),
    Mistake(
        "keys-by-queries",
        "Your rows belong to keys; row i must belong to query i.",
        variant(product=lambda Q, K: K @ _swapped(Q)),
        "Which array should stand on the left?",
    ),
    Mistake(
        "one-matrix-twice",
        "You multiplied Q with itself; K does not appear.",
        variant(before=lambda Q, K: (Q, Q)),
        "How many columns should there be?",
    ),
    Mistake(
        "one-matrix-twice",
        "You multiplied K with itself; Q does not appear.",
        variant(before=lambda Q, K: (K, K)),
        "How many rows should there be?",
    ),
    Mistake(
        "scaled-by-d_k",
        "You divided by d_k times its root: you scaled more than once, or averaged the products first.",
        variant(divisor=lambda Q, K: Q.shape[-1] ** 1.5),
        "How often does your code divide?",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided by the lengths of the queries and keys: these are cosines.",
        variant(before=lambda Q, K: (Q / _norms(Q), K / _norms(K)), divisor=lambda Q, K: 1.0),
        "Two different batches should be divided by the same number.",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided queries and keys by their lengths, and then by sqrt(d_k) as well.",
        variant(before=lambda Q, K: (Q / _norms(Q), K / _norms(K))),
        "Two different batches should be divided by the same number.",
    ),
    Mistake(
        "normalised-by-measured-std",
        "You divided by the spread measured in these very scores; the divisor depends only on d_k.",
        variant(divisor=_measured),
        "Two different batches should be divided by the same number.",
    ),
    Mistake(
        "normalised-by-measured-std",
        "You divided each row by its own spread; the divisor depends only on d_k.",
        variant(divisor=lambda Q, K: (Q @ _swapped(K)).std(-1, keepdims=True)),
        "Two different batches should be divided by the same number.",
    ),
    Mistake(
        "normalised-by-measured-std",
        "You standardised the scores: mean 0 and spread 1, measured. The divisor depends only on d_k.",
        variant(product=lambda Q, K: (lambda S: S - S.mean())(Q @ _swapped(K)), divisor=_measured),
        "Two different batches should be divided by the same number.",
    ),
    Mistake(
        "normalised-by-measured-std",
        "You divided by the largest score; the divisor depends only on d_k.",
        variant(divisor=lambda Q, K: np.abs(Q @ _swapped(K)).max()),
        "Two different batches should be divided by the same number.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax already; scaled scores are not weights yet.",
        variant(after=softmax),
        "Return the divided scores.",
    ),
    Mistake(
        "causal-by-default",
        "You hid the later keys; scaled scores are not masked yet.",
        variant(after=lambda S: np.where(np.tri(*S.shape[-2:], dtype=bool), S, -np.inf)),
        "Return the divided scores.",
    ),
    Mistake(
        "lost-sign",
        "You dropped the minus signs: a query and a key that point against each other have a negative score.",
        variant(after=np.abs),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "lost-sign",
        "You cut off negative scores at 0; they are scores like the others.",
        variant(after=lambda S: np.maximum(S, 0)),
        "Where could a negative number get lost: a `maximum`, a `clip`, a comparison?",
    ),
    Mistake(
        "centred-first",
        "You took the mean of each row of scores away.",
        variant(after=lambda S: S - S.mean(-1, keepdims=True)),
        "Return the divided scores.",
    ),
    Mistake(
        "first-batch-only",
        "Only the first along the first axis counts in your result: the first sequence of a batch, or the first query.",
        variant(after=lambda S: S[0]),
        "Leave the leading axes alone.",
    ),
    Mistake(
        "input-changed",
        "You changed the caller's Q; compute a new array and leave the inputs alone.",
        variant(product=_in_place, divisor=lambda Q, K: 1.0),
        "`Q /= r` writes into Q; `Q / r` makes a new array.",
    ),
)
