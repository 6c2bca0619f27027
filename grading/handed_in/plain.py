"""Files of a submission, opened so that what is looked at is what is read and written.

A look at a name says nothing of what stands there a moment later, where a process of the learner's still runs
or a folder is shared. So every folder on the way is opened by its own name, no link is followed, and what is
opened is looked at, not its name.
"""

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_HERE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_READ = _HERE | os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe that nobody writes to does not block
_MAKE = _HERE | os.O_WRONLY | os.O_CREAT | os.O_EXCL
_FOLDER = _HERE | os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


_ELSE = {errno.ELOOP, errno.ENOTDIR, errno.ENXIO, errno.EISDIR}
"""What the system says of a link, a link on the way, a socket, a folder."""


class NotPlain(OSError):
    """It is no plain file, lies behind a link, or is larger than it was said to be."""


def read(path: Path, root: Path, most: int) -> bytes:
    """What is in a plain file.

    Args:
        path: the file.
        root: a folder above it, from which on no link is followed.
        most: how many bytes it may have.

    Raises:
        NotPlain: when it is something else than a file below `root`.
    """
    with _opened(path, root) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise NotPlain(f"{path.name} has more than {most} bytes")
    return data


def copy(path: Path, root: Path, target: Path) -> None:
    """Copy a plain file to a place of ours; what is there goes.

    Raises:
        NotPlain: as `read`.
    """
    with _opened(path, root) as source:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        with open(target, "xb") as made:
            shutil.copyfileobj(source, made)


def write(path: Path, root: Path, data: bytes) -> None:
    """Make a file where none is.

    Raises:
        FileExistsError: when something is there, be it a link.
        NotPlain: when a link is on the way.
    """
    with _folder(path, root) as (folder, name):
        number = os.open(name, _MAKE, 0o644, dir_fd=folder)
    with os.fdopen(number, "wb") as made:
        made.write(data)


def move(path: Path, root: Path, target: Path) -> None:
    """Move whatever has this name, a link as a link.

    Raises:
        NotPlain: when a link is on the way.
    """
    with _folder(path, root) as (folder, name):
        os.rename(name, target, src_dir_fd=folder)


@contextlib.contextmanager
def _opened(path: Path, root: Path) -> Iterator[BinaryIO]:
    with _folder(path, root) as (folder, name):
        number = _open(name, _READ, folder)
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise NotPlain(f"{path.name} is no plain file")
        yield file


@contextlib.contextmanager
def _folder(path: Path, root: Path) -> Iterator[tuple[int | None, str]]:
    """The folder of a file, held open, and the file's name in it."""
    if os.open not in os.supports_dir_fd:  # Windows, where nobody is graded
        yield None, str(path)
        return
    number = os.open(root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for part in path.relative_to(root).parts[:-1]:
            inner = _open(part, _FOLDER, number)
            os.close(number)
            number = inner
        yield number, path.name
    finally:
        os.close(number)


def _open(name: str, flags: int, folder: int | None) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as error:
        if error.errno in _ELSE:
            raise NotPlain(f"{name} is a link or a special file by now") from None
        raise
