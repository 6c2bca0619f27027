"""nbgrader's settings for this course: `solutions/` is the source, `notebooks/` what learners get."""

import os
import sys
from pathlib import Path

from traitlets.config import Application

c = get_config()  # noqa: F821 - nbgrader defines it
HERE = Path(__file__).parent

c.CourseDirectory.course_id = "attention-course"
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"

# What stands in an answer cell until it is answered; the checks turn it into a sentence.
c.ClearSolutions.code_stub = {"python": '# YOUR CODE HERE\nraise NotImplementedError("not answered yet")'}

# Without a writable exchange Formgrader and the assignment list show errors. On a hub it is everybody's.
c.Exchange.root = os.environ.get("EXCHANGE") or str(HERE / "exchange")

# Learner code runs in a sandbox, the verdict elsewhere: see docs/grading.md. `Restore` does what nbgrader's
# own steps (DeduplicateIds, OverwriteCells and so on) do, and more; `KeepMarks` what SaveAutoGrades and
# AssignLatePenalties do, at once.
sys.path.insert(0, str(HERE))  # `grading` and `helpers`, where the course is not installed
c.Autograde.exporter_class = "grading.plugins.SubmissionExporter"
c.Autograde.sanitize_preprocessors = ["grading.handed_in.restore.Restore"]
c.Autograde.autograde_preprocessors = [
    "grading.plugins.SandboxExecute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "grading.marks.KeepMarks",
]

# A gradebook elsewhere, for many machines; with a password it does not belong into this file.
if os.environ.get("GRADEBOOK"):
    c.CourseDirectory.db_url = os.environ["GRADEBOOK"]

# Who has no mark has none in `grades.csv`, not 0. Feedback is made anew, so that it is as new as the mark.
c.ExportApp.plugin_class = "grading.exports.grades_csv.MarksExport"
c.GenerateFeedback.force = True
c.GenerateFeedback.exporter_class = "grading.term.feedback.FeedbackExporter"

# Your own settings stand in `term.toml`, which git does not track: see docs/term.md.
from grading.term import choices  # noqa: E402 - found where the line above says

try:
    choices.apply(c, HERE)
except choices.BadChoice as error:
    if type(Application._instance).__module__.startswith("nbgrader.apps"):  # or it would go on without
        sys.exit(f"Nothing was done. {error}")
    raise

# Formgrader notes who gives a mark by hand, and when.
server = sys.modules.get("jupyter_server.serverapp")
if server and server.ServerApp.initialized():
    from grading.term import by_hand

    by_hand.watch(HERE)
