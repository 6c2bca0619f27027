"""The files of a submission: find the notebook, set aside what is dangerous, read what lies beside it."""

import codecs
import contextlib
import datetime
import hashlib
import itertools
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from nbgrader import utils

from grading.handed_in import plain, reading
from grading.handed_in.received import Submission

BESIDE_MOST, BESIDE_FILES = 20 * 2**20, 200
"""Bytes and files that a notebook may bring along."""

BLANK = "# YOUR CODE HERE"
"""What nbgrader writes into an answer cell, and learners replace."""

_UTF_16 = {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
_NOT_FILES = {"timestamp.txt", "group.txt"}
_SHADOWS = {"helpers", "torch", "numpy", "matplotlib", "IPython", "nbgrader", "grading", "random", "math"}


def receive(submission: Submission, basis: object) -> None:
    """Make a submission's folder what nbgrader expects; every file stays, here or in `set_aside/`.

    Links and special files are moved out of the way; a notebook of another name is copied to the right one.

    Args:
        submission: gets its notebook, where something looks like one, its remarks and its fingerprint.
        basis: what it is judged by, a part of its fingerprint.
    """
    folder = submission.folder
    submission.notebook = _lay_out(folder, folder / f"{submission.unit}.ipynb", submission.note)
    submission.content = content(folder)
    submission.sha256 = _sha256(submission.notebook, folder) if submission.notebook else ""
    submission.fingerprint = judged(submission.content, basis)


def _sha256(notebook: Path, folder: Path) -> str:
    """What `sha256sum` says of the notebook; of one that is not read, nothing."""
    with contextlib.suppress(OSError):
        return hashlib.sha256(_bytes(notebook, folder)).hexdigest()
    return ""


def _lay_out(folder: Path, wanted: Path, note: Callable[[str], None]) -> Path | None:
    if folder.is_symlink() or not folder.is_dir():
        return None
    _set_aside_the_dangerous(folder, wanted, note)
    other = _other_notebook(folder, wanted)
    if other is None:
        return wanted if wanted.exists() else None
    if wanted.exists():
        if _answers(wanted, folder) >= min(1, _answers(other, folder)):
            if _bytes(wanted, folder) != _bytes(other, folder):
                note(f"there is another notebook, which was not graded: {other.relative_to(folder)}")
            return wanted
        _set_aside(wanted, folder)
        note(f"{wanted.name} is blank or damaged; it lies in set_aside/")
    plain.write(wanted, folder.parent, _bytes(other, folder))
    note(f"the notebook is called {other.relative_to(folder)}; a copy has the right name")
    for path in sorted(other.parent.iterdir()) if other.parent != folder else ():
        here = folder / path.name
        if _is_plain(path) and path.suffix != ".ipynb" and not os.path.lexists(here):  # what it reads
            plain.write(here, folder.parent, _bytes(path, folder))
    return wanted


def _set_aside_the_dangerous(folder: Path, wanted: Path, note: Callable[[str], None]) -> None:
    for path in list(everything(folder)):
        name = path.relative_to(folder)
        if not _is_plain(path):
            _set_aside(path, folder)
            note(f"{name} was a link or a special file; it lies in set_aside/")
        elif path.stem in _SHADOWS and path.suffix in (".py", ".so", ".pyc", ".pth"):
            note(f"{name} has the name of a library; it is not imported")
    _mend_time(folder, note)
    if wanted.is_dir():
        _set_aside(wanted, folder)
        note(f"{wanted.name} was a folder; it lies in set_aside/")


def missing(folder: Path, unit: str) -> str:
    """Why there is nothing to grade, and what to do, in a sentence."""
    wanted = f"{unit}.ipynb"
    if folder.is_symlink():
        return f"the folder {folder.name} is a link: ask for {wanted} itself"
    if not folder.is_dir():
        return f"{folder.name} is a file, not a folder: ask for {wanted}"
    names = sorted(str(path.relative_to(folder)) for path in everything(folder))[:5]
    there = f"there lies only {', '.join(names)}" if names else "the folder is empty"
    return f"no notebook was handed in, {there}: ask for {wanted}"


def lay_out(folder: Path, target: Path, ignored: Sequence[str], note: Callable[[str], None]) -> None:
    """Copy what was handed in beside the notebook, as nbgrader does, but no link and no special file.

    Args:
        folder: what was handed in.
        target: a folder of ours.
        ignored: nbgrader's patterns of what is not copied.
        note: takes a remark on each file that is another one by now.
    """
    for name in utils.find_all_files(str(folder), [*ignored, "*.ipynb"]):
        inside = Path(name).relative_to(folder)
        try:
            plain.copy(Path(name), folder.parent, target / inside)
        except (plain.NotPlain, FileNotFoundError) as error:
            note(f"{inside} was swapped while it was copied ({error}); it is left out")


def beside(folder: Path, note: Callable[[str], None]) -> dict[str, bytes]:
    """The plain files that lie beside the notebook, by name, as far as there is room for them.

    Args:
        folder: where the notebook lies.
        note: takes a remark on each file that has no room.
    """
    files: dict[str, bytes] = {}
    left = BESIDE_MOST
    for path in sorted(everything(folder), key=lambda path: (path.suffix != ".py", path)):
        if not _is_plain(path) or path.suffix == ".ipynb" or path.name in _NOT_FILES:
            continue
        name, size = str(path.relative_to(folder)), path.lstat().st_size
        if size > left or len(files) >= BESIDE_FILES:
            note(f"{name} is too large to be laid beside the notebook")
            continue
        left -= size
        files[name] = plain.read(path, folder.parent, size)
    return files


def fingerprint(folder: Path, basis: object) -> str:
    """A digest of a submission's files and of what it is judged by (see `basis`)."""
    return judged(content(folder), basis)


def judged(content: str, basis: object) -> str:
    """The same, of files that were looked at."""
    return hashlib.sha256(f"{basis}\0{content}".encode()).hexdigest()


def content(folder: Path) -> str:
    """A digest of a submission's files."""
    digest = hashlib.sha256()
    for path in sorted(everything(folder)):
        with contextlib.suppress(OSError):  # a file that cannot be read counts by its name
            size = path.lstat().st_size
            if _is_plain(path) and size <= reading.LARGEST:
                digest.update(f"{path.relative_to(folder)}\0{size}\0".encode("utf-8", "surrogateescape"))
                digest.update(_bytes(path, folder))
    return digest.hexdigest()


def everything(folder: Path) -> Iterator[Path]:
    """All files and links below a folder, without what editors and Python leave there."""
    if folder.is_symlink():  # whatever lies behind it was not handed in
        return
    for place, folders, files in os.walk(folder):
        for name in [name for name in folders if os.path.islink(os.path.join(place, name))]:
            yield Path(place, name)
        for name in files:
            yield Path(place, name)
        folders[:] = [name for name in folders if name not in (".ipynb_checkpoints", "__pycache__", ".git")]


def _is_plain(path: Path) -> bool:
    return stat.S_ISREG(os.lstat(path).st_mode)


def _bytes(path: Path, folder: Path) -> bytes:
    return plain.read(path, folder.parent, reading.LARGEST)


def _mend_time(folder: Path, note: Callable[[str], None]) -> None:
    """Leave the time of a submission in a form that nbgrader reads, or none."""
    path = folder / "timestamp.txt"
    if not os.path.lexists(path):
        return
    try:
        data = plain.read(path, folder.parent, 200)
        text = time_text(data)
        is_time = not text or moment(text) is not None
    except (OSError, ValueError):
        is_time = False
    if is_time and text.encode() == data.strip():
        return
    _set_aside(path, folder)
    if not is_time:
        note("timestamp.txt holds no time; it lies in set_aside/")
        return
    plain.write(path, folder.parent, text.encode())
    note("timestamp.txt is written anew, in a form that nbgrader reads; the old one lies in set_aside/")


def time_text(data: bytes, errors: str = "strict") -> str:
    """What a `timestamp.txt` says, without what nbgrader misreads: editors' marks, UTF-16, "12:00 +0100"."""
    text = data.decode("utf-16" if data[:2] in _UTF_16 else "utf-8-sig", errors).strip()
    return re.sub(r"\s+(?=[+-]\d\d:?\d\d$)", "", text)


def moment(text: str) -> datetime.datetime | None:
    """The time that such a text is, in UTC, as nbgrader reads it; `None` where it is none."""
    try:
        return utils.parse_utc(text) if text else None
    except (ValueError, OverflowError, AttributeError, TypeError):
        return None


def _set_aside(path: Path, folder: Path) -> None:
    course, student = folder.parent.parent.parent, folder.parent.name
    for number in itertools.count(1):  # a new place each time: nothing set aside earlier is in the way
        target = course / "set_aside" / student / folder.name / str(number)
        if not os.path.lexists(target):
            target.mkdir(parents=True)
            plain.move(path, folder.parent, target / path.name)
            return


def _answers(path: Path, folder: Path) -> int:
    """How many cells without a blank's text a notebook has; fewer than none where it cannot be read."""
    try:
        cells = reading.read(path, folder.parent).cells
    except (reading.Unreadable, OSError):
        return -1
    answers = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]
    return sum(BLANK not in cell.source for cell in answers)


def _other_notebook(folder: Path, wanted: Path) -> Path | None:
    """The file that is most likely the notebook: one that reads as one, with the most of the unit's cells."""
    best: tuple[int, int, str] = (0, 0, "")
    for path in sorted(everything(folder)):
        if path == wanted or not _is_plain(path) or path.suffix == ".py" or path.name in _NOT_FILES:
            continue
        if wanted.exists() and path.suffix.lower() != ".ipynb":  # a data file
            continue
        try:
            notebook = reading.read(path, folder.parent)
        except (reading.Unreadable, OSError):
            if path.suffix == ".ipynb" and not wanted.exists():  # its reason is the best there is
                best = max(best, (0, 1, str(path)))
            continue
        noted = sum("nbgrader" in cell.metadata for cell in notebook.cells)
        best = max(best, (1 + noted, len(notebook.cells), str(path)))
    return Path(best[2]) if best[2] else None
