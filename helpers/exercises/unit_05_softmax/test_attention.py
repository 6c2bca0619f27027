"""Exercise `test_attention`: the learner writes a test, and it meets impostors and right answers in odd styles."""

import numpy as np

from helpers.exercises.impostors import lineup

Array = np.ndarray
Mask = Array | None
Pair = tuple[Array, Array]


def _shares(scores: Array, allowed: Mask) -> Array:
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _as_usual(Q: Array, K: Array, V: Array, allowed: Mask = None) -> Pair:
    weights = _shares(Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1]), allowed)
    return weights @ V, weights


def _scaled_first(Q: Array, K: Array, V: Array, allowed: Mask = None) -> Pair:
    """The queries are scaled before they meet the keys, by a power."""
    scores = np.einsum("...qd,...kd->...qk", Q * Q.shape[-1] ** -0.5, K)
    weights = _shares(scores, allowed)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def _key_by_key(Q: Array, K: Array, V: Array, allowed: Mask = None) -> Pair:
    """Keys come one by one from the end, and the output is divided last."""
    scores = [(Q * K[..., [j], :]).sum(-1) / np.sqrt(Q.shape[-1]) for j in range(K.shape[-2])]
    scores = np.stack(scores, axis=-1)
    seen = np.ones(scores.shape, bool) if allowed is None else np.broadcast_to(allowed, scores.shape)
    largest = np.where(seen, scores, -np.inf).max(axis=-1, initial=-1e300)
    total, mixed, powers = 0.0, 0.0, [0.0] * K.shape[-2]
    for j in reversed(range(K.shape[-2])):
        powers[j] = np.exp(np.where(seen[..., j], scores[..., j] - largest, -np.inf))
        total = total + powers[j]
        mixed = mixed + powers[j][..., None] * V[..., [j], :]
    total = np.where(total == 0, 1, total)
    return mixed / total[..., None], np.stack(powers, axis=-1) / total[..., None]


def _in_double(Q: Array, K: Array, V: Array, allowed: Mask = None) -> Pair:
    """Computed in double precision, handed back in the width of the queries; keys stand on the left."""
    wide = [one.astype(np.float64) for one in (Q, K, V)]
    scores = (wide[1] @ wide[0].swapaxes(-2, -1)).swapaxes(-2, -1) / np.sqrt(Q.shape[-1])
    weights = _shares(scores, allowed)
    return (weights @ wide[2]).astype(Q.dtype), weights.astype(Q.dtype)


EXERCISE = lineup(
    "test_attention",
    of="attention",
    visible=(
        (
            "no-scaling: You did not divide the scores by",
            "gives weights that sum to 1 and follow the scores.",
        ),
        ("causal-by-default: You hide later keys", "is right under a causal mask."),
        ("reshape-instead-of-transpose:", "is right where the keys make a symmetric matrix."),
        ("keys-for-values:", "is right where keys and values are the same."),
        (
            "scaled-by-sqrt-n: You divided by the root of the number of keys",
            "is right on every square input.",
        ),
        (
            "axis-counted-from-front: You divided by the root of `Q.shape[1]`",
            "is right where there is no batch axis.",
        ),
        (
            "mask-after-softmax: You hid the keys after",
            "is right without a mask, and gives a hidden key no weight.",
        ),
        (
            "blocked-row-uniform: A query with no allowed key gets equal",
            "is right where each query may look at a key and scores are of ordinary size.",
        ),
        (
            "mask-not-broadcast: You use the mask only where",
            "is right where the mask has the shape of the weights.",
        ),
        (
            "no-max-subtraction: Your exponentials overflow when the scores are large.",
            "is right where scores are of ordinary size.",
        ),
    ),
    hidden=(
        ("scaled-by-d_k: Your scores are divided", "gives weights that sum to 1 and follow the scores."),
        (
            "softmax-over-queries: Your weights sum to 1 down",
            "is right on square inputs without a mask, where all scores are 0.",
        ),
        ("weights-transposed: You mixed", "returns the right weights, if there are as many keys as queries."),
        ("scaled-by-sqrt-d_v:", "is right where values are as wide as queries."),
        ("reversed-all-axes:", "is right where there is no batch axis."),
        ("mask-inverted: You hid", "is right without a mask."),
        ("returns-weights-before-mask:", "returns the right output, whatever the mask."),
        (
            "blocked-row-nan: A query with no allowed key gives",
            "is right where each query may look at a key and scores are of ordinary size.",
        ),
        (
            "max-over-blocked: Hidden scores take part in the maximum: a large one leaves nothing of the allowed ones.",
            "is right as long as no hidden score is huge.",
        ),
        (
            "global-max: You took away one maximum for the whole array: a row far below it becomes 0 everywhere.",
            "is right where the largest scores of all rows lie near each other.",
        ),
    ),
    right={
        "it does the four steps as the task names them": _as_usual,
        "it scales the queries before they meet the keys": _scaled_first,
        "it takes the keys one by one, from the last to the first": _key_by_key,
        "it computes with wider numbers than it was given": _in_double,
    },
    little=(
        "attention([[1]], [[1], [0]], [[1], [0]])",
        "attention([[1, 0]], [[1, 0], [0, 0]], [[1, 0], [0, 0]])",
        "attention([[1, 0]], [[1, 0], [0, 1]], [[1], [0]])",
        "attention([[1, 0]], [[1, 1], [0, 1]], [[1, 0], [0, 1]])",
        "attention([[1, 0], [0, 0]], [[1, 0], [0, 1]], [[1, 0], [0, 1]])",
        "attention([[[1, 0]]], [[[1, 0], [0, 1]]], [[[1, 0], [0, 1]]])",
        "attention([[[1, 0], [0, 1]]], [[[1, 0], [0, 0]]], [[[1, 0], [0, 1]]])",
        "attention([[[1]], [[1]]], [[[1], [0]], [[0], [0]]], [[[1], [0]], [[1], [0]]])",
        "attention([[1]], [[1], [0]], [[1], [0]], [[True, False]])",
        "attention([[1]], [[1], [0]], [[1], [0]], [[False, False]])",
        "attention([[1]], [[1], [0]], [[1], [0]], [True, False])",
        "attention([[1000]], [[1], [0]], [[1], [0]])",
        "attention([[1000]], [[1], [0]], [[1], [0]], [[False, True]])",
        "attention([[1000], [-1000]], [[1], [1]], [[1], [0]])",
    ),
    hints=(
        "Where do two things that look alike come apart? Think of sizes, batches, masks of every shape.",
        "If all sizes are equal, a size that is taken for another does not show. If no query is blocked, what does not show?",
        "Compute what you expect in a few lines of NumPy and compare both results, with `np.allclose`, on many kinds of inputs.",
    ),
)
