"""Notice calls of a library function that would be the whole answer, by whatever name it goes.

Such an answer is right, and passes; but it is not the exercise, so the check says so.
"""

import contextlib
import functools
import os
import sys
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

REFERENCE = os.path.join(os.path.dirname(__file__), "reference") + os.sep


@contextlib.contextmanager
def noting(names: Sequence[str], exercise: str, noted: set[str]) -> Iterator[None]:
    """Add to `noted` each of the dotted names that is called inside the block.

    Args:
        names: such as `"torch.softmax"`; those of libraries that are not imported cannot be called.
        exercise: its own answer in `helpers.reference` counts too.
        noted: the names found.
    """
    wanted = {name: found for name in names if (found := _resolve(name)) is not None}
    codes = {code: name for name, found in wanted.items() for code in _codes(found)}

    def note(frame: Any, event: str, called: Any) -> None:
        if event == "call":
            code = frame.f_code
            if code in codes:
                noted.add(codes[code])
            elif code.co_filename.startswith(REFERENCE) and exercise in code.co_qualname.split("."):
                noted.add(f"helpers.reference.{exercise}")
        elif event == "c_call":
            noted.update(name for name, found in wanted.items() if _is(called, name, found))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


def named_in(answer: Any, names: Sequence[str]) -> set[str]:
    """Dotted NumPy names that the answer's own code mentions: their calls cannot be seen from outside."""
    numpy = sys.modules["numpy"]
    found = set()
    for code in _codes(answer):
        scope = getattr(answer, "__globals__", {})
        mentions_numpy = any(scope.get(name) is numpy for name in code.co_names) or "numpy" in code.co_names
        found |= {n for n in names if n.startswith("numpy.") and mentions_numpy and n[6:] in code.co_names}
    return found


def _resolve(name: str) -> Any:
    root, *rest = name.split(".")
    if root not in sys.modules:
        return None
    with contextlib.suppress(AttributeError):
        return functools.reduce(getattr, rest, sys.modules[root])
    return None


def _codes(thing: Any) -> list[CodeType]:
    """The code of a Python function, or of the methods of a class."""
    if isinstance(thing, type):
        return [code for method in vars(thing).values() for code in _codes(method)]
    code = getattr(thing, "__code__", None)
    return [code] if isinstance(code, CodeType) else []


def _is(called: Any, name: str, found: Any) -> bool:
    """Whether a C function is the wanted one, or the method of that name of an array or tensor."""
    owner = type(getattr(called, "__self__", None)).__name__
    return called is found or (owner in ("ndarray", "Tensor") and called.__name__ == name.split(".")[-1])
