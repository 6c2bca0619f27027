"""The probe of the module `TransformerBlock`."""

import contextlib
from typing import Any

import torch
from torch import nn

from helpers.beside.probes import modules
from helpers.beside.probes.base import ProbeError

ATTENTION = ("W_q", "W_k", "W_v", "W_o")
PARAMETERS = tuple(
    f"{layer}.{kind}"
    for layer in (
        "norm_1",
        *(f"attention.{one}" for one in ATTENTION),
        "norm_2",
        "feed_forward.0",
        "feed_forward.2",
    )
    for kind in ("weight", "bias")
)
UPSTREAM = "upstream"

_NAMES = "Layers are made once, in `__init__`, and found by their exact names."


def probe(answer: Any, args: dict[str, Any]) -> dict[str, Any]:
    """The result, and gradients where they are asked for, of the learner's block with the given weights."""
    d_model, h, d_ff = args["x"].shape[-1], args["num_heads"], args["d_ff"]
    module = modules.build(answer, d_model, h, d_ff)
    _must_have_layers(module, d_model, d_ff)
    modules.must_take(module, "x")
    theirs = _in_their_words(module)
    modules.fill(module, {theirs[name]: args[name] for name in PARAMETERS})
    inputs = {name: args[name] for name in ("x", "allowed") if args[name] is not None}
    # a first call with other tokens and another mask: a module that remembers them shows in the second
    with contextlib.suppress(Exception):  # what is wrong with it, the second call shows
        module(1 - torch.from_numpy(args["x"]), torch.arange(args["x"].shape[1]) < 1)
    upstream = [args[UPSTREAM]] if UPSTREAM in args else []
    seen = modules.run(module, inputs, upstream, list(theirs.values()))
    args.update(inputs)
    ours = {f"the gradient of {name}": f"the gradient of {one}" for one, name in theirs.items()}
    return {"the result": seen.pop("results"), **{ours.get(name, name): one for name, one in seen.items()}}


def once(answer: Any, args: dict[str, Any]) -> Any:
    """The one call that a trace shows: no gradients, and no other call before it."""
    module = modules.build(answer, args["x"].shape[-1], args["num_heads"], args["d_ff"])
    theirs = _in_their_words(module)
    modules.fill(module, {theirs[name]: args[name] for name in PARAMETERS})
    return module(*(torch.from_numpy(args[name]) for name in ("x", "allowed") if args[name] is not None))


def _in_their_words(module: nn.Module) -> dict[str, str]:
    """What the parameters are called here: the layers of an `nn.Sequential` may have names of their own."""
    linears = [name for name, one in module.feed_forward.named_children() if isinstance(one, nn.Linear)]
    called = {
        f"feed_forward.{place}": f"feed_forward.{name}" for place, name in zip((0, 2), linears, strict=True)
    }
    layers = [name.rpartition(".") for name in PARAMETERS]
    return {f"{layer}.{kind}": f"{called.get(layer, layer)}.{kind}" for layer, _, kind in layers}


def _must_have_layers(module: nn.Module, d_model: int, d_ff: int) -> None:
    """Refuse missing layers, other kinds of layers, and layers of other sizes.

    Raises:
        ProbeError: with the layer that was expected.
    """
    wanted = {
        "norm_1": f"nn.LayerNorm({d_model})",
        "attention": "reference.MultiHeadAttention(d_model, num_heads)",
        "norm_2": f"nn.LayerNorm({d_model})",
        "feed_forward": f"nn.Sequential(nn.Linear({d_model}, {d_ff}), nn.GELU(), nn.Linear({d_ff}, {d_model}))",
    }
    for name, kind in wanted.items():
        if getattr(module, name, None) is None:
            says = f"it has no attribute {name}: write `self.{name} = ...` in `__init__`; it should be {kind}"
            raise ProbeError(says, "wrong-attribute-names", _NAMES)
    for name in ("norm_1", "norm_2"):
        _must_be_norm(getattr(module, name), name, wanted[name], d_model)
    if module.norm_1 is module.norm_2:
        raise ProbeError(
            "its norm_1 and norm_2 are one and the same layer; each learns a scale of its own",
            "norm-shared",
            "How many times does `nn.LayerNorm(...)` stand in your `__init__`?",
        )
    _must_be_attention(module.attention, d_model)
    _must_be_feed_forward(module.feed_forward, wanted["feed_forward"], d_model, d_ff)


def _must_be_norm(layer: Any, name: str, wanted: str, d_model: int) -> None:
    scales = [getattr(layer, part, None) for part in ("weight", "bias")]
    if all(
        isinstance(one, torch.Tensor) and tuple(one.shape) == (d_model,) for one in scales
    ) and not isinstance(layer, nn.modules.batchnorm._BatchNorm):
        return
    says = f"its {name} should be {wanted}; it is {_described(layer)}"
    raise ProbeError(
        says,
        "wrong-norm",
        "A LayerNorm works on each token alone, over its d_model numbers, and learns a scale and a shift.",
    )


def _must_be_attention(layer: Any, d_model: int) -> None:
    if isinstance(layer, nn.MultiheadAttention):
        raise ProbeError(
            "its attention is PyTorch's nn.MultiheadAttention, whose masks are turned round; here it should be "
            "reference.MultiHeadAttention",
            "library-attention",
            "Write `reference.MultiHeadAttention(...)`, or use your own class from unit 06.",
        )
    for name in ATTENTION:
        one = getattr(layer, name, None)
        if not isinstance(one, nn.Linear):
            raise ProbeError(
                "its attention should be reference.MultiHeadAttention(d_model, num_heads); "
                f"it is {_described(layer)}, which has no layer {name}",
                "wrong-attention",
                "Use `reference.MultiHeadAttention`, or your own class from unit 06.",
            )
        if (one.in_features, one.out_features) != (d_model, d_model):
            raise ProbeError(
                f"its attention has a {name} of nn.Linear({one.in_features}, {one.out_features}); it should be "
                f"d_model = {d_model} wide",
                "arguments-swapped",
                "In which order does `MultiHeadAttention` take d_model and num_heads?",
            )


def _must_be_feed_forward(layer: Any, wanted: str, d_model: int, d_ff: int) -> None:
    says = f"its feed_forward should be {wanted}; it is {_described(layer)}"
    if not isinstance(layer, nn.Sequential):
        raise ProbeError(
            says, "not-sequential", "`nn.Sequential(a, b, c)` calls its layers one after the other."
        )
    drops = [one for one in layer if isinstance(one, nn.Dropout)]
    kept = [one for one in layer if not isinstance(one, nn.Dropout | nn.Identity)]
    kinds = [isinstance(one, nn.Linear) for one in kept]
    if kinds == [True, True]:
        raise ProbeError(
            says, "nonlinearity-missing", "Two linear layers in a row are one. What bends them apart?"
        )
    if kinds != [True, False, True]:
        raise ProbeError(says, "wrong-feed-forward", "Three layers: wide, GELU, back to d_model.")
    if any(one.p > 0 for one in drops):
        hint = "Leave the `nn.Dropout` out: the exercise names three layers."
        raise ProbeError(says, "dropout-left-on", hint)
    sizes = [(one.in_features, one.out_features) for one in (kept[0], kept[2])]
    if sizes != [(d_model, d_ff), (d_ff, d_model)]:
        raise ProbeError(says, "wrong-layer-size", "`nn.Linear(a, b)` takes width a and gives width b.")
    if kept[0].bias is None or kept[2].bias is None:
        raise ProbeError(says, "bias-missing", "`nn.Linear` has a bias unless told not to.")
    if isinstance(kept[1], nn.ReLU | nn.Tanh | nn.Sigmoid | nn.SiLU | nn.LeakyReLU | nn.ELU | nn.Softmax):
        raise ProbeError(says, "wrong-nonlinearity", "Which function does the task name?")


def _described(layer: Any) -> str:
    """A layer in few words; PyTorch writes those of an `nn.Sequential` on many lines."""
    if isinstance(layer, nn.Sequential):
        return f"nn.Sequential({', '.join(map(_described, layer))})"
    if isinstance(layer, nn.Linear):
        bias = "" if layer.bias is not None else ", bias=False"
        return f"nn.Linear({layer.in_features}, {layer.out_features}{bias})"
    if isinstance(layer, nn.LayerNorm):
        lacks = "elementwise_affine" if layer.weight is None else "bias" if layer.bias is None else ""
        sizes = ", ".join(map(str, layer.normalized_shape))
        return f"nn.LayerNorm({sizes}{f', {lacks}=False' if lacks else ''})"
    return f"of type {type(layer).__name__}"
