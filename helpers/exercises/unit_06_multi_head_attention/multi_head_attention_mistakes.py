"""What people get wrong in `multi_head_attention`: the same function with one or more of its steps replaced."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake
from helpers.exercises.steps import (
    MASKS,
    MIXES,
    RESULTS,
    SCALES,
    SCORES,
    SOFTMAXES,
    Attended,
    Wrong,
    along,
    as_mistakes,
    attend,
)

Array = np.ndarray


def split(X: Array, h: int) -> Array:
    """Channels dealt out to heads: `(B, h, n, d_head)`."""
    return X.reshape(*X.shape[:2], h, -1).transpose(0, 2, 1, 3)


def merge(H: Array) -> Array:
    """Heads side by side: `(B, n, d_model)`."""
    return H.transpose(0, 2, 1, 3).reshape(H.shape[0], H.shape[2], -1)


def variant(
    *,
    weights: Callable = lambda W_q, W_k, W_v, h: (W_q, W_k, W_v),
    split: Callable = split,
    split_values: Callable | None = None,
    merge: Callable = merge,
    project: Callable = lambda merged, W_o, h: merged @ W_o,
    result: Callable[[Attended], Any] = lambda found: (found.output, found.weights),
    **steps: Callable,
) -> Callable[..., Any]:
    """Multi-head attention with some of its steps replaced by wrong ones."""

    def answer(
        X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Array | None = None
    ) -> Any:
        Q, K, V = (X @ W for W in weights(W_q, W_k, W_v, num_heads))
        Q, K, V = split(Q, num_heads), split(K, num_heads), (split_values or split)(V, num_heads)
        found = attend(Q, K, V, allowed, **steps)
        return result(replace(found, output=project(merge(found.output), W_o, num_heads)))

    return answer


_SIZES = (
    Wrong(
        "scaled-by-sqrt-d_model",
        "You divided by the root of d_model; a head is only d_head wide.",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[1] * Q.shape[-1])},
        "How many products does one score of one head add up?",
    ),
    Wrong(
        "scaled-by-sqrt-heads",
        "You divided by the root of the number of heads, which is `Q.shape[1]`; it should be the root of d_head.",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[1])},
        "How many products does one score of one head add up?",
    ),
    Wrong(
        "scaled-by-d_k",
        "You divided by d_model itself; it should be the square root of d_head.",
        {"scale": lambda Q, K, V: Q.shape[1] * Q.shape[-1]},
        "How many products does one score of one head add up?",
        alone=True,
    ),
)


def _reshaped(X: Array, h: int) -> Array:
    return X.reshape(X.shape[0], h, X.shape[1], -1)


def _interleaved(X: Array, h: int) -> Array:
    return X.reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2)


def _merged_interleaved(H: Array) -> Array:
    return H.transpose(0, 2, 3, 1).reshape(H.shape[0], H.shape[2], -1)


def _tiled(one: Array, H: Array) -> Array:
    return np.tile(one, H.shape[1])


def _last_head_zero(H: Array) -> Array:
    merged = merge(H)
    merged[..., -H.shape[3] :] = 0
    return merged


def _own_slices_only(W: Array, h: int) -> Array:
    """A weight with all but its diagonal blocks set to 0: each head then sees its slice of X."""
    return W * np.kron(np.eye(h), np.ones((len(W) // h, len(W) // h)))


def _first_block(W: Array, h: int) -> Array:
    return np.tile(W[:, : W.shape[1] // h], h)


HEADS = (
    Wrong(
        "heads-split-by-reshape",
        "Your heads were cut by a plain reshape, which deals out tokens, not channels.",
        {"split": _reshaped},
        "Use your `split_heads`.",
    ),
    Wrong(
        "heads-split-by-reshape",
        "Your values, and only they, were cut into heads by a plain reshape, which deals out tokens, not channels.",
        {"split_values": _reshaped},
        "Use your `split_heads` for all three.",
        alone=True,
    ),
    Wrong(
        "heads-split-by-reshape",
        "Your queries and keys were cut into heads by a plain reshape, which deals out tokens, not channels.",
        {"split": _reshaped, "split_values": split},
        "Use your `split_heads` for all three.",
        alone=True,
    ),
    Wrong(
        "heads-interleaved",
        "You gave every h-th channel to a head; a head takes consecutive channels.",
        {"split": _interleaved},
        "Use your `split_heads`.",
    ),
    Wrong(
        "heads-interleaved",
        "You gave every h-th channel to a head and put them back in the same way; a head takes consecutive channels.",
        {"split": _interleaved, "merge": _merged_interleaved},
        "Use your `split_heads` and `merge_heads`.",
        alone=True,
    ),
    Wrong(
        "heads-ignored",
        "You never split: this is one head as wide as the model.",
        {"split": lambda X, h: X[:, None]},
        "Where does num_heads come in?",
    ),
    Wrong(
        "arguments-swapped",
        "You took num_heads for the width of a head.",
        {"split": lambda X, h: split(X, X.shape[-1] // h)},
        "Which of d_head and num_heads counts heads?",
        alone=True,
    ),
    Wrong(
        "fixed-number-of-heads",
        "You always cut into two heads.",
        {"split": lambda X, h: split(X, 2)},
        "Where does num_heads come in?",
        alone=True,
    ),
    Wrong(
        "heads-out-of-order",
        "Your heads are cut off from the end: the first head has the last channels.",
        {"split": lambda X, h: split(X, h)[:, ::-1]},
        "Which channels belong to head 0?",
        alone=True,
    ),
    Wrong(
        "batch-mixed",
        "You folded batch and tokens into the heads in another order than you took them out.",
        {"merge": lambda H: H.transpose(2, 0, 1, 3).reshape(H.shape[0], H.shape[2], -1)},
        "Which axis should stay first from beginning to end?",
        alone=True,
    ),
    Wrong(
        "heads-merged-without-transpose",
        "You joined the heads without swapping tokens and heads back, so tokens mix.",
        {"merge": lambda H: H.reshape(H.shape[0], H.shape[2], -1)},
        "Use your `merge_heads`.",
    ),
    Wrong(
        "heads-interleaved",
        "You joined the heads channel by channel; they should stand side by side, whole.",
        {"merge": _merged_interleaved},
        "Use your `merge_heads`.",
    ),
    Wrong(
        "wrong-head-axis",
        "You joined the heads with tokens and channels swapped.",
        {"merge": lambda H: H.swapaxes(2, 3).reshape(H.shape[0], H.shape[2], -1)},
        "Which two axes have to change places before the heads are joined?",
        alone=True,
    ),
    Wrong(
        "heads-out-of-order",
        "Your heads are joined in reverse order.",
        {"merge": lambda H: merge(H[:, ::-1])},
        "Which head comes first?",
    ),
    Wrong(
        "heads-averaged",
        "You averaged the heads; put them side by side.",
        {"merge": lambda H: _tiled(H.mean(1), H)},
        "How many different heads reach W_o?",
        alone=True,
    ),
    Wrong(
        "heads-summed",
        "You added the heads; put them side by side.",
        {"merge": lambda H: _tiled(H.sum(1), H)},
        "How many different heads reach W_o?",
        alone=True,
    ),
    Wrong(
        "first-head-only",
        "Only the first head reaches W_o.",
        {"merge": lambda H: _tiled(H[:, 0], H)},
        "How many different heads reach W_o?",
        alone=True,
    ),
    Wrong(
        "overwritten-instead-of-collected",
        "Only the last head reaches W_o: each head overwrites the one before.",
        {"merge": lambda H: _tiled(H[:, -1], H)},
        "What is left of the first head after your loop?",
        alone=True,
    ),
    Wrong(
        "last-left-out",
        "The last head is missing from what W_o gets.",
        {"merge": _last_head_zero},
        "Where does your loop end?",
        alone=True,
    ),
)


def _first_block_of_output(merged: Array, W_o: Array, h: int) -> Array:
    d_head = len(W_o) // h
    return merged[..., :d_head] @ W_o[:d_head]


PROJECTIONS = (
    Wrong(
        "weight-transposed",
        "You used W_q, W_k and W_v transposed: heads got their rows where they should get columns.",
        {"weights": lambda q, k, v, h: (q.T, k.T, v.T)},
        "Only `nn.Linear` stores its weight the other way round.",
    ),
    Wrong(
        "weight-transposed",
        "You used W_o transposed; here it is used as it is.",
        {"project": lambda merged, W_o, h: merged @ W_o.T},
        "Only `nn.Linear` stores its weight the other way round.",
    ),
    Wrong(
        "weight-transposed",
        "You used all weights transposed; here they are used as they are.",
        {
            "weights": lambda q, k, v, h: (q.T, k.T, v.T),
            "project": lambda merged, W_o, h: merged @ W_o.T,
        },
        "Only `nn.Linear` stores its weight the other way round.",
        alone=True,
    ),
    *(
        Wrong(
            "weight-transposed",
            f"You used {name} transposed; here it is used as it is.",
            {"weights": lambda q, k, v, h, turn=turn: turn(q, k, v)},
            "Only `nn.Linear` stores its weight the other way round.",
            alone=True,
        )
        for name, turn in (
            ("W_q", lambda q, k, v: (q.T, k, v)),
            ("W_k", lambda q, k, v: (q, k.T, v)),
            ("W_v", lambda q, k, v: (q, k, v.T)),
        )
    ),
    Wrong(
        "no-output-projection",
        "The last projection is missing: the heads stand side by side but never meet.",
        {"project": lambda merged, W_o, h: merged},
        "Where does W_o come in?",
    ),
    Wrong(
        "value-not-projected",
        "Your values are the tokens themselves; W_v is missing.",
        {"weights": lambda q, k, v, h: (q, k, np.eye(len(v)))},
        "Which weight does not appear in your code?",
    ),
    Wrong(
        "no-input-projection",
        "Queries, keys and values are the tokens themselves; three weights are missing.",
        {"weights": lambda q, k, v, h: (np.eye(len(q)),) * 3},
        "Which weights do not appear in your code?",
        alone=True,
    ),
    Wrong(
        "no-input-projection",
        "Your queries are the tokens themselves; W_q is missing.",
        {"weights": lambda q, k, v, h: (np.eye(len(q)), k, v)},
        "Which weight does not appear in your code?",
        alone=True,
    ),
    Wrong(
        "no-input-projection",
        "Your keys are the tokens themselves; W_k is missing.",
        {"weights": lambda q, k, v, h: (q, np.eye(len(k)), v)},
        "Which weight does not appear in your code?",
        alone=True,
    ),
    Wrong(
        "key-weight-reused",
        "Your values use W_k; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (q, k, k)},
        "Read the line that makes V once more.",
    ),
    Wrong(
        "key-weight-reused",
        "Your queries use W_k; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (k, k, v)},
        "Read the line that makes Q once more.",
        alone=True,
    ),
    Wrong(
        "query-weight-reused",
        "Your keys use W_q; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (q, q, v)},
        "Read the line that makes K once more.",
        alone=True,
    ),
    Wrong(
        "query-weight-reused",
        "Your values use W_q; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (q, k, q)},
        "Read the line that makes V once more.",
        alone=True,
    ),
    Wrong(
        "query-weight-reused",
        "Queries, keys and values all use W_q; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (q, q, q)},
        "Which weights do not appear in your code?",
        alone=True,
    ),
    *(
        Wrong(
            "value-weight-reused",
            f"Your {which} use W_v; each projection has its own weight.",
            {"weights": lambda q, k, v, h, use=use: use(q, k, v)},
            "Read the lines that make Q, K and V once more.",
            alone=True,
        )
        for which, use in (
            ("keys", lambda q, k, v: (q, v, v)),
            ("queries", lambda q, k, v: (v, k, v)),
            ("queries and keys", lambda q, k, v: (v, v, v)),
        )
    ),
    Wrong(
        "query-and-key-swapped",
        "Queries and keys have changed places.",
        {"weights": lambda q, k, v, h: (k, q, v)},
        "Which weight makes the queries, and whose are the rows of the scores?",
    ),
    Wrong(
        "key-and-value-swapped",
        "Keys and values have changed places.",
        {"weights": lambda q, k, v, h: (q, v, k)},
        "Which weight makes the keys?",
        alone=True,
    ),
    Wrong(
        "chained-projections",
        "You projected one after the other; Q, K and V are each made from X.",
        {"weights": lambda q, k, v, h: (q, q @ k, q @ k @ v)},
        "What stands on the left of each projection?",
        alone=True,
    ),
    Wrong(
        "input-split-before-projection",
        "Each head sees only its slice of X; project all of X first, then split.",
        {"weights": lambda q, k, v, h: tuple(_own_slices_only(W, h) for W in (q, k, v))},
        "Which comes first, projecting or splitting?",
        alone=True,
    ),
    Wrong(
        "heads-share-weights",
        "Every head uses the first block of the weights; each has columns of its own.",
        {"weights": lambda q, k, v, h: tuple(_first_block(W, h) for W in (q, k, v))},
        "Does the head's number appear in your slice?",
        alone=True,
    ),
    Wrong(
        "heads-share-weights",
        "Every head meets the first rows of W_o; each has a block of rows of its own.",
        {"project": lambda merged, W_o, h: merged @ np.tile(W_o[: len(W_o) // h], (h, 1))},
        "Does the head's number appear in your slice of W_o?",
        alone=True,
    ),
    Wrong(
        "first-head-only",
        "Only the first head counts in your output.",
        {"project": _first_block_of_output},
        "Is your `return` inside the loop?",
        alone=True,
    ),
    Wrong(
        "first-head-only",
        "You returned the output and the weights of the first head only.",
        {
            "project": _first_block_of_output,
            "result": lambda found: (found.output, found.weights[:, 0]),
        },
        "Is your `return` inside the loop?",
        alone=True,
    ),
    Wrong(
        "overwritten-instead-of-summed",
        "Only the last head counts in your output: the total starts anew on each round.",
        {"project": lambda merged, W_o, h: merged[..., -(len(W_o) // h) :] @ W_o[-(len(W_o) // h) :]},
        "Should `=` or `+=` stand inside your loop?",
        alone=True,
    ),
    Wrong(
        "extra-residual",
        "You added the merged heads to their projection; the projection alone is the output.",
        {"project": lambda merged, W_o, h: merged + merged @ W_o},
        "Which step of yours is not among the nine?",
        alone=True,
    ),
    Wrong(
        "extra-layernorm",
        "You normalised the merged heads; they go into W_o as they are.",
        {"project": lambda merged, W_o, h: _normalised(merged) @ W_o},
        "Which step of yours is not among the nine?",
        alone=True,
    ),
    Wrong(
        "extra-nonlinearity",
        "You set negative numbers to 0 before or after W_o; nothing of the kind belongs there.",
        {"project": lambda merged, W_o, h: np.maximum(merged, 0) @ W_o},
        "Which step of yours is not among the nine?",
        alone=True,
    ),
    Wrong(
        "one-matrix-twice",
        "You projected with W_o twice.",
        {"project": lambda merged, W_o, h: merged @ W_o @ W_o},
        "Where does W_o come in?",
        alone=True,
    ),
)


def _normalised(x: Array) -> Array:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


def _with_weights(change: Callable[[Array], Array]) -> dict[str, Callable]:
    """The right output beside changed weights."""
    return {"result": lambda found: (found.output, change(found.weights))}


AXES = (
    Wrong(
        "softmax-over-heads",
        "Your weights sum to 1 over the heads; each head has its own row of weights.",
        along(1),
        "Which axis runs over the keys?",
    ),
    Wrong(
        "softmax-over-batch",
        "Your weights sum to 1 over the batch; each sequence has its own rows of weights.",
        along(0),
        "Which axis runs over the keys?",
        alone=True,
    ),
    Wrong(
        "mask-first-head-only",
        "Only the first head meets the mask.",
        {"hide": lambda s, a: np.concatenate([np.where(a, s, -np.inf)[:, :1], s[:, 1:]], axis=1)},
        "Look for `[:, 0]` beside the mask.",
        alone=True,
    ),
    Wrong(
        "mask-first-head-only",
        "The mask of the first head is used for every head.",
        {"mask": lambda a, s: None if a is None else np.broadcast_to(a, s.shape)[:, :1]},
        "Look for `[:, 0]` beside the mask.",
        alone=True,
    ),
    Wrong(
        "wrong-head-axis",
        "You gave the mask an axis for the heads; it has one already, or broadcasting adds it.",
        {"mask": lambda a, s: None if a is None else a[:, None]},
        "Print the shape of `allowed` in each call.",
        alone=True,
    ),
    Wrong(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads; return them for each head.",
        _with_weights(lambda w: w.mean(axis=1)),
        "The weights have shape (B, h, n, n).",
    ),
    Wrong(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads; return them for each head.",
        _with_weights(lambda w: np.broadcast_to(w.mean(axis=1, keepdims=True), w.shape)),
        "Should all heads look at the same places?",
        alone=True,
    ),
    Wrong(
        "weights-averaged-over-heads",
        "You averaged the weights over the heads; return them for each head.",
        _with_weights(lambda w: w.mean(axis=1, keepdims=True)),
        "The weights have shape (B, h, n, n).",
        alone=True,
    ),
    Wrong(
        "heads-summed",
        "You added the weights of the heads; return them for each head.",
        _with_weights(lambda w: w.sum(axis=1)),
        "The weights have shape (B, h, n, n).",
        alone=True,
    ),
    Wrong(
        "first-head-only",
        "You returned the weights of the first head only.",
        _with_weights(lambda w: w[:, 0]),
        "The weights have shape (B, h, n, n).",
        alone=True,
    ),
    Wrong(
        "first-head-only",
        "You returned the weights of the first head only.",
        _with_weights(lambda w: w[:, :1]),
        "The weights have shape (B, h, n, n).",
        alone=True,
    ),
    Wrong(
        "overwritten-instead-of-collected",
        "You returned the weights of the last head only: each head overwrites the one before.",
        _with_weights(lambda w: w[:, -1]),
        "What is left of the first head's weights after your loop?",
        alone=True,
    ),
    Wrong(
        "wrong-head-axis",
        "Your weights have the heads before the batch; their shape is (B, h, n, n).",
        _with_weights(lambda w: w.swapaxes(0, 1)),
        "Along which axis do you stack the heads?",
        alone=True,
    ),
    Wrong(
        "wrong-head-axis",
        "Your weights have the heads on the last axis; their shape is (B, h, n, n).",
        _with_weights(lambda w: np.moveaxis(w, 1, -1)),
        "Along which axis do you stack the heads?",
        alone=True,
    ),
    Wrong(
        "wrong-head-axis",
        "Your weights of all heads hang together on one axis; their shape is (B, h, n, n).",
        _with_weights(lambda w: np.concatenate(list(w.swapaxes(0, 1)), axis=-1)),
        "What is the difference between `concatenate` and `stack`?",
        alone=True,
    ),
    Wrong(
        "wrong-head-axis",
        "Your weights of all heads hang together on one axis; their shape is (B, h, n, n).",
        _with_weights(lambda w: np.concatenate(list(w.swapaxes(0, 1)), axis=-2)),
        "What is the difference between `concatenate` and `stack`?",
        alone=True,
    ),
    Wrong(
        "batch-folded-into-heads",
        "Your weights have batch and heads on one axis; their shape is (B, h, n, n).",
        _with_weights(lambda w: w.reshape(-1, *w.shape[2:])),
        "Which reshape gives the heads an axis of their own?",
        alone=True,
    ),
    Wrong(
        "returns-list",
        "Your weights are a list of arrays, one a head; they should be one array.",
        _with_weights(lambda w: list(w.swapaxes(0, 1))),
        "`np.stack` makes one array of several.",
        alone=True,
    ),
)


def _one_head_repeated(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Array | None = None
) -> tuple[Array, Array]:
    output, weights = variant()(X, W_q, W_k, W_v, W_o, 1, allowed)
    return output, np.repeat(weights, num_heads, axis=1)


def _changed_input(change: Callable[[Array], Array]) -> Callable[..., Any]:
    def answer(X: Array, *rest: Any) -> Any:
        return variant()(change(X), *rest)

    return answer


def _positive_output(*args: Any) -> tuple[Array, Array]:
    output, weights = variant()(*args)
    return np.maximum(output, 0), weights


_WHOLE = (
    Mistake(
        "heads-ignored",
        "You never split: this is one head as wide as the model, and its weights are repeated.",
        _one_head_repeated,
        "Where does num_heads come in?",
    ),
    Mistake(
        "extra-layernorm",
        "You normalised X first; it is projected as it comes.",
        _changed_input(_normalised),
        "Which step of yours is not among the nine?",
    ),
    Mistake(
        "extra-nonlinearity",
        "You set the negative numbers of the output to 0; nothing of the kind belongs there.",
        _positive_output,
        "Which step of yours is not among the nine?",
    ),
    Mistake(
        "first-batch-only",
        "Only the first sequence of the batch counts.",
        _changed_input(lambda X: np.repeat(X[:1], len(X), axis=0)),
        "Look for `[0]` and `[:1]` beside X.",
    ),
)

# keys mixed in place of values are the same as values that use W_k
_MIXES = tuple(one for one in MIXES if one.id != "keys-for-values")

MISTAKES = (
    *as_mistakes(
        variant,
        (*SCALES, *_SIZES, *HEADS, *PROJECTIONS, *SCORES, *SOFTMAXES, *AXES, *MASKS, *_MIXES, *RESULTS),
    ),
    *_WHOLE,
)
