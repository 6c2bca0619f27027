"""Exercise `attention_scores`: every query against every key, unscaled."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with n_q != n_k, a batch, two batch axes, square."""
    Q, K = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[3.0, 1.0], [1.0, 1.0], [0.0, -1.0]])
    yield Case("two queries and three keys of width 2", {"Q": Q, "K": K})
    for width in (np.float64, np.float32):
        n_q, n_k, d_k, b = draw.sizes(4)
        sizes = f"n_q = {n_q}, n_k = {n_k}, d_k = {d_k}, {width.__name__}"
        Q, K = draw.normal(n_q, d_k, dtype=width), draw.normal(n_k, d_k, dtype=width)
        yield Case(f"random queries and keys ({sizes})", {"Q": Q, "K": K})
        Q, K = draw.normal(b, n_q, d_k, dtype=width), draw.normal(b, n_k, d_k, dtype=width)
        yield Case(f"a batch of {b} ({sizes})", {"Q": Q, "K": K})
    Q, K = draw.normal(b, 2, n_q, d_k), draw.normal(b, 2, n_k, d_k)
    yield Case(f"two batch axes ({b}, 2) with n_q = {n_q}, n_k = {n_k}", {"Q": Q, "K": K})
    yield Case("square Q and K of shape (3, 3)", {"Q": draw.normal(3, 3), "K": draw.normal(3, 3)})


def _turned(K: np.ndarray) -> np.ndarray:
    return np.swapaxes(K, -2, -1)


def _weights(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


EXERCISE = Exercise(
    name="attention_scores",
    cases=cases,
    oracle=in_torch(lambda Q, K: Q @ K.transpose(-2, -1)),
    hints=(
        "This is `similarity_matrix` once more: which rows meet which rows?",
        "Keys have to become columns. In a batch only the last two axes change places.",
        "`np.swapaxes(K, -2, -1)` turns the keys, whatever stands in front.",
    ),
    mistakes=(
        Mistake(
            "reversed-all-axes",
            "`K.T` reverses all axes, the batch axis too; only the last two should change places.",
            lambda Q, K: Q @ K.T,
            "Look for a NumPy function that swaps two axes you name.",
        ),
        Mistake(
            "axis-counted-from-front",
            "You swapped axes 1 and 2: right for one batch axis only. Count from the end.",
            lambda Q, K: Q @ np.swapaxes(K, 1, 2),
            "The last two axes are -2 and -1, however many stand in front.",
        ),
        Mistake(
            "keys-by-queries",
            "Your rows belong to keys; row i must belong to query i.",
            lambda Q, K: K @ _turned(Q),
            "Which array should stand on the left?",
        ),
        Mistake(
            "reshape-instead-of-transpose",
            "`reshape` cuts the same numbers anew; it does not turn rows into columns.",
            lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]),
            "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        ),
        Mistake(
            "no-transpose",
            "You multiplied Q and K as they are: rows meet columns of K, not its rows.",
            lambda Q, K: Q @ K,
            "Write the shapes under both factors.",
        ),
        Mistake(
            "scaled-too-early",
            "You divided by sqrt(d_k). That comes in unit 03; these scores stay unscaled.",
            lambda Q, K: Q @ _turned(K) / np.sqrt(Q.shape[-1]),
            "Return the plain dot products.",
        ),
        Mistake(
            "softmax-too-early",
            "You applied softmax already: these are weights, not scores.",
            lambda Q, K: _weights(Q @ _turned(K)),
            "Return the plain dot products; unit 05 turns them into weights.",
        ),
        Mistake(
            "one-matrix-twice",
            "You compared the queries with themselves; K does not appear.",
            lambda Q, K: Q @ _turned(Q),
            "Which array gives the columns?",
        ),
        Mistake(
            "one-matrix-twice",
            "You compared the keys with themselves; Q does not appear.",
            lambda Q, K: K @ _turned(K),
            "Which array gives the rows?",
        ),
        Mistake(
            "columns-as-tokens",
            "You summed over the tokens: the result compares features, not tokens.",
            lambda Q, K: _turned(Q) @ K,
            "Over which axis does the dot product of two tokens add up?",
        ),
        Mistake(
            "first-batch-only",
            "You used only the first sequence of the batch.",
            lambda Q, K: Q.reshape(-1, *Q.shape[-2:])[0] @ _turned(K.reshape(-1, *K.shape[-2:])[0]),
            "Leave the leading axes alone: `@` works on the last two.",
        ),
    ),
)
