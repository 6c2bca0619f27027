"""The probe of functions that take tensors: as the plain one, with a tensor for every array."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.base import call


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
