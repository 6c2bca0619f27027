"""What is still to be graded: hand-ins that are new or changed, and units that are judged otherwise now."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grading import named, report, submission
from grading.term.basis import Basis
from helpers import named_mistakes
from helpers.named_mistakes import Entries


def unfinished(
    config: Any,
    folder: Path,
    unit: str,
    students: Sequence[str],
    before: Mapping[str, Any],
    basis: Basis,
    words: Entries,
) -> list[str]:
    """Those whose report is missing, of another submission, or not what gradebook and instructor say."""
    places = submission.folders(config, unit)
    follows = config.SandboxExecute.get("follow_on", "flag")

    def done(student: str) -> bool:
        found = report.read(folder, unit, student)
        if found is None or found.fingerprint != submission.fingerprint(config, unit, student, basis):
            return False
        if found.follow_on and found.follows != follows:
            return False
        if found.again or found.told != named.told(found, words):
            return False
        standing = before.get(student)
        if found.reason or standing is None:
            return bool(found.reason)
        graded = Path(places.format_path(places.autograded_directory, student, unit), f"{unit}.ipynb")
        return found.points.items() <= standing.automatic.items() and graded.exists()  # a task has none

    return [student for student in students if not done(student)]


def sentences(config: Any, folder: Path, book: Any, units: Sequence[str] = ()) -> Iterator[str]:
    """For whoever takes marks out: which units are not graded as they stand now, and the command to do it.

    Args:
        config: the course's settings, see `grading.submission.settings`.
        folder: the course folder.
        book: the open gradebook.
        units: which ones; all that the gradebook knows by default.
    """
    from grading.term import gradebook, syllabus

    words = named_mistakes.read()
    for unit in units or sorted(one.name for one in book.assignments):
        students = submission.submitted(config, unit)
        if not students:
            continue
        again = f"`make grade UNIT={unit}` grades again"
        try:
            is_outdated = syllabus.is_outdated(config, unit)
        except syllabus.NoUnit as unreadable:
            yield f"{unit}: {unreadable}"
            continue
        if is_outdated:
            yield f"{unit}: its notebook or term.toml asks for other points or tests than then: {again}."
            continue
        basis = gradebook.judged_by(config, unit)
        left = unfinished(config, folder, unit, students, gradebook.standings(book, unit), basis, words)
        if left:
            whose = ", ".join(left[:5]) + (f" and {len(left) - 5} more" if len(left) > 5 else "")
            count = f"{len(left)} of {len(students)} hand-ins"
            yield f"{unit}: {count} are not graded as they are now ({whose}): {again}."
