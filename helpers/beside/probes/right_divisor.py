"""The probe of `right_divisor`: a variable, not a function."""

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.base import NOT_ANSWERED, ProbeError

DECIDE = "Which one of them holds the spread near 1 in every row?"
QUOTES = 'Set it to a string, such as right_divisor = "...".'


def probe(answer: Any, _args: Mapping[str, Any]) -> Any:
    """The value itself, when it can be the name of a choice."""
    if answer is None or answer is ...:
        raise NotImplementedError(NOT_ANSWERED)
    if isinstance(answer, np.ndarray) and answer.ndim:
        answer = list(answer) if answer.dtype.kind in "US" else answer
    if isinstance(answer, list | tuple | set | frozenset | dict):
        says = f"it should be one string; it is a {type(answer).__name__} of {len(answer)}"
        only = "returns-dict" if isinstance(answer, dict) else "returns-list"
        raise ProbeError(says, "more-than-one-choice" if len(answer) > 1 else only, DECIDE)
    if isinstance(answer, str):
        return answer
    if callable(answer):
        says = "it should be the name of a divisor in quotes; it is a function"
        raise ProbeError(says, "function-instead-of-name", QUOTES)
    if _is_numbers(answer):
        says = f"it should be the name of a divisor in quotes; it is {answer!r:.40}"
        raise ProbeError(says, "number-instead-of-name", QUOTES)
    return answer


def _is_numbers(answer: Any) -> bool:
    """A number, an array or a tensor of them; `True` and `False` are none."""
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind in "iufc"
    number = isinstance(answer, numbers.Number) or type(answer).__name__ == "Tensor"
    return number and not isinstance(answer, bool)
