"""The probe of `faulty_map`: a variable that holds two strings."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.base import NOT_ANSWERED, ProbeError, is_number

FORM = 'Write the letter and the mistake, each in quotes: faulty_map = ("...", "...").'
BOTH = "it should be two strings, a letter and a mistake"
PRINTED = f"`print(...)` shows a value and gives nothing back. {FORM}"
PLACEHOLDERS = ("...", ...)


def probe(answer: Any, _args: Mapping[str, Any]) -> tuple[str, str]:
    """The two strings of a tuple, a list or an array."""
    if isinstance(answer, np.ndarray) and answer.dtype.kind in "US":
        answer = answer.tolist()
    if _only_placeholders(answer):
        raise NotImplementedError(NOT_ANSWERED)
    if answer is None:
        raise ProbeError(f"{BOTH}; it is nothing (None)", "returns-none", PRINTED)
    if isinstance(answer, str):
        raise ProbeError(f"{BOTH}; it is one string, {answer!r:.60}", "returns-string", FORM)
    if isinstance(answer, set | frozenset):
        raise ProbeError(f"{BOTH}; it is a set, which has no order", "returns-set", FORM)
    if isinstance(answer, dict):
        raise ProbeError(f"{BOTH}; it is a dict", "returns-dict", FORM)
    if not isinstance(answer, list | tuple):
        raise ProbeError(f"{BOTH}; it is {_what(answer)}", _instead(answer), FORM)
    if len(answer) != 2:
        wrong = "one-output-missing" if len(answer) < 2 else "more-than-one-choice"
        raise ProbeError(f"{BOTH}; it is a {type(answer).__name__} of {len(answer)}", wrong, FORM)
    for part, called in zip(answer, ("the letter", "the mistake"), strict=True):
        if isinstance(part, str) and part not in PLACEHOLDERS:
            continue
        if isinstance(part, str) or part is ...:
            raise ProbeError(f"{called} still has `...` in its place", "placeholder-left", FORM)
        raise ProbeError(f"{called} should be a string; it is {_what(part)}", _instead(part), FORM)
    return answer[0], answer[1]


def _only_placeholders(answer: Any) -> bool:
    """Whether nothing but what the answer cell came with is there."""
    parts = answer if isinstance(answer, list | tuple) else [answer]
    return bool(parts) and all(part is ... or (isinstance(part, str) and part == "...") for part in parts)


def _what(value: Any) -> str:
    if value is None:
        return "nothing (None)"
    if isinstance(value, np.ndarray) or type(value).__name__ == "Tensor":
        return f"an array of shape {tuple(value.shape)}"
    if callable(value):
        return "a function"
    return repr(value)[:40] if is_number(value) or isinstance(value, bool) else f"a {type(value).__name__}"


def _instead(value: Any) -> str:
    if is_number(value):
        return "number-instead-of-name"
    return "function-instead-of-name" if callable(value) else "not-one-of-the-choices"
