"""Exercise `QKVProjection`: the three projections as a PyTorch module."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.exercises import modules
from helpers.exercises.base import Case, Draw, Exercise, Mistake

NAMES = ("W_q", "W_k", "W_v")


def cases(draw: Draw) -> Iterator[Case]:
    """The sizes of a widely read text, then random sizes in both widths, then a square case."""
    yield _case(
        draw, "a batch of 50 with 5 tokens of width 3, d_k = 5, d_v = 4", (50, 5, 3, 5, 4), np.float32
    )
    for width in (np.float64, np.float32):
        b, n, d_model, d_k, d_v = draw.sizes(5)
        says = f"x of shape ({b}, {n}, {d_model}), d_k = {d_k}, d_v = {d_v}, {width.__name__}"
        yield _case(draw, says, (b, n, d_model, d_k, d_v), width)
    yield _case(draw, "a batch of one with all sizes 3", (1, 3, 3, 3, 3), np.float64)


def _case(draw: Draw, says: str, sizes: tuple[int, ...], width: type) -> Case:
    b, n, d_model, d_k, d_v = sizes
    args: dict[str, Any] = {"x": draw.normal(b, n, d_model, dtype=width)}
    for name, d_out in zip(NAMES, (d_k, d_k, d_v), strict=True):
        args[name] = draw.normal(d_out, d_model, dtype=width)
        args[f"upstream {name}"] = draw.normal(b, n, d_out, dtype=width)
    return Case(says, args)


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Results and gradients of the learner's module with the given weights."""
    d_k, d_model = args["W_q"].shape
    module = modules.build(answer, d_model, d_k, args["W_v"].shape[0])
    modules.load(module, {f"{name}.weight": args[name] for name in NAMES})
    upstream = [args[f"upstream {name}"] for name in NAMES]
    return modules.run(module, {"x": args["x"]}, upstream, [f"{name}.weight" for name in NAMES])


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


class _Projection(nn.Module):
    """A right answer; the mistakes below change one thing each."""

    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__()
        self.W_q, self.W_k = (nn.Linear(d_model, d_k, bias=False) for _ in range(2))
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x: torch.Tensor) -> Any:
        return self.W_q(x), self.W_k(x), self.W_v(x)


class _SharedWeight(_Projection):
    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__(d_model, d_k, d_v)
        self.W_k = self.W_q


class _WithBias(_Projection):
    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__(d_model, d_k, d_v)
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d) for d in (d_k, d_k, d_v))


class _Turned(_Projection):
    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__(d_model, d_k, d_v)
        self.W_q, self.W_k, self.W_v = (nn.Linear(d, d_model, bias=False) for d in (d_k, d_k, d_v))


def _forward(forward: Any) -> type:
    return type("Wrong", (_Projection,), {"forward": forward})


EXERCISE = Exercise(
    name="QKVProjection",
    cases=cases,
    oracle=oracle,
    probe=probe,
    parts=("Q", "K", "V"),
    tensors=True,
    hints=(
        "Which layer of PyTorch multiplies by a learned matrix?",
        "Make three `nn.Linear` layers in `__init__`, without bias; call them in `forward`.",
        "`nn.Linear(d_model, d_k, bias=False)` is the first; the values' layer ends in d_v.",
    ),
    mistakes=(
        Mistake(
            "bias-left-on",
            "Your layers have a bias; here they should not.",
            _WithBias,
            "`nn.Linear` has an argument that leaves the bias out.",
        ),
        Mistake(
            "query-weight-reused",
            "W_q and W_k are one and the same layer; they must be learned apart.",
            _SharedWeight,
            "How many `nn.Linear(...)` calls are there in your `__init__`?",
        ),
        Mistake(
            "weight-transposed",
            "Your layers have input and output width the wrong way round.",
            _Turned,
            "`nn.Linear(in, out)`: how wide is a token that comes in?",
        ),
        Mistake(
            "value-not-projected",
            "Your values are the tokens themselves; use W_v.",
            _forward(lambda self, x: (self.W_q(x), self.W_k(x), x)),
            "Which layer does not appear in `forward`?",
        ),
        Mistake(
            "key-weight-reused",
            "You used W_k twice; queries have their own layer.",
            _forward(lambda self, x: (self.W_k(x), self.W_k(x), self.W_v(x))),
            "Read your `forward` once more: which layer makes Q?",
        ),
        Mistake(
            "query-weight-reused",
            "You used W_q twice; keys have their own layer.",
            _forward(lambda self, x: (self.W_q(x), self.W_q(x), self.W_v(x))),
            "Read your `forward` once more: which layer makes K?",
        ),
        Mistake(
            "query-and-key-swapped",
            "Queries and keys have changed places.",
            _forward(lambda self, x: (self.W_k(x), self.W_q(x), self.W_v(x))),
            "The order is Q, K, V.",
        ),
        Mistake(
            "gradient-cut",
            "The numbers are right, but no gradient reaches the weights, so they could never be learned.",
            _forward(lambda self, x: tuple(layer(x).detach() for layer in (self.W_q, self.W_k, self.W_v))),
            "Look for `detach`, `.data`, `no_grad` or a trip through NumPy.",
        ),
    ),
)
