"""A copy of the gradebook, made before a command writes into it."""

import contextlib
import datetime
import filecmp
import os
import re
import sqlite3
import tempfile
from pathlib import Path

from grading import trouble

FOLDER = "backups"
KEPT = 20
"""So many copies stay; the oldest go."""

_SQLITE = "sqlite:///"
_OURS = re.compile(r"gradebook-\d{8}T\d{6}\.\d{6}Z-[\w-]+\.db")


def keep(course: Path, address: str, why: str) -> str:
    """Copy a gradebook of SQLite to `backups/gradebook-<UTC time>-<why>.db`, whole, also while others use it.

    Args:
        course: the course folder.
        address: nbgrader's `CourseDirectory.db_url`.
        why: the command that asks, in the file's name.

    Returns:
        One line that says where the copy is, or who makes one; empty where there is no gradebook yet, and
        where it is as it was at the last copy.

    Raises:
        Wrong: when the gradebook cannot be read.
        OSError: when the copy cannot be written; nothing is left behind.
    """
    if not address.startswith(_SQLITE):
        return "The gradebook is on a server: the copy to go back to is the server's own backup."
    path = Path(address.removeprefix(_SQLITE))
    if not path.is_file():
        return ""
    folder = course / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    target, kept = folder / f"gradebook-{now}-{why}.db", _copies(folder)
    _copy(path, target)
    if kept and filecmp.cmp(kept[-1], target, shallow=False):
        target.unlink()  # or a day of looking would push out what one wants back
        return ""
    for old in _copies(folder)[:-KEPT]:
        old.unlink()
    return f"The gradebook as it was is kept in {FOLDER}/{target.name}."


def _copies(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if _OURS.fullmatch(one.name))


def _copy(path: Path, target: Path) -> None:
    """Copy it, open to be written: what a killed run left half done is undone first."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".")  # of mode 600
    os.close(handle)
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as source,
            contextlib.closing(sqlite3.connect(name)) as copy,
        ):
            source.backup(copy)
        os.replace(name, target)
    except sqlite3.Error as error:
        os.unlink(name)
        trouble.raise_if_full(target.parent)
        said = f"The gradebook {path} cannot be copied ({error})"
        raise trouble.Wrong(
            f"{said}: nothing was changed; make it readable, or put your copy of it back."
        ) from None
    except BaseException:
        os.unlink(name)
        raise
