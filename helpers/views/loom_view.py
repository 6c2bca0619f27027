"""The loom: every stage of attention side by side, numbers one can pull, and mistakes one can switch on."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers import example
from helpers.arrays import array, one_of
from helpers.plots.figure import DescribedFigure
from helpers.plots.heatmaps import heatmap
from helpers.plots.pipeline import chain
from helpers.plots.style import heading
from helpers.views.data import (
    LARGEST,
    Weights,
    cut,
    exact,
    folded,
    named,
    rows_of_bits,
    stack,
)
from helpers.views.data import weights as checked
from helpers.views.loom_numbers import allowed_in, computed
from helpers.views.loom_page import begun, finished
from helpers.views.stages import ENDS, columns
from helpers.views.view import View

_FEW = 8
"""Tokens whose whole chain fits into a picture; of more, the picture shows one stage."""
_WIDE = 16
"""Columns of the output in a picture."""
_NUMBERS = 40_000
"""Numbers that may go into a page; of more heads the first ones go."""


def loom(
    X: ArrayLike | None = None,
    W_q: ArrayLike | None = None,
    W_k: ArrayLike | None = None,
    W_v: ArrayLike | None = None,
    W_o: ArrayLike | None = None,
    num_heads: int = 1,
    allowed: ArrayLike | None = None,
    tokens: Sequence[Any] | None = None,
    *,
    Q: ArrayLike | None = None,
    K: ArrayLike | None = None,
    V: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    query_tokens: Sequence[Any] | None = None,
    until: str = "output",
    mistake: str | None = None,
    yours: Mapping[str, ArrayLike] | None = None,
    title: str = "The loom",
) -> View:
    """Attention on a loom: pull on a number, break a line of code, and see what moves.

    It begins with a sentence, with queries, keys and values, or with weights.  Without any of them it is
    "I saw a saw", and other sentences can be typed.

    Args:
        X: a sentence, `(n, d)`.
        W_q: `(d, d_model)`, where `X` is given; `None` is the identity.
        W_k: the same.
        W_v: the same.
        W_o: `(d_model, d_out)`, or `None` to leave the last projection out.
        num_heads: h, which divides d_model.
        allowed: boolean, broadcasts to `(h, n_q, n_k)`; `True` = this query may look at this key.
        tokens: n_k labels of the keys, and of the queries when n_q = n_k.
        Q: queries, `(n_q, d_k)` or `(h, n_q, d_k)`: the stages before are left out.
        K: keys, `(n_k, d_k)` or `(h, n_k, d_k)`.
        V: values, `(n_k, d_v)` or `(h, n_k, d_v)`; without them it ends with the weights.
        weights: `(n_q, n_k)` or `(h, n_q, n_k)`: alone, or to mix the rows of `V`.
        query_tokens: n_q labels of the queries, where they are others.
        until: the last stage: `similarity` (X Xᵀ), `scores`, `scaled`, `masked`, `weights` or `output`.
        mistake: the id of a mistake that is switched on at the start, such as `"softmax-over-queries"`.
        yours: your own numbers by the name of their stage, shown with ≠ where they differ.
        title: heading.

    Raises:
        ValueError: when shapes do not fit together, a number is not finite, labels are too few or too many,
            heads do not divide d_model, or a name is unknown.

    With more than 64 tokens the weights alone are shown.  Source: "Attention Is All You Need", equation 1.
    """
    title = heading(title)
    one_of("until", until, ENDS)
    others = (X, W_q, W_k, W_v, W_o, Q, K, allowed)
    if weights is not None and any(one is not None for one in others):
        raise ValueError("weights: expected weights alone, or weights and V; got other arrays too")
    if weights is not None:
        given = {"weights": checked(weights, tokens, query_tokens)}
        return _of_weights(given["weights"], V, yours, title)
    projected = {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o}
    from_x = Q is None and K is None and V is None
    if from_x:
        spoken = X is None
        if spoken:
            X, tokens = example.X, tokens if tokens is not None else example.TOKENS
            ours = {
                "W_q": example.W_Q,
                "W_k": example.W_K,
                "W_v": example.W_V,
                "W_o": example.W_O if num_heads != 1 else None,
            }
            projected = {name: ours[name] if value is None else value for name, value in projected.items()}
        given = _projected(X, projected, num_heads)
        if until == "similarity":
            given = {"X": given["X"]}
        heads, n_q, n_k = num_heads, given["X"].shape[1], given["X"].shape[1]
    else:
        spoken = False
        given = _queries_keys_values(Q, K, V, X, projected)
        heads, n_q, n_k = len(given["Q"]), given["Q"].shape[1], given["K"].shape[1]
    may = allowed_in(allowed, (heads, n_q, n_k))
    queries, keys = named((n_q, n_k), tokens, query_tokens)
    done = computed(given, heads, may)
    if max(n_q, n_k) > LARGEST:
        part = folded(done["weights"], queries, keys)
        note = f"{part.note} The steps that lead to the weights are left out."
        return _of_weights(Weights(part.weights, part.queries, part.keys, note), None, None, title)
    note = ""
    if from_x and sum(one.size for one in given.values()) > _NUMBERS:
        given, from_x = {name: done.get(f"{name}_h", done[name]) for name in "QKV"}, False
        done["output"] = done["H"]
        note = "The projections are too large for a page: this begins with the queries, keys and values."
    if not from_x and (some := sum(one[0].size for one in given.values())) * heads > _NUMBERS:
        shown = max(1, _NUMBERS // some)
        given, may = {name: one[:shown] for name, one in given.items()}, may[:shown]
        few = (
            f"{heads} heads are too many: these are the first {shown}."
            if shown > 1
            else f"This is head 0 of {heads}."
        )
        note = f"{note} {few}".strip()
        heads = shown
    with_heads = from_x and (heads > 1 or "W_o" in given) and until != "similarity"
    laid = columns(given, until, with_heads, "W_o" in given)
    own_masks = not (may == may[:1]).all()
    data = begun(title, note, laid, given, (heads, n_q, n_k), (queries, keys), own_masks)
    data["start"]["at"] = _at(data["stages"], n_q)
    stages = set(data["stages"])
    if "allowed" in stages:
        data["allowed"] = rows_of_bits(may)
        causal = n_q == n_k > 1 and np.array_equal(may, np.broadcast_to(np.tri(n_q, dtype=bool), may.shape))
        data["usual"] = "causal" if causal else "none"
        data["start"]["mask"] = data["usual"] if causal or may.all() else "your own"
    if spoken:
        data["language"] = {
            "words": {word: exact(numbers) for word, numbers in example.WORD.items()},
            "places": exact(example.POSITIONS),
        }
    if mistake is not None:
        known = {wrong["id"]: line["makes"][0] for line in data["lines"] for wrong in line["wrong"]}
        one_of("mistake", mistake, sorted(known))
        data["start"]["chosen"] = {known[mistake]: mistake}
    if yours is not None:
        data["yours"] = _yours(yours, {name: done[name] for name in stages if name in done})
    return View("loom", data | finished(data, given), _picture(done, may, queries, keys, stages, title))


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
    return loom(weights=weights, tokens=tokens, query_tokens=query_tokens, title=title)


def _of_weights(found: Weights, V: Any, yours: Any, title: str) -> View:
    given = {"weights": found.weights}
    if V is not None:
        given["V"] = stack("V", V)
        heads, n_k = len(found.weights), found.weights.shape[-1]
        if given["V"].shape[1] != n_k or len(given["V"]) not in (1, heads):
            raise ValueError(f"V: expected one value per key, {n_k}; got shape {given['V'].shape}")
        given["V"] = np.broadcast_to(given["V"], (heads, *given["V"].shape[1:]))
    laid = columns(given, "output", False, False)
    shape = found.weights.shape
    data = begun(title, found.note, laid, given, shape, (found.queries, found.keys))
    data["start"]["at"] = _at(data["stages"], shape[1])
    if yours is not None:
        done = given | ({"output": found.weights @ given["V"]} if "V" in given else {})
        data["yours"] = _yours(yours, done)
    more = f", head 0 of {len(found.weights)}" if len(found.weights) > 1 else ""
    rows, across = cut(found.queries), cut(found.keys)
    picture = heatmap(found.weights[0], rows=rows, columns=across, kind="weights", title=title + more)
    if found.note:
        picture.description += f" {found.note}"
    return View("loom", data | finished(data, given), picture)


def _at(stages: Collection[str], n_q: int) -> list[Any]:
    """What is chosen at the start: the second query, where there is one."""
    return [_last(stages), int(n_q > 1), 0]


def _last(stages: Collection[str]) -> str:
    """The weights, or what stands for them where the loom ends before."""
    return next(name for name in ("weights", "masked", "scaled", "scores", "similarity") if name in stages)


def _projected(X: Any, given: Mapping[str, Any], num_heads: int) -> dict[str, np.ndarray]:
    """The sentence and its matrices, checked, each with a leading axis of 1."""
    if not isinstance(num_heads, int | np.integer) or isinstance(num_heads, bool) or num_heads < 1:
        raise ValueError(f"num_heads: expected a whole number from 1 on; got {num_heads!r}")
    x = stack("X", X)
    if len(x) != 1:
        raise ValueError(f"X: expected one sentence (n, d); got shape {array('X', X).shape}")
    found = {"X": x}
    for name in ("W_q", "W_k", "W_v"):
        value = np.eye(x.shape[-1]) if given[name] is None else given[name]
        found[name] = _matrix(name, value, x.shape[-1])
    wide = found["W_q"].shape[-1]
    if found["W_k"].shape[-1] != wide:
        raise ValueError(
            f"W_k: expected keys as wide as the queries, {wide}; got shape {found['W_k'].shape[1:]}"
        )
    if num_heads > 1 and found["W_v"].shape[-1] != wide:
        raise ValueError(
            f"W_v: expected values as wide as the queries, {wide}; got shape {found['W_v'].shape[1:]}"
        )
    if wide % num_heads:
        raise ValueError(f"num_heads: d_model = {wide} cannot be cut into {num_heads} heads of equal width")
    if given["W_o"] is not None:
        found["W_o"] = _matrix("W_o", given["W_o"], found["W_v"].shape[-1])
    return found


def _matrix(name: str, value: Any, rows: int) -> np.ndarray:
    found = array(name, value, 2)
    if len(found) != rows:
        raise ValueError(f"{name}: expected {rows} rows; got shape {found.shape}")
    return stack(name, found)


def _queries_keys_values(Q: Any, K: Any, V: Any, X: Any, weights: Mapping[str, Any]) -> dict[str, np.ndarray]:
    if X is not None or any(one is not None for one in weights.values()):
        raise ValueError("X and Q, K, V: expected a sentence, or queries, keys and values; got both")
    if Q is None or K is None:
        raise ValueError("Q, K: expected queries and keys; got only one of them, or only V")
    found = {name: stack(name, value) for name, value in (("Q", Q), ("K", K), ("V", V)) if value is not None}
    q, k = found["Q"], found["K"]
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"K: expected keys as wide as the queries, {q.shape[-1]}; got shape {k.shape}")
    if "V" in found and found["V"].shape[1] != k.shape[1]:
        raise ValueError(f"V: expected one value per key, {k.shape[1]}; got shape {found['V'].shape}")
    if len({len(one) for one in found.values()}) > 1:
        counts = [str(len(one)) for one in found.values()]
        names = ", ".join(found)
        raise ValueError(
            f"{names}: expected as many heads in each; got {', '.join(counts[:-1])} and {counts[-1]}"
        )
    return found


def _yours(yours: Mapping[str, Any], done: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Your numbers in the shape of the stage that they belong to; not all need be finite."""
    if not isinstance(yours, Mapping) or not yours:
        raise ValueError(f"yours: expected a dict such as {{'weights': array}}; got {type(yours).__name__}")
    sent = {}
    for name, value in yours.items():
        one_of("yours", name, sorted(done))
        found, wanted = array(f"yours[{name!r}]", value), done[name].shape
        while found.ndim > 3 and found.shape[0] == 1:
            found = found[0]
        found = found[None] if found.ndim == 2 else found
        if found.shape != wanted:
            raise ValueError(f"yours[{name!r}]: expected shape {wanted}; got {found.shape}")
        odd = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}  # JSON has no numbers for them
        sent[name] = [[[odd.get(str(float(x)), float(x)) for x in row] for row in rows] for rows in found]
    return sent


def _picture(
    done: Mapping[str, np.ndarray],
    may: np.ndarray,
    queries: list[str],
    keys: list[str],
    stages: set[str],
    title: str,
) -> DescribedFigure:
    """For readers without scripts: the chain where it is short, or else its last stage."""
    heads = len(done["weights"])
    title += f", head 0 of {heads}" if heads > 1 else ""
    rows, across = cut(queries), cut(keys)
    if stages & {"output", "H"} and max(may.shape[1:]) <= _FEW:
        mixed = done.get("H", done["output"])
        return chain(
            done["scaled"][0],
            may[0],
            done["weights"][0],
            mixed[0, :, :_WIDE],
            tokens=rows,
            keys=across,
            title=title,
        )
    last = _last(stages)
    kind = "weights" if last == "weights" else "scores"
    return heatmap(done[last][0], rows=rows, columns=across, kind=kind, title=f"{title}: {last}")
