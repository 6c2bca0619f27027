"""Exercise `QKVProjection`: the three projections as a PyTorch module."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.exercises import modules
from helpers.exercises.base import Case, Draw, Exercise, ProbeError
from helpers.exercises.unit_02_queries_keys_values.qkv_projection_module_mistakes import MISTAKES

NAMES = ("W_q", "W_k", "W_v")


def cases(draw: Draw) -> Iterator[Case]:
    """A tiny one, the sizes of a widely read text, random sizes in both widths, all sizes equal."""
    yield _case(draw, "two tokens of width 2, d_k = 2, d_v = 3", (1, 2, 2, 2, 3), np.float64)
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


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Results and gradients of the learner's module with the given weights."""
    module = _loaded(answer, args)
    upstream = [args[f"upstream {name}"] for name in NAMES]
    report = modules.run(module, {"x": args["x"]}, upstream, [f"{name}.weight" for name in NAMES])
    _must_be_made_of_its_weights(answer, module, args, report["results"])
    return report


def _loaded(answer: Any, args: Mapping[str, Any]) -> nn.Module:
    d_k, d_model = args["W_q"].shape
    module = modules.build(answer, d_model, d_k, args["W_v"].shape[0])
    modules.load(module, {f"{name}.weight": args[name] for name in NAMES})
    return module


def _must_be_made_of_its_weights(
    answer: Any, module: nn.Module, args: Mapping[str, Any], results: Any
) -> None:
    """The same weights and the same x must give the same results.

    Raises:
        ProbeError: when the weights change, or the results do though the weights are the same.
    """
    for name in NAMES:
        if not np.array_equal(getattr(module, name).weight.detach().numpy(), args[name]):
            says = f"its {name} has other weights after `forward` than before"
            hint = "Layers are made once, in `__init__`; `forward` only calls them."
            raise ProbeError(says, "state-between-calls", hint)
    x = torch.from_numpy(args["x"])
    again = module(x.clone())
    own = [name for name, _ in module.named_parameters() if name.removesuffix(".weight") not in NAMES]
    if _same(results, again) and not (own and not _same(results, _loaded(answer, args)(x.clone()))):
        return
    with torch.random.fork_rng(devices=[]):
        unused = [name for name in NAMES if _same(*_with_and_without(module, name, x))]
        repeats = _same(*_with_and_without(module, "", x))
    if unused:
        says = f"its results do not depend on {', '.join(unused)}: other layers do the work"
        raise ProbeError(says, "attributes-not-used", "Which layers does your `forward` call?")
    if not repeats:
        says = "the same x gives other results the second time: something is kept between calls"
        raise ProbeError(says, "state-between-calls", "What does `forward` keep in `self`?")
    if _same(results, again):
        says = f"besides W_q, W_k and W_v something else is learned and changes the results: {', '.join(own)}"
        raise ProbeError(says, "extra-layer", "Three products are the whole answer.")
    says = "the same x gives other results the second time: something is drawn at random, as dropout does"
    raise ProbeError(says, "dropout-left-on", "Projections are only matrix products; leave dropout out.")


def _with_and_without(module: nn.Module, name: str, x: torch.Tensor) -> list[Any]:
    """Two results with the same random numbers, the second after one layer's weights were doubled."""
    results = []
    for factor in (1, 2):
        torch.manual_seed(0)
        with torch.no_grad():
            for parameter in getattr(module, name).parameters() if name else ():
                parameter *= factor
        results.append(module(x.clone()))
    return results


def _same(one: Any, other: Any) -> bool:
    """Whether two results are equal; anything but tuples of tensors counts as equal."""
    tuples = isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other)
    if not tuples or not all(isinstance(part, torch.Tensor) for part in (*one, *other)):
        return True
    return all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


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
    hints=(
        "Which layer of PyTorch multiplies by a learned matrix?",
        "Make three `nn.Linear` layers in `__init__`, without bias; call them in `forward`.",
        "`nn.Linear(d_model, d_k, bias=False)` is the first; the values' layer ends in d_v.",
    ),
    mistakes=MISTAKES,
)
