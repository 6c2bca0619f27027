"""Which arguments an answer never reads, by its byte code: the answer itself is not run."""

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from helpers.beside.byte_code import all_steps

_LOOKS_AROUND = {"locals", "vars", "eval", "exec", "inspect"}
"""Names by which a function may read an argument without naming it."""


def unused_arguments(answer: Any) -> list[str]:
    """The arguments of a function, or of a module's `__init__` and `forward`, that it never reads.

    Args:
        answer: what the learner's cell binds to the exercise's name; of anything else nothing is known.
    """
    found, codes = [], _codes(answer)
    # a name that one method takes and another reads is used, if wrongly
    read = {name for code in codes for name in _read(code)}
    for code in codes:
        if not read & _LOOKS_AROUND:
            count = code.co_argcount + code.co_kwonlyargcount
            found += [name for name in code.co_varnames[:count] if name not in {"self", *read}]
    return sorted(set(found), key=found.index)


def _codes(answer: Any) -> list[CodeType]:
    if isinstance(answer, type):
        parts = [vars(answer).get(name) for name in ("__init__", "forward")]
        return [part.__code__ for part in parts if isinstance(part, FunctionType)]
    # a wrapped function hands its arguments on, whatever they are called
    return [answer.__code__] if isinstance(answer, FunctionType) and not answer.__closure__ else []


def _read(code: CodeType) -> Iterator[str]:
    """The names that a function reads, those of the functions inside it too."""
    for line in all_steps(code):
        if line.opname == "LOAD_CONST":  # from Python 3.13 on also the names of keywords: `sum(axis=0)`
            continue
        if line.opname.startswith("LOAD") and isinstance(line.argval, str | tuple):
            yield from (line.argval,) if isinstance(line.argval, str) else line.argval
