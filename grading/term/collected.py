"""What is remembered of the LMS's zips, in `downloaded/<unit>/collected.json`; and the times of hand-ins.

A submission that could not be taken is remembered too, so that the file which a human then puts into
`submitted/` gets the time at which the LMS has it.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grading import report
from grading.handed_in import intake

FOLDER, FILE = "downloaded", "collected.json"
TIME, NOTE = BESIDE = "timestamp.txt", "group.txt"
"""What lies beside a hand-in and is none: when it came, and who of a group handed it in."""


@dataclass
class Collected:
    """What is kept of a submission, for its time and for the way back.

    Attributes:
        lms: moodle or canvas.
        number: of the participant in Moodle, of the user in Canvas; empty where a group handed in.
        prefix: what Moodle expects in front of a file that is for this learner.
        flat: whether the zip had no folders.
        entry: the notebook's name in Canvas's zip.
        attachment: Canvas's number of the newest file; it grows with time.
        late: whether the LMS says so.
        when: it was handed in, where that is known.
        zone: in which that was read; this machine's where it is empty.
        skipped: why it was left out; empty where it was not.
        files: of one that was left out, a mark of each file's bytes.
        there: digest of what lay in `submitted/` when it was left out.
        stamp: the time that lay there then.
        told: whether it was said that a human has put it in since.
        group: whose name the zip has, where a group handed in.
    """

    lms: str
    number: str
    prefix: str = ""
    flat: bool = False
    entry: str = ""
    attachment: int = 0
    late: bool = False
    when: str = ""
    zone: str = ""
    skipped: str = ""
    files: list[str] = field(default_factory=list)
    there: str = ""
    stamp: str = ""
    told: bool = False
    group: str = ""


def remembered(course: Path, unit: str) -> dict[str, Collected]:
    """What was kept of earlier collections, by student."""
    try:
        read = json.loads((course / FOLDER / unit / FILE).read_text("utf-8"))
        return {name: Collected(**one) for name, one in read.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def keep(course: Path, unit: str, everybody: Mapping[str, Collected]) -> None:
    """Remember them, whole or not at all."""
    text = json.dumps({name: asdict(one) for name, one in everybody.items()}, indent=1, ensure_ascii=False)
    report.write_whole(course / FOLDER / unit / FILE, text)


def left_out(course: Path, unit: str) -> dict[str, str]:
    """Those whose newest upload was skipped and nobody has put in since, and why."""
    return {
        name: one.skipped
        for name, one in remembered(course, unit).items()
        if one.skipped and not put_in_by_hand(one, course / "submitted" / name / unit, unit)
    }


def put_in_by_hand(one: Collected, folder: Path, unit: str) -> bool:
    """Whether what was left out lies there now: one of its files, or anything but what lay there before.

    What lay there before is put in only where somebody has taken its time away, or written another.
    """
    if not one.skipped or folder.is_symlink() or not folder.is_dir():
        return False
    if noted(folder) and noted(folder) == digest(folder):
        return False  # a copy of what another of their group has handed in
    if one.told or time_of(folder) != one.stamp:
        return True
    is_other = digest(folder) != one.there
    return is_other and (not one.stamp or _mark(folder / f"{unit}.ipynb") in one.files)


def times_of(course: Path, unit: str, submitted: Path) -> dict[str, str]:
    """When those handed in whose file a human has put in, by student, as `timestamp.txt` has it.

    A time that a human has written stays.
    """
    return {
        name: one.when
        for name, one in remembered(course, unit).items()
        if one.when and put_in_by_hand(one, submitted / name / unit, unit)
        if time_of(submitted / name / unit) in ("", one.stamp)
    }


def write_times(course: Path, submitted: Path) -> None:
    """Give what a human has put in the time that the LMS has, in every unit: late days are of the term."""
    for path in sorted(course.glob(f"{FOLDER}/*/{FILE}")):
        unit = path.parent.name
        for name, when in times_of(course, unit, submitted).items():
            write_time(submitted / name / unit, when)


def time_of(folder: Path) -> str:
    """When a submission was handed in, as it stands beside it; empty where that is not known."""
    path = folder / TIME
    return intake.time_text(path.read_bytes(), "replace") if path.is_file() else ""


def write_time(folder: Path, when: str) -> None:
    """Write when a submission was handed in, unless that is there or unknown."""
    if when and time_of(folder) != when:
        report.write_whole(folder / TIME, when)


def digest(folder: Path) -> str:
    """Of what was handed in."""
    made = hashlib.sha256()
    for path in sorted(intake.everything(folder)):
        name = path.relative_to(folder).as_posix()
        if name not in BESIDE:
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            data = os.fsencode(os.readlink(path)) if path.is_symlink() else data  # a pipe would never end
            made.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    return made.hexdigest()


def noted(folder: Path) -> str:
    """The digest of what was copied from another of a group; empty where nothing was."""
    path = folder / NOTE
    return "".join(path.read_text("utf-8", "replace").split()[-1:]) if path.is_file() else ""


def mark(crc: int, size: int) -> str:
    """A mark of a file's bytes, as a zip has it without being unpacked."""
    return f"{crc:08x}-{size}"


def _mark(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        return ""
    data = path.read_bytes()
    return mark(zlib.crc32(data), len(data))
