"""The last step of grading: the marks of a submission into the gradebook, all at once, and its report."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbgrader import utils
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from grading import report
from grading.follow_on import sentence
from grading.handed_in.received import Submission
from grading.report import Report
from grading.term import by_hand, gradebook, receipt
from helpers.beside.suspects import LOOKS
from helpers.units import grade_id, tested_by


class KeepMarks(NbGraderPreprocessor):
    """Does what nbgrader's SaveAutoGrades does, with one look and one write.

    What its AssignLatePenalties would take off is computed when marks are asked for, see `settle`.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Keep the points and what a human should look at; make the report."""
        one, about = resources["submission"], resources["nbgrader"]
        graded = {grade_id(cell): utils.determine_grade(cell) for cell in nb.cells if utils.is_grade(cell)}
        made = _report(one, graded)
        made.answers = _answers(nb.cells)
        made.follows = self.config.SandboxExecute.get("follow_on", "flag")
        course = Path(CourseDirectory(parent=self).root)
        given = by_hand.by_cell(course, one.unit, one.student)
        old = _of_another_answer(given, made.answers)
        made.set_aside = [*_still_open(course, one, given), *map(str, old)]
        with gradebook.in_one_go(about["db_url"]) as book:
            gradebook.note_hand_in(book, one.unit, one.student, one.handed_in)
            submission = book.find_submission(one.unit, one.student)
            (notebook,) = (found for found in submission.notebooks if found.name == about["notebook"])
            made.doubtful = _look_at(made, one) if made.flags else []
            look_at = {*made.doubtful, *(text.partition(":")[0] for text in made.set_aside)}
            points = {name: points for name, (points, _) in graded.items()}
            gradebook.give(book, notebook, points, look_at, [given.cell for given in old])
            gradebook.note_blanks(book, notebook, _unchanged(nb.cells))
        by_hand.append(course, [replace(given, points=None, extra=None, comment="") for given in old])
        made.remarks, made.receipt, one.report = one.remarks, receipt.kept(one), made
        return nb, resources


def _answers(cells: Collection[Any]) -> dict[str, str]:
    """A fingerprint of each answer's text, by exercise: what a human gives belongs to one of them."""
    texts = {tested_by(grade_id(cell)): cell.source.strip() for cell in cells if utils.is_solution(cell)}
    return {
        name: hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] for name, text in texts.items()
    }


def _still_open(course: Path, one: Submission, given: Mapping[str, by_hand.ByHand]) -> list[str]:
    """What was set aside at an earlier grading of which a human has given nothing since."""
    before = report.read(course, one.unit, one.student) if given else None
    decided = {tested_by(cell) for cell, what in given.items() if what.given != by_hand.NOTHING}
    return [text for text in (before.set_aside if before else ()) if text.partition(":")[0] not in decided]


def _of_another_answer(
    given: Mapping[str, by_hand.ByHand], answers: Mapping[str, str]
) -> list[by_hand.ByHand]:
    """What a human gave to answers that are no longer handed in."""
    return [
        what
        for cell, what in given.items()
        if what.given != by_hand.NOTHING and what.answer and what.answer != answers.get(tested_by(cell))
    ]


def _unchanged(cells: Collection[Any]) -> dict[str, bool]:
    """Whether each answer, and each task, is as it was released."""
    answers = [cell for cell in cells if utils.is_solution(cell) or utils.is_task(cell)]
    return {
        grade_id(cell): not utils.is_task(cell)
        and cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
        for cell in answers
    }


def _report(one: Submission, graded: Mapping[str, tuple[float | None, float]]) -> Report:
    made = Report(one.student, one.unit, fingerprint=one.fingerprint)
    made.content, made.seconds = one.content, one.seconds
    for cell, (points, of) in graded.items():
        name = tested_by(cell)
        made.points[name] = made.points.get(name, 0.0) + float(points or 0)
        made.of[name] = made.of.get(name, 0.0) + float(of)
    _gather(made, one)
    return made


def _gather(made: Report, one: Submission) -> None:
    """Put what the checks and the flags found into a report."""
    library: dict[str, set[str]] = {}
    tried = {finding.exercise for finding in one.findings if finding.tried}
    for finding in one.findings:
        if finding.follow_on:  # it has no mistake of its own
            made.follow_on[finding.exercise] = [*finding.follow_on]
            made.says[finding.exercise] = sentence(finding.exercise, finding.follow_on)
        elif finding.misconception:
            made.mistakes[finding.exercise] = finding.misconception
        if finding.exercise not in tried:
            made.blank = [*dict.fromkeys([*made.blank, finding.exercise])]
        elif finding.tried and not finding.passed:
            made.says.setdefault(finding.exercise, finding.says or finding.trouble)
        if finding.group and finding.misconception:
            made.named_since[finding.exercise] = finding.group
        elif finding.group:
            made.unnamed[finding.exercise], made.differs[finding.exercise] = finding.group, finding.differs
        if finding.told:
            made.told[finding.exercise] = finding.told
        if finding.misconception == LOOKS:
            made.flags.append(f"{finding.exercise} looks at more than results: {finding.says}")
        if finding.trouble:
            made.flags.append(f"{finding.exercise} could not be checked: {finding.trouble}")
        if finding.library and finding.passed:  # a wrong one earns nothing, and a refused one neither
            library.setdefault(finding.exercise, set()).update(finding.library)
    for exercise, names in library.items():
        made.flags.append(f"{exercise} calls {', '.join(sorted(names))}, which is the whole answer")
    made.flags = [*dict.fromkeys([*made.flags, *one.flags])]  # an exercise of two test cells says it twice


def _look_at(made: Report, one: Submission) -> list[str]:
    """The exercises that Formgrader lists for a human; a flag outside them stands at the first."""
    found = {it.exercise for it in one.findings if it.trouble or (it.library and it.passed)}
    doubtful = [name for name in made.points if name in found | one.doubtful]
    return doubtful or list(made.points)[:1]
