"""The guide for changing the course: its lines, cells and files, on a copy, and a class graded with them."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from helpers import check, offered, own, progress, reference, reset
from helpers.errors import UnknownName
from helpers.exercises import BadRecord, MissingPackage, find
from helpers.learner import answer_reset
from helpers.passed import FILE
from helpers.units import UNITS
from tests import classroom, fresh_clone, sample_learners
from tests.fresh_clone import ROOT, type_line
from tests.sample_learners import grader
from tools import exercise
from tools.shell import Stop

UNIT = "05_softmax"
TEXT = (ROOT / "docs" / "make_it_yours.md").read_text("utf-8")
FENCED = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
BLOCKS = [block for language, block in FENCED if not language]
AFTER_EVERY_CHANGE, NEW_EXERCISE, ALONE, LINKS = BLOCKS
FOUR = ("-task", "", "-free", "-test")


def said(pattern):
    """What the guide says in a sentence of this form."""
    return re.search(pattern, re.sub(r"\s+", " ", TEXT)).groups()


def block_after(words):
    """The block of code that follows a sentence."""
    return re.search(r"^```(?:python|markdown)\n(.*?)\n```$", TEXT.partition(words)[2], re.M | re.S)[1]


OUT_OF_IT = said(r"Delete its four cells, here those of `(\w+)`")[0]
ADDED = re.search(r"NAME=(\w+)", NEW_EXERCISE)[1]
RECORD = f"own/unit_{UNIT}/{ADDED}.py"
HINTS = f"own/unit_{UNIT}/softmax.py"

# What stands in notebooks/ is what learners are offered


def test_an_exercise_that_is_taken_out_is_gone_and_the_others_keep_their_numbers(
    monkeypatch, tmp_path, capsys
):
    left = {name: text for name, text in offered.blanks().items() if name != OUT_OF_IT}
    for module in (offered, answer_reset):
        monkeypatch.setattr(module, "blanks", lambda: left)
    monkeypatch.chdir(tmp_path)
    shown = repr(progress(UNIT))
    assert f": 0 of {len(UNITS[UNIT]) - 1}. 5.1 softmax, 5.2 masked_softmax, 5.3 softmax_with" in shown
    assert ", 5.5 attention, " in shown
    assert OUT_OF_IT not in shown
    passed = [name for name in UNITS[UNIT] if name != OUT_OF_IT]
    lines = [json.dumps({"exercise": name, "event": "passed"}) + "\n" for name in passed]
    (tmp_path / FILE).write_text("".join(lines), "utf-8")
    assert repr(progress(UNIT)).endswith("All of it is passed.")
    blank = sample_learners.read(sample_learners.NOTEBOOKS, UNIT)
    blank.cells = [cell for cell in blank.cells if not cell.id.startswith(OUT_OF_IT)]
    nbformat.write(blank, tmp_path / f"{UNIT}.ipynb")
    reset(UNIT)
    assert capsys.readouterr().out == f"{UNIT} is blank already.\n"
    with pytest.raises(UnknownName, match=f"no exercise or unit '{OUT_OF_IT}'"):
        reset(OUT_OF_IT)


def test_a_unit_that_is_taken_out_is_no_unit(monkeypatch):
    alone = {name: text for name, text in offered.blanks().items() if name in UNITS[UNIT]}
    monkeypatch.setattr(offered, "blanks", lambda: alone)
    assert list(progress().units) == [UNIT]
    with pytest.raises(UnknownName, match=rf"no unit '04_masking'\. The units are: {UNIT}\."):
        progress("04_masking")


def test_only_two_solutions_call_other_answers_as_the_guide_says():
    """So an exercise can be taken out; `yours` and `try_it` take a name."""
    found = {}
    for unit, names in UNITS.items():
        for cell in sample_learners.read(sample_learners.SOLUTIONS, unit).cells:
            if cell.cell_type != "code":
                continue
            tree = ast.parse(re.sub(r"(?m)^( *)[%!].*", r"\1pass", cell.source))
            loads, stores = set(), set()
            for node in ast.walk(tree):
                if isinstance(node, ast.Name):
                    (loads if isinstance(node.ctx, ast.Load) else stores).add(node.id)
                elif isinstance(node, ast.arg):
                    stores.add(node.arg)
            used = loads & set(names) - stores
            if used := used - {re.sub(r"-(free|test)$", "", cell.id)}:
                found[cell.id] = used
    told = said(r"`(\w+)` calls `(\w+)` and `(\w+)`, and `(\w+)` calls `(\w+)` and `(\w+)`\.")
    in_the_model = set(
        said(r"a cell of `views.real_model` shows `(\w+)` in the model, and one `(\w+)`: delete it")
    )
    shown = {cell: found.pop(cell) for cell in list(found) if cell.startswith("08-")}
    assert [len(names) for names in shown.values()] == [1, 1]
    assert set().union(*shown.values()) == in_the_model
    assert found == {told[0]: set(told[1:3]), told[3]: set(told[4:])}


# An own record


@pytest.fixture
def softmax_record(tmp_path, monkeypatch):
    """Write a record of softmax into an `own/` of the test's."""
    path = tmp_path / f"unit_{UNIT}" / "softmax.py"
    path.parent.mkdir()
    monkeypatch.setattr(own, "FILES", (path,))
    monkeypatch.setattr(own, "__path__", [str(tmp_path)])
    yield path.write_text
    for name in [name for name in sys.modules if name.startswith("helpers.own.")]:
        del sys.modules[name]


def test_a_record_of_an_exercise_s_name_takes_the_place_of_the_course_s(softmax_record):
    from helpers.exercises.unit_05_softmax.softmax import EXERCISE as COURSE

    softmax_record(block_after(f"`{HINTS}`:"))
    assert find("softmax").hints[0].startswith("Zwei Schritte")
    assert find("softmax").mistakes == COURSE.mistakes


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", " should hold the record EXERCISE = Exercise(name='softmax', ...); it has none."),
        (
            "from helpers.exercises.unit_01_dot_product.dot import EXERCISE",
            " should hold the record EXERCISE = Exercise(name='softmax', ...); it has one for 'dot'.",
        ),
        (
            "one = 1\ntwo = tow",
            ", line 2 cannot be read: mend it first (NameError: name 'tow' is not defined).",
        ),
        ("def (:", " cannot be read: mend it first (SyntaxError: invalid syntax (softmax.py, line 1))."),
        (
            "from helpers.own.unit_05_softmax.more import x",
            ", line 1 cannot be read: mend it first "
            "(ModuleNotFoundError: No module named 'helpers.own.unit_05_softmax.more').",
        ),
        (
            "from dataclasses import replace\n"
            "from helpers.exercises.unit_05_softmax.softmax import EXERCISE\n"
            "EXERCISE = replace(EXERCISE, probe=lambda answer, args: 1)",
            " has a probe of its own, which the sandbox cannot use: leave out `probe=`.",
        ),
    ],
)
def test_a_record_that_cannot_be_used_is_refused_in_one_sentence(softmax_record, text, says):
    softmax_record(text)
    with pytest.raises(BadRecord) as refused:
        find("softmax")
    assert str(refused.value) == f"{HINTS}{says}"


def test_a_package_that_a_record_needs_and_the_kernel_lacks_is_named(softmax_record):
    softmax_record("import surely_not_installed")
    with pytest.raises(MissingPackage, match="surely_not_installed is missing from this kernel"):
        check("softmax", reference.softmax)


# The line that writes its skeleton


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["UNIT=05_softmax", "NAME=log_softmax", "OWN=1"], "OWN=1 is not known: OWN=yes makes it"),
        (["UNIT=99_training", "NAME=entropy", "OWN=yes"], "UNIT=99_training is a new unit, and OWN=yes"),
        (["UNIT=05_softmax", "NAME=softmax", "OWN=yes"], "softmax is an exercise of 05_softmax already"),
    ],
)
def test_words_that_will_not_do_are_refused(words, says, capsys):
    assert exercise.main(words) == 1
    assert says in capsys.readouterr().err


def test_an_own_exercise_is_an_exercise_to_the_next_one(tmp_path):
    course = fresh_clone.origin(tmp_path)
    exercise.write(course, UNIT, "entropy", own=True)
    status = fresh_clone.git("status", "--short", "--untracked-files=all", cwd=course).split()
    assert status == ["M", f"solutions/{UNIT}/{UNIT}.ipynb", "??", f"own/unit_{UNIT}/entropy.py"]
    with pytest.raises(Stop, match=f"entropy is an exercise of {UNIT} already"):
        exercise.write(course, UNIT, "entropy")
    exercise.write(course, UNIT, "surprise", own=True)
    cells = nbformat.read(course / "solutions" / UNIT / f"{UNIT}.ipynb", as_version=4).cells
    numbers = [cell.source.split()[2] for cell in cells if cell.id in ("entropy-task", "surprise-task")]
    there = len(UNITS[UNIT])
    assert numbers == [f"5.{there + 1}:", f"5.{there + 2}:"]


# All of the guide, on a copy


def a_copy(folder):
    course = fresh_clone.origin(folder)
    fresh_clone.lend_environment(course)
    return course


def change_cells(course, change):
    """Change the solution notebook as somebody does in JupyterLab."""
    path = course / "solutions" / UNIT / f"{UNIT}.ipynb"
    book = nbformat.read(path, as_version=4)
    cells = {grader(cell).get("grade_id", cell.id): cell for cell in book.cells}
    gone = change(cells) or ()
    book.cells = [cell for cell in book.cells if cell.id not in gone]
    nbformat.write(book, path)


def other_points(cells):
    test, points, worth, task = said(
        r"Set \*\*Points\*\* of `(\S+)` to (\d+), and write `(\(.*?\))` into the heading of `(\S+)`"
    )
    cells[test].metadata.nbgrader.points = int(points)
    cells[task].source = re.sub(r"\(.*?\)$", worth, cells[task].source, count=1, flags=re.MULTILINE)


def taken_out(_cells):
    return {f"{OUT_OF_IT}{part}" for part in FOUR}


def filled_in(cells):
    for part in FOUR[:-1]:
        cells[f"{ADDED}{part}"].source = block_after(f"In `{ADDED}{part}`")
    test = cells[f"{ADDED}-test"]
    test.source = re.sub(r'""".*"""', '"""Checks log_softmax by hand and for large numbers."""', test.source)
    test.metadata.nbgrader.points = int(said(r"set \*\*Points\*\* to (\d+)\. The calls of `check`")[0])


def translated(cells):
    """Every paragraph becomes another one, and what the guide says stays, stays."""
    for cell in cells.values():
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"(?m)^(?=[A-Z])", "Übersetzt: ", cell.source)
    head = next(iter(cells.values()))
    head.source = re.sub(r"\*\*Time:\*\* \d+ minutes", said(r"`(\*\*Zeit:.*?)`")[0], head.source)
    head.source = re.sub(r"^# .*", "# Einheit 05: Softmax", head.source)


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """A copy that is changed in every way the guide tells, and what its lines print."""
    course = a_copy(tmp_path_factory.mktemp("yours"))
    change_cells(course, other_points)
    change_cells(course, taken_out)
    type_line(course, NEW_EXERCISE)
    change_cells(course, filled_in)
    (course / RECORD).write_text(block_after(f"`{RECORD}` reads") + "\n", "utf-8")
    change_cells(course, translated)
    (course / HINTS).write_text(block_after(f"`{HINTS}`:") + "\n", "utf-8")
    return course, type_line(course, f"set -e\n{AFTER_EVERY_CHANGE}")


TRY = """
import helpers, numpy as np
print(helpers.progress("05_softmax"))
helpers.hint("softmax")
helpers.hint("log_softmax")
helpers.reset("05_softmax")
log_softmax = lambda x: x - x.max()
helpers.check("softmax", helpers.reference.softmax)
helpers.try_it("log_softmax", np.ones(3))
try:
    helpers.check("log_softmax")
except helpers.CheckFailed as failed:
    print(failed)
"""

slow = pytest.mark.slow
own_environment = pytest.mark.skipif(
    Path(sys.prefix) != ROOT / ".venv", reason="set-up did not make this environment"
)


def learn(course, code):
    """Run code as a kernel in a unit's folder does."""
    python = course / ".venv" / "bin" / "python"
    done = subprocess.run(
        [python, "-c", code], cwd=course / "notebooks" / UNIT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.nightly
@own_environment
def test_the_lines_after_a_change_end_well_and_write_what_learners_get(changed):
    course, printed = changed
    assert "Success! Your notebook passes all the tests." in printed
    assert re.search(r"\d+ passed", printed)
    assert "failed" not in printed
    assert "| Einheit 05: Softmax | 75 |" in (course / "README.md").read_text("utf-8")
    blank = (course / "notebooks" / UNIT / f"{UNIT}.ipynb").read_text("utf-8")
    assert "Zwei Schritte: alle Zahlen" in blank
    assert "What is the logarithm of a quotient?" in blank
    assert "make every number positive" not in blank
    assert "(5 points, 14 minutes)" in blank
    assert OUT_OF_IT not in {grader(cell).get("grade_id") for cell in nbformat.reads(blank, 4).cells}


@pytest.mark.nightly
@own_environment
def test_what_learners_call_knows_the_change(changed):
    printed = learn(changed[0], TRY)
    assert "5.3 softmax_with_temperature, 5.5 attention, 5.6 test_softmax, 5.7 test_attention, " in printed
    assert "5.8 faulty_map, 5.9 log_softmax" in printed
    assert "Hint 1 of 4: Zwei Schritte" in printed
    assert "Hint 1 of 4: What is the logarithm of a quotient?" in printed
    assert f"{UNIT} is blank already." in printed
    assert "softmax: right." in printed
    assert "log_softmax, shape (3,):" in printed
    assert "log_softmax is not right yet." in printed


PEEK = f"""
import importlib
path = "{{course}}/{RECORD}"
try:
    print("READ", open(path).read())
except OSError:
    print("closed")
try:
    print("READ", importlib.import_module("helpers.own.unit_{UNIT}.{ADDED}"))
except Exception:
    print("not there")
{ADDED} = 1
"""


@pytest.mark.nightly
@own_environment
@pytest.mark.needs("sandbox")
def test_a_class_is_graded_by_it_and_again_after_a_change_of_the_record(changed):
    course, _ = changed
    blank = nbformat.read(course / "notebooks" / UNIT / f"{UNIT}.ipynb", as_version=4)
    book = nbformat.read(course / "solutions" / UNIT / f"{UNIT}.ipynb", as_version=4)
    right = {cell.id: cell.source for cell in book.cells if grader(cell).get("solution")}
    powers = "e = np.exp(x - x.max(-1, keepdims=True))"
    no_log = f"def {ADDED}(x):\n    {powers}\n    return e / e.sum(-1, keepdims=True)"
    for who, more in (
        ("ada", {}),
        ("ben", {ADDED: no_log, "faulty_map": "faulty_map = (1, 2)"}),
        ("eve", {ADDED: PEEK.format(course=course)}),
    ):
        made = sample_learners.answered(blank, {**right, **more})
        classroom.hand_in(course, UNIT, who, notebook=made)
    type_line(course, f"make grade UNIT={UNIT}")
    marks = classroom.points(course, UNIT)
    assert marks["ada"] == {
        "softmax": 5,
        "masked_softmax": 3,
        "softmax_with_temperature": 1,
        "attention": 4,
        "test_softmax": 4,
        "test_attention": 4,
        "faulty_map": 2,
        ADDED: 2,
    }
    assert marks["ben"] == {**marks["ada"], "faulty_map": 0, ADDED: 0}
    reports = classroom.reports(course, UNIT)
    assert reports["ben"]["mistakes"][ADDED] == "no-log"
    seen = json.dumps(nbformat.read(course / "autograded" / "eve" / UNIT / f"{UNIT}.ipynb", as_version=4))
    assert "closed" in seen
    assert "not there" in seen
    assert "READ /" not in seen
    assert "are graded and unchanged" in type_line(course, f"make grade UNIT={UNIT}")
    record = course / RECORD
    record.write_text(record.read_text("utf-8").replace("x.log_softmax(-1)", "x.softmax(-1)"), "utf-8")
    assert "ada: 25 -> 23" in type_line(course, f"make grade UNIT={UNIT}")


OPEN = """
from tools import commands, working_copy
working_copy.update(commands.NOTEBOOKS, commands.WORK)
print(working_copy.latest(commands.NOTEBOOKS, commands.WORK))
"""
"""What `make learn` does before it opens JupyterLab."""


@slow
@own_environment
def test_one_unit_alone(tmp_path):
    course = a_copy(tmp_path)
    type_line(course, f"set -e\n{ALONE}")
    assert [path.name for path in (course / "notebooks").iterdir()] == [UNIT]
    assert "Next: 5.1 softmax" in learn(course, "import helpers; print(helpers.progress())")
    links = re.findall(r"\]\(\.\./(\w+)/", type_line(course, LINKS))
    assert set(links) == {"00_start_here", "04_masking", "06_multi_head_attention"}
    readme = (course / "README.md").read_text("utf-8")
    assert len(re.findall(r"^\| Unit \d\d", readme, re.MULTILINE)) == 1
    type_line(course, f".venv/bin/python -c '{OPEN}' | grep -x {UNIT}")
