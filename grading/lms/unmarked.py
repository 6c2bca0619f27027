"""Why somebody has no mark and what to do about it, said to them: for a page among the feedback, or a letter.

What a report or a collection says is for the instructor: what is wrong, then whom to ask. What is wrong
stays, the rest becomes what the learner does. Where it is the grader that failed, they need not do anything.
"""

import html
import re
from collections.abc import Iterable
from pathlib import Path

from grading import report
from grading.term import collected

_THEIRS = re.compile(r"(?P<why>.*): (?P<what>ask for .*|put the right one into .*)", re.DOTALL)
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.6 sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }}
h1 {{ font-size: 1.4rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
{text}
</body>
</html>
"""


def said(course: Path, unit: str, students: Iterable[str], marked: Iterable[str]) -> dict[str, str]:
    """What to tell those who have handed in and have no mark, or whose newest upload was skipped.

    Args:
        course: the course folder.
        unit: which assignment.
        students: who is asked about.
        marked: who has a mark.
    """
    skipped, marked, found = collected.left_out(course, unit), set(marked), {}
    for one in students:
        report_ = report.read(course, unit, one)
        if one in skipped:
            counts = " What you handed in before counts until then." if one in marked else ""
            found[one] = _to_them(unit, skipped[one], "What you uploaded") + counts
        elif one not in marked and report_ and report_.reason:
            found[one] = _to_them(unit, report_.reason, "What you handed in")
    return found


def _to_them(unit: str, reason: str, what: str) -> str:
    theirs = _THEIRS.fullmatch(reason.rstrip("."))
    if not theirs:
        return (
            f"{what} for {unit} has no mark yet. That is not your doing, and you need not do anything: "
            "it will be looked at by hand."
        )
    how = f"the file that JupyterLab or the browser saves, under the name {unit}.ipynb"
    if "without outputs" in theirs["what"]:
        how = f"{unit}.ipynb, after Edit, Clear Outputs of All Cells and saving it"
    elif "put the right one" in theirs["what"]:
        how = f"one notebook alone, under the name {unit}.ipynb"
    return (
        f"{what} for {unit} has no mark, because {theirs['why']}. Hand the notebook in again: {how}. "
        "Running hand_in() in a cell of the notebook says which file that is."
    )


def page(unit: str, text: str) -> str:
    """The same as a small page, whatever is in a file's name."""
    title = f"{unit}: no mark yet"
    sentences = re.split(r"(?<=[.]) (?=[A-Z])", text)
    shown = "\n".join(f"<p>{html.escape(one)}</p>" for one in sentences)
    return _PAGE.format(title=html.escape(title), text=shown)
