"""Probes for exercises that are PyTorch modules: build, load the given weights, run, differentiate.

They run beside the learner's code and hand back plain arrays.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.exercises.base import ProbeError


def build(answer: Any, *sizes: int) -> nn.Module:
    """Make the learner's module.

    Raises:
        ProbeError: when the answer is not a subclass of `nn.Module`.
    """
    if not isinstance(answer, type) or not issubclass(answer, nn.Module):
        raise ProbeError("it should be a class that inherits from nn.Module")
    return answer(*sizes)


def load(module: nn.Module, weights: Mapping[str, np.ndarray]) -> None:
    """Write given weights, named `W_q.weight` or `W_q.bias`, into the linear layers of a module.

    Raises:
        ProbeError: when a layer is missing, is no `nn.Linear`, or has another shape or bias.
    """
    for name in dict.fromkeys(key.split(".")[0] for key in weights):
        _must_be_linear(module, name, weights)
    width = next(iter(weights.values())).dtype
    module.to(torch.float64 if width == np.float64 else torch.float32)
    with torch.no_grad():
        for key, value in weights.items():
            layer, kind = key.split(".")
            getattr(getattr(module, layer), kind).copy_(torch.from_numpy(value))


def _must_be_linear(module: nn.Module, name: str, weights: Mapping[str, np.ndarray]) -> None:
    layer = getattr(module, name, None)
    has_bias = f"{name}.bias" in weights
    d_out, d_in = weights[f"{name}.weight"].shape
    wanted = f"nn.Linear({d_in}, {d_out}{'' if has_bias else ', bias=False'})"
    if layer is None:
        says = f"it has no attribute {name}: write `self.{name} = ...`; it should be {wanted}"
        raise ProbeError(says, "wrong-attribute-names", "Attributes are found by their exact names.")
    if not isinstance(layer, nn.Linear):
        says = f"its {name} should be {wanted}; it is of type {type(layer).__name__}"
        raise ProbeError(says, "parameter-instead-of-linear", "`nn.Linear` holds the weight and applies it.")
    shape = (layer.in_features, layer.out_features)
    if shape != (d_in, d_out):
        swapped = "weight-transposed" if shape == (d_out, d_in) else "wrong-layer-size"
        says = f"its {name} should be {wanted}; it is nn.Linear{shape}"
        raise ProbeError(says, swapped, "`nn.Linear(a, b)` takes width a and gives width b.")
    if (layer.bias is not None) != has_bias:
        says = f"its {name} should be {wanted}; it has {'no' if has_bias else 'a'} bias"
        raise ProbeError(
            says, "bias-missing" if has_bias else "bias-left-on", "`nn.Linear` has a bias unless told not to."
        )


def run(
    module: nn.Module,
    inputs: Mapping[str, np.ndarray | None],
    upstream: Sequence[np.ndarray],
    weights: Sequence[str],
) -> dict[str, Any]:
    """Forward and backward through a module.

    Args:
        module: with its weights loaded.
        inputs: arguments of `forward` in order; floating arrays get gradients.
        upstream: one gradient for each result that is differentiated.
        weights: names of the parameters whose gradients are wanted.

    Returns:
        `results`, the tuple that came back, and the gradients by name, zeros where there is none.
    """
    given = {name: _leaf(value) for name, value in inputs.items()}
    results = module(*given.values())
    report: dict[str, Any] = {"results": results}
    outputs = results if isinstance(results, tuple) else (results,)
    if not all(isinstance(one, torch.Tensor) for one in outputs) or len(outputs) < len(upstream):
        return report
    if [tuple(out.shape) for out in outputs[: len(upstream)]] != [up.shape for up in upstream]:
        return report
    wanted = {f"the gradient of {name}": module.get_parameter(name) for name in weights}
    wanted |= {f"the gradient of {n}": t for n, t in given.items() if t is not None and t.requires_grad}
    total = sum((out * torch.from_numpy(up)).sum() for out, up in zip(outputs, upstream, strict=False))
    none = {name: torch.zeros_like(tensor) for name, tensor in wanted.items()}
    if not total.requires_grad:
        return report | none
    found = torch.autograd.grad(total, list(wanted.values()), allow_unused=True)
    return report | {n: none[n] if g is None else g for n, g in zip(wanted, found, strict=True)}


def _leaf(value: np.ndarray | None) -> torch.Tensor | None:
    if value is None:
        return None
    tensor = torch.from_numpy(value)
    return tensor.requires_grad_() if tensor.is_floating_point() else tensor
