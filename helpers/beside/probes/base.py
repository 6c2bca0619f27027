"""What every probe works with: the call to make, the plain way to make it, an answer that cannot be used."""

import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

NOT_ANSWERED = "not answered yet"
"""What the answer cell's own `raise NotImplementedError(...)` says until it is replaced."""

LONG_DOUBLES = "long doubles"
"""Kind of a result of floats wider than float64, which only some machines have."""


FUNCTIONS = frozenset(
    (
        "function",
        "method",
        "builtin_function_or_method",
        "_ArrayFunctionDispatcher",
        "ufunc",
        "method-wrapper",
    )
)
"""Kinds of a result that was named and not called, as by `return x.sum` and `return np.dot`."""

UNCALLED = "a function: call it, with `()`"
"""What is said of it."""

BRACKETS = "A function gives its result only with brackets behind it: `x.transpose()`."
"""The hint then."""


@dataclass(frozen=True, eq=False)  # a case is itself: what known programs do with it is kept by case
class Case:
    """One call of the learner's answer.

    Attributes:
        says: what is special about this call, so that "on ..." can stand before it.
        args: the arguments in order, by name: arrays, numbers, strings, `None`. Nothing else crosses
            from the verdict to the probe.
        again: whether an earlier call is repeated, to find answers that remember it.
        renewed: whether it has an earlier call's sizes and other numbers, to find answers that remember that.
    """

    says: str
    args: Mapping[str, Any]
    again: bool = False
    renewed: bool = False


class ProbeError(Exception):
    """A probe found the answer unusable.

    Args:
        says: the sentence the learner reads.
        misconception: id of the mistake, where that is what it shows.
        hint: what to look at then.
    """

    def __init__(self, says: str, misconception: str | None = None, hint: str | None = None) -> None:
        super().__init__(says)
        self.misconception = misconception
        self.hint = hint


def refuse_uncalled(should: str, value: Any) -> None:
    """Stop at a function that came back in place of its result.

    Raises:
        ProbeError: when it is one.
    """
    if type(value).__name__ in FUNCTIONS:
        raise ProbeError(f"{should}; it is {UNCALLED}", "returns-function", BRACKETS)


def is_number(value: Any) -> bool:
    """Whether it is a number, or an array or a tensor of them; `True` and `False` are none."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iufc"
    number = isinstance(value, numbers.Number) or type(value).__name__ == "Tensor"
    return number and not isinstance(value, bool)


def refuse(more: tuple[Any, ...]) -> None:
    """Stop where a function that takes one array was called with more.

    Raises:
        ProbeError: when there are more.
    """
    if more:
        says = f"attend takes one array X of shape (n, d); it was called with {1 + len(more)} arguments"
        hint = "Make the tokens first: an array of n rows and d columns."
        raise ProbeError(says, "too-many-arguments", hint)


class Probed(Protocol):
    """As much of an exercise's record as a probe needs.

    Attributes:
        name: the name the learner defines.
        probe: `probe(answer, args)` returns arrays, numbers or strings.
        whole_answer: library calls that would be the whole answer.
    """

    name: str
    probe: Callable[[Any, Mapping[str, Any]], Any]
    whole_answer: tuple[str, ...]


class Described:
    """A result that was described in another process already.

    Attributes:
        seen: what `helpers.beside.probe.describe` returned there.
    """

    def __init__(self, seen: Mapping[str, Any]) -> None:
        self.seen = seen

    def __bool__(self) -> bool:
        return bool(self.seen["array"]) if self.seen["kind"] == "number" else True


class Elsewhere(Exception):
    """An error that the answer stopped with in another process.

    Attributes:
        seen: its `type`, `kinds`, `text` and `where`.
    """

    def __init__(self, seen: Mapping[str, Any]) -> None:
        super().__init__(seen["text"])
        self.seen = seen


def call(answer: Callable, args: Mapping[str, Any]) -> Any:
    """The plain probe: call the answer with its arguments in order."""
    if not callable(answer):
        raise ProbeError(f"it should be a function; it is {type(answer).__name__} {answer!r:.40}")
    return answer(*args.values())


def long_doubles(name: str, wanted: np.dtype) -> tuple[str, str, str]:
    """What is said of a result that holds long doubles: a sentence, the mistake's id, a hint."""
    says = f"{name} has the wrong type of numbers: expected {wanted}, got np.longdouble, which is wider"
    return says, "wider-than-float64", "Look for `np.longdouble` and `float128`: float64 is wide enough here."
