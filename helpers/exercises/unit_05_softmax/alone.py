"""A number alone gets all the weight: exactly 1, in whatever style, so that the smallest addition shows."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.exercises.base import Case
from helpers.exercises.compare import Difference, difference
from helpers.exercises.wrong.softmax import CAN_IT_BE_0

WITHIN = 1e-14
"""e^0 / e^0 is 1 without any rounding, also where it is taken in float32 or as a difference of logarithms."""


def alone(**more: Any) -> Case:
    """Two rows of one number, both 0."""
    return Case("rows of a single number", {"x": np.zeros((2, 1)), **more})


def judge(right: np.ndarray, args: Mapping[str, Any], got: Mapping[str, Any]) -> Difference | None:
    """Compare as everywhere, and more closely where every weight is 1."""
    found = difference(right, got)
    if found or right.shape != (2, 1) or args["x"].any():
        return found
    off = float(np.abs(got["array"] - 1).max())
    if off <= WITHIN:
        return None
    sign = "-" if got["array"].min() < 1 else "+"
    return Difference(
        f"each weight should be 1; yours is 1 {sign} {off:.0e}",
        misconception="epsilon-too-large",
        hint=CAN_IT_BE_0,
        cause="Your weights do not quite sum to 1: is something small added to the sum, or to them?",
    )
