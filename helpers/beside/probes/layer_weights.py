"""The probe of `layer_weights`: a state dict of tensors goes in, a dict of tensors comes out."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.base import ProbeError, call, refuse_uncalled
from helpers.beside.probes.tensors import watched

KEYS = ("W_q", "b_q", "W_k", "b_k", "W_v", "b_v", "W_o", "b_o")
NOT_A_DICT = {
    "NoneType": "returns-none",
    "tuple": "returns-tuple",
    "list": "returns-list",
    "set": "returns-set",
    "generator": "returns-generator",
    "Tensor": "returns-tensor",
    "str": "returns-string",
}


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """The dict that comes back, where it is one with the right keys."""
    tensors = {name: torch.from_numpy(value) for name, value in args["state"].items()}
    handed = dict(tensors)
    with watched(args["state"], tensors):
        found = call(answer, {"state": handed, "layer": args["layer"]})
    note_changes(args["state"], tensors, handed)
    return with_the_keys(found)


def note_changes(given: dict[str, Any], tensors: Mapping[str, Any], handed: Mapping[str, Any]) -> None:
    """Let it show in `given` where entries of a dict were taken out, put in or replaced.

    What becomes of a tensor itself, `watched` sees.
    """
    for name in tensors.keys() | handed.keys():
        if handed.get(name) is not tensors.get(name):
            given[name] = np.zeros(0)


def with_the_keys(found: Any) -> dict[str, Any]:
    """The dict itself.

    Raises:
        ProbeError: when it is something else, or has other keys.
    """
    if not isinstance(found, dict):
        refuse_uncalled("it should be a dict of eight tensors", found)
        kind = type(found).__name__
        nothing = "nothing (None): is a `return` missing?"
        says = f"it should be a dict of eight tensors; it is {nothing if found is None else f'a {kind}'}"
        hint = "Braces make a dict: `{'W_q': ..., 'b_q': ...}`."
        raise ProbeError(says, NOT_A_DICT.get(kind, "returns-something-else"), hint)
    missing = [key for key in KEYS if key not in found]
    extra = [key for key in found if key not in KEYS]
    if not missing and not extra:
        return {key: found[key] for key in KEYS}
    parts = [f"it has no {_listed(missing)}"] if missing else []
    parts += [f"{'and ' if missing else 'it also '}has {_listed(extra)}"] if extra else []
    hint = f"The keys are {', '.join(KEYS)}: letter by letter, and no more."
    raise ProbeError(
        f"the keys of its dict are not the eight: {' '.join(parts)}", _mistake(missing, extra), hint
    )


def _mistake(missing: list[str], extra: list[Any]) -> str:
    if missing and not extra:
        biases = all(key.startswith("b_") for key in missing)
        return (
            "bias-missing"
            if biases
            else "output-projection-missing"
            if missing[0] == "W_o"
            else "keys-missing"
        )
    return "wrong-keys" if missing else "too-many-keys"


def _listed(keys: list[Any]) -> str:
    shown = ", ".join(str(key)[:60] for key in keys[:4])
    return f"{shown}, ..." if len(keys) > 4 else shown
