"""The probe of `bert_attention`: arrays become tensors, the eight weights a dict."""

from collections.abc import Mapping
from typing import Any

import torch

from helpers.beside.probes.base import call
from helpers.beside.probes.layer_weights import KEYS, note_changes


def probe(answer: Any, args: dict[str, Any]) -> Any:
    """Call the answer as the model does."""
    tensors = {name: torch.from_numpy(args[name]) for name in KEYS}
    handed = dict(tensors)
    result = call(
        answer,
        {
            "x": torch.from_numpy(args["x"]),
            "weights": handed,
            "num_heads": args["num_heads"],
            "allowed": torch.from_numpy(args["allowed"]),
        },
    )
    note_changes(args, tensors, _of_the_eight(handed))
    return result


def _of_the_eight(handed: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is left of the eight; what else was put into the dict goes by the name of the dict."""
    return {name if name in KEYS else "weights": one for name, one in handed.items()}
