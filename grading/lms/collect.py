"""What learners handed in, from Moodle's and Canvas's zips into `submitted/`: checked first, then laid down.

`downloaded/<unit>/` keeps what is replaced (`earlier/`), the worksheet, and what goes back with feedback
(`collected.json`). A zip says when nothing was handed in: `timestamp.txt` is written where the worksheet
knows it.
"""

import contextlib
import datetime
import itertools
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grading import report
from grading.lms import archive, people, tables, whose, worksheet
from grading.lms.archive import Handed
from grading.lms.lines import listed
from grading.term import choices, collected, groups
from grading.term.collected import BESIDE, FOLDER, NOTE, Collected, digest, noted, remembered, write_time


@dataclass
class Outcome:
    """How a collection went.

    Attributes:
        collected: students whose submission is new or another one now.
        unchanged: those who have the same there already.
        again: of the collected, those who had an earlier one.
        late: as the LMS says.
        older: those who have a newer one there already.
        chosen: of several notebooks, which was taken.
        by_hand: who was left out earlier, and whose file a human has put in since.
        skipped: who was left out, and why.
        strangers: names that are not on the roster, and the nearest there.
        groups: names of groups whose members nobody knows.
        silent: on the roster, and nothing in `submitted/`.
        timeless: the LMS, where no submission has a time.
        shared: what became of groups, in lines.
    """

    collected: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    older: list[str] = field(default_factory=list)
    chosen: dict[str, str] = field(default_factory=dict)
    by_hand: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    strangers: dict[str, str] = field(default_factory=dict)
    groups: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    timeless: str = ""
    shared: list[str] = field(default_factory=list)

    def lines(self, unit: str) -> list[str]:
        """What to tell."""
        lists = {
            "New attempts, the earlier ones kept: ": self.again,
            "Late, as the LMS says: ": self.late,
            "Left as they are, because what is there is newer: ": self.older,
            "Skipped before, and now put in by hand: ": self.by_hand,
            "On the roster, but nothing handed in: ": self.silent,
        }
        lines = [f"{unit}: {len(self.collected)} collected, {len(self.unchanged)} unchanged."]
        lines += [title + listed(names) for title, names in lists.items() if names]
        lines += self.shared
        lines += [f"Several notebooks: {name}: {which}" for name, which in self.chosen.items()]
        lines += [f"Skipped: {name}: {why}" for name, why in self.skipped.items()]
        lines += [
            f"Not on the roster, left out: {name}" + (f" (nearest there: {near})" if near else "")
            for name, near in self.strangers.items()
        ]
        lines += [
            f"A group that nobody knows, left out: {name}: name its members in term.toml, as in "
            f'[groups.{unit}] "{name}" = ["ada", "ben"], or read a roster that has Moodle\'s groups'
            for name in self.groups
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
        Wrong: when a zip or the worksheet is wrong, or a group has a member whom nobody knows; then nothing
            is changed.
        BadChoice: when `term.toml` is.
    """
    worksheet.must_be_a_zone(zone)
    class_ = people.load(course)
    members = choices.read(course).groups
    groups.must_know_members(unit, members.get(unit, {}), class_.persons)
    kept = course / FOLDER / unit / "worksheet.csv"
    lines = worksheet.read(sheet, class_.present, zone)[1] if sheet else {}
    numbers = lines or (worksheet.read(kept, class_.present)[1] if kept.is_file() else {})
    times = {one.student: one for one in lines.values() if one.student}
    before, outcome = remembered(course, unit), Outcome()
    with archive.opened(zips) as handed, _stage(course / FOLDER / unit) as stage:
        found = whose.find(handed, class_, numbers, members.get(unit, {}))
        staged, left_out = _staged(course, unit, found.attempts, times, before, stage, outcome)
        if sheet:
            report.write_whole(kept, tables.text_of(sheet))
        for student, one in staged.items():
            if _lay_down(course, unit, student, stage / student, one, before.get(student), outcome):
                before[student] = one
        for student, one in left_out.items():
            before[student] = _left_out(one, course / "submitted" / student / unit, outcome)
    collected.keep(course, unit, before)
    _write_times(course, unit, [line for line in times.values() if line.student not in before])
    outcome.strangers, outcome.groups = found.strangers, found.groups
    outcome.chosen = {name: how for name, how in outcome.chosen.items() if name in outcome.collected}
    if staged and not any(one.when for one in staged.values()):
        outcome.timeless = next(iter(staged.values())).lms
    outcome.shared = groups.share(course, unit, members, course / "submitted")
    there = {name for name in class_.present if (course / "submitted" / name / unit).is_dir()}
    known = there.union(collected.left_out(course, unit))
    outcome.silent = [name for name in class_.present if name not in known]
    return outcome


def _staged(
    course: Path,
    unit: str,
    everybody: Mapping[str, Sequence[Handed]],
    times: Mapping[str, worksheet.Line],
    before: dict[str, Collected],
    stage: Path,
    outcome: Outcome,
) -> tuple[dict[str, Collected], dict[str, Collected]]:
    """Unpack of everybody the newest that can be taken; with those whose newest of all cannot."""
    staged, left_out = {}, {}
    for student, several in everybody.items():
        attempts = sorted(several, key=lambda one: one.attachment)
        newest = attempts[-1]
        made = _collected(newest, unit, times.get(student), _wrong_with(newest, unit, student))
        outcome.late += [student] if made.late else []
        if made.skipped:
            folder, had = course / "submitted" / student / unit, before.get(student)
            if had and _is_newer(had, made):
                outcome.older.append(student)
                continue
            if _is_put_in(made, had, folder, outcome):
                before[student] = made
                continue
            left_out[student] = made
            attempts = [one for one in attempts if not _wrong_with(one, unit, student)]
            if not attempts:
                continue
            newest = attempts[-1]  # the time that the LMS has is not that of this one
            made = _collected(newest, unit, None, "")
        staged[student] = made
        if len(newest.notebooks) > 1:
            taken = newest.notebook(unit)
            others = listed((one.name for one in newest.notebooks if one is not taken), 5)
            outcome.chosen[student] = f"{taken.name} was taken, and not {others}"
        for number, one in enumerate(attempts):
            if not _wrong_with(one, unit, student):
                _unpack(one, unit, stage / student / ("newest" if one is newest else f"older-{number}"))
    return staged, left_out


def _write_times(course: Path, unit: str, others: Sequence[worksheet.Line]) -> None:
    """Give what a human has put in the LMS's time; of those who were in no zip too."""
    collected.write_times(course, course / "submitted")
    for line in others:
        folder = course / "submitted" / line.student / unit
        if folder.is_dir() and not any((folder / name).exists() for name in BESIDE):
            write_time(folder, _time(line))


# What counts


def _wrong_with(one: Handed, unit: str, student: str) -> str:
    notebooks = [file.name for file in one.notebooks]
    if not one.files:
        return "there is a text or a link, but no file: ask for the notebook"
    if not notebooks:
        return (
            f"there is no .ipynb, only {listed((file.name for file in one.files), 5)}: ask for {unit}.ipynb"
        )
    if one.notebook(unit) is None:
        several = f"there are several notebooks, {listed(notebooks, 5)}"
        return f"{several}: put the right one into submitted/{student}/{unit}/ as {unit}.ipynb"
    return ""


def _collected(one: Handed, unit: str, line: worksheet.Line | None, wrong: str) -> Collected:
    late = one.late or bool(line and line.late)
    file = one.notebook(unit) or next(iter(one.files), None)
    entry = file.entry.rpartition("/")[2] if one.lms == "canvas" and file else ""
    made = Collected(one.lms, one.number, one.prefix, one.flat, entry, one.attachment, late, _time(line))
    made.zone = line.zone if line else ""
    made.group = "" if one.number else one.name
    if wrong:
        made.skipped = wrong
        made.files = [collected.mark(file.info.CRC, file.info.file_size) for file in one.files]
    return made


def _time(line: worksheet.Line | None) -> str:
    return line.when.strftime("%Y-%m-%d %H:%M:%S UTC") if line and line.when else ""


def _is_put_in(now: Collected, before: Collected | None, folder: Path, outcome: Outcome) -> bool:
    """Whether a human has put in a submission that could not be taken, at an earlier collection either."""
    if not (before and before.skipped and before.files == now.files):
        return False
    now.there, now.stamp, now.told = before.there, before.stamp, before.told
    now.when = now.when or before.when
    if not collected.put_in_by_hand(now, folder, folder.name):
        return False
    if not now.told:
        outcome.by_hand.append(folder.parent.name)
    now.told = True
    return True


def _left_out(now: Collected, folder: Path, outcome: Outcome) -> Collected:
    """What is remembered of a submission that cannot be taken; it is named until a human has put one in."""
    now.there, now.stamp, now.told = digest(folder), collected.time_of(folder), False
    outcome.skipped[folder.parent.name] = now.skipped + (
        ", what came before stays" if folder.is_dir() else ""
    )
    return now


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
    """Every file under its own name, the notebook under the unit's; nobody hands in a time or a group.

    What has a name that is taken lies in `other/`.
    """
    notebook, ours = one.notebook(unit), {f"{unit}.ipynb".casefold(), *BESIDE}
    archive.unpack(notebook, target / f"{unit}.ipynb")
    for file in one.files:
        if file is notebook or file.name.casefold() in BESIDE:
            continue
        is_taken = file.name.partition("/")[0].casefold() in ours
        for number in itertools.count(is_taken):
            with contextlib.suppress(FileExistsError, NotADirectoryError):
                archive.unpack(file, target / ("", "other", f"other-{number}")[min(number, 2)] / file.name)
                break


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
    plain = not place.is_symlink() and not place.parent.is_symlink()
    if plain and (place / NOTE).is_file() and noted(place) == digest(place):
        shutil.rmtree(place)  # a copy of what somebody else of the group has handed in
    if place.is_dir() and not place.is_symlink() and digest(place) == digest(newest):
        outcome.unchanged.append(student)
        had = before if before and not before.skipped else now
        if now.when and had.zone == now.zone:  # read in another one, all times are mended
            now.when = max(now.when, had.when)
        write_time(place, now.when)
        if not now.when:
            now.when, now.zone = had.when, had.zone
        return True
    if before and os.path.lexists(place) and _is_newer(before, now):
        outcome.older.append(student)
        _keep(newest, earlier)
        return False
    write_time(newest, now.when)
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


def _keep(folder: Path, earlier: Path, always: bool = False) -> Path | None:
    """Move an attempt to the earlier ones, unless the same is there already."""
    earlier.mkdir(parents=True, exist_ok=True)
    if not always and any(digest(one) == digest(folder) for one in earlier.iterdir()):
        return None
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in itertools.count(1):
        target = earlier / f"{now}-{number}"
        if not target.exists():
            os.rename(folder, target)
            return target
    raise AssertionError
