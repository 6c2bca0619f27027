"""The probe of functions that take tensors, one for every array; and what a probe's own model takes for tokens."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.base import ProbeError, call


def probe(answer: Any, args: dict[str, Any]) -> Any:
    """Call the answer with tensors; they share the numbers of the arrays, so that a change of one shows."""
    made = in_tensors(args)
    with watched(args, made):
        return call(answer, made)


def in_tensors(args: Mapping[str, Any]) -> dict[str, Any]:
    """The same arguments with a tensor for every array."""
    return {
        name: torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        for name, value in args.items()
    }


@contextlib.contextmanager
def watched(given: dict[str, Any], tensors: Mapping[str, Any]) -> Iterator[None]:
    """Let it show in `given` where a tensor was turned, reshaped, cut or put in another's place.

    What is written into a tensor shows by itself: it shares its numbers with the array.  Its sizes, its strides
    and the place of its numbers are its own: `t_`, `unsqueeze_`, `resize_` and `.data = ...` change only these.

    Args:
        given: arrays by name.
        tensors: the tensors that are handed over, by the same names; what is no tensor is left alone.
    """
    before = [(name, one, form(one)) for name, one in tensors.items() if torch.is_tensor(one)]
    yield
    for name, one, its_form in before:
        if form(one) != its_form:
            given[name] = np.zeros(0)


def form(tensor: torch.Tensor) -> tuple[Any, ...]:
    """All that tells how a tensor reads its numbers, and where they lie."""
    return tensor.data_ptr(), tensor.dtype, tensor.shape, tensor.stride()


def must_be_a_table(tokens: Any, hint: str) -> None:
    """Refuse tokens that are no tensor with a batch axis and an axis of positions.

    Args:
        tokens: what the model was called with.
        hint: where an axis is missing.

    Raises:
        ProbeError: with what the model was called with.
    """
    if not isinstance(tokens, torch.Tensor):
        raise ProbeError(
            f"model takes a tensor of tokens (B, n); it was called with a {type(tokens).__name__}"
        )
    if tokens.ndim != 2:
        raise ProbeError(
            f"model takes tokens of shape (B, n); it was called with shape {tuple(tokens.shape)}",
            "model-gets-one-axis",
            hint,
        )


def must_be_whole(tokens: torch.Tensor, hint: str) -> None:
    """Refuse tokens that are no whole numbers; indexing would read some of them in another way.

    Raises:
        ProbeError: with their type.
    """
    if tokens.is_floating_point() or tokens.dtype == torch.bool:
        raise ProbeError(
            f"model takes whole numbers; it was called with {tokens.dtype}", "tokens-not-int", hint
        )
