"""The loom of one call: the expected numbers with somebody's own laid over them, in few bytes.

It has no picture and no line of code: a notebook keeps it below a failed check, where a line of code would be
the answer.  Matplotlib is not imported for it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.views.data import EXACT, LARGEST, exact, stack
from helpers.views.data import weights as checked
from helpers.views.loom_begin import Beginning, beginning
from helpers.views.loom_page import begun, finished
from helpers.views.script import as_json, shared

BEGINS = ({"X", "Y"}, {"X", "W_q", "W_k", "W_v"}, {"Q", "K"}, {"scaled"}, {"weights", "V"})
"""What a loom can begin with here."""

GIVEN = ("X", "Y", "W_q", "W_k", "W_v", "W_o", "Q", "K", "V", "scaled", "weights")


def expected(args: Mapping[str, Any], until: str) -> Beginning:
    """The loom of a call, with all its stages.

    Args:
        args: the arrays that it begins with, by the names of their stages; `num_heads` and `allowed` may be
            among them, and whatever else is there is left alone.
        until: the last stage that is shown.

    Raises:
        ValueError: when the loom cannot show it: several sequences, more than 64 tokens, an array of more
            than 200 numbers, one that is not finite, weights that do not add up to 1, shapes that do not fit.
    """
    heads = args.get("num_heads", 1)
    given = {name: stack(name, args[name]) for name in GIVEN if name in args}
    if not any(begins <= set(given) for begins in BEGINS):
        raise ValueError(f"expected what a loom begins with; got {', '.join(given)}")
    for name, one in given.items():
        if one.size > EXACT or max(one.shape) > LARGEST:
            raise ValueError(
                f"{name}: expected {EXACT} numbers, {LARGEST} in a row, at most; got {one.shape}"
            )
        if len(one) != (1 if "X" in given else heads):
            raise ValueError(f"{name}: expected one sequence of {heads} heads; got {one.shape}")
    if "weights" in given:
        checked(given["weights"], None)
    return beginning(given, heads, until, args.get("allowed"))


def laid_over(call: Beginning, yours: Mapping[str, np.ndarray], title: str, note: str = "") -> dict[str, Any]:
    """What the script gets; the first entry that differs is chosen.

    Args:
        call: what it should come to.
        yours: somebody's own numbers by their stage, in its shape.  An entry that does not count as different
            is exactly the expected one: the script compares to nine digits.
        title: heading.
        note: a sentence below it.
    """
    data = begun(call, title, note)
    name, (head, i, j) = first_wrong(call, yours) or (call.stages[-1], (0, 0, 0))
    data["start"] |= {"head": head, "at": [name, i, j]}
    data["lines"] = [line | {"wrong": []} for line in data["lines"]]
    data["yours"] = {name: _sent(one) for name, one in yours.items()}
    return data | finished(data, call.given, code=False)


def first_wrong(call: Beginning, yours: Mapping[str, np.ndarray]) -> tuple[str, tuple[int, ...]] | None:
    """The first stage, in their order, in which an entry is another than expected, and that entry."""
    for name in call.stages:
        if name in yours:
            found = np.argwhere(yours[name] != call.numbers[name])
            if len(found):
                return name, tuple(int(i) for i in found[0])
    return None


def _sent(values: np.ndarray) -> Any:
    """Nested lists; minus infinity as a word, since JSON has no number for it."""
    if values.ndim > 1:
        return [_sent(part) for part in values]
    return [exact(values[i : i + 1])[0] if np.isfinite(x) else "-Infinity" for i, x in enumerate(values)]


def folded(data: Mapping[str, Any], says: str) -> str:
    """HTML that folds a loom away under a sentence; where scripts are stripped, nothing of it is left."""
    call = f"fold(document.currentScript, {as_json(says)}, {as_json(data)})"
    return f'<script>(() => {{ "use strict";\n{shared("fold")}\n{call}; }})();</script>'
