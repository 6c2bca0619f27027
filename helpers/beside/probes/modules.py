"""Probes for exercises that are PyTorch modules: build, load the given weights, run, differentiate.

They run beside the learner's code and hand back plain arrays.
"""

import difflib
import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch import nn

from helpers.beside.probes.base import ProbeError
from helpers.beside.probes.tensors import watched


def build(answer: Any, *sizes: int) -> nn.Module:
    """Make the learner's module.

    Raises:
        ProbeError: when the answer is not a subclass of `nn.Module`, has no `forward`, or holds a class for a layer.
    """
    if not isinstance(answer, type) or not issubclass(answer, nn.Module):
        raise ProbeError("it should be a class that inherits from nn.Module")
    try:
        module = answer(*sizes)
    except TypeError as error:
        _must_be_a_layer(error)
        raise
    must_have_forward(module)
    return module


def _must_be_a_layer(error: TypeError) -> None:
    """Refuse a class where a layer is due, which PyTorch tells in words of its own.

    Raises:
        ProbeError: with the class, where that is what the error says.
    """
    if found := re.fullmatch(r"([\w.]+) is not a Module subclass", str(error)):
        says = f"it puts the class {found[1].rpartition('.')[2]} itself where a layer is due"
        hint = "Brackets make a layer of a class, as in `nn.ReLU()`. Where are they missing?"
        raise ProbeError(says, "class-for-layer", hint) from None


def must_have_forward(module: nn.Module) -> None:
    """Refuse a module without a `forward`: PyTorch's own error for it does not say which name is meant.

    Raises:
        ProbeError: with the method that may be meant.
    """
    kind = type(module)
    if kind.__call__ is not nn.Module.__call__ or kind.forward is not nn.Module.forward:
        return
    if "forward" in vars(module):
        return
    own = [name for name in vars(kind) if not name.startswith("__")]
    near = difflib.get_close_matches("forward", own, n=1)
    says = f"it has no method `forward`{f'; it has `{near[0]}`: is that misspelt?' if near else ''}"
    hint = "PyTorch calls `forward` by exactly this name: `def forward(self, ...)`, indented like `__init__`."
    raise ProbeError(says, "wrong-attribute-names", hint)


def load(module: nn.Module, weights: Mapping[str, np.ndarray]) -> None:
    """Write given weights, named `W_q.weight` or `W_q.bias`, into the linear layers of a module.

    Raises:
        ProbeError: when a layer is missing, is no `nn.Linear`, or has another shape or bias.
    """
    for name in dict.fromkeys(key.split(".")[0] for key in weights):
        _must_be_linear(module, name, weights)
        _plain(getattr(module, name))
    fill(module, weights)


def _plain(layer: nn.Module) -> None:
    """Make parametrised weights, as those of `weight_norm`, plain ones: a given weight is the weight itself."""
    for name in list(getattr(layer, "parametrizations", {})):
        nn.utils.parametrize.remove_parametrizations(layer, name)


def fill(module: nn.Module, weights: Mapping[str, np.ndarray]) -> None:
    """Write given parameters into a module that has them, and give it their width."""
    width = next(iter(weights.values())).dtype
    module.to(torch.float64 if width == np.float64 else torch.float32)
    with torch.no_grad():
        for name, value in weights.items():
            parameter(module, name).copy_(torch.from_numpy(value))


def parameter(module: nn.Module, name: str) -> nn.Parameter:
    """The parameter of this name.

    Raises:
        ProbeError: when the layer computes its weight from other parameters.
    """
    try:
        return module.get_parameter(name)
    except AttributeError:
        layer, _, kind = name.rpartition(".")
        says = f"the {kind} of its {layer} is no parameter but computed from others; take a plain layer"
        hint = "Look for a parametrization, such as `weight_norm`, or a `weight` of your own."
        raise ProbeError(says, "parameter-instead-of-linear", hint) from None


def must_take(module: nn.Module, *inputs: str) -> None:
    """Refuse a `forward` with other arguments than these and a mask that may be left out.

    Raises:
        ProbeError: with the arguments that it takes.
    """
    signature = inspect.signature(module.forward)
    try:
        signature.bind(*inputs)
        signature.bind(*inputs, "allowed")
    except TypeError:
        says = f"its forward should take ({', '.join(inputs)}, allowed=None); it takes {signature}"
        hint = "Compare the arguments of your function with those in the task."
        raise ProbeError(says, "wrong-arguments", hint) from None


def _must_be_linear(module: nn.Module, name: str, weights: Mapping[str, np.ndarray]) -> None:
    layer = getattr(module, name, None)
    has_bias = f"{name}.bias" in weights
    d_out, d_in = weights[f"{name}.weight"].shape
    wanted = f"nn.Linear({d_in}, {d_out}{'' if has_bias else ', bias=False'})"
    if layer is None:
        says = f"it has no attribute {name}: write `self.{name} = ...` in `__init__`; it should be {wanted}"
        raise ProbeError(
            says,
            "wrong-attribute-names",
            "Layers are made once, in `__init__`, and found by their exact names.",
        )
    if not isinstance(layer, nn.Linear):
        misconception, hint = _other_layer(layer)
        raise ProbeError(
            f"its {name} should be {wanted}; it is of type {type(layer).__name__}", misconception, hint
        )
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


def _other_layer(layer: Any) -> tuple[str, str]:
    """The mistake in making something other than an `nn.Linear`, and what to look at."""
    if isinstance(layer, list | tuple | dict):
        hint = (
            "PyTorch finds layers in attributes; in a plain list they are neither moved, saved nor learned."
        )
        return "head-lists-not-registered", hint
    if isinstance(layer, nn.ModuleList | nn.ModuleDict):
        return (
            "one-layer-per-head",
            "One layer can make the numbers of all heads side by side: how wide is it?",
        )
    return "parameter-instead-of-linear", "`nn.Linear` holds the weight and applies it."


def run(
    module: nn.Module,
    inputs: dict[str, Any],
    upstream: Sequence[np.ndarray],
    weights: Sequence[str],
) -> dict[str, Any]:
    """Forward and backward through a module.

    Args:
        module: with its weights loaded.
        inputs: arguments of `forward` in order; floating arrays get gradients. Where a tensor made of one is
            turned or reshaped in place, it is not the same here afterwards.
        upstream: one gradient for each result that is differentiated; empty to leave the gradients out.
        weights: names of the parameters whose gradients are wanted.

    Returns:
        `results`, the tuple that came back, and the gradients by name, zeros where there is none.

    Raises:
        ProbeError: when the results are drawn at random, or do not come from the layers given.
    """
    given = {name: tensor(value, leaf=len(upstream) > 0) for name, value in inputs.items()}
    _must_use_layers(module, list(given.values()), weights)
    dice = torch.get_rng_state()
    with watched(inputs, given):
        results = module(*given.values())
    if not torch.equal(dice, torch.get_rng_state()):
        _must_not_vary(module, list(given.values()))
    if not upstream:
        return {"results": results}
    wanted = {name: parameter(module, name) for name in weights}
    wanted |= {name: one for name, one in given.items() if one is not None and one.requires_grad}
    return with_gradients(results, upstream, wanted)


def with_gradients(
    results: Any, upstream: Sequence[np.ndarray], wanted: Mapping[str, torch.Tensor]
) -> dict[str, Any]:
    """The results and, where they have the shapes of `upstream`, the gradients of the tensors wanted."""
    report: dict[str, Any] = {"results": results}
    outputs = results if isinstance(results, tuple) else (results,)
    if not upstream or not all(isinstance(one, torch.Tensor) for one in outputs):
        return report
    if [tuple(out.shape) for out in outputs[: len(upstream)]] != [up.shape for up in upstream]:
        return report
    total = sum((out * torch.from_numpy(up)).sum() for out, up in zip(outputs, upstream, strict=False))
    found: Sequence[Any] = [None] * len(wanted)
    if total.requires_grad:
        found = torch.autograd.grad(total, list(wanted.values()), allow_unused=True)
    return report | {
        f"the gradient of {name}": torch.zeros_like(one) if gradient is None else gradient
        for (name, one), gradient in zip(wanted.items(), found, strict=True)
    }


def _must_use_layers(module: nn.Module, inputs: Sequence[Any], weights: Sequence[str]) -> None:
    """Refuse a module that has more parameters than asked for and leaves a layer out in their favour."""
    if sum(1 for _ in module.parameters()) <= len(weights):
        return
    # under a mask that leaves a query one key, or none, W_q and W_k have no part in any right answer
    inputs = [one for one in inputs if one is not None and one.dtype != torch.bool]
    with torch.no_grad():
        try:
            before = _outcome(module, inputs)
        except Exception:  # the call itself tells
            return
        for name in dict.fromkeys(weight.rpartition(".")[0] for weight in weights):
            layer = module.get_submodule(name)
            kept = layer.weight.clone()
            layer.weight += torch.arange(kept.numel()).reshape(kept.shape)
            idle = _equal(before, _outcome(module, inputs))
            layer.weight.copy_(kept)
            if idle:
                says = (
                    f"its {name} has no part in the result, and it has other layers besides: they do the work"
                )
                raise ProbeError(
                    says, "attributes-not-used", f"Where does `self.{name}` appear in `forward`?"
                )


def _must_not_vary(module: nn.Module, inputs: Sequence[Any]) -> None:
    """Refuse a module whose results depend on random numbers."""
    if not _varies(module, inputs):
        return
    with mock.patch.object(nn.functional, "dropout", lambda x, *_, **__: x):
        if not _varies(module, inputs):
            says = "it drops numbers at random, so the same call gives another result each time; here nothing is dropped"
            raise ProbeError(says, "dropout-left-on", "Look for `dropout`.")
    says = "the same call gives another result each time: something is drawn at random in `forward`, such as the weights of a layer made there"
    raise ProbeError(says, "state-between-calls", "Make layers in `__init__`; `forward` only uses them.")


def _varies(module: nn.Module, inputs: Sequence[Any]) -> bool:
    def outcome(seed: int) -> Any:
        torch.manual_seed(seed)
        return _outcome(module, inputs)

    with torch.random.fork_rng(devices=[]), torch.no_grad():
        first = outcome(0)
        return any(not _equal(first, outcome(seed)) for seed in range(1, 5))


def _outcome(module: nn.Module, inputs: Sequence[Any]) -> list[torch.Tensor]:
    results = module(*inputs)
    return [one for one in (results if isinstance(results, tuple) else (results,)) if torch.is_tensor(one)]


def _equal(one: Sequence[torch.Tensor], other: Sequence[torch.Tensor]) -> bool:
    return all(torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in zip(one, other, strict=True))


def tensor(value: np.ndarray | None, *, leaf: bool) -> torch.Tensor | None:
    """An argument as a tensor; a leaf gets gradients if it is floating."""
    if value is None:
        return None
    made = torch.from_numpy(value)
    return made.requires_grad_() if leaf and made.is_floating_point() else made
