"""Files as Canvas and Moodle write them, and what each makes of a file that comes back.

There is no Canvas and no Moodle here. What they write and read follows their own source, which
`grading/lms/` names: gradebook_exporter.rb, gradebook_importer.rb, content_zipper.rb and
abstract_assignment.rb of instructure/canvas-lms; gradingtable.php, downloader.php, importgradeslib.php,
importziplib.php and load_data.php of moodle/moodle.
"""

import csv
import io
import json
import re
import shutil
import unicodedata
import warnings
import zipfile
from functools import cache
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy.exc import SAWarning

ROOT = Path(__file__).parent.parent
UNIT, OTHER = "05_softmax", "03_scaling"
NFD = unicodedata.normalize("NFD", "José Núñez")

# id, first name, last name, Canvas's number, ID number
CLASS = [
    ("ada", "Ada", "King, Countess of Lovelace", 101, "m1"),
    ("josé", "José", "Núñez", 102, "m2"),
    ("noor", "نور", "الهدى", 103, "m3"),
    ("oli", '@Oliver "Oli"', "O'Brien", 104, "m4"),
    ("kim1", "Kim", "Lee", 105, "m5"),
    ("kim2", "Kim", "Lee", 106, "m6"),
    ("eve", '=HYPERLINK("http://evil")', "+cmd|' /C calc'!A0", 107, "m7"),
    ("zoë", "Zoë", "Ångström", 108, "m8"),
]
IDS = [one[0] for one in CLASS]
PARTICIPANTS = {name: str(9000 + place) for place, name in enumerate(IDS)}


def table(rows, separator=",", bom=False):
    """A table as bytes."""
    made = io.StringIO()
    csv.writer(made, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return made.getvalue().encode("utf-8-sig" if bom else "utf-8")


def canvas_gradebook(
    people=CLASS,
    columns=((f"Unit 05 ({1234})", "8.00"),),
    hidden=True,
    first_last=False,
    sections=("A and B", "A"),
):
    """Canvas: Grades > Export."""
    titles = [title for title, _ in columns]
    name = ["LastName", "FirstName"] if first_last else ["Student"]
    header = [*name, "ID", "SIS User ID", "SIS Login ID", "Section", *titles, "Current Score", "Final Score"]
    rows = [header]
    blanks = [""] * (len(name) + 3)
    if hidden:
        rows.append([*blanks, "", *("Manual Posting" for _ in columns), "", ""])
    rows.append(
        ["    Points Possible", *blanks, *(most for _, most in columns), "(read only)", "(read only)"]
    )
    for login, first, last, number, _ in people:
        shown = f"{last}, {first}"
        shown = f'="{shown}"' if shown.startswith("=") else shown
        names = [last, first] if first_last else [shown]
        section = sections[number % 2]
        rows.append(
            [*names, number, f"sis{number}", f"{login}@example.org", section, *("" for _ in columns), "", ""]
        )
    test = ["Student", "Test"] if first_last else ["Student, Test"]
    rows.append([*test, 999, "", "abcdef", "A", *("" for _ in columns), "", ""])
    return rows


def moodle_participants(people=CLASS):
    """Moodle: Participants > Download table data as CSV."""
    rows = [["First name", "Last name", "ID number", "Email address", "Groups"]]
    return rows + [
        [first, last, code, f"{name}@example.org", "G1, G2"] for name, first, last, _, code in people
    ]


def moodle_class(people=CLASS, **groups):
    """The same with user names, which become ids; groups by id."""
    rows = [["First name", "Last name", "Username", "ID number", "Groups"]]
    return rows + [[first, last, name, code, groups.get(name, "")] for name, first, last, _, code in people]


def moodle_worksheet(people=CLASS, times=None, most="8.00", identity=True, groups=None):
    """Moodle: an assignment, Download grading worksheet; with groups, of a group assignment."""
    extra = [
        *(["ID number", "Email address"] if identity else []),
        *(["Group"] if groups is not None else []),
    ]
    header = ["Identifier", "Full name", *extra, "Status", "Grade", "Maximum grade", "Grade can be changed"]
    rows = [[*header, "Last modified (submission)", "Last modified (grade)", "Feedback comments"]]
    for name, first, last, _, code in people:
        when = (times or {}).get(name, "-")
        status = "No submission" if when == "-" else "Submitted for grading"
        whom = [code, f"{name}@example.org"] if identity else []
        whom += [groups.get(name, "Default group")] if groups is not None else []
        who = f"Participant {PARTICIPANTS[name]}", f"{first} {last}"
        rows.append([*who, *whom, status, "", most, "Yes", when, "-", ""])
    return rows


def canvas_name(name, file="05_softmax.ipynb", attachment=1, late=False):
    """A name in Canvas's zip: letters and digits of the sortable name, numbers, the file."""
    _, first, last, number, _ = next(one for one in CLASS if one[0] == name)
    letters = "".join(one for one in f"{last}{first}".lower() if one.isalnum())
    return "_".join([letters, *(["LATE"] if late else []), str(number), str(attachment), file])


def moodle_name(name, file="05_softmax.ipynb", flat=False, old=False, plugin="file"):
    """A name in Moodle's zip: in folders or flat, with a `_` at a folder's end before 4.1."""
    _, first, last, _, _ = next(one for one in CLASS if one[0] == name)
    whole = re.sub(r'[\x00-\x1f<>:"/\\|?*]', "", f"{first} {last}").replace("_", " ")
    prefix = f"{whole}_{PARTICIPANTS[name]}_assignsubmission_{plugin}"
    return f"{prefix}_{file}" if flat else f"{prefix}{'_' if old else ''}/{file}"


def make_zip(path, files):
    """A zip of names and contents."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return path


def notebook(text="answer"):
    """A small notebook."""
    cell = {"cell_type": "code", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@cache
def _empty_book(folder):
    """A gradebook that knows two units of 8 and of 5 points, made once."""
    path = Path(folder) / "gradebook.db"
    with Gradebook(f"sqlite:///{path}", "attention-course") as book:
        for unit, points in ((UNIT, 8), (OTHER, 5)):
            book.add_assignment(unit)
            book.add_notebook(unit, unit)
            book.add_grade_cell("softmax-test", unit, unit, max_score=points, cell_type="code")
    return path


def course(folder, templates):
    """A course folder with a gradebook that knows the units and nobody."""
    folder.mkdir()
    (folder / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text("utf-8"), "utf-8")
    for unit in (UNIT, OTHER):
        (folder / "solutions" / unit).mkdir(parents=True)
        (folder / "solutions" / unit / f"{unit}.ipynb").write_text(notebook())
    shutil.copy(_empty_book(templates), folder / "gradebook.db")
    return folder


def book_of(folder):
    """A course's gradebook."""
    return Gradebook(f"sqlite:///{folder}/gradebook.db", "attention-course")


def give(folder, marks, unit=UNIT):
    """Marks in the gradebook, as grading leaves them; `None` is a submission without one."""
    with book_of(folder) as book, warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # nbgrader's own way to add
        for student, mark in marks.items():
            book.add_submission(unit, student)
            grade = book.find_grade("softmax-test", unit, unit, student)
            grade.auto_score, grade.needs_manual_grade = mark, mark is None
        book.db.commit()


def read_class(folder, rows, **form):
    """Read a list into a course's gradebook; what is said."""
    from grading import submission
    from grading.lms import roster

    path = folder.parent / "list.csv"
    path.write_bytes(rows if isinstance(rows, bytes) else table(rows, **form))
    return roster.into(folder, submission.settings(folder), path)


def take(folder, files, sheet=None, zone="UTC"):
    """Collect a zip of these files, or one that is there, with these rows of a worksheet if there are any."""
    from grading.lms import collect

    path = make_zip(folder.parent / "all.zip", files) if isinstance(files, dict) else files
    if sheet:
        (folder.parent / "sheet.csv").write_bytes(table(sheet))
    return collect.collect(folder, UNIT, [path], folder.parent / "sheet.csv" if sheet else None, zone)


def notebook_of(folder, student):
    """What is in the cell of a learner's notebook that lies there."""
    path = folder / "submitted" / student / UNIT / f"{UNIT}.ipynb"
    return json.loads(path.read_text("utf-8"))["cells"][0]["source"]


def time_of(folder, student):
    """When what lies there came, as the grader finds it; `None` where that is not known."""
    path = folder / "submitted" / student / UNIT / "timestamp.txt"
    return path.read_text("utf-8") if path.exists() else None


def true_marks(folder, unit=UNIT):
    """What the gradebook has, by student."""
    with book_of(folder) as book:
        found = {
            one.student.id: one.notebooks[0].grades[0].auto_score for one in book.assignment_submissions(unit)
        }
    return {name: mark for name, mark in found.items() if mark is not None}


# What comes back


def canvas_imports(text, students, assignments):
    """What Canvas's importer makes of a file: marks by student's number and assignment, and new things.

    Args:
        text: the file.
        students: Canvas's numbers.
        assignments: titles by Canvas's number.
    """
    rows = list(csv.reader(io.StringIO(text)))
    header = rows[0]
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert re.match(r"SIS\s+User\s+ID", header[2])
    assert re.match(r"SIS\s+Login\s+ID", header[3])
    assert "Section" in header[4]
    marks, new, points = {}, set(), {}
    columns = []
    for title in header[5:]:
        match = re.fullmatch(r"(.*)\s\((\d+)\)", title)
        known = match and int(match[2]) in assignments
        columns.append(int(match[2]) if known else title)
        if not known:
            new.add(title)
    for row in rows[1:]:
        if "Points Possible" in row[0]:
            points = dict(zip(columns, row[5:], strict=True))
            continue
        assert row[1].isdigit(), "Canvas would look for a name"
        number = int(row[1])
        assert number in students, "Canvas would ask who that is"
        for column, cell in zip(columns, row[5:], strict=True):
            marks[number, column] = float(cell) if cell.strip() else None
    return marks, new, points


def moodle_imports(text, field, users):
    """What Grades > Import makes of a file whose first column maps to a field, all others being new items.

    Args:
        text: the file.
        field: place of the field in `users`.
        users: tuples, whose first is who it is.
    """
    rows = list(csv.reader(io.StringIO(text)))
    marks, student = {}, None
    for row in rows[1:]:
        if row[0]:  # a blank one leaves the student of the row above
            found = [user[0] for user in users if user[field] == row[0]]
            assert len(found) == 1, f"the whole import stops at {row[0]}"
            student = found[0]
        assert student, "the whole import stops"
        for column, cell in zip(rows[0][1:], row[1:], strict=True):
            if cell.strip() == "-":
                continue
            marks[student, column] = float(cell or 0)  # a blank in a numeric field is stored as 0
    return marks


def moodle_reads_worksheet(text, participants, most=8.0):
    """What an assignment makes of its grading worksheet: marks by participant."""
    rows = list(csv.DictReader(io.StringIO(text)))
    marks = {}
    for row in rows:
        assert {"Identifier", "Grade", "Last modified (grade)"} <= set(row)
        number = row["Identifier"].removeprefix("Participant ")
        if number not in participants or row["Grade"] == "":
            continue
        if 0 <= float(row["Grade"]) <= most and row["Grade can be changed"] == "Yes":
            marks[number] = float(row["Grade"])
    return marks


def moodle_takes_feedback(path, participants):
    """Whose each file of a feedback zip is for Moodle, and what it is called there."""
    found = {}
    with zipfile.ZipFile(path) as made:
        for name in made.namelist():
            parts = ["", "import", *name.split("/")]
            while parts:
                info = parts.pop(0).split("_", 4)
                if len(info) < 4 or not info[1].isdigit() or info[1] not in participants:
                    continue
                assert info[2:4] == ["assignsubmission", "file"]
                rest = [info[4] if len(info) == 5 else "", *parts]
                found[info[1]] = ("/".join(rest).lstrip("/"), made.read(name))
                break
            else:
                raise AssertionError(f"Moodle ignores {name}")
    return found


def canvas_takes_feedback(path, attachments):
    """Whose each file of a zip is for Canvas; `attachments` are its files' numbers by user's number."""
    found = {}
    with zipfile.ZipFile(path) as made:
        for name in made.namelist():
            words = [word for word in name.split("_") if word != "LATE"]
            user, attachment = [int(word) for word in words if re.fullmatch(r"\d+", word)][:2]
            assert attachment in attachments[user], f"Canvas ignores {name}"
            found[user] = made.read(name)
    return found
