"""The probe of `right_divisor`: a variable, not a function."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.base import NOT_ANSWERED, ProbeError, is_number

DECIDE = "Which one of them holds the spread near 1 in every row?"
PRINTED = "`print(...)` shows a value and gives nothing back: set the variable to the string itself."
QUOTES = 'Set it to a string, such as right_divisor = "...".'


def probe(answer: Any, _args: Mapping[str, Any]) -> Any:
    """The value itself, when it can be the name of a choice."""
    if answer is ...:
        raise NotImplementedError(NOT_ANSWERED)
    if answer is None:
        raise ProbeError("it should be one string; it is nothing (None)", "returns-none", PRINTED)
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
    if is_number(answer):
        says = f"it should be the name of a divisor in quotes; it is {answer!r:.40}"
        raise ProbeError(says, "number-instead-of-name", QUOTES)
    return answer
