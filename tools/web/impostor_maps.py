"""What the maps of "Who is the impostor?" show: what labels mean, right answers, and known wrong programs.

A label is a list of words between commas; each changes the inputs, or what of the result is shown.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers import reference
from helpers.exercises import find
from tools.web.impostor_rounds import Round

Given = dict[str, Any]
Change = Callable[..., object]


def _shift(given: Given, change: Callable[[np.ndarray], np.ndarray]) -> None:
    """Change the scores, or the queries that they come from."""
    name = "scores" if "scores" in given else "Q"
    given[name] = change(given[name])


def _take(given: Given, name: str, order: slice) -> None:
    given[name] = given[name][order]


def _nothing(_: Given) -> None:
    """Leave the inputs as they are."""


WORDS: Mapping[str, tuple[Change, str]] = {
    "plain softmax": (_nothing,
        "Each weight is e to the power of its score, divided by the sum of its row."),
    "Q and K as shown": (_nothing,
        "Its weights follow from the dot products, divided by the root of the width."),
    "weights and V as shown": (_nothing,
        "Each row is the weighted sum of the rows of V."),
    "no mask": (_nothing,
        "Nothing is hidden, so each key has a weight above 0."),
    "temperature (.+)": (lambda x, t: _shift(x, lambda scores: scores / t),
        "Its scores are divided by {0} first: that keeps their order, and changes how far apart they are."),
    "(.+) added to every score": (lambda x, n: _shift(x, lambda scores: scores + n),
        "What is added to a whole row cancels: its weights depend on differences of scores alone."),
    "signs of all scores turned": (lambda x: _shift(x, lambda scores: -scores),
        "With its sign turned the smallest score is the largest, and takes most."),
    "queries in reverse order": (lambda x: _take(x, "rows", slice(None, None, -1)),
        "A row belongs to a query, so it moves with it, and keeps its numbers."),
    "keys in reverse order": (lambda x: _take(x, "columns", slice(None, None, -1)),
        "A column belongs to a key: in another order each key still has the weight it had."),
    "only every other query": (lambda x: _take(x, "rows", slice(None, None, 2)),
        "Fewer queries make fewer rows; each row has a softmax of its own, and does not miss the others."),
    "causal mask": (lambda x: x.update(allowed=np.tri(*x["allowed"].shape, dtype=bool)),
        "Query i sees the keys 0 to i; the others get 0, and these share 1."),
    "mask as shown": (lambda x: x.update(allowed=x["mask"]),
        "Where the mask has ×, the weight is 0, and the allowed keys of a row, if any, share 1."),
    "masked after the softmax and then each row divided by its sum": (lambda x: x.update(allowed=x["mask"], late=True),
        "The division by the sum puts it right: what is left of a row shares 1 as its powers of e say."),
    "Q doubled": (lambda x: x.update(Q=2 * x["Q"]),
        "Twice the query makes twice the score."),
    "Q and K change places": (lambda x: x.update(Q=x["K"], K=x["Q"], letters="kq"),
        "Now keys ask: a row belongs to a key, and has a softmax of its own."),
    "columns of Q and K in reverse order": (lambda x: x.update(Q=x["Q"][:, ::-1], K=x["K"][:, ::-1]),
        "A dot product adds up the same products, in another order."),
    "head (.) of (.)": (lambda x, head, of: x.update(head=int(head), heads=int(of)),
        "It compares its own columns of Q and K, and no others."),
    "V doubled": (lambda x: x.update(V=2 * x["V"]),
        "Twice the values make twice the output."),
    "(.+) added to every value": (lambda x, n: x.update(V=x["V"] + n),
        "A row of weights sums to 1, so each output grows by just as much."),
    "keys in reverse order in both tables": (lambda x: x.update(weights=x["weights"][:, ::-1], V=x["V"][::-1]),
        "Each weight still meets its own value: the order of a sum does not matter."),
}  # fmt: skip
"""What a word of a label does to the inputs, and why a map with it is right; numbers in it are handed on."""


def read(text: str) -> np.ndarray:
    """A table of the rounds: numbers between spaces, rows between bars."""
    return np.array([[float(number) for number in row.split()] for row in text.split("|")])


def given(this: Round, label: str) -> tuple[Given, str]:
    """The inputs of a round as a label changes them, and the reason why a map so labelled is right."""
    x: Given = {name: read(text) for name, text in this.tables.items()}
    asks = next(x[name] for name in ("scores", "weights", "Q") if name in x)
    n_q, n_k = asks.shape if "Q" not in x else (len(asks), len(x["K"]))
    every = np.ones((n_q, n_k), bool)
    x |= {"mask": x.pop("allowed", every) == 1, "allowed": every, "late": False}
    x |= {"rows": np.arange(n_q), "columns": np.arange(n_k), "letters": "qk"}
    why = ""
    for part in label.removeprefix("*").split(", "):
        words, found = next((words, m) for words in WORDS if (m := re.fullmatch(words, part)))
        change, why = WORDS[words]
        change(x, *map(float, found.groups()))
        why = why.format(*found.groups())
    return x, why


def computed(this: Round, x: Given, program: Callable[..., Any] | None = None) -> np.ndarray:
    """What a map shows: by the reference answers, or by a wrong program of the round's exercise."""
    if this.exercise == "mix_values":
        return (program or reference.mix_values)(x["weights"], x["V"])[x["rows"]]
    if this.exercise == "multi_head_attention":
        eye = np.eye(len(x["Q"]))  # tokens that are the unit vectors have the rows of W_q as queries
        answer = program or reference.multi_head_attention
        found = answer(eye[None], x["Q"], x["K"], eye, eye, x["heads"], x["allowed"])[1][0]
        found = found if found.ndim == 2 else found[x["head"]]
    elif this.exercise == "attention":
        found = (program or reference.attention)(x["Q"], x["K"], x["K"], None)[1]
    elif this.exercise == "softmax":
        found = (program or reference.softmax)(x["scores"])
    elif x["late"]:
        kept = reference.softmax(x["scores"]) * x["allowed"]
        found = kept / kept.sum(axis=-1, keepdims=True)
    else:
        found = (program or reference.masked_softmax)(x["scores"], x["allowed"])
    return found[x["rows"]][:, x["columns"]]


def wrong(this: Round) -> Callable[..., Any]:
    """The wrong program: the first row of the exercise with this id whose sentence begins so."""
    name, _, begins = this.mistake.partition(": ")
    rows = find(this.exercise).mistakes
    return next(row.answer for row in rows if row.id == name and row.says.startswith(begins))
