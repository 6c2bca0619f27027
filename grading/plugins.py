"""What nbgrader's configuration plugs in: an exporter that reads anything, and the sandbox for cells.

`nbgrader_config.py` names them, so that a plain `nbgrader autograde` and Formgrader's button use them too.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import nbgrader.preprocessors  # noqa: F401 - or nbgrader imports itself in a circle
from nbconvert.exporters import NotebookExporter
from nbgrader import utils
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Enum, Float, Integer

from grading import follow_on, report
from grading.checker import Checker, Earns
from grading.handed_in import flags, intake, needed, reading, restore
from grading.handed_in.received import Submission
from grading.outside import outputs, warm_pool
from grading.outside.limits import Limits
from grading.outside.processes import Ended, Notebook, Warm
from grading.term import gradebook, roster, secret, settle, syllabus
from grading.term.basis import Basis
from grading.term.choices import EARNS, FOLLOWS
from helpers import named_mistakes
from helpers.errors import OneSentence
from helpers.units import grade_id


class SubmissionExporter(NotebookExporter):
    """Reads a submission whatever became of it, and hands it on to each step of grading.

    The course's own command gives nbgrader's converter one `submission`, and reports what became of it. A
    plain `nbgrader autograde` has none. It makes an exporter before it looks at the first submission: the one
    moment to bring the gradebook up to date, and to refuse all of the run. From then on its two hooks receive
    and report each submission.
    """

    def __init__(self, **kw: Any) -> None:
        super().__init__(**kw)
        self._submission: Submission | None = getattr(self.parent, "submission", None)
        self._is_plain = self._submission is None
        if self._is_plain:
            with settle.refusing():  # before anything is written: nothing was graded
                SandboxExecute(parent=self).warm().ready()
                self._basis = self._prepared()
            self.parent.pre_convert_hook, self.parent.post_convert_hook = self._receive, self._report

    def _prepared(self) -> Basis:
        """What `python -m grading` does before it grades."""
        named_mistakes.read()  # or it is refused here
        places = self.parent.coursedir
        config, unit, course = _with_places(self.config, places), places.assignment_id, Path(places.root)
        for line in syllabus.learn(config, unit):
            self.log.warning(line)
        handed_in = {folder: Path(folder).parent.name for folder in self.parent.assignments}
        with gradebook.opened(config) as book:
            known = gradebook.students(book)
            refused = roster.look(course, known, list(handed_in.values())).refused
            settle.settle(config, book)
        for folder in [folder for folder, student in handed_in.items() if student in refused]:
            student = handed_in[folder]
            self.log.error(f"{student} is not graded: {refused[student]}.")
            report.write(course, Submission(student, unit, Path(folder)).refuse(refused[student], again=True))
            del self.parent.assignments[folder]
        return gradebook.judged_by(config, unit)

    def _receive(self, *, notebooks: list[str], **_: Any) -> None:
        """Before nbgrader converts a submission."""
        folder = Path(notebooks[0]).parent
        made = self._submission = Submission(folder.parent.name, folder.name, folder)
        made.judged_by = self._basis.digest
        intake.receive(made, self._basis.digest)
        made.handed_in = self.parent.coursedir.get_existing_timestamp(str(folder))
        if made.notebook is None:
            made.refuse(intake.missing(folder, made.unit), again=True)
            self._report()
        notebooks[:] = [name for name in notebooks if os.path.lexists(name)]
        if made.notebook is not None and str(made.notebook) not in notebooks:
            notebooks.append(str(made.notebook))

    def _report(self, **_: Any) -> None:
        """After nbgrader has written the graded notebook, so that what is reported is done."""
        if self._submission and self._submission.report:
            report.write(Path(self.parent.coursedir.root), self._submission.report)

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Convert one notebook file; every error ends up in the submission's report."""
        path, submission = Path(filename), self._submission
        resources["submission"] = submission
        try:
            notebook = reading.read(path, path.parent.parent)
            about = {"path": str(path.parent), **resources.get("metadata", {})}
            resources["metadata"] = {**about, "name": path.stem}
            return self.from_notebook_node(notebook, resources=resources, **kw)
        except Exception as error:
            ours = isinstance(error, OneSentence)
            reason = str(error) if ours else f"{type(error).__name__}: {error}"
            submission.refuse(reason, again=not ours)
            if self._is_plain:
                config = _with_places(self.config, self.parent.coursedir)
                gradebook.forget(config, submission.unit, submission.student)
                self._report()
            raise

    def from_notebook_node(self, nb: Any, resources: Any = None, **_: Any) -> Any:
        """Apply the steps, then look once whether a notebook came out.

        nbconvert would copy the notebook and the resources twice before them, and look at it twice after.
        """
        resources = self._init_resources(resources)
        for step in self._preprocessors:
            nb, resources = step(nb, resources)
        nbformat.validate(nb, relax_add_props=True)
        return nbformat.v4.writes(nb) + "\n", resources


def _with_places(config: Any, places: CourseDirectory) -> Any:
    """The settings, with the folder and the gradebook that nbgrader's command line may have named."""
    made = deepcopy(config)
    made.CourseDirectory.root, made.CourseDirectory.db_url = places.root, places.db_url
    return made


class SandboxExecute(NbGraderPreprocessor):
    """Runs a submission: its cells in a sandbox, the test cells on the side of the verdict."""

    _standard = Limits()
    without_sandbox = Bool(False, help="Run learner code with the rights of the grader.").tag(config=True)
    whole_answer = Enum(EARNS, "flag", help="What a right answer earns that calls the whole answer.").tag(
        config=True
    )
    unneeded_code = Enum(EARNS, "flag", help="The same for code that no answer needs.").tag(config=True)
    follow_on = Enum(FOLLOWS, "flag", help="What an answer earns that another one alone makes wrong.").tag(
        config=True
    )
    memory = Integer(_standard.memory, help="Bytes a submission may add.").tag(config=True)
    cell_seconds = Float(_standard.cell_seconds, help="CPU seconds for one cell.").tag(config=True)
    call_seconds = Float(_standard.call_seconds, help="CPU seconds for one call of an answer.").tag(
        config=True
    )
    notebook_seconds = Float(_standard.notebook_seconds, help="CPU seconds for a notebook.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Run every cell that marks may depend on, and put what it shows into the notebook."""
        course, submission = CourseDirectory(parent=self), resources["submission"]
        warm = self.warm().ready()
        beside = intake.beside(Path(resources["metadata"]["path"]), submission.note)
        ours = _course_cells(restore.solution(course, submission.unit))
        odd = [_suspicious(cell, ours) for cell in nb.cells]  # as they were handed in
        with Notebook(warm, beside) as notebook:
            key, tests = secret.of(Path(course.root)), []
            checker = Checker(notebook, key, self._earns(nb.cells, odd), submission.left)
            for cell, runs in zip(nb.cells, needed.needed(nb.cells, ours), strict=True):
                if cell.cell_type == "code":
                    shows = outputs.new_output("stream", name="stdout", text=needed.SAYS)
                    before = len(checker.findings)
                    cell.outputs = self._outputs(cell, notebook, checker) if runs else [shows]
                    tests.append(follow_on.Test(cell, checker.findings[before:]))
                elif cell.source not in ours:
                    cell.source = outputs.without_markup(cell.source)
            submission.findings, submission.seconds = checker.findings, round(notebook.seconds, 3)
            follow_on.add(notebook, checker, tests, nb.cells, full=self.follow_on == "full")
        submission.flags = [*_flags(nb.cells, odd, beside)]
        submission.doubtful = {grade_id(cell) for cell, found in zip(nb.cells, odd, strict=True) if found} - {
            ""
        }
        return nb, resources

    def _earns(self, cells: Sequence[Any], odd: Sequence[Sequence[str]]) -> Earns:
        """What is refused in the answer cells; elsewhere code that no answer needs is a flag alone."""
        if self.unneeded_code == "flag":
            return Earns(self.whole_answer)
        both = zip(cells, odd, strict=True)
        return Earns(
            self.whole_answer, {grade_id(one): found for one, found in both if utils.is_solution(one)}
        )

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
            checker.ended[grade_id(cell)] = str(error)
            text = f"This cell was stopped: {error}."
            return [outputs.new_output("error", ename="Stopped", evalue=text, traceback=[text])]


def _flags(cells: Sequence[Any], odd: Sequence[Sequence[str]], beside: Mapping[str, bytes]) -> Iterator[str]:
    """What the instructor should look at in the learner's cells, and in the modules beside them."""
    for place, (cell, found) in enumerate(zip(cells, odd, strict=True)):
        if found:
            yield f"{_where(cell, place)}: {', '.join(found)}"
    for name, data in beside.items():
        if name.endswith(".py") and (found := flags.suspicious(data.decode("utf-8", "replace"))):
            yield f"{name}, handed in too: {', '.join(found)}"


def _suspicious(cell: Any, ours: frozenset[str]) -> tuple[str, ...]:
    return flags.suspicious(cell.source) if cell.cell_type == "code" and cell.source not in ours else ()


def _course_cells(solution: Path) -> frozenset[str]:
    """The cells that the course itself wrote."""
    return _sources(solution, solution.stat().st_mtime_ns) if solution.is_file() else frozenset()


@cache
def _sources(path: Path, _when: int) -> frozenset[str]:
    return frozenset(cell.source for cell in reading.read(path).cells)


def _where(cell: Any, place: int) -> str:
    name = grade_id(cell)
    return f"the answer to {name}" if name else f"cell {place + 1}"
