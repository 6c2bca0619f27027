"""What learners handed in, from Moodle's and Canvas's zips into `submitted/`: checked first, then laid down.

`downloaded/<unit>/` keeps what is replaced (`earlier/`), the worksheet, and what goes back with feedback
(`collected.json`). A zip says when nothing was handed in: `timestamp.txt` is written where the worksheet
knows it.
"""

import datetime
import difflib
import hashlib
import itertools
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grading import report
from grading.handed_in import intake
from grading.lms import archive, people, worksheet
from grading.lms.archive import Handed
from grading.lms.lines import listed
from grading.lms.people import People
from grading.trouble import Wrong

FOLDER = "downloaded"
_TIME = "timestamp.txt"


@dataclass
class Collected:
    """What is kept of a submission for the way back.

    Attributes:
        lms: moodle or canvas.
        number: of the participant in Moodle, of the user in Canvas.
        prefix: see `archive.Handed`.
        flat: see there.
        entry: the notebook's name in Canvas's zip.
        attachment: see there.
        late: whether the LMS says so.
        when: it was handed in, where that is known.
    """

    lms: str
    number: str
    prefix: str = ""
    flat: bool = False
    entry: str = ""
    attachment: int = 0
    late: bool = False
    when: str = ""


@dataclass
class Outcome:
    """How a collection went.

    Attributes:
        collected: students whose submission is new or another one now.
        unchanged: those who have the same there already.
        again: of the collected, those who had an earlier one.
        late: as the LMS says.
        older: those who have a newer one there already.
        skipped: who was left out, and why.
        strangers: names that are not on the roster, and the nearest there.
        silent: on the roster, and nothing in `submitted/`.
        timeless: the LMS, where no submission has a time.
    """

    collected: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    older: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    strangers: dict[str, str] = field(default_factory=dict)
    silent: list[str] = field(default_factory=list)
    timeless: str = ""

    def lines(self, unit: str) -> list[str]:
        """What to tell."""
        lists = {
            "New attempts, the earlier ones kept: ": self.again,
            "Late, as the LMS says: ": self.late,
            "Left as they are, because what is there is newer: ": self.older,
            "On the roster, but nothing handed in: ": self.silent,
        }
        lines = [f"{unit}: {len(self.collected)} collected, {len(self.unchanged)} unchanged."]
        lines += [title + listed(names) for title, names in lists.items() if names]
        lines += [f"Skipped: {name}: {why}" for name, why in self.skipped.items()]
        lines += [
            f"Not on the roster, left out: {name}" + (f" (nearest there: {near})" if near else "")
            for name, near in self.strangers.items()
        ]
        if self.timeless == "canvas":
            lines.append("Canvas's zip has no times, so nothing counts as late in nbgrader.")
        if self.timeless == "moodle":
            lines.append(
                "No submission has a time, so nothing counts as late: Moodle's is in its worksheet "
                "(--worksheet)."
            )
        return lines


def collect(
    course: Path, unit: str, zips: Sequence[Path], sheet: Path | None = None, zone: str = ""
) -> Outcome:
    """Lay submissions where nbgrader looks for them.

    Args:
        course: the course folder.
        unit: which assignment.
        zips: as they were downloaded, the newest last.
        sheet: Moodle's grading worksheet.
        zone: of the times there; this machine's where it is empty.

    Raises:
        Wrong: when a zip or the worksheet is wrong; then nothing is changed.
    """
    worksheet.must_be_a_zone(zone)
    class_ = people.load(course)
    place = course / FOLDER / unit
    kept = place / "worksheet.csv"
    lines = worksheet.read(sheet, class_.present, zone)[1] if sheet else {}
    numbers = lines or (worksheet.read(kept, class_.present)[1] if kept.is_file() else {})
    before = remembered(course, unit)
    outcome, staged = Outcome(), {}
    with archive.opened(zips) as found, _stage(place) as stage:
        for student, attempts in _by_student(found, class_, numbers, outcome).items():
            line = next((one for one in lines.values() if one.student == student), None)
            newest = max(enumerate(attempts), key=lambda one: (one[1].attachment, one[0]))[1]
            wrong = _wrong_with(newest, unit)
            if wrong:
                outcome.skipped[student] = wrong
                continue
            staged[student] = _collected(newest, line)
            for number, one in enumerate(attempts):
                name = "newest" if one is newest else f"older-{number}"
                if not _wrong_with(one, unit):
                    _unpack(one, unit, stage / student / name)
        if sheet:
            report.write_whole(kept, sheet.read_bytes().decode("utf-8-sig"))
        for student, one in staged.items():
            if _lay_down(course, unit, student, stage / student, one, before.get(student), outcome):
                before[student] = one
    report.write_whole(
        place / "collected.json",
        json.dumps({name: asdict(one) for name, one in before.items()}, indent=1, ensure_ascii=False),
    )
    outcome.late = [student for student, one in staged.items() if one.late]
    if staged and not any(one.when for one in staged.values()):
        outcome.timeless = next(iter(staged.values())).lms
    outcome.silent = [name for name in class_.present if not (course / "submitted" / name / unit).is_dir()]
    return outcome


def remembered(course: Path, unit: str) -> dict[str, Collected]:
    """What was kept of earlier collections, by student."""
    try:
        read = json.loads((course / FOLDER / unit / "collected.json").read_text("utf-8"))
        return {name: Collected(**one) for name, one in read.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


# Whose it is


def _by_student(
    found: Sequence[Handed], class_: People, lines: Mapping[str, worksheet.Line], outcome: Outcome
) -> dict[str, list[Handed]]:
    by_number = {one.canvas_id: one.id for one in class_.present.values() if one.canvas_id}
    if not by_number and any(one.lms == "canvas" for one in found):
        raise Wrong(
            "The zip is Canvas's, but the roster has no numbers of Canvas: run `make roster FILE=...` with "
            "the gradebook that Canvas exports first."
        )
    names = people.by_name(class_.present.values())
    attempts: dict[str, list[Handed]] = {}
    for one in found:
        if one.lms == "canvas":
            student = by_number.get(one.number, "")
            if not student and one.number in class_.not_students:
                continue
        elif one.number in lines:
            student = lines[one.number].student
        else:
            student = _named(one, names)
        if student:
            attempts.setdefault(student, []).append(one)
        else:
            outcome.strangers[f"{one.name} ({one.number})"] = _nearest(one.name, class_)
    for student, several in attempts.items():
        numbers = sorted({one.number for one in several if one.lms == "moodle"})
        if len(numbers) > 1:
            raise Wrong(
                f"Participants {' and '.join(numbers)} of the zip are both called {several[0].name}, as "
                f"{student} is: "
                "give Moodle's grading worksheet too (--worksheet)."
            )
    return attempts


def _named(one: Handed, names: Mapping[str, set[str]]) -> str:
    same = sorted(names.get(people.key(one.name), ()))
    if len(same) > 1:
        raise Wrong(
            f"{' and '.join(same)} are both called {one.name}: give Moodle's grading worksheet too "
            "(--worksheet), "
            "which says who is participant {one.number}.".replace("{one.number}", one.number)
        )
    return same[0] if same else ""


def _nearest(name: str, class_: People) -> str:
    known = {
        people.key(text): one for one in class_.present.values() for text in (one.name, one.first + one.last)
    }
    near = difflib.get_close_matches(people.key(name), known, 1)
    return f"{known[near[0]].shown}, {known[near[0]].id}" if near else ""


def _wrong_with(one: Handed, unit: str) -> str:
    notebooks = [file.name for file in one.notebooks]
    if not one.files:
        return "there is a text or a link, but no file: ask for the notebook"
    if not notebooks:
        return (
            f"there is no .ipynb, only {listed((file.name for file in one.files), 5)}: ask for {unit}.ipynb"
        )
    if len(notebooks) > 1:
        several = f"there are several notebooks, {listed(notebooks, 5)}"
        return f"{several}: put the right one into submitted/ as {unit}.ipynb"
    return ""


def _collected(one: Handed, line: worksheet.Line | None) -> Collected:
    when = line.when.strftime("%Y-%m-%d %H:%M:%S UTC") if line and line.when else ""
    late = one.late or bool(line and line.late)
    entry = one.notebooks[0].entry.rpartition("/")[2] if one.lms == "canvas" else ""
    return Collected(one.lms, one.number, one.prefix, one.flat, entry, one.attachment, late, when)


# Where it goes


class _stage:
    """A folder beside its target, to unpack into; it goes whatever happens."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __enter__(self) -> Path:
        self._place.mkdir(parents=True, exist_ok=True)
        for left in self._place.glob(".unpacked-*"):  # of a run that was killed
            shutil.rmtree(left, ignore_errors=True)
        self._folder = Path(tempfile.mkdtemp(prefix=".unpacked-", dir=self._place))
        return self._folder

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def _unpack(one: Handed, unit: str, target: Path) -> None:
    """Every file under its own name, the notebook under the unit's; nobody hands in a time."""
    (notebook,) = one.notebooks
    archive.unpack(notebook, target / f"{unit}.ipynb")
    for file in one.files:
        if file is notebook or file.name.casefold() in (_TIME, f"{unit}.ipynb".casefold()):
            continue
        if not (target / file.name).exists():
            archive.unpack(file, target / file.name)


def _lay_down(
    course: Path,
    unit: str,
    student: str,
    stage: Path,
    now: Collected,
    before: Collected | None,
    outcome: Outcome,
) -> bool:
    """Put the newest attempt into place, and keep what it replaces; whether it is what lies there now."""
    place = course / "submitted" / student / unit
    earlier = course / FOLDER / unit / "earlier" / student
    for older in sorted(stage.glob("older-*")):
        _keep(older, earlier)
    newest = stage / "newest"
    if place.is_dir() and not place.is_symlink() and _digest(place) == _digest(newest):
        outcome.unchanged.append(student)
        _write_time(place, now.when)
        now.when = now.when or (before.when if before else "")
        return True
    if before and os.path.lexists(place) and _is_newer(before, now):
        outcome.older.append(student)
        _keep(newest, earlier)
        return False
    _write_time(newest, now.when)
    had = os.path.lexists(place)
    aside = _keep(place, earlier, always=True) if had else None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        os.rename(newest, place)
    except OSError:
        if aside:
            os.rename(aside, place)
        raise
    outcome.collected.append(student)
    if had:
        outcome.again.append(student)
    return True


def _is_newer(before: Collected, now: Collected) -> bool:
    if before.lms != now.lms:
        return False
    return before.attachment > now.attachment or bool(now.when and before.when > now.when)


def _write_time(folder: Path, when: str) -> None:
    if when and (not (folder / _TIME).is_file() or (folder / _TIME).read_text("utf-8", "replace") != when):
        report.write_whole(folder / _TIME, when)


def _keep(folder: Path, earlier: Path, always: bool = False) -> Path | None:
    """Move an attempt to the earlier ones, unless the same is there already."""
    earlier.mkdir(parents=True, exist_ok=True)
    if not always and any(_digest(one) == _digest(folder) for one in earlier.iterdir()):
        return None
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in itertools.count(1):
        target = earlier / f"{now}-{number}"
        if not target.exists():
            os.rename(folder, target)
            return target
    raise AssertionError


def _digest(folder: Path) -> str:
    """Of what was handed in, which its time is not."""
    digest = hashlib.sha256()
    for path in sorted(intake.everything(folder)):
        name = path.relative_to(folder).as_posix()
        if name != _TIME:
            data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
            digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    return digest.hexdigest()
