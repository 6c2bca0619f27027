"""A glance at a result: its sizes and three of its numbers, which tell nearly every two programs apart."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class Glance(NamedTuple):
    """What the first array of a result shows at a glance."""

    sizes: tuple[int, ...]
    numbers: tuple[Any, ...]


def glance(seen: Mapping[str, Any]) -> Glance | None:
    """A glance at what was seen of a call; `None` where there is no array with numbers in it."""
    array = first_array(seen)
    if array is None:
        return None
    return Glance(array.shape, (array.item(0), array.item(array.size // 2), array.item(-1)))


def first_array(seen: Mapping[str, Any]) -> np.ndarray | None:
    """The first array of a result; of a dict, which may come in any order, that of the first name."""
    value = seen.get("value", {})
    while items := value.get("items"):
        value = items[min(items)] if isinstance(items, dict) else items[0]
    array = value.get("array")
    return array if array is not None and array.size else None


def apart(one: Glance, other: Glance, rtol: float, atol: float) -> bool:
    """Whether two results differ already at a glance: then `helpers.exercises.compare.same` finds so too."""
    return one.sizes != other.sizes or any(
        abs(a - b) > atol + rtol * abs(b) < np.inf for a, b in zip(one.numbers, other.numbers, strict=True)
    )
