"""What is said of a mistake that has a name: never the name, which learners and instructors do not know."""

from grading.report import Report
from helpers.exercises import find

UNKNOWN = "A mistake that this version of the course has no sentence for."


def sentence(report: Report, exercise: str) -> str:
    """What a learner read of an exercise; where no report has kept it, what the exercise's record says."""
    if kept := report.says.get(exercise):
        return kept
    known = {one.id: one.says for one in find(exercise).mistakes}
    parts = [known.get(one, "") for one in report.mistakes.get(exercise, "").split("+")]
    return " ".join(filter(None, parts)) or UNKNOWN
