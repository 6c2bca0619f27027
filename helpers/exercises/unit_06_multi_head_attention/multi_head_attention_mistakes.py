"""What people get wrong in `multi_head_attention`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import hide, softmax, softmax_with_nan, softmax_without_max, zero_afterwards


def split(X: np.ndarray, h: int) -> np.ndarray:
    """Channels dealt out to heads: `(B, h, n, d_head)`."""
    return X.reshape(*X.shape[:2], h, -1).swapaxes(1, 2)


def merge(H: np.ndarray) -> np.ndarray:
    """Heads side by side: `(B, n, d_model)`."""
    return H.swapaxes(1, 2).reshape(H.shape[0], H.shape[2], -1)


@replaceable
def variant(
    *,
    projections: Callable[..., tuple] = lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k, X @ W_v),
    split: Callable[[np.ndarray, int], np.ndarray] = split,
    scale: Callable[[np.ndarray, int], float] = lambda Q, d_model: np.sqrt(Q.shape[-1]),
    mask: Callable[[np.ndarray, np.ndarray], np.ndarray] = hide,
    softmax: Callable[[np.ndarray], np.ndarray] = softmax,
    after: Callable[[np.ndarray, Any], np.ndarray] = lambda weights, allowed: weights,
    merge: Callable[[np.ndarray], np.ndarray] = merge,
    finish: Callable[[np.ndarray, np.ndarray, np.ndarray], Any] = lambda out, W_o, weights: (
        out @ W_o,
        weights,
    ),
) -> Callable[..., Any]:
    """Multi-head attention with one or more of its steps replaced by a wrong one."""

    def answer(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):  # noqa: ANN001, ANN202
        Q, K, V = (split(part, num_heads) for part in projections(X, W_q, W_k, W_v))
        scores = Q @ K.swapaxes(-2, -1) / scale(Q, X.shape[-1])
        if allowed is not None:
            scores = mask(scores, allowed)
        weights = after(softmax(scores), allowed)
        return finish(merge(weights @ V), W_o, weights)

    return answer


MISTAKES = (
    Mistake(
        "no-scaling",
        "You did not divide the scores, so your weights are too sharp.",
        variant(scale=lambda Q, d: 1.0),
        "Your `attention` of unit 05 divides by the root of the width.",
    ),
    Mistake(
        "scaled-by-sqrt-d_model",
        "You divided by the root of d_model; a head is only d_head wide.",
        variant(scale=lambda Q, d: np.sqrt(d)),
        "How many products does one score of one head add up?",
    ),
    Mistake(
        "scaled-by-d_k",
        "You divided by the width of a head; it should be its square root.",
        variant(scale=lambda Q, d: Q.shape[-1]),
        "Compare with `scaled_scores` of unit 03.",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of tokens; it should be the root of d_head.",
        variant(scale=lambda Q, d: np.sqrt(Q.shape[-2])),
        "Which size does the spread of a score grow with?",
    ),
    Mistake(
        "heads-split-by-reshape",
        "Your heads were cut by a plain reshape, which deals out tokens, not channels.",
        variant(split=lambda X, h: X.reshape(X.shape[0], h, X.shape[1], -1)),
        "Use your `split_heads`.",
    ),
    Mistake(
        "heads-interleaved",
        "You gave every h-th channel to a head; a head takes consecutive channels.",
        variant(
            split=lambda X, h: X.reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2),
        ),
        "Use your `split_heads`.",
    ),
    Mistake(
        "heads-merged-without-transpose",
        "You joined the heads without swapping tokens and heads back, so tokens mix.",
        variant(merge=lambda H: H.reshape(H.shape[0], H.shape[2], -1)),
        "Use your `merge_heads`.",
    ),
    Mistake(
        "no-output-projection",
        "The last projection is missing: the heads stand side by side but never meet.",
        variant(finish=lambda out, W_o, w: (out, w)),
        "Where does W_o come in?",
    ),
    Mistake(
        "weight-transposed",
        "You used W_o transposed; here it is used as it is.",
        variant(finish=lambda out, W_o, w: (out @ W_o.T, w)),
        "Only `nn.Linear` stores its weight the other way round.",
    ),
    Mistake(
        "weight-transposed",
        "You used all weights transposed; here they are used as they are.",
        variant(
            projections=lambda X, q, k, v: (X @ q.T, X @ k.T, X @ v.T),
            finish=lambda out, W_o, w: (out @ W_o.T, w),
        ),
        "Only `nn.Linear` stores its weight the other way round.",
    ),
    Mistake(
        "value-not-projected",
        "Your values are the tokens themselves; W_v is missing.",
        variant(projections=lambda X, q, k, v: (X @ q, X @ k, X)),
        "Which weight does not appear in your code?",
    ),
    Mistake(
        "key-weight-reused",
        "Your values use W_k; each projection has its own weight.",
        variant(projections=lambda X, q, k, v: (X @ q, X @ k, X @ k)),
        "Read the line that makes V once more.",
    ),
    Mistake(
        "query-and-key-swapped",
        "Queries and keys have changed places.",
        variant(projections=lambda X, q, k, v: (X @ k, X @ q, X @ v)),
        "Which weight makes the queries?",
    ),
    Mistake(
        "softmax-over-queries",
        "Your weights sum to 1 down the columns: you normalised over queries.",
        variant(softmax=lambda x: softmax(x, axis=-2)),
        "Which axis runs over the keys?",
    ),
    Mistake(
        "softmax-over-heads",
        "Your weights sum to 1 over the heads; each head has its own row of weights.",
        variant(softmax=lambda x: softmax(x, axis=1)),
        "Which axis runs over the keys?",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow when the scores are large.",
        variant(softmax=softmax_without_max),
        "Use your `attention`, whose softmax takes the maximum away.",
    ),
    Mistake(
        "no-softmax",
        "You mixed with the scores themselves; the softmax is missing.",
        variant(softmax=lambda x: x),
        "What should the weights of a row sum to?",
    ),
    Mistake(
        "blocked-row-nan",
        "A query with no allowed key gives NaN; it should give 0.",
        variant(softmax=softmax_with_nan),
        "Use your `attention`, which knows such rows.",
    ),
    Mistake(
        "blocked-row-uniform",
        "A query with no allowed key gets equal weights; it should get none.",
        variant(mask=lambda s, a: np.where(a, s, -1e9)),
        "With -1e9 everywhere, all scores are equal again.",
    ),
    Mistake(
        "mask-inverted",
        "You hid what is allowed: True means 'may look'.",
        variant(mask=lambda s, a: hide(s, ~a)),
        "Which keys should end with weight 0?",
    ),
    Mistake(
        "mask-ignored",
        "The mask does nothing.",
        variant(mask=lambda s, a: s),
        "Do you hand `allowed` on to `attention`?",
    ),
    Mistake(
        "mask-after-softmax",
        "You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
        variant(mask=lambda s, a: s, after=zero_afterwards),
        "Mask the scores.",
    ),
    Mistake(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads; return them for each head.",
        variant(finish=lambda out, W_o, w: (out @ W_o, w.mean(axis=1))),
        "The weights have shape (B, h, n, n).",
    ),
    Mistake(
        "one-output-missing",
        "You returned the output alone; the exercise asks for the output and the weights.",
        variant(finish=lambda out, W_o, w: out @ W_o),
        "`return a, b` makes a tuple.",
    ),
    Mistake(
        "heads-ignored",
        "You never split: this is one head as wide as the model.",
        variant(split=lambda X, h: X[:, None]),
        "Where does num_heads come in?",
    ),
)
