"""The probe of the module `MultiHeadAttention`."""

import contextlib
from typing import Any

import torch
from torch import nn

from helpers.beside.probes import modules
from helpers.beside.probes.base import ProbeError

LAYERS = ("W_q", "W_k", "W_v", "W_o")
PARAMETERS = tuple(f"{layer}.{kind}" for layer in LAYERS for kind in ("weight", "bias"))
INPUTS = ("query", "key", "value")
UPSTREAM = ("upstream output", "upstream weights")


def probe(answer: Any, args: dict[str, Any]) -> dict[str, Any]:
    """Results, and gradients where they are asked for, of the learner's module with the given weights."""
    d_model, h = args["query"].shape[-1], args["num_heads"]
    module = modules.build(answer, d_model, h)
    _must_be_wide(module, d_model, h)
    modules.must_take(module, *INPUTS)
    modules.load(module, {name: args[name] for name in PARAMETERS})
    inputs = {name: args[name] for name in (*INPUTS, "allowed") if args[name] is not None}
    # a first call with other inputs and another mask: a module that remembers them shows in the second
    with contextlib.suppress(Exception):  # what is wrong with it, the second call shows
        others = (1 - torch.from_numpy(args[name]) for name in INPUTS)
        module(*others, torch.arange(args["key"].shape[1]) < 1)
    seen = modules.run(module, inputs, [args[name] for name in UPSTREAM if name in args], PARAMETERS)
    args.update(inputs)
    return seen


def once(answer: Any, args: dict[str, Any]) -> Any:
    """The one call that a trace shows: no gradients, and no other call before it."""
    module = modules.build(answer, args["query"].shape[-1], args["num_heads"])
    modules.load(module, {name: args[name] for name in PARAMETERS})
    return module(*(torch.from_numpy(args[name]) for name in (*INPUTS, "allowed") if args[name] is not None))


def _must_be_wide(module: nn.Module, d_model: int, h: int) -> None:
    """Refuse layers as narrow as one head."""
    for name in LAYERS:
        layer = getattr(module, name, None)
        if not isinstance(layer, nn.Linear):
            continue
        shape = (layer.in_features, layer.out_features)
        if shape == (h, h) != (d_model, d_model):
            says = f"its {name} should be nn.Linear({d_model}, {d_model}); it is nn.Linear{shape}, and {h} is num_heads"
            raise ProbeError(
                says, "arguments-swapped", "In which order does `__init__` get d_model and num_heads?"
            )
        if shape != (d_model, d_model) and d_model // h in shape:
            says = f"its {name} should be nn.Linear({d_model}, {d_model}); it is nn.Linear{shape}, as narrow as one head"
            hint = "One layer serves all heads: each head has its own part of it. How wide is it then?"
            raise ProbeError(says, "heads-share-weights", hint)
