"""The variables of a frame, each with a mark that changes when its numbers do."""

from collections.abc import Mapping
from types import FrameType
from typing import Any

import numpy as np

from helpers.beside.summary import as_array

MARKED = 8_192
"""Entries of an array that are looked at for changes in place; of a larger one, so many of them."""

INSIDE = 20
"""Items of a list, a tuple or a dict that are looked at for changes."""


def looked_at(frame: FrameType) -> dict[str, tuple[Any, Any]]:
    """The variables of a frame by name, each with a mark that changes when its numbers do."""
    found = {}
    for name, value in list(frame.f_locals.items()):
        if name.startswith(("__", ".")) or type(value).__name__ == "module":
            continue
        if name == "self" and not isinstance(value, np.ndarray):
            found |= {f"self.{key}": (one, _mark(one)) for key, one in _attributes(value)}
        elif name != "self":
            found[name] = (value, _mark(value))
    return found


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """What an object holds itself; of a module its layers too."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:  # one with slots
        return []
    inner = [held[name] for name in ("_modules", "_buffers") if isinstance(held.get(name), Mapping)]
    found = {key: one for part in (held, *inner) for key, one in part.items()}
    return [(key, one) for key, one in found.items() if not key.startswith("_") and key != "training"]


def _mark(value: Any, deep: bool = True) -> Any:
    """What is the same as long as a value's numbers are; `None` for what is not looked into."""
    if isinstance(value, list | dict | tuple) and deep:
        items = list(value.items() if isinstance(value, dict) else enumerate(value))[:INSIDE]
        return len(value), tuple((key, id(one), _mark(one, deep=False)) for key, one in items)
    array = as_array(value)
    if array is None:
        return None
    if array.size > MARKED:
        return (
            hash(array.reshape(-1)[:: array.size // MARKED].tobytes()) if array.flags.c_contiguous else None
        )
    return array.shape, hash(array.tobytes())


def other_name(name: str, value: Any, now: Mapping[str, tuple[Any, Any]]) -> str:
    """Another name of the very same array or list."""
    array = as_array(value)
    if not isinstance(value, list) and (array is None or array.ndim == 0):
        return ""
    return next((other for other, (one, _) in now.items() if other != name and one is value), "")
