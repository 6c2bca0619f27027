"""What a learner's process says its lines have made, checked before anything is made of it.

`helpers.beside.tracing` says what a recording is, and `grading.inside.traced` what is sent of it. The
process may be controlled by the code that it runs. Such code can lie to its own author: claim lines that were
never written or never ran, shapes that nothing has, and send as its own the arrays of a right answer that it
computes otherwise, so that a line gets a ✓ that it has not earned. It cannot name a stage, write HTML, or
make the page long. No mark depends on a recording: all marks are found before the first is asked for.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grading.inside.traced import BYTES, MOST
from grading.outside.observations import must, readable
from helpers.beside.tracing import KEPT, STEPS, Recording

LARGEST = 200_000
"""Letters of everything but arrays, written as JSON."""

FUNCTIONS, LINES, NAMES, TEXT = 60, 600, 100, 1000
"""Functions, lines of one, names in one place, letters of a line or a sentence."""

_LAST = 10**9
"""Above all that is counted."""

_NAME = re.compile(r"(?:\w|\.|<lambda>){1,200}")
_TYPE = re.compile(r"[\w<>=|]{1,100}")
_ODD = re.compile(r"\d{1,9} (nan|inf|-inf)(, \d{1,9} (nan|inf|-inf)){0,2}")
_KINDS = (
    *("array", "tensor", "number", "flag", "text", "nothing"),
    *("list", "tuple", "dict", "function", "object"),
)


def checked_recording(message: Any) -> Recording | None:
    """The recording of a call, if that is what came; `None` where the process says that it has none.

    Args:
        message: what came; anything.

    Raises:
        ValueError: when it is something else.
    """
    must(isinstance(message, dict), "a recording")
    if message.keys() == {"recording"} and message["recording"] is None:
        return None
    must(message.keys() == {"recording", "arrays"}, "a recording and its arrays")
    arrays = _arrays(message["arrays"])
    try:
        long = len(json.dumps(message["recording"], allow_nan=False)) > LARGEST
    except (TypeError, ValueError, RecursionError):
        raise ValueError("its process should have sent plain values, and sent something else") from None
    must(not long, "fewer words")
    data = readable(message["recording"])
    _keys(data, {"functions", "given", "steps", "left_out"})
    _each(data["functions"], FUNCTIONS, _function)
    _each(data["left_out"], NAMES, _text)
    values = _Values(arrays)
    functions = data["functions"]
    _given(data["given"], functions, values)
    _each(data["steps"], STEPS, lambda step: _step(step, functions, values))
    must(values.next == len(arrays), "as many arrays as values that have one")
    return Recording(data, arrays)


def _arrays(arrays: Any) -> list[np.ndarray]:
    must(isinstance(arrays, list) and len(arrays) <= MOST, "a list of arrays")
    for one in arrays:
        must(isinstance(one, np.ndarray) and one.dtype.kind in "biufc", "an array of numbers")
        must(0 < one.size <= KEPT, "an array of some numbers")
    must(sum(one.nbytes for one in arrays) <= BYTES, "fewer numbers")
    return arrays


def _function(one: Any) -> None:
    _keys(one, {"name", "first", "lines", "calls"}, {"idle"})
    _name(one["name"])
    _count(one["first"])
    _count(one["calls"])
    _each(one["lines"], LINES, _line)
    _each(one.get("idle", []), LINES, _count)


def _given(given: Any, functions: Sequence[Any], values: "_Values") -> None:
    must(isinstance(given, dict) and len(given) <= len(functions), "what functions were given")
    must(given.keys() <= set(map(str, range(len(functions)))), "functions that are there")
    for some in given.values():
        _each(some, NAMES, lambda one: _named(one, {"name", "what"}, values.without_numbers))


def _step(step: Any, functions: Sequence[Any], values: "_Values") -> None:
    wanted = {"of", "line", "turn", "turns", "call", "depth", "uses", "makes"}
    _keys(step, wanted, {"from", "returns", "raises"})
    _place(step, functions)
    for name in ("turn", "turns", "call"):
        _count(step[name])
    _count(step["depth"], 0)
    must(step["turn"] <= step["turns"], "turns in order")
    _each(step["uses"], NAMES, _name)
    _each(step["makes"], NAMES, lambda one: _made(one, values))
    if "returns" in step:
        values.check(step["returns"])
    if "raises" in step:
        _text(step["raises"])
    if "from" in step:
        _keys(step["from"], {"of", "line"})
        _place(step["from"], functions)


def _place(step: Mapping[str, Any], functions: Sequence[Any]) -> None:
    """A function that is there, and a line of its own, where its lines are at hand."""
    _count(step["of"], 0, len(functions) - 1)
    home = functions[step["of"]]
    last = home["first"] + len(home["lines"]) - 1 if home["lines"] else _LAST
    _count(step["line"], home["first"] if home["lines"] else 1, last)


def _made(one: Any, values: "_Values") -> None:
    _named(one, {"name", "what", "how"}, values.check)
    must(one["how"] in ("new", "changed"), "how it was made")


def _named(one: Any, wanted: set[str], check: Callable[[Any], None]) -> None:
    _keys(one, wanted)
    _name(one["name"])
    check(one["what"])


class _Values:
    """Checks what is said of values; their arrays come in the order in which the values do.

    Args:
        arrays: all of them.

    Attributes:
        next: how many have been met.
    """

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self._arrays, self.next = arrays, 0

    def check(self, what: Any) -> None:
        """A value that a line made, and its items."""
        self._one(what, {"same", "items", "at"})
        _each(what.get("items", []), 4, lambda one: self._one(one, {"at"}))

    def without_numbers(self, what: Any) -> None:
        """A value that came in: it is compared with nothing."""
        self._one(what, {"items"})
        _each(what.get("items", []), 4, lambda one: self._one(one, set()))

    def _one(self, what: Any, also: set[str]) -> None:
        _keys(what, {"kind"}, {"shape", "type", "numbers", "cut", "sums", "odd", "says", *also})
        must(what["kind"] in _KINDS, "a kind of value")
        must(("shape" in what) == (what["kind"] in ("array", "tensor")), "the shape of an array")
        if "shape" in what:
            _each(what["shape"], 64, lambda size: _count(size, 0))
            must("type" in what and not (what["shape"] and "numbers" in what), "words on an array")
        for name, check in _TOLD.items():
            if name in what:
                check(what[name])
        if "at" in what:
            must(type(what["at"]) is int and what["at"] == self.next < len(self._arrays), "its own array")
            shape = list(self._arrays[self.next].shape)
            must(what["kind"] == "list" or shape == what.get("shape", []), "an array of that shape")
            self.next += 1


def _keys(one: Any, wanted: set[str], more: set[str] = frozenset()) -> None:
    must(isinstance(one, dict) and wanted <= one.keys() <= wanted | more, f"{', '.join(sorted(wanted))}")


def _each(some: Any, most: int, check: Callable[[Any], Any]) -> None:
    must(isinstance(some, list) and len(some) <= most, "a list that is not too long")
    for one in some:
        check(one)


def _count(number: Any, least: int = 1, most: int = _LAST) -> None:
    must(type(number) is int and least <= number <= most, "a whole number")


def _text(text: Any) -> None:
    must(isinstance(text, str) and len(text) <= TEXT, "a text")


def _line(text: Any) -> None:
    _text(text)
    must("\n" not in text, "a line")


def _name(name: Any) -> None:
    _fits(_NAME, name, "a name")


def _fits(pattern: re.Pattern[str], text: Any, what: str) -> None:
    must(isinstance(text, str) and pattern.fullmatch(text) is not None, what)


def _number(number: Any) -> None:
    """One number, or a word for it; none is so long that it cannot be written."""
    plain = isinstance(number, float) or (isinstance(number, int) and abs(number) < 10**15)
    must(plain or (isinstance(number, str) and len(number) <= 60), "a number")


_TOLD = {
    "type": lambda text: _fits(_TYPE, text, "a type"),
    "numbers": _number,
    "cut": lambda cut: must(cut is True, "whether it is cut"),
    "sums": lambda text: must(text in ("rows", "columns", "both", ""), "which sums are 1"),
    "odd": lambda text: _fits(_ODD, text, "what is not finite"),
    "says": _text,
    "same": _name,
}
