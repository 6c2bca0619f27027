"""What people get wrong in `grouped_query_attention`: heads shared in another way, or another attention."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from helpers.exercises.wrong import attention
from helpers.exercises.wrong.attention import Attended, attend, causal
from helpers.exercises.wrong.generic import CHANGES
from helpers.exercises.wrong.rows import Row, alone, in_step, mistakes, only, paired, reworded, rows, without
from helpers.exercises.wrong.tensors import in_numpy

Array = np.ndarray


def interleaved(x: Array, h_q: int) -> Array:
    """Each head so often in a row that there are `h_q`: right."""
    return np.repeat(x, h_q // x.shape[1], axis=1)


def tiled(x: Array, h_q: int) -> Array:
    """All heads, over and over: wrong."""
    return np.tile(x, (1, h_q // x.shape[1], 1, 1))


def variant(
    *,
    keys: Callable[[Array, int], Array] = interleaved,
    values: Callable[[Array, int], Array] | None = None,
    queries: Callable[[Array, int], Array] = lambda Q, h_kv: Q,
    result: Callable[[Attended], Any] = lambda found: found.output,
    finish: Callable[[Array], Any] = lambda output: output,
    **steps: Callable,
) -> Callable[..., Any]:
    """Attention of many query heads to few key heads, with some steps replaced by wrong ones."""

    def answer(Q: Array, K: Array, V: Array) -> Any:
        h_q = Q.shape[1]
        K, V, Q = keys(K, h_q), (values or keys)(V, h_q), queries(Q, K.shape[1])
        return finish(result(attend(Q, K, V, None, **steps)))

    return in_numpy(answer)


def _same_head(place: Callable[[int], int]) -> Callable[[Array, int], Array]:
    return lambda x, h_q: np.stack([x[:, place(x.shape[1])]] * h_q, axis=1)


def _plain(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1) @ V


def _after(change: Callable[[torch.Tensor, int], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """In PyTorch, whose errors are worded otherwise than NumPy's."""
    return lambda Q, K, V: _plain(Q, *(change(x, Q.shape[1]) for x in (K, V)))


def _weights_shared_in_a_group(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    B, _, n, d = Q.shape
    groups = Q.reshape(B, K.shape[1], -1, n, d)
    weights = torch.softmax(groups @ K[:, :, None].mT / d**0.5, -1).mean(2, keepdim=True)
    return (weights @ V[:, :, None]).expand(groups.shape).reshape(Q.shape)


def _softmax_over_group(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    B, _, n, d = Q.shape
    scores = torch.einsum("bgrid,bgjd->bgirj", Q.reshape(B, K.shape[1], -1, n, d), K) / d**0.5
    weights = torch.softmax(scores.flatten(3), -1).view_as(scores)
    return torch.einsum("bgirj,bgjd->bgrid", weights, V).reshape(Q.shape)


def _unguarded(parts: Array) -> Array:
    return parts / parts.sum(-1, keepdims=True)


_STARTS = (-100.0, -1e3, -1e4, -65504.0, -1e5, -1e6)
_WHICH = "With four query heads and two key heads, which two share the first?"
_BOTH = "Do K and V get the same treatment?"


def _after_softmax(table: tuple[Row, ...]) -> tuple[Row, ...]:
    """A table that does not tell whether weights or output were divided: without the weights nobody can."""
    once = "The division by the root of the width came after the softmax; it belongs under the scores."
    for says in (
        "You divided the weights instead of the scores, so a row no longer sums to 1.",
        "You divided the output by the root of the width; it belongs under the scores.",
    ):
        table = reworded(table, says, once)
    return table


MISTAKES = mistakes(
    variant,
    *rows(
        "heads-interleaved: Your query heads take turns with the key heads; query heads 0 and 1 should share one.",
        _WHICH,
        paired(keys=tiled),
        "heads-interleaved: You repeated the heads of K over and over, those of V one by one.",
        _BOTH,
        {"keys": tiled, "values": interleaved},
        "heads-interleaved: You repeated the heads of V over and over, those of K one by one.",
        _BOTH,
        {"keys": interleaved, "values": tiled},
        "first-head-only: All query heads use the first key head; each group has one of its own.",
        _WHICH,
        paired(keys=_same_head(lambda h: 0)),
        "first-head-only: All query heads take the values of the first head; each group has one of its own.",
        _BOTH,
        {"values": _same_head(lambda h: 0)},
        "first-head-only: All query heads look at the keys of the first head; each group has one of its own.",
        _BOTH,
        {"keys": _same_head(lambda h: 0), "values": interleaved},
        "last-head-only: All query heads use the last key head; each group has one of its own.",
        _WHICH,
        paired(keys=_same_head(lambda h: h - 1)),
        "heads-averaged: You averaged the key heads; each group of query heads has one of its own.",
        "Is there a `mean` over the heads in your code?",
        paired(keys=lambda x, h_q: np.repeat(x.mean(1, keepdims=True), h_q, axis=1)),
        "heads-averaged: You averaged the values over the key heads; each group of query heads has values of its own.",
        _BOTH,
        {"values": lambda x, h_q: np.repeat(x.mean(1, keepdims=True), h_q, axis=1)},
        "heads-averaged: You averaged the keys over their heads; each group of query heads has keys of its own.",
        _BOTH,
        {
            "keys": lambda x, h_q: np.repeat(x.mean(1, keepdims=True), h_q, axis=1),
            "values": interleaved,
        },
        "weights-averaged-over-heads: The query heads of a group share one table of weights, the mean of theirs; each has its own.",
        "How many tables of weights should there be: one for each query head, or for each key head?",
        _weights_shared_in_a_group,
        "softmax-over-group: Your softmax runs over the query heads of a group as well as over the keys: the weights of one query sum to less than 1.",
        "Which axes does your softmax join? Only the keys of one query share out 1.",
        _softmax_over_group,
        "heads-summed: You added up the key heads; each group of query heads has one of its own.",
        "Is there a `sum` over the heads in your code?",
        paired(keys=lambda x, h_q: np.repeat(x.sum(1, keepdims=True), h_q, axis=1)),
        "heads-out-of-order: The groups meet the key heads in reverse order.",
        _WHICH,
        paired(keys=lambda x, h_q: interleaved(x[:, ::-1], h_q)),
        "off-by-one: Each group of query heads uses the key head of the next group.",
        _WHICH,
        paired(keys=lambda x, h_q: interleaved(np.roll(x, -1, axis=1), h_q)),
        "queries-averaged: You averaged the query heads of each group; every query head keeps its own output.",
        "How many heads should come out?",
        {"queries": lambda Q, h: Q.reshape(len(Q), h, -1, *Q.shape[2:]).mean(2), "keys": lambda x, h_q: x},
        "query-heads-dropped: Only as many query heads are left as there are key heads.",
        "How many heads should come out?",
        {"queries": lambda Q, h: Q[:, :h], "keys": lambda x, h_q: x},
        "query-heads-dropped: Only one query head of each group is left, the first.",
        "How many heads should come out?",
        {"queries": lambda Q, h: Q[:, :: Q.shape[1] // h], "keys": lambda x, h_q: x},
        "heads-not-shared: In one of your products h_q query heads meet fewer heads of K or V; that fits only where there is one, or as many.",
        "Do K and V both get h_q heads, and along which axis are they repeated?",
        _plain,
        "wrong-repeat-count: Your key heads come in another number than h_q: each should come h_q // h_kv times.",
        "How often should each of 2 key heads come for 6 query heads, and how often does it come in your code?",
        _after(lambda x, h_q: x.repeat_interleave(x.shape[1], dim=1)),
        _after(lambda x, h_q: x.repeat_interleave(2, dim=1)),
        "wrong-group-size: Query head i uses key head i // h_kv; it should divide by the size of a group.",
        "With 6 query heads and 2 key heads, which key head has query head 5?",
        _after(lambda x, h_q: x[:, torch.arange(h_q) // x.shape[1]]),
        _after(lambda x, h_q: torch.stack([x[:, i // x.shape[1]] for i in range(h_q)], dim=1)),
        "no-max-subtraction: You cut large scores off: cut off they are equal, and so are their weights.",
        "What may be taken away from all scores of a row without changing the weights?",
        *({"powers": lambda x, k=k: attention.powers(np.clip(x, -k, k))} for k in (10, 20, 30, 80, 88, 100)),
        *({"powers": lambda x, k=k: np.exp(np.minimum(x, k))} for k in (20, 50, 80)),
        "wrong-start: Your maximum begins at a number that all scores of a row can lie below: then every exponential is 0.",
        "Which number is below every score?",
        *(
            {
                "powers": lambda x, k=k: np.exp(x - np.maximum(x.max(-1, keepdims=True), k)),
                "share": _unguarded,
            }
            for k in _STARTS
        ),
        "no-max-subtraction: Your exponentials overflow when the scores are large.",
        "What may be taken away from all scores of a row without changing the weights?",
        {"powers": np.exp, "share": lambda parts: parts / parts.sum(-1, keepdims=True)},
        "heads-split-by-reshape: You cut the keys anew to get more heads; every head should stay whole.",
        "What comes again before your reshape, if anything: heads, or tokens?",
        {"keys": lambda x, h_q: np.repeat(x, h_q // x.shape[1], axis=2).reshape(len(x), h_q, *x.shape[2:])},
        {"keys": lambda x, h_q: interleaved(x, h_q).swapaxes(1, 2).reshape(len(x), h_q, x.shape[2], -1)},
        "not-merged: Your output still has the group as an axis: its shape should be (B, h_q, n, d).",
        "Which two axes make the query heads when they are joined?",
        {"finish": lambda out: out.reshape(len(out), 1, *out.shape[1:])},
        "merged-with-width: You put the heads side by side; the output keeps them apart: (B, h_q, n, d).",
        "What should the shape of the output be?",
        {"finish": lambda out: out.swapaxes(1, 2).reshape(len(out), out.shape[2], -1)},
        "no-transpose-back: Heads and tokens have changed places in your output: it should be (B, h_q, n, d).",
        "What should the shape of the output be?",
        paired(finish=lambda out: out.swapaxes(1, 2)),
        "causal-by-default: You hide later keys; here every query may look at every key.",
        "Does the task ask for a mask?",
        paired(mask=lambda a, s: causal(s)),
        "one-output-too-many: You returned the output and the weights; the exercise asks for the output alone.",
        "Look at your `return` line.",
        {"result": lambda found: (found.output, found.weights)},
        "returns-weights: You returned the weights; the exercise asks for the output.",
        "Look at your `return` line.",
        {"result": lambda found: found.weights},
        "scaled-by-sqrt-heads: You divided by the root of the number of query heads; it should be the root of d.",
        "Which size does the spread of a score grow with?",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[1])},
        "scaled-by-sqrt-size: You divided by the root of h_q * d / h_kv; it should be the root of d.",
        "How wide is one query? Print the number whose root you take.",
        lambda Q, K, V: variant(scale=lambda *_: np.sqrt(Q.shape[1] * Q.shape[3] // K.shape[1]))(Q, K, V),
        "scaled-by-sqrt-d_model: You divided by the root of the width of all heads together; it should be that of one, d.",
        "Which vectors meet in a dot product?",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[1] * Q.shape[3])},
        "softmax-over-heads: Your softmax runs over the heads, not over the keys.",
        "Which axis runs over the keys?",
        paired(**attention.along(1)),
    ),
    *_after_softmax(attention.SCALES),
    *only(attention.SOFTMAXES, "softmax-over-queries"),
    *alone(
        (
            *attention.SCORES,
            *without(attention.SOFTMAXES, "softmax-over-queries"),
            *without(attention.MIXES, "sum-not-weighted"),
        )
    ),
    *in_step(
        "finish",
        only(
            CHANGES, "sign-flipped", "first-batch-only", "returns-list", "returns-none", "not-transposed-back"
        ),
    ),
    it="the result",
    leave="Return the output alone.",
)
