"""The right results, computed by PyTorch in double precision and handed back as NumPy arrays."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from helpers.beside.pytorch import pytorch


def in_torch(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a computation on double-precision tensors so that it takes and returns NumPy arrays.

    Floating results have the width of the first floating argument: float32 only asks for float32.
    """

    def oracle(*args: Any) -> Any:
        width = next((a.dtype for a in args if isinstance(a, np.ndarray) and a.dtype.kind == "f"), np.float64)
        return _back(compute(*map(tensor, args)), width)

    return oracle


def tensor(value: Any) -> Any:
    """A NumPy array as a tensor, floats in double precision; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    return torch.from_numpy(value.astype(np.float64) if value.dtype.kind == "f" else value.copy())


def _back(result: Any, width: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(_back(item, width) for item in result)
    if not isinstance(result, torch.Tensor):
        return result
    array = result.detach().numpy()
    return array.astype(width) if array.dtype.kind == "f" else array


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch use one thread: on small arrays several are slower, many times on a busy machine."""
    if not pytorch():
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
