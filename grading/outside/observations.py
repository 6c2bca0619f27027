"""What a learner's process says a probe has seen, checked before the verdict looks at it.

`helpers.beside.probe.observe` says what an observation is. The process may be controlled by the code that it
runs, so nothing about the shape of what it sends is taken for granted.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

_OUTCOMES = {"value", "error", "unanswered", "too_slow", "unusable"}
_OF_CODE = ("whole_answer", "unused", "outside", "powers", "placeholders")
_BESIDE = {"changed", "alone", *_OF_CODE}
_WITH_ARRAY, _WITH_ITEMS = ("array", "number", "tensor"), ("tuple", "list", "dict")
LONGEST = 2000
DEEPEST = 9
"""A tuple of lists, a list for each axis of an array with three batch axes, and numbers."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ID = re.compile(r"[\w-]{1,80}")


def checked(seen: Any, count: int) -> list[dict[str, Any]]:
    """The observations, if that is what they are.

    Args:
        seen: what came; anything.
        count: how many calls there were.

    Raises:
        ValueError: when it is something else.
    """
    seen = readable(seen)
    _must(isinstance(seen, list) and 0 < len(seen) <= count, "a list of observations")
    for one in seen:
        _observation(one, _BESIDE)
    return seen


@dataclass(frozen=True)
class Instead:
    """What the cells did where none of them made an answer, see `helpers.beside.failed_cells`.

    Attributes:
        stopped: how the answer's cell stopped: four texts, or none.
        near: what is called alike.
        note: what else may be why.
    """

    stopped: list[str]
    near: str
    note: str


def instead(message: Any) -> Instead:
    """What is there instead of an answer, if that is what it is.

    Raises:
        ValueError: when it is something else.
    """
    told = readable(message.get("instead"))
    _must(isinstance(told, dict) and told.keys() == {"stopped", "near", "note"}, "what is there instead")
    _texts(told["stopped"])
    _must(len(told["stopped"]) in (0, 4), "how a cell stopped")
    return Instead(told["stopped"], _text(told["near"]), _text(told["note"]))


def _observation(one: Any, beside: set[str]) -> None:
    _must(isinstance(one, dict), "an observation")
    outcomes = one.keys() & _OUTCOMES
    _must(len(outcomes) == 1 and not one.keys() - _OUTCOMES - beside, "one outcome")
    _texts(one.get("changed"))
    for name in _OF_CODE:
        _texts(one.get(name, []))
    if "alone" in one:
        _observation(one["alone"], {"changed"})
    (outcome,) = outcomes
    _CHECKS[outcome](one[outcome])


def readable(thing: Any) -> Any:
    """The same without characters that a terminal obeys or that are none."""
    if isinstance(thing, str):
        kept = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", thing)
        return kept.encode("utf-8", "replace").decode()
    if isinstance(thing, list | tuple):
        return type(thing)(map(readable, thing))
    if isinstance(thing, dict):
        return {readable(key): readable(value) for key, value in thing.items()}
    return thing


def _value(value: Any, depth: int = 0) -> None:
    _must(isinstance(value, dict) and depth < DEEPEST, "a described value")
    kind = _text(value.get("kind"))
    wanted = {"kind"}
    if kind in _WITH_ARRAY:
        _must(isinstance(value.get("array"), np.ndarray), "an array")
        wanted.add("array")
    elif kind == "text":
        _text(value.get("text"))
        wanted.add("text")
    elif kind in _WITH_ITEMS:
        items = value.get("items")
        _must(isinstance(items, dict if kind == "dict" else list) and len(items) <= 40, "items")
        for item in items.values() if kind == "dict" else items:
            _value(item, depth + 1)
        wanted.add("items")
    _must(value.keys() == wanted, "a described value")


def _error(error: Any) -> None:
    _must(isinstance(error, dict) and error.keys() == {"type", "kinds", "text", "where"}, "an error")
    for name in ("type", "text", "where"):
        _text(error[name])
    _texts(error["kinds"])


def _unusable(problem: Any) -> None:
    _must(isinstance(problem, dict) and problem.keys() == {"says", "misconception", "hint"}, "a problem")
    for text in problem.values():
        _must(text is None or _text(text) is not None, "a text")
    _text(problem["says"])
    _must(problem["misconception"] is None or bool(_ID.fullmatch(problem["misconception"])), "an id")


def _texts(texts: Any) -> None:
    _must(isinstance(texts, list) and len(texts) <= 100, "a list of texts")
    for text in texts:
        _text(text)


def _text(text: Any) -> str:
    _must(isinstance(text, str) and len(text) <= LONGEST, "a text")
    return text


def _number(number: Any) -> None:
    _must(isinstance(number, int | float) and number == number, "a number")


def _must(right: bool, what: str) -> None:
    if not right:
        raise ValueError(f"its process should have sent {what}, and sent something else")


_CHECKS = {"value": _value, "error": _error, "unanswered": _text, "too_slow": _number, "unusable": _unusable}
