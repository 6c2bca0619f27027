"""Exercise `MultiHeadAttention`: the whole as a PyTorch module, gradients included."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.beside.probes import modules, multi_head_attention_module
from helpers.beside.probes.multi_head_attention_module import INPUTS, LAYERS, PARAMETERS, UPSTREAM
from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.begins import HEADS, of_heads
from helpers.exercises.unit_05_softmax.masked_softmax import in_torch_masked
from helpers.exercises.unit_06_multi_head_attention.multi_head_attention_module_mistakes import (
    MISTAKES,
    light_form,
)


def cases(draw: Draw) -> Iterator[Case]:
    """Results first, then gradients too: small, of all sizes different, with every mask, one head, square, large."""
    tiny = (1, 2, 4, 2, 3)
    yield _case(draw, "2 queries, 4 keys, 2 heads of width 3", tiny)
    yield _case(draw, "2 queries, 4 keys, 2 heads of width 3 and a mask", tiny, draw.mask(2, 4))
    blocked = np.array([[True, False, True, False], [False] * 4])
    yield _case(draw, "a query with no allowed key", tiny, blocked)
    b, n_q, n_k, h, d_head = sizes = tuple(draw.sizes(5))
    says = f"B = {b}, n_q = {n_q}, n_k = {n_k}, {h} heads of width {d_head}"
    yield _case(draw, f"cross-attention ({says})", sizes)
    yield _case(draw, f"a mask for each pair ({says})", sizes, draw.mask(n_q, n_k))
    for shape in ((b, h, n_q, n_k), (b, 1, n_q, n_k), (b, 1, 1, n_k), (n_k,)):
        yield _case(draw, f"a mask of shape {shape} ({says})", sizes, draw.mask(*shape))
    yield _case(draw, "one head", (1, 3, 5, 1, 7))
    yield _case(draw, "B = n = h = d_head = 3", (3, 3, 3, 3, 3), draw.mask(3, 1, 1, 3))
    yield _case(draw, "a mask that allows nothing", tiny, np.zeros((1, 4), bool))
    yield _case(draw, "a causal mask over 5 tokens", (2, 5, 5, 3, 2), np.tril(np.ones((5, 5), bool)))
    yield _case(draw, "tokens 100 times as long", (2, 3, 5, 2, 4), scale=100)
    # each query sees one key only, whose score is often far below 0
    one_key = np.eye(3, 5, dtype=bool)
    yield _case(draw, "tokens 1000 times as long and a mask", (2, 3, 5, 2, 4), one_key, scale=1000)
    yield _with_zeros(_case(draw, "biases of 0 and a key of zeros", (1, 2, 4, 2, 3), draw.mask(2, 4)))
    for width in (np.float64, np.float32):
        b, n_q, n_k, h, d_head = sizes = tuple(draw.sizes(5))
        says = f"B = {b}, n_q = {n_q}, n_k = {n_k}, {h} heads of width {d_head}, {width.__name__}, with gradients"
        yield _with_gradients(draw, _case(draw, f"cross-attention ({says})", sizes, width=width))
        mask = draw.mask(n_q, n_k)
        yield _with_gradients(draw, _case(draw, f"a mask for each pair ({says})", sizes, mask, width=width))
    yield _with_gradients(
        draw, _case(draw, "a query with no allowed key, with gradients", (2, 2, 4, 5, 2), blocked)
    )


def _case(
    draw: Draw,
    says: str,
    sizes: tuple[int, ...],
    allowed: np.ndarray | None = None,
    width: type = np.float64,
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
    return Case(says, args)


def _with_zeros(case: Case) -> Case:
    """The same call with a key whose scores are 0."""
    zeros = {name: np.zeros_like(case.args[name]) for name in PARAMETERS if name.endswith("bias")}
    key, allowed = case.args["key"].copy(), case.args["allowed"].copy()
    key[:, 1], allowed[:, 1] = 0, True
    return Case(case.says, {**case.args, **zeros, "key": key, "allowed": allowed})


def _with_gradients(draw: Draw, case: Case) -> Case:
    """The same call, with gradients asked for: a gradient for each result comes with it."""
    query, key, h = case.args["query"], case.args["key"], case.args["num_heads"]
    shapes = (query.shape, (len(query), h, query.shape[1], key.shape[1]))
    upstream = {
        name: draw.normal(*shape, dtype=query.dtype) for name, shape in zip(UPSTREAM, shapes, strict=True)
    }
    return Case(case.says, {**case.args, **upstream})


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """The probe, with a shorter way for known mistakes, which need no guards."""
    make = light_form(answer)
    return _probe_light(make, args) if make else multi_head_attention_module.probe(answer, args)


def _probe_light(make: Callable, args: Mapping[str, Any]) -> dict[str, Any]:
    """The same of a known mistake, which needs no guards."""
    upstream = [args[name] for name in UPSTREAM if name in args]
    weights = {name: modules.tensor(args[name], leaf=len(upstream) > 0) for name in PARAMETERS}
    inputs = {name: modules.tensor(args[name], leaf=len(upstream) > 0) for name in INPUTS}
    allowed = modules.tensor(args["allowed"], leaf=False)
    results = make(args["num_heads"], weights).forward(*inputs.values(), allowed)
    return modules.with_gradients(results, upstream, weights | inputs)


def oracle(*values: Any) -> dict[str, Any]:
    """`nn.MultiheadAttention` with the same weights, in double precision, and autograd.

    It answers a query with no allowed key with NaN, so such a case goes through `torch.softmax` and
    zeros instead.
    """
    args = dict(zip(("num_heads", "allowed", *INPUTS, *PARAMETERS, *UPSTREAM), values, strict=False))
    width = args["query"].dtype
    leaf = {
        name: torch.from_numpy(args[name].astype(np.float64)).requires_grad_()
        for name in (*INPUTS, *PARAMETERS)
    }
    results = _forward(leaf, args["num_heads"], args["allowed"])
    report = {"results": tuple(result.detach().numpy().astype(width) for result in results)}
    upstream = [torch.from_numpy(args[name].astype(np.float64)) for name in UPSTREAM if name in args]
    if not upstream:
        return report
    total = sum((result * up).sum() for result, up in zip(results, upstream, strict=True))
    order = (*PARAMETERS, *INPUTS)
    gradients = torch.autograd.grad(total, [leaf[name] for name in order])
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
    # blocked rows are opened, then set to 0: no NaN, in the gradients neither
    some = seen.any(-1, keepdim=True)
    weights = in_torch_masked(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, seen | ~some) * some
    return linear((weights @ V).transpose(1, 2).flatten(2), leaf["W_o.weight"], leaf["W_o.bias"]), weights


def _begins(args: Mapping[str, Any]) -> dict[str, Any]:
    """The heads of queries and keys, for the loom."""
    projected = (
        args[name] @ args[f"{layer}.weight"].T + args[f"{layer}.bias"]
        for name, layer in (("query", "W_q"), ("key", "W_k"))
    )
    return of_heads(args, *projected)


EXERCISE = Exercise(
    name="MultiHeadAttention",
    cases=cases,
    oracle=oracle,
    probe=probe,
    parts=("output", "weights"),
    tensors=True,
    whole_answer=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    axes={"output": ("query", "feature"), "weights": ("query", "key")},
    woven=Woven({"weights": "weights"}, "weights", _begins, HEADS),
    hints=(
        "Which four layers does the module own, and which of them meets query, key, value, and the merged heads?",
        "Project each input with its own layer, split into heads, score, mask, softmax, mix, merge, project with W_o.",
        "In PyTorch: `unflatten` and `transpose` split, `masked_fill` hides with `-torch.inf`, "
        "`torch.softmax(..., dim=-1)` weighs. A row with no allowed key is NaN then: a second `masked_fill` makes "
        "its weights 0.",
    ),
    mistakes=MISTAKES,
)
