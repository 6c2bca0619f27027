"""Keep the kernel alive while the learner's code runs: a limit on memory, and no way out of the program."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

MEMORY = 2**30
"""How many bytes one call of the learner's answer may add."""

_WAYS_OUT = ("_exit", "abort")


@contextlib.contextmanager
def guard() -> Iterator[None]:
    """Turn `os._exit` and `os.abort` into a SystemExit, and memory without end into a MemoryError.

    The memory limit needs Linux; elsewhere only the ways out are closed.
    """
    with _closed(), _memory_limit():
        yield


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

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _in_use() + min(MEMORY, _left() // 2)
    if soft != resource.RLIM_INFINITY and soft <= wanted:  # somebody set a narrower one
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _in_use() -> int:
    """Bytes of address space that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _left() -> int:
    """Bytes that the container may still use; a lot where it has no limit."""
    with contextlib.suppress(OSError, ValueError):
        limit, used = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text()) for name in ("max", "current"))
        return max(limit - used, 0)
    return 2**40
