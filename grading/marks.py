"""The last step of grading: the marks of a submission into the gradebook, all at once, and its report."""

from collections.abc import Collection, Mapping
from typing import Any

from nbgrader import utils
from nbgrader.preprocessors import AssignLatePenalties

from grading.handed_in.received import Submission
from grading.report import Report
from grading.term import gradebook
from helpers.beside.suspects import LOOKS
from helpers.units import grade_id, tested_by


class KeepMarks(AssignLatePenalties):
    """Does what nbgrader's SaveAutoGrades and AssignLatePenalties do, with one look and one write."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Keep the points, the penalty and what a human should look at; make the report."""
        one, about = resources["submission"], resources["nbgrader"]
        graded = {grade_id(cell): utils.determine_grade(cell) for cell in nb.cells if utils.is_grade(cell)}
        made = _report(one, graded)
        with gradebook.in_one_go(about["db_url"]) as book:
            if one.is_new:
                gradebook.note_hand_in(book, one.unit, one.student, one.handed_in)
            submission = book.find_submission(one.unit, one.student)
            (notebook,) = (found for found in submission.notebooks if found.name == about["notebook"])
            look_at = _look_at(made, one) if made.flags else ()
            gradebook.give(book, notebook, {name: points for name, (points, _) in graded.items()}, look_at)
            gradebook.note_blanks(book, notebook, _unchanged(nb.cells))
            notebook.late_submission_penalty = self._penalty(book, submission, notebook)
        made.remarks, one.report = one.remarks, made
        return nb, resources

    def _penalty(self, book: Any, submission: Any, notebook: Any) -> float | None:
        """What the course's late policy takes off, at most all."""
        late = submission.total_seconds_late
        if late <= 0:
            return None
        self.init_plugin()
        score = gradebook.score(book, notebook)
        penalty = self.plugin_inst.late_submission_penalty(submission.student_id, score, late)
        return penalty if penalty is None else self._check_late_penalty(notebook, penalty)


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
    for finding in one.findings:
        if finding.misconception:
            made.mistakes[finding.exercise] = finding.misconception
        if not finding.tried:
            made.blank = [*dict.fromkeys([*made.blank, finding.exercise])]
        elif not finding.passed:
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
        if finding.library:
            library.setdefault(finding.exercise, set()).update(finding.library)
    for exercise, names in library.items():
        made.flags.append(f"{exercise} calls {', '.join(sorted(names))}, which is the whole answer")
    made.flags += one.flags


def _look_at(made: Report, one: Submission) -> list[str]:
    """The exercises that Formgrader lists for a human; a flag outside them stands at the first."""
    found = {finding.exercise for finding in one.findings if finding.library or finding.trouble}
    doubtful = [name for name in made.points if name in found | one.doubtful]
    return doubtful or list(made.points)[:1]
