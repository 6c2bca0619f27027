"""Feedback on its way to learners: one zip, with the names by which the LMS knows whose file is whose.

Moodle, "Upload multiple feedback files in a zip" (https://docs.moodle.org/en/Using_Assignment; read by
`mod/assign/feedback/file/importziplib.php` of moodle/moodle): the folder or prefix of the zip that was
downloaded, which has the participant's number. Canvas, "Upload Submissions" (read by
`infer_comment_context_from_filename` in `app/models/abstract_assignment.rb` of instructure/canvas-lms): the
very names that were downloaded; Canvas adds each file to the comments, under the name of the file that was
handed in.
"""

import os
import re
import tempfile
import zipfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from grading.lms import people, unmarked, worksheet
from grading.lms.lines import listed
from grading.term import collected, gradebook
from grading.term.collected import Collected
from grading.trouble import Wrong

_NOT_IN_A_NAME = re.compile(r"[_/\\]")


def pack(course: Path, book: Any, lms: str, unit: str, path: Path, sections: Sequence[str] = ()) -> list[str]:
    """Write the zip whole or not at all: graded notebooks, and for who has no mark a page that says why.

    Args:
        course: the course folder.
        book: the open gradebook.
        lms: moodle or canvas.
        unit: which assignment.
        path: where to.
        sections: only these; all by default.

    Returns:
        What to tell, in lines.

    Raises:
        Wrong: when feedback is missing or older than a mark, or nothing was collected from this LMS.
    """
    persons = [one.id for one in people.of_sections(people.load(course).present.values(), sections)]
    known = {name: one for name, one in collected.remembered(course, unit).items() if one.lms == lms}
    pages = {path.parent.parent.name: path for path in course.glob(f"feedback/*/{unit}/{unit}.html")}
    standings = gradebook.standings(book, unit) if unit in {one.name for one in book.assignments} else {}
    marked = [name for name in persons if name in standings and standings[name].mark is not None]
    if not marked:
        raise Wrong(f"Nobody has a mark in {unit} yet: run `make grade UNIT={unit}` first.")
    lacking = sorted(name for name in marked if _is_old(course, unit, name, pages.get(name)))
    if lacking:
        raise Wrong(
            f"{listed(lacking)} {'has' if len(lacking) == 1 else 'have'} no feedback as new as the mark: run "
            f"`nbgrader generate_feedback {unit}` first."
        )
    told = unmarked.said(course, unit, [name for name in persons if name not in marked], marked)
    files = {name: pages[name].read_bytes() for name in marked}
    files |= {name: unmarked.page(unit, text).encode() for name, text in told.items()}
    names = _by_worksheet(course, unit, lms, files) | {
        name: entry for name in files if (entry := _entry(known.get(name), unit))
    }
    if not names:
        raise Wrong(
            f"Nothing of {unit} was collected from {lms.capitalize()}, so no file would find its "
            "learner: run "
            f"`make collect UNIT={unit} FILE=...` first."
        )
    _write(path, {entry: files[name] for name, entry in names.items()})
    lines = []
    if unable := sorted(set(files) - set(names)):
        lines.append(f"Not collected from {lms.capitalize()}, so left out: {listed(unable)}.")
    if why := sorted(set(told) & set(names)):
        lines.append(f"A page that says why there is no mark, and what to do: {listed(why)}.")
    if lms == "canvas":
        lines.append(
            f"Canvas will show each page under the name of the handed-in notebook: learners save it as "
            f"{unit}.html."
        )
    where = {
        "moodle": "In Moodle: the assignment, Submissions, Upload multiple feedback files in a zip.",
        "canvas": "In Canvas: the assignment, Upload Submissions.",
    }
    return [*lines, where[lms], f"{len(names)} files: {path}"]


def _is_old(course: Path, unit: str, student: str, page: Path | None) -> bool:
    graded = course / "autograded" / student / unit / f"{unit}.ipynb"
    if page is None or not page.is_file():
        return True
    return graded.is_file() and page.stat().st_mtime < graded.stat().st_mtime


def _entry(one: Collected | None, unit: str) -> str:
    """What the LMS expects a learner's file to be called; empty where it would not find them."""
    if one is None or one.lms == "canvas":
        return one.entry if one else ""
    return f"{one.prefix}{'' if one.flat else '/'}{unit}.html" if one.prefix else ""


def _by_worksheet(course: Path, unit: str, lms: str, wanted: Collection[str]) -> dict[str, str]:
    """What Moodle's worksheet says of everybody: of those who were in no zip, or in one by their group."""
    sheet = course / collected.FOLDER / unit / "worksheet.csv"
    if lms != "moodle" or not sheet.is_file():
        return {}
    lines = worksheet.read(sheet, people.load(course).present)[1].values()
    return {
        one.student: f"{_NOT_IN_A_NAME.sub(' ', one.name)}_{one.number}_assignsubmission_file/{unit}.html"
        for one in lines
        if one.student in wanted
    }


def _write(path: Path, files: Mapping[str, bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    os.close(handle)
    try:
        with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as made:
            for entry, page in sorted(files.items()):
                made.writestr(entry, page)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
