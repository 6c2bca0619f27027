"""The probe of `same_word_head`: the attention weights that two matrices give the tokens of one sentence."""

import inspect
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.base import ProbeError, refuse_uncalled

PARTS = ("W_q", "W_k")
TUPLE = "`return W_q, W_k` makes a tuple of two arrays."
NOT_A_TUPLE = {
    "NoneType": ("nothing (None): is a `return` missing?", "returns-none"),
    "list": ("a Python list", "returns-list"),
    "dict": ("a dict", "returns-dict"),
    "str": ("a string", "returns-string"),
    "generator": ("a generator", "returns-generator"),
    "Tensor": ("a torch.Tensor", "returns-tensor"),
}
NOT_AN_ARRAY = {
    "NoneType": ("None", "one-output-missing", "What should stand for it in your `return`?"),
    "list": ("a Python list", "returns-list", "`np.array(...)` turns a list into an array."),
    "Tensor": ("a torch.Tensor", "returns-tensor", "`.numpy()` makes an array of a tensor."),
}
ROWS = "A token is num_words numbers for its word, then n for its place: each of them meets one row."

COLUMN = "`W[:, None]` makes one column of a row of numbers: then `d_head` is 1."
FLAT = "`np.append` without an axis, and `ravel`, flatten. `np.vstack` puts the parts of a matrix below each other."
ROWS_IN_THE_NOTEBOOK = 9
"""Matrices made from the tokens of the notebook have so many rows in every call."""

Array = np.ndarray


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Array]:
    """What comes of the learner's matrices, on tokens that are one-hot words beside one-hot places.

    Args:
        answer: the learner's function.
        args: `num_words` and `n`, and the sentence `words (n,)`, which the function is not shown.

    Returns:
        `weights (n, n)` of the sentence; `scores (num_words + n, num_words + n)`: what each part of a token,
        word or place, adds to a score as part of a query (rows) and as part of a key (columns); and whether
        the arguments of the answer are `turned`.
    """
    if not callable(answer):
        raise ProbeError(f"it should be a function; it is of type {type(answer).__name__}")
    num_words, n = args["num_words"], args["n"]
    matrices = _matrices(answer(num_words, n), num_words, n)
    with np.errstate(all="ignore"):
        scores = _scores(*(W[args["words"]] + W[num_words:] for W in matrices))
        _must_be_finite_scores(scores)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights = powers / powers.sum(axis=1, keepdims=True)
        return {"weights": weights, "scores": _scores(*matrices), "turned": _takes_n_first(answer)}


def _takes_n_first(answer: Any) -> bool:
    """Whether the arguments have the names of the task and stand the other way round."""
    try:
        return list(inspect.signature(answer).parameters) == ["n", "num_words"]
    except (TypeError, ValueError):  # something built in
        return False


def _scores(Q: Array, K: Array) -> Array:
    """Scaled scores, row by row: a matrix product may round equal rows differently, and much at huge numbers."""
    return np.array([np.einsum("jd,d->j", K, row) for row in Q]) / math.sqrt(Q.shape[1])


def _matrices(found: Any, num_words: int, n: int) -> list[Array]:
    """The two matrices in double precision.

    Raises:
        ProbeError: where it is anything but a tuple of two finite matrices that fit tokens and each other.
    """
    _must_be_a_pair(found)
    for name, W in zip(PARTS, found, strict=True):
        _must_be_a_matrix(name, W, num_words + n)
    for name, W in zip(PARTS, found, strict=True):
        _must_fit(name, W, num_words, n)
    if found[0].shape != found[1].shape:
        widths = " and ".join(
            f"`{name}` has {W.shape[1]} column{'s' * (W.shape[1] != 1)}"
            for name, W in zip(PARTS, found, strict=True)
        )
        hint = "How wide are a query and a key that have a dot product?"
        raise ProbeError(f"{widths}; a query and a key are equally wide", "widths-differ", hint)
    if not found[0].shape[1]:
        raise ProbeError("`W_q` and `W_k` have no column: `d_head` is at least 1", "no-columns")
    with np.errstate(all="ignore"):
        matrices = [np.ascontiguousarray(W, dtype=np.float64) for W in found]
    for name, W in zip(PARTS, matrices, strict=True):
        _must_be_finite(name, W)
    return matrices


def _must_be_a_pair(found: Any) -> None:
    if isinstance(found, tuple):
        if len(found) != 2:
            says = f"the result should be the tuple (W_q, W_k); it is a tuple of {len(found)}"
            raise ProbeError(says, "one-output-missing" if len(found) < 2 else "extra-output", TUPLE)
        return
    refuse_uncalled("the result should be the tuple (W_q, W_k)", found)
    kind = type(found).__name__
    is_, wrong = NOT_A_TUPLE.get(kind, (f"of type {kind}", None))
    shape = getattr(found, "shape", None)
    if isinstance(found, np.ndarray):
        is_, wrong = f"one NumPy array of shape {shape}", "one-output-missing"
    if isinstance(shape, tuple) and len(shape) == 3 and shape[0] == 2:
        wrong = "returns-stacked"
    raise ProbeError(f"the result should be the tuple (W_q, W_k); it is {is_}", wrong, TUPLE)


def _must_be_a_matrix(name: str, W: Any, rows: int) -> None:
    if not isinstance(W, np.ndarray):
        refuse_uncalled(f"`{name}` should be a NumPy array", W)
        kind = type(W).__name__
        is_, wrong, hint = NOT_AN_ARRAY.get(kind, (f"of type {kind}", None, None))
        raise ProbeError(f"`{name}` should be a NumPy array; it is {is_}", wrong, hint)
    if W.dtype.kind not in "biuf":
        says = f"`{name}` should hold real numbers; it is an array of type {W.dtype}"
        raise ProbeError(says, "not-numbers", "Which line puts something else into the array?")
    if W.ndim != 2:
        says = f"`{name}` should have two axes, (num_words + n, d_head); it has shape {W.shape}"
        wrong, hint = {
            0: (None, ROWS),
            1: ("shape-flattened", FLAT if W.size > rows else COLUMN),
        }.get(W.ndim, ("too-many-axes", "It is one matrix of one head: which axis is too many?"))
        raise ProbeError(says, wrong, hint)


def _must_fit(name: str, W: Array, num_words: int, n: int) -> None:
    """Refuse a matrix with other rows than a token has numbers."""
    rows, columns = W.shape
    if rows == num_words + n:
        return
    if columns == num_words + n and rows != ROWS_IN_THE_NOTEBOOK:
        says = f"`{name}` has shape {W.shape}, expected ({columns}, d_head): is it turned round?"
        hint = "A token is multiplied from the left, `token @ W_q`: which axis of the matrix meets it?"
        raise ProbeError(says, "weight-transposed", hint)
    says = f"`{name}` has {rows} rows; expected num_words + n = {num_words + n}"
    wrong = None
    if rows in (num_words, n) and num_words != n:
        lacks, wrong = (
            ("places", "no-rows-for-places") if rows == num_words else ("words", "no-rows-for-words")
        )
        says += f". There are none for the {lacks}"
    raise ProbeError(says, wrong, ROWS)


def _must_be_finite(name: str, W: Array) -> None:
    odd = W[~np.isfinite(W)]
    if odd.size:
        is_ = "NaN" if np.isnan(odd[0]) else str(odd[0])
        says = f"`{name}` should hold finite numbers; it holds {is_}"
        hint = "0 times infinity is NaN. A row of zeros is enough to leave something out of a score."
        raise ProbeError(says, "not-finite", hint)


def _must_be_finite_scores(scores: Array) -> None:
    odd = np.argwhere(~np.isfinite(scores))
    if len(odd):
        i, j = (int(place) for place in odd[0])
        is_ = "NaN" if np.isnan(scores[i, j]) else str(scores[i, j])
        says = f"your numbers are too large: the score of token {i} with token {j} overflows to {is_}"
        hint = "How large does e^score get for a score of 20? Far smaller numbers in the matrices will do."
        raise ProbeError(says, "scores-overflow", hint)
