"""The instructions of a piece of code, taken apart once: a check asks four times, of a test at every call."""

import dis
import functools
from collections.abc import Iterator
from types import CodeType


@functools.lru_cache(maxsize=256)
def steps(code: CodeType) -> tuple[dis.Instruction, ...]:
    """The instructions of a piece of code, without those of the functions inside it."""
    return tuple(dis.get_instructions(code))


def inner(code: CodeType) -> Iterator[CodeType]:
    """The functions inside a piece of code."""
    return (one for one in code.co_consts if isinstance(one, CodeType))


def all_steps(code: CodeType) -> Iterator[dis.Instruction]:
    """Those of the functions inside it too."""
    yield from steps(code)
    for one in inner(code):
        yield from all_steps(one)
