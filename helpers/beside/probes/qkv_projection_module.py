"""The probe of the module `QKVProjection`."""

import contextlib
from collections.abc import Mapping
from typing import Any

import torch

from helpers.beside.probes import modules
from helpers.beside.probes.base import ProbeError

NAMES = ("W_q", "W_k", "W_v")


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Results and gradients of the learner's module with the given weights."""
    d_k, d_model = args["W_q"].shape
    module, other = (modules.build(answer, d_model, d_k, args["W_v"].shape[0]) for _ in range(2))
    for one in (module, other):
        modules.load(one, {f"{name}.weight": args[name] for name in NAMES})
    upstream = [args[f"upstream {name}"] for name in NAMES]
    report = modules.run(module, {"x": args["x"]}, upstream, [f"{name}.weight" for name in NAMES])
    with contextlib.suppress(Exception):  # what is wrong with it, `run` has shown
        other(1 - torch.from_numpy(args["x"]))
    later = (one(torch.from_numpy(args["x"].copy())) for one in (module, other))
    if not all(_same(report["results"], result) for result in later):
        says = "after a call with another x its results are no longer those of this x: something is kept between calls"
        raise ProbeError(says, "state-between-calls", "What does `forward` keep in `self`?")
    return report


def once(answer: Any, args: Mapping[str, Any]) -> Any:
    """The one call that a trace shows: no gradients, and no other module."""
    module = modules.build(answer, *args["W_q"].shape[::-1], args["W_v"].shape[0])
    modules.load(module, {f"{name}.weight": args[name] for name in NAMES})
    return module(torch.from_numpy(args["x"]))


def _same(one: Any, other: Any) -> bool:
    """Whether two results are equal up to rounding; anything but tuples of tensors counts as equal."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return True
    return all(
        a.shape == b.shape and torch.allclose(a, b, rtol=1e-3, atol=1e-4, equal_nan=True)
        for a, b in zip(one, other, strict=False)
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
    )
