"""The attention explorer: every step from Q and K to the output, for one query and one key at a time."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import allowed_cells, broadcast
from helpers.plots.heatmaps import heatmap
from helpers.plots.pipeline import chain
from helpers.plots.style import heading
from helpers.reference import masked_softmax
from helpers.views.data import (
    LARGEST,
    Weights,
    cut,
    finite,
    folded,
    named,
    packed,
    rows_of_bits,
    stack,
)
from helpers.views.data import weights as checked
from helpers.views.view import View

_FEW = 8
"""Tokens whose whole chain fits into a picture; of more, the picture shows the weights."""
_NUMBERS = 1200
"""Numbers of Q, K and V that may go into a page; of wider ones the first features go, and the scores."""


def explore_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    allowed: ArrayLike | None = None,
    tokens: Sequence[Any] | None = None,
    *,
    query_tokens: Sequence[Any] | None = None,
    title: str = "Attention, step by step",
) -> View:
    """Scores, scaling, mask, softmax and mixing, with the arithmetic of one cell spelled out.

    Args:
        Q: queries, `(n_q, d_k)`, or `(h, n_q, d_k)` for several heads.
        K: keys, `(n_k, d_k)` or `(h, n_k, d_k)`.
        V: values, `(n_k, d_v)` or `(h, n_k, d_v)`.
        allowed: boolean, broadcasts to `(h, n_q, n_k)`; `True` = this query may look at this key.
        tokens: n_k labels of the keys, and of the queries when n_q = n_k.
        query_tokens: n_q labels of the queries, where they are others.
        title: heading.

    Raises:
        ValueError: when shapes do not fit together, the number of labels differs, or a number is not finite.

    With more than 64 tokens the weights alone are shown.  Source: "Attention Is All You Need", equation 1.
    """
    title = heading(title)
    q, k, v = (stack(name, value) for name, value in (("Q", Q), ("K", K), ("V", V)))
    _fits_together(q, k, v)
    may = _allowed(allowed, (*q.shape[:2], k.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        dots = q @ k.swapaxes(-1, -2)
    finite("Q, K", dots)
    found = masked_softmax(dots / np.sqrt(q.shape[-1]), may)
    queries, keys = named(found.shape, tokens, query_tokens)
    if max(found.shape[1:]) > LARGEST:
        few = folded(found, queries, keys)
        return _of_weights(few, title, f"{few.note} The steps that lead to the weights are left out.")
    shown = max(1, min(max(q.shape[-1], v.shape[-1]), _NUMBERS // (q[..., 0].size + 2 * k[..., 0].size)))
    data = {
        "title": title, "queries": queries, "keys": keys, "note": "", "d_k": q.shape[-1], "d_v": v.shape[-1],
        "Q": packed(q[..., :shown]), "K": packed(k[..., :shown]), "V": packed(v[..., :shown]),
    }  # fmt: skip
    if shown < q.shape[-1]:
        data["dots"] = packed(dots)
    n_q, n_k = may.shape[1:]
    if n_q == n_k > 1 and np.array_equal(may, np.broadcast_to(np.tri(n_q, dtype=bool), may.shape)):
        data["causal"] = True  # it has a switch of its own
    elif allowed is not None:
        data["allowed"] = rows_of_bits(may)
    if max(may.shape[1:]) > _FEW:
        picture = heatmap(
            found[0], rows=cut(queries), columns=cut(keys), kind="weights", title=title + _of(q)
        )
        return View("explorer", data, picture)
    scaled, output = dots / np.sqrt(q.shape[-1]), found @ v
    names = {"tokens": cut(queries), "keys": cut(keys)}
    picture = chain(scaled[0], may[0], found[0], output[0, :, :shown], title=title + _of(q), **names)
    return View("explorer", data, picture)


def explore_weights(
    weights: ArrayLike,
    tokens: Sequence[Any] | None = None,
    *,
    query_tokens: Sequence[Any] | None = None,
    title: str = "Attention weights",
) -> View:
    """Attention weights, however they were made: where each token of each head looks.

    Args:
        weights: `(n_q, n_k)`, or `(h, n_q, n_k)` for several heads; a batch axis of 1 may stand before.
        tokens: n_k labels of the keys, and of the queries when n_q = n_k.
        query_tokens: n_q labels of the queries, where they are others.
        title: heading.

    Raises:
        ValueError: when the weights of a query neither add up to 1 nor are all 0, or labels are missing.

    With more than 64 tokens, the first ones are shown and the others together in one column.
    """
    title = heading(title)
    found = checked(weights, tokens, query_tokens)
    return _of_weights(found, title, found.note)


def _of_weights(found: Weights, title: str, note: str) -> View:
    data = {"title": title, "queries": found.queries, "keys": found.keys, "note": note}
    data["weights"] = packed(found.weights)
    more = f", head 0 of {len(found.weights)}" if len(found.weights) > 1 else ""
    picture = heatmap(
        found.weights[0], rows=cut(found.queries), columns=cut(found.keys), kind="weights", title=title + more
    )
    if note:
        picture.description += f" {note}"
    return View("explorer", data, picture)


def _fits_together(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> None:
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"K: expected keys as wide as the queries, {q.shape[-1]}; got shape {k.shape}")
    if v.shape[-2] != k.shape[-2]:
        raise ValueError(f"V: expected one value per key, {k.shape[-2]}; got shape {v.shape}")
    if not len(q) == len(k) == len(v):
        raise ValueError(f"Q, K, V: expected as many heads in each; got {len(q)}, {len(k)} and {len(v)}")


def _allowed(allowed: Any, shape: tuple[int, ...]) -> np.ndarray:
    may = np.array(True) if allowed is None else allowed_cells(allowed, None)
    while may.ndim > 3 and may.shape[0] == 1:
        may = may[0]
    return broadcast(may, "scores", shape)


def _of(q: np.ndarray) -> str:
    return f", head 0 of {len(q)}" if len(q) > 1 else ""
