"""The loom: every stage of attention side by side, numbers one can pull, and mistakes one can switch on."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from helpers import example
from helpers.arrays import array, one_of
from helpers.text import heading
from helpers.views.data import LARGEST, cut, exact
from helpers.views.data import weights as checked
from helpers.views.loom_begin import (
    Beginning,
    from_qkv,
    from_sentence,
    from_weights,
    that_fits,
    weights_alone,
)
from helpers.views.loom_blanks import blanks
from helpers.views.loom_page import begun, finished
from helpers.views.loom_stages import ENDS
from helpers.views.view import View

if TYPE_CHECKING:
    from helpers.plots.figure import DescribedFigure

_FEW = 8
"""Tokens whose whole chain fits into a picture; of more, the picture shows one stage."""
_WIDE = 16
"""Columns of the output in a picture."""


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

    A line of code that answers an exercise is blank until that is passed; a press shows it.  With more than
    64 tokens the weights alone are shown.  Source: "Attention Is All You Need", equation 1.
    """
    title = heading(title)
    one_of("until", until, ENDS)
    names, W = (tokens, query_tokens), {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o}
    sentence, heads = (any(one is not None for one in some) for some in ((X, *W.values()), (Q, K, V)))
    if weights is not None:
        if sentence or Q is not None or K is not None or allowed is not None:
            raise ValueError("weights: expected weights alone, or weights and V; got other arrays too")
        begin = from_weights(checked(weights, tokens, query_tokens), V)
    elif heads:
        if sentence:
            raise ValueError("X and Q, K, V: expected a sentence, or queries, keys and values; got both")
        begin = from_qkv(Q, K, V, until, allowed, names)
    else:
        begin = from_sentence(X, W, num_heads, until, allowed, names)
    return woven(begin, title, mistake, yours)


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


def woven(
    begin: Beginning, title: str, mistake: str | None = None, yours: Mapping[str, Any] | None = None
) -> View:
    """The view of what a maker gave: what the page gets, and a picture of it.

    Raises:
        ValueError: when the mistake, or a stage of `yours`, is none of this loom.
    """
    # Nothing here asks what the call gave: that is what the makers are for.  What is too large is left out
    # here, since the weights of many tokens are known only when all is computed, and the picture counts the
    # heads that are not sent.  The script computes each stage again, so only what is given goes into `data`.
    if max(begin.may.shape[1:]) > LARGEST:
        return woven(weights_alone(begin), title)
    begin = that_fits(begin)
    data = begun(begin, title, begin.note)
    blank = blanks({line["exercise"] for line in data["lines"]})
    data["lines"] = [line | {"blank": blank.get(line["exercise"], "")} for line in data["lines"]]
    data["start"]["at"] = [_last(begin.stages), int(begin.may.shape[1] > 1), 0]
    if "allowed" in data:
        data["usual"], data["start"]["mask"] = _masks(begin.may)
    if begin.spoken:
        words = {word: exact(numbers) for word, numbers in example.WORD.items()}
        data["language"] = {"words": words, "places": exact(example.POSITIONS)}
    if mistake is not None:
        known = {wrong["id"]: line["makes"][0] for line in data["lines"] for wrong in line["wrong"]}
        one_of("mistake", mistake, sorted(known))
        data["start"]["chosen"] = {known[mistake]: mistake}
    if yours is not None:
        data["yours"] = _yours(
            yours, {name: begin.numbers[name] for name in begin.stages if name != "allowed"}
        )
    return View("loom", data | finished(data, begin.given), partial(_picture, begin, title))


def _masks(may: np.ndarray) -> tuple[str, str]:
    """What the mask is called that the page goes back to, and the one that it begins with."""
    square = may.shape[1] == may.shape[2] > 1
    usual = "causal" if square and (may == np.tri(may.shape[1], dtype=bool)).all() else "none"
    return usual, usual if usual == "causal" or may.all() else "your own"


def _last(stages: Collection[str]) -> str:
    """The weights, or what stands for them where the loom ends before."""
    return next(name for name in ("weights", "masked", "scaled", "scores", "similarity") if name in stages)


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


def _picture(begin: Beginning, title: str) -> "DescribedFigure":
    """For readers without scripts: the chain where it is short, or else its last stage."""
    from helpers.plots.heatmaps import heatmap
    from helpers.plots.pipeline import chain

    numbers, (rows, across), last = begin.numbers, map(cut, begin.labels), _last(begin.stages)
    heads = len(numbers["weights"])
    title += f", head 0 of {heads}" if heads > 1 else ""
    first = {name: one[0] for name, one in numbers.items()}
    if "scaled" in numbers and {"output", "H"} & {*begin.stages} and max(begin.may.shape[1:]) <= _FEW:
        mixed = first["H"][:, :_WIDE]
        return chain(
            first["scaled"], begin.may[0], first["weights"], mixed, tokens=rows, keys=across, title=title
        )
    alone = last in begin.given
    kind = "weights" if last == "weights" else "scores"
    look = {"kind": kind, "title": title if alone else f"{title}: {last}"}
    if max(first[last].shape) > _FEW:
        look["numbered"] = 0  # a hundred numbers hide what the colours show
    picture = heatmap(first[last], rows=rows, columns=across, **look)
    picture.description += f" {begin.note}" if alone and begin.note else ""
    return picture
