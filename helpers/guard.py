"""Keep the kernel alive while the learner's code runs: a limit on memory, and no way out of the program."""

import contextlib
import ctypes
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

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
_WAYS_OUT = ("_exit", "abort")


@contextlib.contextmanager
def guard() -> Iterator[None]:
    """Turn `os._exit` and `os.abort` into a SystemExit, and memory without end into a MemoryError.

    The memory limit needs Linux; elsewhere only the ways out are closed.
    """
    with _closed(), _memory_limit():
        yield


def give_back() -> None:
    """Return freed memory to the system: after a greedy answer the C library would keep it."""
    with contextlib.suppress(OSError, AttributeError):  # glibc alone has this
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def _closed() -> Iterator[None]:
    def instead(name: str) -> Callable[..., None]:
        def leave(*_: object) -> None:
            raise SystemExit(f"os.{name}")

        return leave

    kept = {name: getattr(os, name) for name in _WAYS_OUT}
    for name in kept:
        setattr(os, name, instead(name))
    try:
        yield
    finally:
        for name, way in kept.items():
            setattr(os, name, way)


@contextlib.contextmanager
def _memory_limit() -> Iterator[None]:
    if not sys.platform.startswith("linux"):
        yield
        return
    import resource

    # RLIMIT_DATA counts what can be written to, not the address space that threads only reserve
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    _WARM @ _WARM  # OpenBLAS takes its buffer now: where it cannot have one, it ends the program
    wanted = _in_use() + max(LEAST, min(MEMORY, _left() // 2))
    if soft != resource.RLIM_INFINITY and soft <= wanted:  # somebody set a narrower one
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _in_use() -> int:
    """Bytes of writable memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def _left() -> int:
    """Bytes that the container may still use; a lot where it has no limit."""
    for files in CGROUPS:
        with contextlib.suppress(OSError, ValueError):
            limit, used = (int(Path(file).read_text()) for file in files)
            return max(limit - used + _cached(Path(files[1]).parent / "memory.stat"), 0)
    return 2**40


def _cached(stat: Path) -> int:
    """Bytes of files kept in memory, which count as used but are given up when asked for."""
    found = dict(re.findall(r"^(\w+) (\d+)$", stat.read_text(), re.MULTILINE))
    return int(found.get("total_inactive_file", found.get("inactive_file", 0)))
