"""The probe of `silence_head`: what `bert_attention` makes of the weights that come back.

Many weights silence a head; what they have in common is what the attention gives with them.
"""

from collections.abc import Mapping
from typing import Any

import torch

from helpers.beside.probes.base import ProbeError, call
from helpers.beside.probes.layer_weights import KEYS, note_changes, with_the_keys
from helpers.beside.probes.tensors import in_tensors, watched
from helpers.reference.unit_08_inside_a_pretrained_model import bert_attention

OUTPUT, WEIGHTS = "the output of bert_attention", "its array of attention weights"


NOT_A_TENSOR = {
    "ndarray": ("a NumPy array", "returns-array", "Leave `.numpy()` out."),
    "list": ("a Python list", "returns-list", "Leave `.tolist()` out."),
    "NoneType": ("None", None, "Which line makes it, and does that line give something back?"),
}


def probe(answer: Any, args: dict[str, Any]) -> dict[str, torch.Tensor]:
    """Call the answer, then `bert_attention` with the weights that it returned.

    Args:
        answer: the learner's function.
        args: the eight weights, `head`, `num_heads` and, unless it is left out, `mean`; and `x` and
            `allowed`, which the function is not shown.
    """
    made = in_tensors(args)
    tensors = {name: made[name] for name in KEYS}
    handed = dict(tensors)
    given = {
        "weights": handed,
        **{name: made[name] for name in ("head", "num_heads", "mean") if name in made},
    }
    with watched(args, made):
        found = call(answer, given)
    note_changes(args, tensors, _only_the_eight(handed))
    weights = with_the_keys(found)
    for name, one in weights.items():
        _must_be_as_before(name, one, tensors[name])
    with torch.no_grad():
        output, attention = bert_attention(made["x"], weights, args["num_heads"], made["allowed"])
    return {OUTPUT: output, WEIGHTS: attention}


def _only_the_eight(handed: Mapping[str, Any]) -> Mapping[str, Any]:
    """The dict that was handed over.

    Raises:
        ProbeError: when something else was put into it.
    """
    for name in handed:
        if name not in KEYS:
            says = f"it put {str(name)[:60]} into the dict that it was given, which should stay as it is"
            raise ProbeError(says, "input-changed", "Braces make a dict of your own: `{**weights, ...}`.")
    return handed


def _must_be_as_before(name: str, one: Any, before: torch.Tensor) -> None:
    """Refuse an entry of another kind, type or shape than it had; a bias may have more axes of size 1.

    Raises:
        ProbeError: with what it is.
    """
    if not isinstance(one, torch.Tensor):
        kind = type(one).__name__
        is_, wrong, hint = NOT_A_TENSOR.get(kind, (f"of type {kind}", None, None))
        raise ProbeError(f"its {name} should be a torch.Tensor; it is {is_}", wrong, hint)
    if one.dtype != before.dtype:
        narrower = before.dtype == torch.float64 and one.dtype == torch.float32
        says = f"its {name} has the wrong type of numbers: expected {before.dtype}, got {one.dtype}"
        hint = (
            "`torch.zeros(...)` makes float32 unless it is given a `dtype`; `zeros_like` and `clone` keep it."
        )
        raise ProbeError(says, "float32" if narrower else None, hint)
    if one.shape == before.shape or (one.shape[-1:] == before.shape and one.numel() == len(before)):
        return
    says = f"its {name} has shape {tuple(one.shape)}, expected {tuple(before.shape)}"
    fewer = one.ndim == before.ndim and one.numel() < before.numel()
    if not fewer:
        raise ProbeError(says, "wrong-shape", "Write the shape behind each line: which one changes it?")
    says += "; a head that is silent keeps its place"
    raise ProbeError(says, "entries-removed", "Which number can stand where nothing should be added?")
