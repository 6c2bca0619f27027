"""nbgrader's converter for one submission: read once, every step in one go, written once."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader import utils
from nbgrader.converters import Autograde

from grading.handed_in import intake
from grading.handed_in.received import Submission
from grading.term import gradebook


class OneSubmission(Autograde):
    """Grades one submission.

    nbgrader itself converts a notebook twice, looks at the gradebook five times before, and takes the names
    of folders for patterns.

    Args:
        submission: what to grade; the last step tells the gradebook of it.
    """

    def __init__(self, submission: Submission, **kw: Any) -> None:
        super().__init__(**kw)
        self.submission = submission

    def init_notebooks(self) -> None:
        """Take the one notebook."""
        self.assignments = {str(self.submission.folder): [str(self.submission.notebook)]}

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Lay out what was handed in beside the notebook, and over it what the unit brings along."""
        places, one = self.coursedir, self.submission
        target = Path(self._format_dest(assignment_id, student_id))
        intake.lay_out(one.folder, target, places.ignore, one.note)
        one.handed_in = places.get_existing_timestamp(str(target))
        source = Path(places.format_path(places.source_directory, ".", assignment_id))
        kept = {str(source / name) for name in self.exclude_overwriting.get(assignment_id, ())}
        for name in set(utils.find_all_files(str(source), [*places.ignore, "*.ipynb"])) - kept:
            there = target / os.path.relpath(name, source)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.unlink(missing_ok=True)
            shutil.copy(name, there)

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """Apply all steps, one after the other, to the notebook as it was handed in."""
        self.exporter._preprocessors = []
        for step in (*self.sanitize_preprocessors, *self.autograde_preprocessors):
            self.exporter.register_preprocessor(step)
        resources = self.init_single_notebook_resources(notebook_filename)
        one = self.submission
        resources["metadata"] = {"path": self._format_dest(one.unit, one.student)}
        try:
            with _graded():
                output, resources = self.exporter.from_filename(notebook_filename, resources=resources)
        except Exception:  # no mark comes of it, but it was handed in
            with gradebook.in_one_go(self.coursedir.db_url) as book:
                gradebook.note_hand_in(book, one.unit, one.student, one.handed_in)
            raise
        self.write_single_notebook(output, resources)


@contextlib.contextmanager
def _graded() -> Iterator[None]:
    """Say that this is grading; nbgrader's own way to say so leaves it said after an error."""
    before = os.environ.get("NBGRADER_EXECUTION")
    os.environ["NBGRADER_EXECUTION"] = "autograde"
    try:
        yield
    finally:
        del os.environ["NBGRADER_EXECUTION"]
        if before is not None:
            os.environ["NBGRADER_EXECUTION"] = before
