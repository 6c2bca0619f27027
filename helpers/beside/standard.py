"""The global settings of NumPy and PyTorch as they are at the start, for as long as an answer is checked."""

import contextlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from helpers.beside.pytorch import pytorch
from helpers.text import PRINTED

Get = Callable[[Any], Any]
Set = Callable[[Any, Any], Any]

_ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}

_MODES: tuple[tuple[Any, Get, Set], ...] = (
    (True, lambda torch: torch.is_grad_enabled(), lambda torch, on: torch.set_grad_enabled(on)),
    ("float32", lambda torch: _name(torch.get_default_dtype()), lambda torch, to: _set_dtype(torch, to)),
    ("cpu", lambda torch: str(torch.get_default_device()), lambda torch, to: _set_device(torch, to)),
    (
        (False, False),
        lambda torch: (
            torch.are_deterministic_algorithms_enabled(),
            torch.is_deterministic_algorithms_warn_only_enabled(),
        ),
        lambda torch, to: torch.use_deterministic_algorithms(to[0], warn_only=to[1]),
    ),
)
"""Of each mode of PyTorch: what it is at the start, how to look, how to set it."""


@contextlib.contextmanager
def standard() -> Iterator[None]:
    """Work with the settings that a new kernel has, and bring the learner's back at the end."""
    with np.errstate(**_ERRORS), np.printoptions(**PRINTED), _standard_torch(pytorch()):
        yield


@contextlib.contextmanager
def _standard_torch(torch: ModuleType | None) -> Iterator[None]:
    if torch is None:
        yield
        return
    with torch.inference_mode(False):
        before = [get(torch) for _, get, _ in _MODES]
        _put(torch, [at_start for at_start, _, _ in _MODES])
        try:
            yield
        finally:
            _put(torch, before)


def _put(torch: ModuleType, wanted: list[Any]) -> None:
    for value, (_, get, put) in zip(wanted, _MODES, strict=True):
        if get(torch) != value:
            put(torch, value)


def _name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def _set_dtype(torch: Any, name: str) -> None:
    torch.set_default_dtype(getattr(torch, name))


def _set_device(torch: Any, name: str) -> None:
    torch.set_default_device(None if name == "cpu" else name)
