"""One sentence for what is wrong with the machine: a full disk, somebody else's folder, the database."""

import difflib
import errno
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from helpers.errors import OneSentence

AGAIN = "then run the same command again: what is graded stays graded"
LEAST_FREE = 2**20
_FULL = {errno.ENOSPC, errno.EDQUOT}
_NOT_YOURS = {errno.EACCES, errno.EPERM, errno.EROFS}
_CAUSES = {
    r"disk is full|No space left": f"the disk is full: free some space, {AGAIN}",
    r"readonly database|unable to open database": "it cannot be written: make it and its folder yours",
    r"malformed|not a database": "it is damaged: put your copy of it back",
    r"database is locked": f"another program holds it: close that, {AGAIN}",
    r"'28P01'|'28000'": "the server refuses this user or password: see `createuser` in docs/grading.md",
    r"'3D000'": "the server has no such database: see `createdb` in docs/grading.md",
    r"'42501'": "it belongs to another user: see `createdb --owner` in docs/grading.md",
    r"[Cc]an't create a connection|refused": "no server answers there: check host, port and PostgreSQL",
}


class Wrong(OneSentence, ValueError):
    """What the instructor asked for cannot be done; the message says what to do."""


def meant(name: str, known: Iterable[str], otherwise: str = ".", likeness: float = 0.6) -> str:
    """How a sentence ends that says that there is no such name: with the nearest there is, or otherwise."""
    near = difflib.get_close_matches(name, list(known), 1, likeness)
    return f": did you mean {near[0]}?" if near else otherwise


def is_expected(error: BaseException) -> bool:
    """Whether it is the machine's or the instructor's, so that a sentence is all there is to say."""
    of_theirs = type(error).__module__.startswith(("sqlalchemy", "distributed"))
    of_the_machine = isinstance(error, OSError) and error.errno in _FULL | _NOT_YOURS
    return isinstance(error, OneSentence | ConnectionError) or of_theirs or of_the_machine


def sentence(error: BaseException, course: Path, gradebook: str = "") -> str:
    """What happened and what to do.

    Args:
        error: what stopped the grader.
        course: its folder.
        gradebook: the address of the gradebook, whose password is left out.
    """
    try:
        if course.is_dir() and not isinstance(error, OneSentence):
            raise_if_full(course)  # SQLite has other words for it
    except OSError as full:
        error = full
    if isinstance(error, OSError) and error.errno in _FULL:
        return f"The disk is full ({error.filename or 'no space left'}): free some space, {AGAIN}."
    if isinstance(error, OSError) and error.errno in _NOT_YOURS and error.filename:
        return f"{error.filename} cannot be written or read: make it yours (`chown`, `chmod`), {AGAIN}."
    if type(error).__module__.startswith("sqlalchemy"):
        return _of_the_gradebook(str(error), gradebook)
    return str(error)


def _of_the_gradebook(said: str, address: str) -> str:
    shown = re.sub(r"://([^:@/]+):[^@/]*@", r"://\1:***@", address) or "gradebook.db"
    causes = [cause for pattern, cause in _CAUSES.items() if re.search(pattern, said)]
    return f"The gradebook {shown} cannot be used: {causes[0] if causes else said.splitlines()[0]}."


def raise_if_full(course: Path) -> None:
    """Find out whether it was the disk that failed, not a submission.

    Raises:
        OSError: when there is no room left to grade in.
    """
    for place in (course, Path(tempfile.gettempdir())):
        if shutil.disk_usage(place).free < LEAST_FREE or not _takes(place, LEAST_FREE):
            raise OSError(errno.ENOSPC, "No space left on device", str(place))


def _takes(place: Path, count: int) -> bool:
    """Whether so many bytes can be written; a quota shows itself only then."""
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(bytes(count))
    except OSError as error:
        return error.errno not in _FULL
    return True
