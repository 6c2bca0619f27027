"""What people get wrong in `attention`: the same function with one or more of its steps replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong import attention
from helpers.exercises.wrong.attention import Attended, along, attend, causal, hide
from helpers.exercises.wrong.rows import mistakes, paired, rows

Array = np.ndarray


def variant(
    *,
    inputs: Callable = lambda Q, K, V: (Q, K, V),
    result: Callable[[Attended], Any] = lambda found: (found.output, found.weights),
    **steps: Callable,
) -> Callable[..., Any]:
    """Attention with some of its steps replaced by wrong ones."""

    def answer(Q: Array, K: Array, V: Array, allowed: Array | None = None) -> Any:
        return result(attend(*inputs(Q, K, V), allowed, **steps))

    return answer


def _values_hidden(Q: Array, K: Array, V: Array, allowed: Array | None = None) -> Any:
    weights = attend(Q, K, V, None).weights
    if allowed is not None:
        V = V * np.broadcast_to(allowed, weights.shape).any(axis=-2)[..., None]
    return weights @ V, weights


def _one(*_: Array) -> float:
    """Nothing to divide by."""
    return 1.0


def _as_the_library_takes_it(scores: Array, allowed: Array) -> Array:
    if scores.ndim == 4 and allowed.ndim == 1:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)")
    return hide(scores, allowed)


MISTAKES = mistakes(
    variant,
    *(*attention.SCALES, *attention.SCORES, *attention.SOFTMAXES, *attention.MASKS, *attention.MIXES),
    *rows(
        "scaled-by-sqrt-n: You divided by the root of the number of queries; it should be the root of d_k.",
        "Which size does the spread of a score grow with?",
        paired(scale=lambda Q, K, V: np.sqrt(Q.shape[-2])),
        "scaled-by-sqrt-d_v: You divided by the root of d_v, the width of a value; it should be the width of a query.",
        "Which vectors meet in a dot product?",
        paired(scale=lambda Q, K, V: np.sqrt(V.shape[-1])),
        "axis-counted-from-front: You divided by the root of `Q.shape[1]`, which is d_k only where there is no batch.",
        "Count axes from the end: `shape[-1]`.",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[1])},
        "axis-counted-from-front: Your softmax runs along axis 1, which is the keys only where there is no batch.",
        "Count axes from the end: -1.",
        along(1),
        "softmax-over-queries: Your softmax runs along axis 0: over the queries, or over the batch where there is one.",
        "Which axis runs over the keys?",
        along(0),
        "softmax-over-queries: Without a mask your softmax runs over the queries; with one it is right.",
        "Which axis do your two softmaxes run along?",
        lambda Q, K, V, allowed=None: variant(**({} if allowed is not None else along(-2)))(Q, K, V, allowed),
        "no-scaling: With a mask you do not divide the scores by the root of a query's width; without one you do.",
        "Which lines belong to every call, with a mask or without?",
        lambda Q, K, V, allowed=None: variant(**({} if allowed is None else {"scale": _one}))(
            Q, K, V, allowed
        ),
        "keys-by-queries: Your scores have keys as rows; a row belongs to a query.",
        "Which of the two stands on the left of the product?",
        {"score": lambda Q, K: K @ Q.swapaxes(-2, -1)},
        "rows-paired: You compared query i with key i only; every query meets every key.",
        "What shape should the scores have?",
        {"score": lambda Q, K: (Q * K).sum(-1)},
        "np-dot-crosses-batches: You multiplied every sequence of a batch with every other, as `np.dot` does; `@` keeps them apart.",
        "What shape has your result for a batch?",
        {"score": lambda Q, K: np.dot(Q, K.swapaxes(-2, -1)), "mix": lambda w, V, K: np.dot(w, V)},
        {"mix": lambda w, V, K: np.dot(w, V)},
        "not-transposed-back: Your output has queries as columns; a row belongs to a query.",
        "What shape should the output have?",
        {"mix": lambda w, V, K: (w @ V).swapaxes(-2, -1)},
        "mask-required: Without a mask you hide every key: all weights are 0.",
        "Where do you ask whether there is a mask, `is not None`? For `np.where`, None is False.",
        {"mask": lambda a, s: np.zeros(s.shape, bool) if a is None else a},
        "mask-not-broadcast: You hand the mask to `scaled_dot_product_attention` as it comes: PyTorch stops at a mask of one axis beside four.",
        "Give such a mask a second axis before you hand it over.",
        {"hide": _as_the_library_takes_it},
        "query-not-used: You compared the keys with themselves; Q does not count.",
        "Where does Q appear in your code?",
        {"inputs": lambda Q, K, V: (K, K, V)},
        "one-matrix-twice: You compared the queries with themselves; K does not count.",
        "Where does K appear in your code?",
        {"inputs": lambda Q, K, V: (Q, Q, V)},
        "values-for-keys: You compared the queries with the values; K does not count.",
        {"inputs": lambda Q, K, V: (Q, V, V)},
        "arguments-swapped: Queries and values have changed places: your arguments come in the order V, K, Q.",
        "In which order does the task name them?",
        {"inputs": lambda Q, K, V: (V, K, Q)},
        "no-softmax: Your output is mixed with the scores themselves; the weights you returned are right.",
        "With what should V be multiplied?",
        lambda Q, K, V, allowed=None: (
            Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1]) @ V,
            attend(Q, K, V, allowed).weights,
        ),
        "key-and-value-swapped: Keys and values have changed places: queries meet keys, and values are mixed.",
        "In which order do your arguments come?",
        {"inputs": lambda Q, K, V: (Q, V, K)},
        "causal-by-default: Your output hides later keys, whichever the mask names; your weights are right.",
        "Compare your output with the weights you return times V.",
        lambda Q, K, V, allowed=None: (
            attend(Q, K, V, causal(Q @ K.swapaxes(-2, -1))).output,
            attend(Q, K, V, allowed).weights,
        ),
        "mask-ignored: Your output is mixed from all keys, as if there were no mask; your weights are right.",
        lambda Q, K, V, allowed=None: (attend(Q, K, V, None).output, attend(Q, K, V, allowed).weights),
        "mask-on-values: You set values to 0 and left the weights alone: hidden keys keep their weight.",
        "Which number should be 0 for a hidden key: its value or its weight?",
        _values_hidden,
    ),
    *attention.RESULTS,
)
