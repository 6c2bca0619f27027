"""The probe of `bert_attention`: arrays become tensors, the eight weights a dict."""

from collections.abc import Mapping
from typing import Any

from helpers.beside.probes.base import call
from helpers.beside.probes.layer_weights import KEYS, note_changes
from helpers.beside.probes.tensors import in_tensors, watched


def probe(answer: Any, args: dict[str, Any]) -> Any:
    """Call the answer as the model does."""
    made = in_tensors(args)
    tensors = {name: made[name] for name in KEYS}
    handed = dict(tensors)
    others = {"x": made["x"], "weights": handed, "num_heads": made["num_heads"], "allowed": made["allowed"]}
    with watched(args, made):
        result = call(answer, others)
    note_changes(args, tensors, _of_the_eight(handed))
    return result


def _of_the_eight(handed: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is left of the eight; what else was put into the dict goes by the name of the dict."""
    return {name if name in KEYS else "weights": one for name, one in handed.items()}
