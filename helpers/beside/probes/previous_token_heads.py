"""The probe of `previous_token_heads`: the pairs that come back as an array, where they are pairs of ints."""

from typing import Any

import numpy as np

from helpers.beside.probes import tensors
from helpers.beside.probes.base import ProbeError, refuse_uncalled

NOT_A_LIST = {
    "NoneType": "returns-none",
    "tuple": "returns-tuple",
    "set": "returns-set",
    "dict": "returns-dict",
    "generator": "returns-generator",
    "Tensor": "returns-tensor",
    "ndarray": "returns-array",
}
PLAIN = "`.tolist()` and `.item()` give plain ints, and `int(...)` makes one."


def probe(answer: Any, args: dict[str, Any]) -> np.ndarray:
    """The pairs `(layer, head)` as rows of an array."""
    found = tensors.probe(answer, args)
    if not isinstance(found, list):
        refuse_uncalled("it should be a list of tuples (layer, head)", found)
        kind = type(found).__name__
        is_ = "nothing (None): is a `return` missing?" if found is None else f"a {kind}"
        says = f"it should be a list of tuples (layer, head); it is {is_}"
        hint = "Begin with an empty list and append a tuple, or put brackets round a `for`."
        raise ProbeError(says, NOT_A_LIST.get(kind, "returns-something-else"), hint)
    for pair in found:
        _must_be_a_pair(pair)
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _must_be_a_pair(pair: Any) -> None:
    """Refuse what is not a tuple of two plain ints.

    Raises:
        ProbeError: with what it is.
    """
    if not isinstance(pair, tuple):
        made_of = "a list" if isinstance(pair, list) else f"{pair!r:.40}, of type {type(pair).__name__}"
        says = f"each entry should be a tuple (layer, head); one is {made_of}"
        wrong = "pairs-as-lists" if isinstance(pair, list) else "no-pairs"
        raise ProbeError(
            says, wrong, "Round brackets make a tuple: `(layer, head)`. `tuple(...)` makes one of a list."
        )
    if len(pair) != 2:
        says = f"each entry should be a tuple of two, (layer, head); one has {len(pair)}"
        hint = "Which step removes an axis?" if len(pair) < 2 else "What is asked for besides layer and head?"
        raise ProbeError(says, "wrong-pair", hint)
    odd = next((one for one in pair if type(one) is not int), None)
    if odd is not None:
        says = f"layer and head should be plain ints; one is of type {type(odd).__name__}"
        raise ProbeError(says, "tensors-for-ints", PLAIN)
    if not all(-(2**31) < one < 2**31 for one in pair):
        raise ProbeError(
            f"there is no head {pair!r:.40}", "wrong-pair", "How many layers and heads are there?"
        )
