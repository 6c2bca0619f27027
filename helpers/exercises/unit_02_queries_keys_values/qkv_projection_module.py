"""Exercise `QKVProjection`: the three projections as a PyTorch module."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.beside.probes.qkv_projection_module import NAMES, probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_02_queries_keys_values.qkv_projection_module_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """A tiny one, a single token, the sizes of a widely read text, random sizes in both widths, all sizes equal."""
    yield _case(draw, "a batch of 2 with 2 tokens of width 2, d_k = 2, d_v = 1", (2, 2, 2, 2, 1), np.float64)
    yield _case(
        draw, "a batch of one with one token of width 5, d_k = 2, d_v = 3", (1, 1, 5, 2, 3), np.float64
    )
    says = "a batch of 50 with 5 tokens of width 3, d_k = 5, d_v = 4"
    yield _case(draw, says, (50, 5, 3, 5, 4), np.float32)
    for width in (np.float64, np.float32):
        b, n, d_model, d_k, d_v = draw.sizes(5)
        says = f"x of shape ({b}, {n}, {d_model}), d_k = {d_k}, d_v = {d_v}, {width.__name__}"
        yield _case(draw, says, (b, n, d_model, d_k, d_v), width)
    yield _case(draw, "a batch of 3 with all sizes 3", (3, 3, 3, 3, 3), np.float64)


def _case(draw: Draw, says: str, sizes: tuple[int, ...], width: type) -> Case:
    b, n, d_model, d_k, d_v = sizes
    args: dict[str, Any] = {"x": draw.normal(b, n, d_model, dtype=width)}
    for name, d_out in zip(NAMES, (d_k, d_k, d_v), strict=True):
        args[name] = draw.normal(d_out, d_model, dtype=width)
        args[f"upstream {name}"] = draw.normal(b, n, d_out, dtype=width)
    return Case(says, args)


def oracle(*args: np.ndarray) -> dict[str, Any]:
    """Three `F.linear` calls, and their gradients by autograd."""
    leaves = [torch.from_numpy(array.astype(np.float64)).requires_grad_() for array in args]
    x, weights, upstream = leaves[0], leaves[1::2], leaves[2::2]
    results = [F.linear(x, weight) for weight in weights]
    total = sum((result * up).sum() for result, up in zip(results, upstream, strict=True))
    gradients = torch.autograd.grad(total, [*weights, x])
    wanted = [f"the gradient of {name}.weight" for name in NAMES] + ["the gradient of x"]
    back = [one.detach().numpy().astype(args[0].dtype) for one in (*results, *gradients)]
    return {"results": tuple(back[:3]), **dict(zip(wanted, back[3:], strict=True))}


EXERCISE = Exercise(
    name="QKVProjection",
    cases=cases,
    oracle=oracle,
    probe=probe,
    parts=("Q", "K", "V"),
    tensors=True,
    axes={"Q": ("token", "feature"), "K": ("token", "feature"), "V": ("token", "feature")},
    hints=(
        "Which layer of PyTorch multiplies by a learned matrix?",
        "Make three `nn.Linear` layers in `__init__`, without bias; call them in `forward`.",
        "`nn.Linear(d_model, d_k, bias=False)` is the first; the values' layer ends in d_v.",
    ),
    mistakes=MISTAKES,
)
