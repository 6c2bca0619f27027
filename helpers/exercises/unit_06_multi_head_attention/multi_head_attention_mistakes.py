"""What people get wrong in `multi_head_attention`: the same function with one or more of its steps replaced."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.exercises.unit_06_multi_head_attention.merge_heads_mistakes import last, merge
from helpers.exercises.wrong import attention
from helpers.exercises.wrong.attention import Attended, along, attend
from helpers.exercises.wrong.generic import standard_rows
from helpers.exercises.wrong.rows import mistakes, paired, rows, without

Array = np.ndarray


def split(X: Array, h: int) -> Array:
    """Channels dealt out to heads: `(B, h, n, d_head)`."""
    return X.reshape(*X.shape[:2], h, -1).transpose(0, 2, 1, 3)


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


def _reshaped(X: Array, h: int) -> Array:
    return X.reshape(X.shape[0], h, X.shape[1], -1)


def _split_first(
    *,
    mask: Callable = lambda allowed: allowed,
    project: Callable = lambda merged, W_o: merged @ W_o,
    result: Callable[[Array, Array], Any] = lambda output, weights: (output, weights),
) -> Callable[..., Any]:
    """Slices of X that meet whole weights, which fit only where there is one head."""

    def answer(
        X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Array | None = None
    ) -> Any:
        slices = split(X, num_heads)
        found = attend(slices @ W_q, slices @ W_k, slices @ W_v, mask(allowed))
        return result(project(merge(found.output), W_o), found.weights)

    return answer


def _mixed_with_scores(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Array | None = None
) -> tuple[Array, Array]:
    Q, K, V = (split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1])
    return merge(scores @ V) @ W_o, attend(Q, K, V, allowed).weights


def _one_wide_head(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_o: Array, num_heads: int, allowed: Array | None = None
) -> tuple[Array, Array]:
    """Nothing is split, and the weights are repeated afterwards."""
    found = attend(X @ W_q, X @ W_k, X @ W_v, allowed)
    return found.output @ W_o, np.repeat(found.weights[:, None], num_heads, axis=1)


def _unguarded(scores: Array) -> Array:
    parts = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return parts / parts.sum(axis=-1, keepdims=True)


def _cut_by_reshape(W: Array, h: int) -> Array:
    """Columns in blocks again, of a weight that was cut as `(h, d_model, d_head)`."""
    return W.reshape(h, len(W), -1).transpose(1, 0, 2).reshape(W.shape)


def _cut_by_head(W_q: Array, W_k: Array, W_v: Array, h: int) -> list[Array]:
    """Three weights from one that holds them side by side, as if it held three parts of each head in turn."""
    joined = np.concatenate([W_q, W_k, W_v], axis=1).reshape(len(W_q), h, 3, -1)
    return [joined[:, :, part].reshape(len(W_q), -1) for part in range(3)]


def _tiled(one: Array, H: Array) -> Array:
    return np.tile(one, H.shape[1])


def _blocks(W: Array, h: int, *, rows: bool, columns: bool) -> Array:
    """A weight by which each head's slice of X meets one block: of its own rows and columns, or the first ones."""
    wide, made = len(W) // h, np.zeros_like(W)
    for at in range(0, len(W), wide):
        row, column = at * rows, at * columns
        made[at : at + wide, at : at + wide] = W[row : row + wide, column : column + wide]
    return made


def _first_block_of_output(merged: Array, W_o: Array, h: int) -> Array:
    d_head = len(W_o) // h
    return merged[..., :d_head] @ W_o[:d_head]


def _with_weights(change: Callable[[Array], Array]) -> dict[str, Callable]:
    """The right output beside changed weights."""
    return {"result": lambda found: (found.output, change(found.weights))}


_ONE_HEAD_WIDE = (
    "An array one head wide meets a weight with d_model rows: project X first, then split; merge before W_o."
)
_WHOLE_FIRST = "How wide is each array that meets a weight?"

MISTAKES = mistakes(
    variant,
    *attention.SCALES,
    *rows(
        "scaled-by-sqrt-d_model: You divided by the root of d_model; a head is only d_head wide.",
        "How many products does one score of one head add up?",
        paired(scale=lambda Q, K, V: np.sqrt(Q.shape[1] * Q.shape[-1])),
        "scaled-by-sqrt-heads: You divided by the root of the number of heads, which is `Q.shape[1]`; it should be the root of d_head.",
        paired(scale=lambda Q, K, V: np.sqrt(Q.shape[1])),
        "scaled-by-d_k: You divided by d_model itself; it should be the square root of d_head.",
        {"scale": lambda Q, K, V: Q.shape[1] * Q.shape[-1]},
        "heads-split-by-reshape: Your heads were cut by a plain reshape, which deals out tokens, not channels.",
        "Use your `split_heads`.",
        paired(split=_reshaped),
        "heads-interleaved: You gave every h-th channel to a head; a head takes consecutive channels.",
        paired(split=lambda X, h: X.reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2)),
        "heads-split-by-reshape: Your values, and only they, were cut into heads by a plain reshape, which deals out tokens, not channels.",
        "Use your `split_heads` for all three.",
        {"split_values": _reshaped},
        "heads-split-by-reshape: Your queries and keys were cut into heads by a plain reshape, which deals out tokens, not channels.",
        {"split": _reshaped, "split_values": split},
        "heads-interleaved: You gave every h-th channel to a head and put them back in the same way; a head takes consecutive channels.",
        "Use your `split_heads` and `merge_heads`.",
        {
            "split": lambda X, h: X.reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2),
            "merge": lambda H: merge(H, 0, 2, 3, 1),
        },
        "heads-ignored: You never split: this is one head as wide as the model.",
        "Where does num_heads come in?",
        paired(split=lambda X, h: X[:, None]),
        "heads-ignored: You never split: this is one head as wide as the model, and your weights have no axis for heads.",
        {"split": lambda X, h: X, "merge": lambda H: H},
        {"split": lambda X, h: X[:, None], **_with_weights(lambda w: w[:, 0])},
        "heads-ignored: You never split: this is one head as wide as the model, and its weights are repeated.",
        {"split": lambda X, h: np.repeat(X[:, None], h, 1), "merge": lambda H: H[:, 0]},
        _one_wide_head,
        "zero-times-inf: As soon as there is a mask all your weights are NaN, even where everything is allowed.",
        "What is 0 times infinity? Which function chooses between two numbers?",
        {"hide": lambda s, a: s + ~a * -np.inf, "softmax": _unguarded},
        "factors-swapped: You wrote W_o first. With tokens as rows, the heads side by side come first.",
        "Write the shapes under the two factors: the inner ones must agree.",
        {"project": lambda merged, W_o, h: W_o @ merged},
        "heads-split-by-reshape+weight-transposed: Your heads are cut and joined by a plain reshape, which deals out tokens, not channels; and all four weights are used transposed.",
        "Use your `split_heads` and `merge_heads`. Which layer keeps its weight turned round, and are there such layers here?",
        {
            "weights": lambda W_q, W_k, W_v, h: (W_q.T, W_k.T, W_v.T),
            "split": _reshaped,
            "merge": lambda H: merge(H, 0, 1, 2, 3),
            "project": lambda merged, W_o, h: merged @ W_o.T,
        },
        "fixed-number-of-heads: You always cut into two heads.",
        "Where does num_heads come in?",
        {"split": lambda X, h: split(X, 2)},
        "arguments-swapped: You took num_heads for the width of a head.",
        "Which of d_head and num_heads counts heads?",
        {"split": lambda X, h: split(X, X.shape[-1] // h)},
        "heads-out-of-order: Your heads are cut off from the end: the first head has the last channels.",
        "Which channels belong to head 0?",
        {"split": lambda X, h: split(X, h)[:, ::-1]},
        "batch-mixed: You folded batch and tokens into the heads in another order than you took them out.",
        "Which axis should stay first from beginning to end?",
        {"merge": lambda H: merge(H, 2, 0, 1, 3)},
        "heads-merged-without-transpose: You joined the heads without swapping tokens and heads back, so tokens mix.",
        "Use your `merge_heads`.",
        paired(merge=lambda H: merge(H, 0, 1, 2, 3)),
        "heads-interleaved: You joined the heads channel by channel; they should stand side by side, whole.",
        paired(merge=lambda H: merge(H, 0, 2, 3, 1)),
        "wrong-head-axis: You joined the heads with tokens and channels swapped.",
        "Which two axes have to change places before the heads are joined?",
        {"merge": lambda H: merge(H, 0, 1, 3, 2)},
        "heads-out-of-order: Your heads are joined in reverse order.",
        "Which head comes first?",
        paired(merge=lambda H: merge(H[:, ::-1])),
        "joined-product-cut-by-head: Your joined product holds all of Q, then all of K, then all of V; you cut it into heads first, and each of them into three.",
        "Which columns of the joined product are Q?",
        {"weights": _cut_by_head},
        "heads-averaged: You averaged the heads; put them side by side.",
        "How many different heads reach W_o?",
        {"merge": lambda H: _tiled(H.mean(1), H)},
        "heads-summed: You added the heads; put them side by side.",
        {"merge": lambda H: _tiled(H.sum(1), H)},
        "first-head-only: Only the first head reaches W_o.",
        {"merge": lambda H: _tiled(H[:, 0], H)},
        "overwritten-instead-of-collected: Only the last head reaches W_o: each head overwrites the one before.",
        "What is left of the first head after your loop?",
        {"merge": lambda H: _tiled(H[:, -1], H)},
        "last-left-out: The last head is missing from what W_o gets.",
        "Where does your loop end?",
        {"merge": lambda H: merge(H * ~last(H))},
        "weight-transposed: You used W_q, W_k and W_v transposed: heads got their rows where they should get columns.",
        "Only `nn.Linear` stores its weight the other way round.",
        paired(weights=lambda q, k, v, h: (q.T, k.T, v.T)),
        "weight-transposed: You used W_o transposed; here it is used as it is.",
        paired(project=lambda merged, W_o, h: merged @ W_o.T),
        "weight-transposed: You used all weights transposed; here they are used as they are.",
        {"weights": lambda q, k, v, h: (q.T, k.T, v.T), "project": lambda merged, W_o, h: merged @ W_o.T},
        "weight-transposed: You used W_q transposed; here it is used as it is.",
        {"weights": lambda q, k, v, h: (q.T, k, v)},
        "weight-transposed: You used W_k transposed; here it is used as it is.",
        {"weights": lambda q, k, v, h: (q, k.T, v)},
        "weight-transposed: You used W_v transposed; here it is used as it is.",
        {"weights": lambda q, k, v, h: (q, k, v.T)},
        "no-output-projection: The last projection is missing: the heads stand side by side but never meet.",
        "Where does W_o come in?",
        paired(project=lambda merged, W_o, h: merged),
        "one-matrix-twice: You projected with W_o twice.",
        {"project": lambda merged, W_o, h: merged @ W_o @ W_o},
        "value-not-projected: Your values are the tokens themselves; W_v is missing.",
        "Which weight does not appear in your code?",
        paired(weights=lambda q, k, v, h: (q, k, np.eye(len(v)))),
        "no-input-projection: Your queries are the tokens themselves; W_q is missing.",
        {"weights": lambda q, k, v, h: (np.eye(len(q)), k, v)},
        "no-input-projection: Your keys are the tokens themselves; W_k is missing.",
        {"weights": lambda q, k, v, h: (q, np.eye(len(k)), v)},
        "no-input-projection: Queries, keys and values are the tokens themselves; three weights are missing.",
        "Which weights do not appear in your code?",
        {"weights": lambda q, k, v, h: (np.eye(len(q)),) * 3},
        "query-weight-reused: Queries, keys and values all use W_q; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (q, q, q)},
        "key-weight-reused: Your values use W_k; each projection has its own weight.",
        "Read the line that makes V once more.",
        paired(weights=lambda q, k, v, h: (q, k, k)),
        "query-weight-reused: Your values use W_q; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (q, k, q)},
        "key-weight-reused: Your queries use W_k; each projection has its own weight.",
        "Read the line that makes Q once more.",
        {"weights": lambda q, k, v, h: (k, k, v)},
        "query-weight-reused: Your keys use W_q; each projection has its own weight.",
        "Read the line that makes K once more.",
        {"weights": lambda q, k, v, h: (q, q, v)},
        "value-weight-reused: Your keys use W_v; each projection has its own weight.",
        "Read the lines that make Q, K and V once more.",
        {"weights": lambda q, k, v, h: (q, v, v)},
        "value-weight-reused: Your queries use W_v; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (v, k, v)},
        "value-weight-reused: Your queries and keys use W_v; each projection has its own weight.",
        {"weights": lambda q, k, v, h: (v, v, v)},
        "query-and-key-swapped: Queries and keys have changed places.",
        "Which weight makes the queries, and whose are the rows of the scores?",
        paired(weights=lambda q, k, v, h: (k, q, v)),
        "key-and-value-swapped: Keys and values have changed places.",
        "Which weight makes the keys?",
        paired(weights=lambda q, k, v, h: (q, v, k)),
        "chained-projections: You projected one after the other; Q, K and V are each made from X.",
        "What stands on the left of each projection?",
        {"weights": lambda q, k, v, h: (q, q @ k, q @ k @ v)},
        "arguments-swapped: Queries and values have changed places: the queries are mixed, and the values ask.",
        "In which order does attention take its arguments?",
        {"weights": lambda q, k, v, h: (v, k, q)},
        "no-softmax: Your output is mixed with the scores themselves; the weights you returned are right.",
        "With what should the values be multiplied?",
        _mixed_with_scores,
        # an answer that meets W_o before the heads are merged stops with the same words
        f"input-split-before-projection: {_ONE_HEAD_WIDE}",
        _WHOLE_FIRST,
        _split_first(),
        f"input-split-before-projection+one-output-missing: {_ONE_HEAD_WIDE} And you returned the output alone.",
        _split_first(result=lambda output, weights: output),
        f"input-split-before-projection+mask-ignored: {_ONE_HEAD_WIDE} And the mask does nothing.",
        _split_first(mask=lambda allowed: None),
        f"input-split-before-projection+no-output-projection: {_ONE_HEAD_WIDE} And W_o is missing.",
        _split_first(project=lambda merged, W_o: merged),
        "heads-split-by-reshape: You cut the weights into heads by a plain reshape to (h, d_model, d_head), which deals out their rows; a head has a block of columns.",
        "Project with the whole weight, then use your `split_heads`.",
        {"weights": lambda q, k, v, h: (_cut_by_reshape(W, h) for W in (q, k, v))},
        "heads-split-by-reshape: You reshaped to (B, h, n, d_head) and swapped then: tokens are dealt out to the heads, and heads look at heads.",
        "Which axis is to be cut in two, and what does the reshape before your swap cut?",
        {
            "split": lambda X, h: _reshaped(X, h).transpose(0, 2, 1, 3),
            "merge": lambda H: H.reshape(len(H), H.shape[1], -1),
        },
        "no-transpose: You never brought the heads before the tokens, so the heads of one token look at each other.",
        "The last two axes of a score are query and key. Which are they in yours?",
        {
            "split": lambda X, h: X.reshape(*X.shape[:2], h, -1),
            "merge": lambda H: H.reshape(*H.shape[:2], -1),
        },
        "off-by-one: Each head compares its queries with the keys of the head beside it.",
        "Which number picks the head of Q, and which the head of K?",
        *({"score": lambda Q, K, i=i: Q @ np.roll(K, i, 1).swapaxes(-2, -1)} for i in (1, -1)),
        "input-split-before-projection: Each head sees only its slice of X; project all of X first, then split.",
        "Which comes first, projecting or splitting?",
        *(
            {"weights": lambda q, k, v, h, at=at: (_blocks(W, h, **at) for W in (q, k, v))}
            for own in itertools.product((True, False), repeat=2)
            for at in [dict(zip(("rows", "columns"), own, strict=True))]
        ),
        "heads-share-weights: Every head uses the first block of the weights; each has columns of its own.",
        "Does the head's number appear in your slice?",
        {"weights": lambda q, k, v, h: (np.tile(W[:, : len(W) // h], h) for W in (q, k, v))},
        "heads-share-weights: Every head meets the first rows of W_o; each has a block of rows of its own.",
        "Does the head's number appear in your slice of W_o?",
        {"project": lambda merged, W_o, h: merged @ np.tile(W_o[: len(W_o) // h], (h, 1))},
        "first-head-only: Only the first head counts in your output.",
        "Is your `return` inside the loop?",
        {"project": _first_block_of_output},
        "first-head-only: You returned the output and the weights of the first head only.",
        {"project": _first_block_of_output, "result": lambda found: (found.output, found.weights[:, 0])},
        "overwritten-instead-of-summed: Only the last head counts in your output: the total starts anew on each round.",
        "Should `=` or `+=` stand inside your loop?",
        {"project": lambda merged, W_o, h: merged[..., -(len(W_o) // h) :] @ W_o[-(len(W_o) // h) :]},
        "extra-residual: You added the merged heads to their projection; the projection alone is the output.",
        "Which step of yours is not among the nine?",
        {"project": lambda merged, W_o, h: merged + merged @ W_o},
        "extra-layernorm: You normalised the merged heads; they go into W_o as they are.",
        {"project": lambda merged, W_o, h: standard_rows(merged) @ W_o},
        "extra-nonlinearity: You set negative numbers to 0 before or after W_o; nothing of the kind belongs there.",
        {"project": lambda merged, W_o, h: np.maximum(merged, 0) @ W_o},
        "extra-layernorm: You normalised X first; it is projected as it comes.",
        lambda X, *rest: variant()(standard_rows(X), *rest),
        "extra-nonlinearity: You set the negative numbers of the output to 0; nothing of the kind belongs there.",
        {"result": lambda found: (np.maximum(found.output, 0), found.weights)},
        "softmax-over-heads: Your weights sum to 1 over the heads; each head has its own row of weights.",
        "Which axis runs over the keys?",
        paired(**along(1)),
        "softmax-over-batch: Your weights sum to 1 over the batch; each sequence has its own rows of weights.",
        along(0),
        "mask-first-head-only: Only the first head meets the mask.",
        "Is there an index beside the mask?",
        {"hide": lambda s, a: np.concatenate([np.where(a, s, -np.inf)[:, :1], s[:, 1:]], axis=1)},
        "mask-first-head-only: The mask of the first head is used for every head.",
        {"mask": lambda a, s: None if a is None else np.broadcast_to(a, s.shape)[:, :1]},
        "wrong-head-axis: You gave the mask an axis for the heads; it has one already, or broadcasting adds it.",
        "Print the shape of `allowed` in each call.",
        {"mask": lambda a, s: None if a is None else a[:, None]},
        "weights-averaged-over-heads: You averaged the weights over the heads; return them for each head.",
        "The weights have shape (B, h, n, n).",
        paired(**_with_weights(lambda w: w.mean(axis=1))),
        _with_weights(lambda w: w.mean(axis=1, keepdims=True)),
        "heads-summed: You added the weights of the heads; return them for each head.",
        _with_weights(lambda w: w.sum(axis=1)),
        "first-head-only: You returned the weights of the first head only.",
        _with_weights(lambda w: w[:, 0]),
        _with_weights(lambda w: w[:, :1]),
        "weights-averaged-over-heads: You averaged the weights over the heads; return them for each head.",
        "Should all heads look at the same places?",
        _with_weights(lambda w: np.broadcast_to(w.mean(axis=1, keepdims=True), w.shape)),
        "overwritten-instead-of-collected: You returned the weights of the last head only: each head overwrites the one before.",
        "What is left of the first head's weights after your loop?",
        _with_weights(lambda w: w[:, -1]),
        "wrong-head-axis: Your weights have the heads before the batch; their shape is (B, h, n, n).",
        "Along which axis do you stack the heads?",
        _with_weights(lambda w: w.swapaxes(0, 1)),
        "wrong-head-axis: Your weights have the heads on the last axis; their shape is (B, h, n, n).",
        _with_weights(lambda w: np.moveaxis(w, 1, -1)),
        "wrong-head-axis: Your weights of all heads hang together on one axis; their shape is (B, h, n, n).",
        "What is the difference between `concatenate` and `stack`?",
        _with_weights(lambda w: np.concatenate(list(w.swapaxes(0, 1)), axis=-1)),
        _with_weights(lambda w: np.concatenate(list(w.swapaxes(0, 1)), axis=-2)),
        "batch-folded-into-heads: Your weights have batch and heads on one axis; their shape is (B, h, n, n).",
        "Which reshape gives the heads an axis of their own?",
        _with_weights(lambda w: w.reshape(-1, *w.shape[2:])),
        "returns-list: Your weights are a list of arrays, one a head; they should be one array.",
        "`np.stack` makes one array of several.",
        _with_weights(lambda w: list(w.swapaxes(0, 1))),
    ),
    *(*attention.SCORES, *attention.SOFTMAXES, *attention.MASKS),
    # keys mixed in place of values are the same as values that use W_k
    *without(attention.MIXES, "keys-for-values"),
    *attention.RESULTS,
)
