"""Exercise `TransformerBlock`: attention and a feed-forward part, each with a norm before and a way around."""

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.beside.probes import modules, transformer_block_module
from helpers.beside.probes.transformer_block_module import PARAMETERS, UPSTREAM
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_07_train_a_transformer.transformer_block_module_mistakes import MISTAKES, Light


def cases(draw: Draw) -> Iterator[Case]:
    """Part by part by hand, then random: every mask, one head, one token, large and small tokens, gradients."""
    yield from _by_hand()
    b, n, h, d_head, d_ff = sizes = tuple(draw.sizes(5))
    says = f"B = {b}, n = {n}, {h} heads of width {d_head}, d_ff = {d_ff}"
    yield _case(draw, f"no mask ({says})", sizes)
    causal = np.tril(np.ones((n, n), bool))
    yield _case(draw, f"a causal mask ({says})", sizes, causal)
    for shape in ((b, 1, 1, n), (b, h, n, n), (n,)):
        yield _case(draw, f"a mask of shape {shape} ({says})", sizes, draw.mask(*shape))
    small = (2, 3, 2, 2, 5)
    yield _case(draw, "one head", (2, 3, 1, 5, 7))
    yield _case(draw, "B = n = h = d_head = d_ff = 3", (3, 3, 3, 3, 3), np.tril(np.ones((3, 3), bool)))
    blocked = np.array([[True, True, False], [False] * 3, [True] * 3])
    yield _case(draw, "a query with no allowed key", small, blocked)
    yield _case(draw, "tokens 100 times as long", small, scale=100)
    yield _case(draw, "tokens 1000 times as short", small, scale=0.001)
    for width in (np.float64, np.float32):
        b, n, h, d_head, d_ff = sizes = tuple(draw.sizes(5))
        says = (
            f"B = {b}, n = {n}, {h} heads of width {d_head}, d_ff = {d_ff}, {width.__name__}, with gradients"
        )
        yield _with_gradients(draw, _case(draw, f"no mask ({says})", sizes, width=width))
        causal = np.tril(np.ones((n, n), bool))
        yield _with_gradients(draw, _case(draw, f"a causal mask ({says})", sizes, causal, width=width))


def _by_hand() -> Iterator[Case]:
    """One token [3 1], whose norm is [1 -1]; first all other weights are 0, then one part after the other is on."""
    one = np.eye(2)
    nothing = {name: np.zeros(_shape(name, 2, 3)) for name in PARAMETERS}
    for norm in ("norm_1", "norm_2"):
        nothing[f"{norm}.weight"] = np.ones(2)
    args = {"num_heads": 1, "d_ff": 3, "allowed": None, "x": np.array([[[3.0, 1.0]]]), **nothing}
    yield Case("one token [3 1], attention and feed_forward with weights of 0", args)
    attending = {"attention.W_v.weight": one, "attention.W_o.weight": one}
    yield Case("one token [3 1], feed_forward with weights of 0", {**args, **attending})
    feeding = {"feed_forward.0.weight": np.eye(3, 2), "feed_forward.2.weight": np.eye(2, 3)}
    yield Case("one token [3 1], attention with weights of 0", {**args, **feeding})


def _shape(name: str, d: int, d_ff: int) -> tuple[int, ...]:
    rows = d_ff if name.startswith("feed_forward.0") else d
    if name.endswith("bias") or name.startswith("norm"):
        return (rows,)
    return (rows, d_ff if name.startswith("feed_forward.2") else d)


def _case(
    draw: Draw,
    says: str,
    sizes: tuple[int, ...],
    allowed: np.ndarray | None = None,
    width: type = np.float64,
    scale: float = 1.5,
) -> Case:
    b, n, h, d_head, d_ff = sizes
    d = h * d_head
    args: dict[str, Any] = {"num_heads": h, "d_ff": d_ff, "allowed": allowed}
    args["x"] = draw.normal(b, n, d, dtype=width, scale=scale) + width(scale)  # a mean that a norm takes away
    for name in PARAMETERS:
        shape = _shape(name, d, d_ff)
        args[name] = draw.normal(*shape, dtype=width, scale=1.0 if len(shape) == 1 else shape[-1] ** -0.5)
    return Case(says, args)


def _with_gradients(draw: Draw, case: Case) -> Case:
    x = case.args["x"]
    return Case(case.says, {**case.args, UPSTREAM: draw.normal(*x.shape, dtype=x.dtype)})


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """The probe, with a shorter way for known mistakes, which are no modules."""
    if not isinstance(answer, Light):
        return transformer_block_module.probe(answer, args)
    upstream = [args[UPSTREAM]] if UPSTREAM in args else []
    leaf = {name: modules.tensor(args[name], leaf=len(upstream) > 0) for name in (*PARAMETERS, "x")}
    result = answer(leaf, args["num_heads"], leaf["x"], modules.tensor(args["allowed"], leaf=False))
    seen = modules.with_gradients(result, upstream, leaf)
    return {"the result": seen.pop("results"), **seen}


@functools.lru_cache(maxsize=32)  # making one takes longer than calling it
def _layer(d_model: int, num_heads: int, d_ff: int) -> nn.TransformerEncoderLayer:
    return nn.TransformerEncoderLayer(
        d_model, num_heads, d_ff, 0.0, "gelu", norm_first=True, batch_first=True, dtype=torch.float64
    )


def oracle(*values: Any) -> dict[str, Any]:
    """`nn.TransformerEncoderLayer(norm_first=True, activation="gelu")` with the same weights, and autograd.

    It answers a query with no allowed key with NaN; such a case goes through `F.scaled_dot_product_attention`.
    """
    args = dict(zip(("num_heads", "d_ff", "allowed", "x", *PARAMETERS, UPSTREAM), values, strict=False))
    width = args["x"].dtype
    leaf = {
        name: torch.from_numpy(args[name].astype(np.float64)).requires_grad_() for name in (*PARAMETERS, "x")
    }
    result = _forward(leaf, args["num_heads"], args["d_ff"], args["allowed"])
    report = {"the result": result.detach().numpy().astype(width)}
    if UPSTREAM not in args:
        return report
    total = (result * torch.from_numpy(args[UPSTREAM].astype(np.float64))).sum()
    gradients = torch.autograd.grad(total, list(leaf.values()))
    return report | {
        f"the gradient of {n}": g.numpy().astype(width) for n, g in zip(leaf, gradients, strict=True)
    }


def _forward(leaf: Mapping[str, torch.Tensor], h: int, d_ff: int, allowed: np.ndarray | None) -> torch.Tensor:
    x = leaf["x"]
    b, n, d = x.shape
    seen = torch.ones(b, h, n, n, dtype=torch.bool)
    if allowed is not None:
        seen = torch.from_numpy(allowed).expand(b, h, n, n)
    if not seen.any(-1).all():
        return _with_blocked_rows(leaf, h, seen)
    given = {"self_attn.out_proj": "attention.W_o", "linear1": "feed_forward.0", "linear2": "feed_forward.2"}
    given |= {"norm1": "norm_1", "norm2": "norm_2"}
    theirs = {
        f"{name}.{kind}": leaf[f"{ours}.{kind}"]
        for name, ours in given.items()
        for kind in ("weight", "bias")
    }
    for kind in ("weight", "bias"):
        theirs[f"self_attn.in_proj_{kind}"] = torch.cat([leaf[f"attention.W_{one}.{kind}"] for one in "qkv"])
    mask = None if allowed is None else ~seen.reshape(b * h, n, n)
    return torch.func.functional_call(_layer(d, h, d_ff), theirs, (x,), {"src_mask": mask})


def _with_blocked_rows(leaf: Mapping[str, torch.Tensor], h: int, seen: torch.Tensor) -> torch.Tensor:
    def linear(x: torch.Tensor, layer: str) -> torch.Tensor:
        return F.linear(x, leaf[f"{layer}.weight"], leaf[f"{layer}.bias"])

    def norm(x: torch.Tensor, layer: str) -> torch.Tensor:
        return F.layer_norm(x, x.shape[-1:], leaf[f"{layer}.weight"], leaf[f"{layer}.bias"])

    x = leaf["x"]
    normed = norm(x, "norm_1")
    Q, K, V = (linear(normed, f"attention.W_{one}").unflatten(-1, (h, -1)).transpose(1, 2) for one in "qkv")
    mixed = F.scaled_dot_product_attention(Q, K, V, attn_mask=seen)
    x = x + linear(mixed.transpose(1, 2).flatten(2), "attention.W_o")
    return x + linear(F.gelu(linear(norm(x, "norm_2"), "feed_forward.0")), "feed_forward.2")


EXERCISE = Exercise(
    name="TransformerBlock",
    cases=cases,
    oracle=oracle,
    probe=probe,
    tensors=True,
    whole_answer=("torch.nn.TransformerEncoderLayer",),
    axes={"the result": ("token", "feature")},
    hints=(
        "The block has two halves. What is added to x in the first one, and what in the second?",
        "Both halves do the same: norm, work, add to what went in. The second half begins with the sum of the first.",
        "`a = self.norm_1(x)`, then `x = x + self.attention(a, a, a, allowed)[0]`; the second half is the same with norm_2 and feed_forward.",
    ),
    mistakes=MISTAKES,
)
