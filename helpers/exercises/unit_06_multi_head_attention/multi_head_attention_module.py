"""Exercise `MultiHeadAttention`: the whole as a PyTorch module, gradients included."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.exercises import modules
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_06_multi_head_attention.multi_head_attention_module_mistakes import (
    MISTAKES,
    blocked_softmax,
)

LAYERS = ("W_q", "W_k", "W_v", "W_o")
PARAMETERS = tuple(f"{layer}.{kind}" for layer in LAYERS for kind in ("weight", "bias"))
INPUTS = ("query", "key", "value")


def cases(draw: Draw) -> Iterator[Case]:
    """Cross-attention with all sizes different, masks, a blocked query, one head, B = h, the same tokens thrice."""
    for width in (np.float64, np.float32):
        n_q, n_k, b, h, d_head = draw.sizes(5)
        sizes = (b, n_q, n_k, h, d_head)
        says = f"B = {b}, n_q = {n_q}, n_k = {n_k}, {h} heads of width {d_head}, {width.__name__}"
        yield _case(draw, f"cross-attention ({says})", sizes, width)
        yield _case(draw, f"a mask for each pair ({says})", sizes, width, draw.mask(n_q, n_k))
    yield _case(draw, f"a mask of shape ({b}, 1, 1, {n_k})", sizes, np.float64, draw.mask(b, 1, 1, n_k))
    yield _case(draw, f"a mask of shape ({n_k},)", sizes, np.float64, draw.mask(n_k))
    blocked = np.array([[True, False, True], [False, False, False]])
    yield _case(draw, "a query with no allowed key", (2, 2, 3, 5, 2), np.float64, blocked)
    yield _case(draw, "one head", (2, 3, 5, 1, 4), np.float64)
    yield _case(draw, "B = n = h = d_head = 2", (2, 2, 2, 2, 2), np.float64, draw.mask(2, 1, 1, 2))
    yield _case(
        draw, "a causal mask over 5 tokens", (2, 5, 5, 3, 2), np.float64, np.tril(np.ones((5, 5), bool))
    )
    yield _case(draw, "tokens 100 times as long", (2, 3, 5, 2, 4), np.float64, scale=100)


def _case(
    draw: Draw,
    says: str,
    sizes: tuple[int, ...],
    width: type,
    allowed: np.ndarray | None = None,
    scale: float = 1.5,
) -> Case:
    b, n_q, n_k, h, d_head = sizes
    d = h * d_head
    args: dict[str, Any] = {"num_heads": h, "allowed": allowed}
    for name, n in zip(INPUTS, (n_q, n_k, n_k), strict=True):
        args[name] = draw.normal(b, n, d, dtype=width, scale=scale)
    for layer in LAYERS:
        args[f"{layer}.weight"] = draw.normal(d, d, dtype=width, scale=d**-0.5)
        args[f"{layer}.bias"] = draw.normal(d, dtype=width)
    args["upstream output"] = draw.normal(b, n_q, d, dtype=width)
    args["upstream weights"] = draw.normal(b, h, n_q, n_k, dtype=width)
    return Case(says, args)


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Results and gradients of the learner's module with the given weights."""
    module = modules.build(answer, args["query"].shape[-1], args["num_heads"])
    modules.load(module, {name: args[name] for name in PARAMETERS})
    inputs = {name: args[name] for name in (*INPUTS, "allowed") if args[name] is not None}
    # a first call with another mask: a module that remembers it shows in the second
    with contextlib.suppress(Exception):  # what is wrong with it, the second call shows
        module(*(torch.from_numpy(args[name]) for name in INPUTS), torch.arange(args["key"].shape[1]) < 1)
    return modules.run(module, inputs, [args["upstream output"], args["upstream weights"]], PARAMETERS)


def oracle(*values: Any) -> dict[str, Any]:
    """`nn.MultiheadAttention` with the same weights, in double precision, and autograd.

    It answers a query with no allowed key with NaN, so such a case goes through `torch.softmax` and
    zeros instead.
    """
    names = (
        "num_heads",
        "allowed",
        *INPUTS,
        *(p for layer in LAYERS for p in (f"{layer}.weight", f"{layer}.bias")),
    )
    args = dict(zip((*names, "upstream output", "upstream weights"), values, strict=True))
    width = args["query"].dtype
    leaf = {
        name: torch.from_numpy(args[name].astype(np.float64)).requires_grad_()
        for name in (*INPUTS, *PARAMETERS)
    }
    results = _forward(leaf, args["num_heads"], args["allowed"])
    upstream = [
        torch.from_numpy(args[f"upstream {name}"].astype(np.float64)) for name in ("output", "weights")
    ]
    total = sum((result * up).sum() for result, up in zip(results, upstream, strict=True))
    order = (*PARAMETERS, *INPUTS)
    gradients = torch.autograd.grad(total, [leaf[name] for name in order])
    report = {"results": tuple(result.detach().numpy().astype(width) for result in results)}
    return report | {
        f"the gradient of {n}": g.numpy().astype(width) for n, g in zip(order, gradients, strict=True)
    }


def _forward(
    leaf: Mapping[str, torch.Tensor], h: int, allowed: np.ndarray | None
) -> tuple[torch.Tensor, torch.Tensor]:
    query, key, value = (leaf[name] for name in INPUTS)
    shape = (query.shape[0], h, query.shape[1], key.shape[1])
    seen = torch.ones(shape, dtype=torch.bool) if allowed is None else torch.from_numpy(allowed).expand(shape)
    if seen.any(-1).all():
        output, weights = nn.functional.multi_head_attention_forward(
            *(x.transpose(0, 1) for x in (query, key, value)),
            query.shape[-1],
            h,
            torch.cat([leaf["W_q.weight"], leaf["W_k.weight"], leaf["W_v.weight"]]),
            torch.cat([leaf["W_q.bias"], leaf["W_k.bias"], leaf["W_v.bias"]]),
            None,
            None,
            False,
            0.0,
            leaf["W_o.weight"],
            leaf["W_o.bias"],
            attn_mask=~seen.reshape(-1, *shape[2:]),
            average_attn_weights=False,
        )
        return output.transpose(0, 1), weights
    linear = nn.functional.linear
    Q, K, V = (
        linear(x, leaf[f"{layer}.weight"], leaf[f"{layer}.bias"]).unflatten(-1, (h, -1)).transpose(1, 2)
        for x, layer in zip((query, key, value), LAYERS, strict=False)
    )
    weights = blocked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, seen)
    return linear((weights @ V).transpose(1, 2).flatten(2), leaf["W_o.weight"], leaf["W_o.bias"]), weights


EXERCISE = Exercise(
    name="MultiHeadAttention",
    cases=cases,
    oracle=oracle,
    probe=probe,
    parts=("output", "weights"),
    tensors=True,
    whole_answer=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    hints=(
        "Which four layers does the module own, and which of them meets query, key, value, and the merged heads?",
        "Project each input with its own layer, split into heads, score, mask, softmax, mix, merge, project with W_o.",
        "In PyTorch: `unflatten` and `transpose` split, `masked_fill` hides, `torch.softmax(..., dim=-1)` weighs. "
        "Set the weights of a row with no allowed key to 0 without making NaN on the way.",
    ),
    mistakes=MISTAKES,
)
