"""Keep the kernel alive while the learner's code runs: a limit on memory, no way out, no questions."""

import builtins
import contextlib
import ctypes
import functools
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from helpers.beside.kernel import shell
from helpers.beside.probes.base import ProbeError

MEMORY = 2**31
"""How many bytes one call of the learner's answer may add, where there are so many."""

LEAST = 2**28
"""How many it may add in any case."""

CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
"""Where a container says how much memory it has, and how much of it is in use: version 2 and version 1."""

_WARM = np.ones((64, 64))


@contextlib.contextmanager
def guard(room: int | None = None) -> Iterator[None]:
    """Turn each way out of the program into a SystemExit, and memory without end into a MemoryError.

    `input()` becomes a ProbeError: a check calls an answer many times, and nobody waits for its questions.
    The memory limit needs Linux; elsewhere only the ways out are closed.

    Args:
        room: what `memory_room` found, where many calls follow one another.
    """
    with contextlib.ExitStack() as stack:
        for place, name, said in _ways_out():
            stack.enter_context(_replaced(place, name, _leaving(said)))
        stack.enter_context(_replaced(builtins, "input", _no_input))
        stack.enter_context(_memory_limit(room))
        yield


def give_back() -> None:
    """Return freed memory to the system: after a greedy answer the C library would keep it."""
    with contextlib.suppress(OSError, AttributeError):  # glibc alone has this
        ctypes.CDLL(None).malloc_trim(0)


def _ways_out() -> list[tuple[Any, str, str]]:
    """Where the ways out of the program are, their names, and what a learner calls them."""
    ways: list[tuple[Any, str, str]] = [(os, name, f"os.{name}") for name in ("_exit", "abort")]
    if here := shell():  # its own `exit` and `quit` end the kernel a moment later, without an error
        ways.append((here, "ask_exit", "exit()"))
    return ways


def _leaving(said: str) -> Callable[..., None]:
    def leave(*_: object) -> None:
        raise SystemExit(said)

    return leave


class _NoInput(ProbeError, EOFError):
    """Python's own error where nobody answers, with a sentence for the learner."""


def _no_input(*_: object) -> str:
    raise _NoInput(
        "it asks with `input()`, and nobody answers here",
        "asks-with-input",
        "What the function needs comes in its arguments.",
    )


@contextlib.contextmanager
def _replaced(place: Any, name: str, other: Any) -> Iterator[None]:
    """Put something in place of a name, and back what was there; of an object only its own."""
    own = vars(place)
    was_own, before = name in own, own.get(name)
    setattr(place, name, other)
    try:
        yield
    finally:
        setattr(place, name, before) if was_own else delattr(place, name)


def memory_room() -> int:
    """How many bytes this process may have, as far as the container goes: what it has, and what is left."""
    return _in_use() + _left() if sys.platform.startswith("linux") else 0


@contextlib.contextmanager
def _memory_limit(room: int | None) -> Iterator[None]:
    if not sys.platform.startswith("linux"):
        yield
        return
    import resource

    # RLIMIT_DATA counts what can be written to, not the address space that threads only reserve
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    _warm_up(os.getpid(), threading.get_ident())
    in_use = _in_use()
    left = _left() if room is None else room - in_use
    wanted = in_use + max(LEAST, min(MEMORY, left // 2))
    if soft != resource.RLIM_INFINITY and soft <= wanted:  # somebody set a narrower one
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@functools.lru_cache(maxsize=1)
def _warm_up(_process: int, _thread: int) -> None:
    """Let OpenBLAS take its buffer, which it keeps: where it cannot have one, it ends the program."""
    _WARM @ _WARM


def _in_use() -> int:
    """Bytes of writable memory that this process has."""
    return int(_text("/proc/self/statm").split()[5]) * os.sysconf("SC_PAGE_SIZE")


def _left() -> int:
    """Bytes that the container may still use; a lot where it has no limit."""
    for files in CGROUPS:
        with contextlib.suppress(OSError, ValueError):
            limit, used = (int(_text(file)) for file in files)
            return max(limit - used + _cached(os.path.dirname(files[1]) + "/memory.stat"), 0)
    return 2**40


def _cached(stat: str) -> int:
    """Bytes of files kept in memory, which count as used but are given up when asked for."""
    found = dict(re.findall(r"^((?:total_)?inactive_file) (\d+)$", _text(stat), re.MULTILINE))
    return int(found.get("total_inactive_file", found.get("inactive_file", 0)))


def _text(path: str) -> str:
    file = os.open(path, os.O_RDONLY)  # before every call of an answer: `open` takes four times as long
    try:
        return os.read(file, 2**16).decode()
    finally:
        os.close(file)
