"""The probe of `look_back`: at which tokens each token scores highest with the query matrix that comes back."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.base import ProbeError, call, refuse_uncalled

MARGIN = 1e-9
"""Scores that differ by less, as a part of the numbers they are sums of, are equal but for rounding."""

NOT_AN_ARRAY = {
    "NoneType": "returns-none",
    "list": "returns-list",
    "tuple": "returns-tuple",
    "set": "returns-set",
    "dict": "returns-dict",
    "generator": "returns-generator",
    "Tensor": "returns-tensor",
    "str": "returns-string",
    "ellipsis": "placeholder-left",
}
HINTS = {
    "NoneType": "Every way through your function should end in a `return`.",
    "list": "`np.array(...)` turns a list into an array.",
    "tuple": "`np.vstack(...)` puts the parts of W_q below each other in one array.",
    "tuple with W_q": "Only W_q is asked for: one array, not in a tuple.",
    "list of numbers": "W_q has num_words + n rows of n numbers each, and this is one row: `np.zeros((rows, columns))` makes room for them.",
    "Tensor": "Does your code need PyTorch here? `.numpy()` makes an array of a tensor.",
    "ellipsis": "Which line still says `...`? Write what belongs there.",
}


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Where the tokens from place `steps` on score highest, and whether a second call gives the same.

    Returns:
        `highest (num_words, n - steps, n)`: entry `[w, i, j]` is 1 where the token with word w at place
        `steps + i` has its highest score at token j, up to rounding; `by_place (n - steps, n)`, the same
        from the rows of the places alone; and `repeated`.
    """
    num_words, n, steps = args.values()
    W_q = _weights(call(answer, args), num_words, n)
    words, places = W_q[:num_words, None], W_q[None, num_words + steps :]
    again = call(answer, args)
    repeated = isinstance(again, np.ndarray) and np.array_equal(W_q, again)
    by_place = _highest(np.zeros_like(words[:1]), places)[0]
    return {"highest": _highest(words, places), "by_place": by_place, "repeated": repeated}


once = call
"""The one call that a trace shows."""


def _highest(words: np.ndarray, places: np.ndarray) -> np.ndarray:
    """1 where the sum of the row of a word and the row of a place is highest, up to rounding."""
    scores = words / 2 + places / 2  # half of each: a sum of two large numbers is infinite
    largest = np.maximum(*(np.abs(part).max(-1, keepdims=True) for part in (words, places)))
    return (scores >= scores.max(-1, keepdims=True) - MARGIN * (largest / 2)).astype(int)


def _form(found: Any, num_words: int, n: int) -> str:
    """The type of what is no array; of a list and of a tuple also what it holds."""
    kind = type(found).__name__
    if kind == "list" and found and all(isinstance(one, int | float | np.number) for one in found):
        return "list of numbers"
    if kind == "tuple" and any(getattr(one, "shape", None) == (num_words + n, n) for one in found):
        return "tuple with W_q"
    return kind


def _weights(W_q: Any, num_words: int, n: int) -> np.ndarray:
    """A copy of the query matrix in float64.

    Raises:
        ProbeError: when it is no array of real, finite numbers of shape `(num_words + n, n)`.
    """
    if not isinstance(W_q, np.ndarray):
        refuse_uncalled("the result should be a NumPy array", W_q)
        kind = type(W_q).__name__
        is_ = "nothing (None): is a `return` missing?" if W_q is None else f"of type {kind}"
        says = f"it should return a NumPy array; the result is {is_}"
        hint = HINTS.get(_form(W_q, num_words, n), "`np.zeros((rows, columns))` is an array to begin with.")
        raise ProbeError(says, NOT_AN_ARRAY.get(kind, "returns-something-else"), hint)
    if W_q.dtype.kind not in "biuf":
        says = f"W_q should hold real numbers; it is an array of {W_q.dtype}"
        raise ProbeError(says, "wrong-dtype", "What else than a number has come among the entries?")
    if W_q.shape != (num_words + n, n):
        says = f"W_q has the wrong shape: expected {(num_words + n, n)}, got {W_q.shape}"
        hint = "How many numbers has a token, and how many has a query?"
        raise ProbeError(says, hint=hint)
    W_q = np.array(W_q, dtype=np.float64, subok=False)
    odd = W_q[~np.isfinite(W_q)]
    if np.isinf(odd).any():
        says = f"W_q holds {odd[np.isinf(odd)][0]}, and 0 times infinity is NaN: the scores are NaN too"
        raise ProbeError(says, "zero-times-inf", "A token is mostly zeros: which finite numbers will do?")
    if odd.size:
        hint = "Which step divides by 0, or reads an array before it is filled?"
        raise ProbeError(f"W_q has {odd.size} NaN of {W_q.size} entries", "nan-entries", hint)
    return W_q
