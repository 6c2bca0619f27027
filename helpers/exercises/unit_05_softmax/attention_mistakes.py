"""What people get wrong in `attention`: the same function with one or more of its steps replaced."""

from collections.abc import Callable
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
    causal,
    hide,
)


def variant(
    *,
    result: Callable[[Attended], Any] = lambda found: (found.output, found.weights),
    **steps: Callable,
) -> Callable[..., Any]:
    """Attention with some of its steps replaced by wrong ones."""

    def answer(Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None) -> Any:
        return result(attend(Q, K, V, allowed, **steps))

    return answer


def _other_inputs(change: Callable[..., tuple]) -> Callable[..., Any]:
    """Right attention on wrong inputs."""

    def answer(Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None) -> Any:
        return variant()(*change(Q, K, V), allowed)

    return answer


def _causal_output(Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None) -> Any:
    found = attend(Q, K, V, allowed)
    return attend(Q, K, V, causal(found.scores)).output, found.weights


def _open_output(Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None) -> Any:
    return attend(Q, K, V, None).output, attend(Q, K, V, allowed).weights


def _values_hidden(Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None) -> Any:
    weights = attend(Q, K, V, None).weights
    if allowed is not None:
        V = V * np.broadcast_to(allowed, weights.shape).any(axis=-2)[..., None]
    return weights @ V, weights


def _np_dot(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return np.dot(Q, K.swapaxes(-2, -1))


def _as_the_library_takes_it(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    if scores.ndim == 4 and allowed.ndim == 1:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)")
    return hide(scores, allowed)


_SIZES = (
    Wrong(
        "scaled-by-sqrt-n",
        "You divided by the root of the number of queries; it should be the root of d_k.",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[-2])},
        "Which size does the spread of a score grow with?",
    ),
    Wrong(
        "scaled-by-sqrt-d_v",
        "You divided by the root of d_v, the width of a value; it should be the width of a query.",
        {"scale": lambda Q, K, V: np.sqrt(V.shape[-1])},
        "Which vectors meet in a dot product?",
    ),
    Wrong(
        "axis-counted-from-front",
        "You divided by the root of `Q.shape[1]`, which is d_k only where there is no batch.",
        {"scale": lambda Q, K, V: np.sqrt(Q.shape[1])},
        "Count axes from the end: `shape[-1]`.",
        alone=True,
    ),
    Wrong(
        "axis-counted-from-front",
        "Your softmax runs along axis 1, which is the keys only where there is no batch.",
        along(1),
        "Count axes from the end: -1.",
        alone=True,
    ),
    Wrong(
        "softmax-over-queries",
        "Your softmax runs along axis 0: over the queries, or over the batch where there is one.",
        along(0),
        "Which axis runs over the keys?",
        alone=True,
    ),
)

_PARTS = (
    Wrong(
        "keys-by-queries",
        "Your scores have keys as rows; a row belongs to a query.",
        {"score": lambda Q, K: K @ Q.swapaxes(-2, -1)},
        "Which of the two stands on the left of the product?",
        alone=True,
    ),
    Wrong(
        "rows-paired",
        "You compared query i with key i only; every query meets every key.",
        {"score": lambda Q, K: (Q * K).sum(-1)},
        "What shape should the scores have?",
        alone=True,
    ),
    Wrong(
        "np-dot-crosses-batches",
        "`np.dot` multiplies every sequence of a batch with every other; `@` keeps them apart.",
        {"score": _np_dot, "mix": lambda w, V, K: np.dot(w, V)},
        "What shape has your result for a batch?",
        alone=True,
    ),
    Wrong(
        "np-dot-crosses-batches",
        "`np.dot` multiplies every sequence of a batch with every other; `@` keeps them apart.",
        {"mix": lambda w, V, K: np.dot(w, V)},
        "What shape has your result for a batch?",
        alone=True,
    ),
    Wrong(
        "not-transposed-back",
        "Your output has queries as columns; a row belongs to a query.",
        {"mix": lambda w, V, K: (w @ V).swapaxes(-2, -1)},
        "What shape should the output have?",
        alone=True,
    ),
)

_LIBRARY = Wrong(
    "mask-not-broadcast",
    "You hand the mask to `scaled_dot_product_attention` as it comes: PyTorch stops at a mask of one axis beside four.",
    {"hide": _as_the_library_takes_it},
    "Give such a mask a second axis before you hand it over.",
    alone=True,
)

_INPUTS = (
    Mistake(
        "query-not-used",
        "You compared the keys with themselves; Q does not count.",
        _other_inputs(lambda Q, K, V: (K, K, V)),
        "Where does Q appear in your code?",
    ),
    Mistake(
        "one-matrix-twice",
        "You compared the queries with themselves; K does not count.",
        _other_inputs(lambda Q, K, V: (Q, Q, V)),
        "Where does K appear in your code?",
    ),
    Mistake(
        "key-and-value-swapped",
        "Keys and values have changed places: queries meet keys, and values are mixed.",
        _other_inputs(lambda Q, K, V: (Q, V, K)),
        "In which order do your arguments come?",
    ),
    Mistake(
        "values-for-keys",
        "You compared the queries with the values; K does not count.",
        _other_inputs(lambda Q, K, V: (Q, V, V)),
        "Where does K appear in your code?",
    ),
    Mistake(
        "causal-by-default",
        "Your output hides later keys, whichever the mask names; your weights are right.",
        _causal_output,
        "Compare your output with the weights you return times V.",
    ),
    Mistake(
        "mask-ignored",
        "Your output is mixed from all keys, as if there were no mask; your weights are right.",
        _open_output,
        "Compare your output with the weights you return times V.",
    ),
    Mistake(
        "mask-on-values",
        "You set values to 0 and left the weights alone: hidden keys keep their weight.",
        _values_hidden,
        "Which number should be 0 for a hidden key: its value or its weight?",
    ),
)

MISTAKES = (
    *as_mistakes(
        variant, (*SCALES, *_SIZES, *SCORES, *SOFTMAXES, *MASKS, *MIXES, *_PARTS, _LIBRARY, *RESULTS)
    ),
    *_INPUTS,
)
