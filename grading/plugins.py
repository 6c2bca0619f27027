"""What nbgrader's configuration plugs in: an exporter that reads anything, the sandbox for cells, the report.

`nbgrader_config.py` names them, so that a plain `nbgrader autograde` and Formgrader's button use them too.
"""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import nbgrader.preprocessors  # noqa: F401 - or nbgrader imports itself in a circle
from nbconvert.exporters import NotebookExporter
from nbgrader import utils
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float, Integer

from grading import (
    flags,
    gradebook,
    intake,
    outputs,
    reading,
    remarks,
    report,
    restore,
    roster,
    secret,
    syllabus,
    warm_pool,
)
from grading.kernels import Ended, Notebook, Warm
from grading.limits import Limits
from grading.sandbox import NoSandbox, Refusal
from grading.test_cells import Checker
from helpers.errors import OneSentence


class SubmissionExporter(NotebookExporter):
    """Reads a submission whatever became of it, and keeps the reason where it cannot be graded.

    nbgrader makes one for each run, before it looks at the first submission. So here the gradebook is
    brought up to date, unless the course's own command has done it for all its processes.
    """

    def __init__(self, **kw: Any) -> None:
        super().__init__(**kw)
        self.optimistic_validation = True  # once after all steps, not after each
        self._prints: dict[tuple[str, str], str] = {}
        try:
            SandboxExecute(parent=self).warm().ready()
            self._basis = getattr(self.parent, "basis", None) or self._prepared()
        except (NoSandbox, syllabus.NoUnit) as error:
            raise Refusal(str(error)) from None  # before anything is written: nothing was graded

    def _prepared(self) -> Any:
        """For a plain `nbgrader autograde`: what `python -m grading` does before it grades."""
        places = self.parent.coursedir
        config, unit, course = _with_places(self.config, places), places.assignment_id, Path(places.root)
        for line in syllabus.learn(config, unit):
            self.log.warning(line)
        handed_in = {folder: Path(folder).parent.name for folder in self.parent.assignments}
        with gradebook.opened(config) as book:
            known = gradebook.students(book)
        refused = roster.look(course, known, list(handed_in.values())).refused
        for folder in [folder for folder, student in handed_in.items() if student in refused]:
            student = handed_in[folder]
            self.log.error(f"{student} is not graded: {refused[student]}.")
            report.write(course, report.Report(student, unit, reason=refused[student], again=True))
            del self.parent.assignments[folder]
        return gradebook.judged_by(config, unit)

    def fingerprint(self, student: str, unit: str) -> str:
        """Of a submission as it is before it is read."""
        if (student, unit) not in self._prints:
            places = CourseDirectory(parent=self)
            folder = Path(places.format_path(places.submitted_directory, student, unit))
            self._prints[student, unit] = intake.fingerprint(folder, self._basis.of(student))
        return self._prints[student, unit]

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Convert one notebook file; every error ends up in the submission's report."""
        path = Path(filename)
        about = resources["nbgrader"]
        about["fingerprint"] = self.fingerprint(about["student"], about["assignment"])
        try:
            notebook = reading.read(path)
            resources.setdefault("metadata", {}).update(name=path.stem, path=str(path.parent))
            return self.from_notebook_node(notebook, resources=resources, **kw)
        except Exception as error:
            self._refuse(about, error)
            raise

    def _refuse(self, about: Any, error: Exception) -> None:
        student, unit = about["student"], about["assignment"]
        places = CourseDirectory(parent=self)
        gradebook.forget(_with_places(self.config, places), unit, student)
        ours = isinstance(error, OneSentence)
        made = report.Report(
            student,
            unit,
            reason=(str(error) if ours else f"{type(error).__name__}: {error}")[:1000],
            remarks=remarks.take(student, unit),
            again=not ours,
            fingerprint=about["fingerprint"],
        )
        report.write(Path(places.root), made)


def _with_places(config: Any, places: CourseDirectory) -> Any:
    """The settings, with the folder and the gradebook that nbgrader's command line may have named."""
    made = deepcopy(config)
    made.CourseDirectory.root, made.CourseDirectory.db_url = places.root, places.db_url
    return made


class SandboxExecute(NbGraderPreprocessor):
    """Runs a submission: its cells in a sandbox, the test cells on the side of the verdict."""

    _standard = Limits()
    without_sandbox = Bool(False, help="Run learner code with the rights of the grader.").tag(config=True)
    memory = Integer(_standard.memory, help="Bytes a submission may add.").tag(config=True)
    cell_seconds = Float(_standard.cell_seconds, help="CPU seconds for one cell.").tag(config=True)
    call_seconds = Float(_standard.call_seconds, help="CPU seconds for one call of an answer.").tag(
        config=True
    )
    notebook_seconds = Float(_standard.notebook_seconds, help="CPU seconds for a notebook.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Run every cell and put what it shows into the notebook."""
        course, about = CourseDirectory(parent=self), resources["nbgrader"]
        warm = self.warm().ready()
        beside = intake.beside(Path(resources["metadata"]["path"]))
        ours = _course_cells(restore.solution(course, about["assignment"]))
        with Notebook(warm, beside) as notebook:
            checker = Checker(notebook, secret.of(Path(course.root)))
            for cell in nb.cells:
                if cell.cell_type == "code":
                    cell.outputs = self._outputs(cell, notebook, checker)
                elif cell.source not in ours:
                    cell.source = outputs.without_markup(cell.source)
            seconds = notebook.seconds
        suspicions = [
            f"{_where(cell, place)}: {', '.join(found)}"
            for place, cell in enumerate(nb.cells)
            if cell.cell_type == "code"
            and cell.source not in ours
            and (found := flags.suspicious(cell.source))
        ]
        suspicions += [
            f"{name}, handed in too: {', '.join(found)}"
            for name, data in beside.items()
            if name.endswith(".py") and (found := flags.suspicious(data.decode("utf-8", "replace")))
        ]
        resources["grading"] = {
            "findings": checker.findings,
            "flags": suspicions,
            "fingerprint": about["fingerprint"],
            "seconds": round(seconds, 3),
        }
        return nb, resources

    def warm(self) -> Warm:
        """The process that submissions are forked from, which may still be importing.

        Raises:
            NoSandbox: when learner code cannot be kept apart here.
        """
        limits = Limits(self.memory, self.cell_seconds, self.call_seconds, self.notebook_seconds)
        course = Path(CourseDirectory(parent=self).root)
        return warm_pool.get(course, walled=not self.without_sandbox, limits=limits)

    def _outputs(self, cell: Any, notebook: Notebook, checker: Checker) -> list[Any]:
        if utils.is_grade(cell) and not utils.is_solution(cell):
            return checker.run(cell.source)
        try:
            message = notebook.run(cell.source)
            cell.execution_count = outputs.count(message.get("count"))
            return outputs.clean(message.get("outputs"), notebook.limits.output * 2)
        except (Ended, ValueError) as error:
            text = f"This cell was stopped: {error}."
            return [outputs.new_output("error", ename="Stopped", evalue=text, traceback=[text])]


class WriteReport(NbGraderPreprocessor):
    """The last step: the submission's report, which `intake.after_nbgrader` writes after all else."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Gather the points that nbgrader has just kept, and what was found."""
        about, found = resources["nbgrader"], resources["grading"]
        student, unit = about["student"], about["assignment"]
        made = report.Report(student, unit, fingerprint=found["fingerprint"], seconds=found["seconds"])
        for cell in nb.cells:
            if utils.is_grade(cell):
                points, of = utils.determine_grade(cell)
                name = cell.metadata.nbgrader.grade_id.removesuffix("-test")
                made.points[name], made.of[name] = float(points or 0), float(of)
        library: dict[str, set[str]] = {}
        for finding in found["findings"]:
            if finding.misconception:
                made.mistakes[finding.exercise] = finding.misconception
            if finding.trouble:
                made.flags.append(f"{finding.exercise} could not be checked: {finding.trouble}")
            library.setdefault(finding.exercise, set()).update(finding.library)
        made.flags += [
            f"{exercise} calls {', '.join(sorted(names))}, which is the whole answer"
            for exercise, names in library.items()
            if names
        ]
        made.flags += found["flags"]
        made.remarks = remarks.take(student, unit)
        report.keep(made)
        return nb, resources


def _course_cells(solution: Path) -> frozenset[str]:
    """The cells that the course itself wrote."""
    return _sources(solution, solution.stat().st_mtime_ns) if solution.is_file() else frozenset()


@cache
def _sources(path: Path, _when: int) -> frozenset[str]:
    return frozenset(cell.source for cell in reading.read(path).cells)


def _where(cell: Any, place: int) -> str:
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    return f"the answer to {name}" if name else f"cell {place + 1}"
