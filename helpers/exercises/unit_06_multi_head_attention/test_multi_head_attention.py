"""Exercise `test_multi_head_attention`: the learner writes a test, and it meets impostors and right answers."""

import numpy as np

from helpers.exercises.impostors import lineup
from helpers.exercises.unit_05_softmax.test_attention import EXERCISE as ATTENTION

Array = np.ndarray
Mask = Array | None
Pair = tuple[Array, Array]

_plain, _scaled_first, _key_by_key, _in_double = ATTENTION.lineup.right.values()


def _heads(X: Array, h: int) -> Array:
    B, n, d = X.shape
    return X.reshape(B, n, h, d // h).swapaxes(1, 2)


def _as_usual(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Mask = None
) -> Pair:
    output, weights = _plain(*(_heads(X @ W, num_heads) for W in (W_q, W_k, W_v)), allowed)
    return output.swapaxes(1, 2).reshape(X.shape) @ W_o, weights


def _head_by_head(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Mask = None
) -> Pair:
    """Each head by itself, from the last to the first, with its columns of the weights and its rows of W_o."""
    B, n, d = X.shape
    wide = d // num_heads
    seen = None if allowed is None else np.broadcast_to(allowed, (B, num_heads, n, n))
    output, weights = 0.0, []
    for head in reversed(range(num_heads)):
        at = slice(head * wide, (head + 1) * wide)
        mask = None if seen is None else seen[:, head]
        mixed, one = _key_by_key(X @ W_q[:, at], X @ W_k[:, at], X @ W_v[:, at], mask)
        output = output + mixed @ W_o[at]
        weights.insert(0, one)
    return output, np.stack(weights, axis=1)


def _joined_product(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Mask = None
) -> Pair:
    """One product for queries, keys and values, cut afterwards."""
    parts = np.split(X @ np.concatenate([W_q, W_k, W_v], axis=1), 3, axis=-1)
    output, weights = _scaled_first(*(_heads(one, num_heads) for one in parts), allowed)
    return np.einsum("bhnd,hdm->bnm", output, W_o.reshape(num_heads, -1, W_o.shape[1])), weights


def _wide(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Mask = None
) -> Pair:
    """Computed in double precision, handed back in the width of X."""
    arrays = (one.astype(np.float64) for one in (X, W_q, W_k, W_v, W_o))
    output, weights = _as_usual(*arrays, num_heads, allowed)
    return output.astype(X.dtype), weights.astype(X.dtype)


EXERCISE = lineup(
    "test_multi_head_attention",
    of="multi_head_attention",
    visible=(
        (
            "no-scaling: You did not divide the scores by",
            "gives weights that sum to 1 and follow the scores.",
        ),
        ("heads-split-by-reshape: Your heads were cut", "is right where there is one head, or one token."),
        ("weights-averaged-over-heads: You averaged", "returns the right output."),
        ("query-and-key-swapped:", "is right where W_q and W_k are the same."),
        ("weight-transposed: You used W_o transposed", "is right where W_o is symmetric."),
        ("fixed-number-of-heads:", "is right for two heads."),
        ("batch-mixed:", "is right where a batch holds a single sequence."),
        (
            "blocked-row-uniform: A query with no allowed key gets equal",
            "is right where each query may look at a key and scores are of ordinary size.",
        ),
        (
            "no-max-subtraction: Your exponentials overflow when the scores are large.",
            "is right where scores are of ordinary size.",
        ),
        ("mask-first-head-only: The mask of the first head", "is right where all heads have one mask."),
    ),
    hidden=(
        ("scaled-by-sqrt-d_model:", "is right where there is one head."),
        ("heads-out-of-order: Your heads are joined in reverse", "returns the right weights."),
        ("heads-interleaved: You gave every h-th channel to a head;", "is right where there is one head."),
        ("key-and-value-swapped:", "is right where W_k and W_v are the same."),
        ("scaled-by-sqrt-heads:", "is right where there are as many heads as channels in each."),
        (
            "arguments-swapped: You took num_heads",
            "is right where there are as many heads as channels in each.",
        ),
        ("returns-weights-before-mask:", "returns the right output, whatever the mask."),
        ("mask-first-head-only: Only the first head meets", "is right without a mask."),
        (
            "blocked-row-nan: A query with no allowed key gives",
            "is right where each query may look at a key and scores are of ordinary size.",
        ),
        (
            "global-max: You took away one maximum for the whole array: a row far below it becomes 0 everywhere.",
            "is right where the largest scores of all rows lie near each other.",
        ),
    ),
    right={
        "it splits, attends, merges and projects": _as_usual,
        "it takes the heads one by one and adds up what each writes": _head_by_head,
        "it makes queries, keys and values in one product": _joined_product,
        "it computes with wider numbers than it was given": _wide,
    },
    names={"eye": np.eye(2), "turn": np.array([[1.0, 1.0], [0.0, 1.0]]), "I": np.eye(4), "one": np.eye(1)},
    little=(
        "multi_head_attention([[[1, 0]]], eye, eye, eye, turn, 1)",
        "multi_head_attention([[[1, 0]]], eye, eye, eye, eye, 2)",
        "multi_head_attention([[[1, 0], [0, 1]]], eye, eye, eye, eye, 1)",
        "multi_head_attention([[[1, 0], [0, 1]]], turn, eye, eye, eye, 1)",
        "multi_head_attention([[[1, 0], [0, 1]]], eye, turn, eye, eye, 1)",
        "multi_head_attention([[[1, 0], [0, 1]]], eye, eye, eye, eye, 2)",
        "multi_head_attention([[[1, 0], [0, 1]], [[1, 1], [0, 1]]], eye, eye, eye, eye, 1)",
        "multi_head_attention([[[1000]]], one, one, one, one, 1)",
        "multi_head_attention([[[100], [-9]]], one, one, one, one, 1)",
        "multi_head_attention([[[2, 0, 1, 0], [0, 1, 0, 2]]], I, I, I, I, 2)",
        "multi_head_attention([[[1, 0], [0, 1]]], eye, eye, eye, eye, 2, [True, False])",
        "multi_head_attention([[[1, 0], [0, 1]]], eye, eye, eye, eye, 2, [[False, False], [True, True]])",
        "multi_head_attention([[[1, 0], [0, 1]]], eye, eye, eye, eye, 2, [[[[True, False]], [[False, True]]]])",
    ),
    hints=(
        "Where do two things that look alike come apart? Think of the number of heads, of tokens, of channels.",
        "Take B, n, num_heads and d_head all different, weights without any symmetry, a mask for each head, a blocked query.",
        "Compute what you expect with a loop over the heads, and compare output and weights on many kinds of inputs.",
    ),
)
