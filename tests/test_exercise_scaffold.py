"""`make exercise`: the steps of CONTRIBUTING.md, typed and filled in, make what the course accepts."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests import classroom, fresh_clone
from tests.fresh_clone import ROOT, type_line
from tools import exercise, skeleton
from tools.shell import Stop

UNITS = {"05_softmax": ("softmax", "attention"), "06_multi_head_attention": ("split_heads",)}

# What is asked for


def test_missing_or_other_words_are_refused():
    for words in ([], ["UNIT=", "NAME=x"], ["NAME=x"], ["UNIT=05_softmax", "NAME=x", "softmax"]):
        with pytest.raises(Stop, match=r"Name its unit and its function, and no more: `.*UNIT=05_softmax"):
            exercise.asked(words)


@pytest.mark.parametrize(
    ("unit", "name", "says"),
    [
        ("06_multi_head_attention", "softmax", "softmax is an exercise of 05_softmax already"),
        ("05_softmax", "3d", "3d is no name for a function"),
        ("05_softmax", "schön", "schön is no name for a function"),
        ("05_softmax", "lambda", "lambda is a word of Python"),
        ("05_softmax", "check", "check is what every notebook imports"),
        ("05_softmax", "CrossEntropy", "CrossEntropy is a class"),
        ("softmax", "log_softmax", "softmax is no unit: the units are 05_softmax, 06_multi"),
        ("10_training/..", "log_softmax", "is no unit"),
        ("05_training", "log_softmax", "05_training has the number of another unit"),
    ],
)
def test_words_that_will_not_do_are_refused_in_one_sentence(unit, name, says):
    with pytest.raises(Stop) as stopped:
        exercise.refuse(unit, name, UNITS)
    assert says in str(stopped.value)
    assert str(stopped.value).endswith(".")
    assert "\n" not in str(stopped.value)


def test_words_that_will_do_are_not_refused():
    exercise.refuse("05_softmax", "log_softmax", UNITS)
    exercise.refuse("10_training", "log_softmax", UNITS)


# What is written


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the course as it lies here."""
    return fresh_clone.origin(tmp_path_factory.mktemp("copied"))


@pytest.fixture
def course(copied):
    """The copy, which is put back after each test."""
    yield copied
    fresh_clone.git("checkout", "--quiet", ".", cwd=copied)
    fresh_clone.git("clean", "-dffqx", cwd=copied)


def changes(course):
    """The changed and the new files of a copy, new folders file by file."""
    status = fresh_clone.git("status", "--short", "--untracked-files=all", cwd=course)
    return {line[3:]: line[:2].strip() for line in status.splitlines()}


def test_three_files_are_new_and_four_grow_and_lose_nothing(course, capsys):
    exercise.write(course, "05_softmax", "one_more")
    assert changes(course) == {
        "helpers/units.py": "M",
        "helpers/verdict/can_do.py": "M",
        "helpers/reference/unit_05_softmax.py": "M",
        "solutions/05_softmax/05_softmax.ipynb": "M",
        "helpers/exercises/unit_05_softmax/one_more.py": "??",
        "helpers/exercises/unit_05_softmax/one_more_mistakes.py": "??",
        "banks/unit_05_softmax/one_more.py": "??",
    }
    of_one = {*changes(course)}
    assert exercise.main(["UNIT=99_training", "NAME=another_one"], course) == 0
    said = capsys.readouterr().out
    grown = [name for name, how in changes(course).items() if how == "M" and name != "helpers/units.py"]
    for name in grown:
        lost = fresh_clone.git("diff", "--unified=0", "--", name, cwd=course)
        lines = re.findall(r'^-(?!-- )[ "]*(.*)', lost, re.MULTILINE)
        now = (course / name).read_text("utf-8")
        assert [line for line in lines if line not in now] == [], name  # one may go on below other words
    known = exercise.known_units(course)
    assert known["05_softmax"] == (*exercise.known_units(ROOT)["05_softmax"], "one_more")
    assert known["99_training"] == ("another_one",)
    assert {name: known[name] for name in list(known)[:5]} == {
        name: names for name, names in exercise.known_units(ROOT).items() if name < "05"
    }
    for name in {*changes(course)} - of_one:  # every place left is printed below its file
        for line in exercise.left(course / name):
            assert f"  {line}\n" in said.partition(f"\n{name}\n")[2], name
    order = [
        said.index(f"\n{tree}/") for tree in ("solutions", "helpers/reference", "helpers/exercises", "banks")
    ]
    assert order == sorted(order)
    ruff = [sys.executable, "-m", "ruff"]
    for check in (["check"], ["format", "--check"]):
        done = subprocess.run([*ruff, *check, *changes(course)], cwd=course, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_a_file_that_is_there_is_named_and_nothing_is_written(course, capsys):
    there = "banks/unit_05_softmax/one_more.py"
    (course / there).write_text("mine\n")
    before = changes(course)
    assert exercise.main(["UNIT=05_softmax", "NAME=one_more"], course) == 1
    assert capsys.readouterr().err.startswith(f"{there} exists and is left as it is: ")
    assert (course / there).read_text() == "mine\n"
    assert changes(course) == before


def test_nothing_is_left_to_fill_in():
    trees = ("banks", "helpers", "solutions")
    names = fresh_clone.git("ls-files", "--cached", "--others", "--exclude-standard", *trees).splitlines()
    files = [ROOT / name for name in names if name.endswith((".py", ".ipynb")) and (ROOT / name).exists()]
    assert len(files) > 100
    assert [(path.name, exercise.left(path)) for path in files if exercise.left(path)] == []
    assert skeleton.MARK.search(skeleton.RECORD.template), "the skeleton says what is left"


# Filled in

FILLED = {
    "double_scores": {
        "right": ("2 * x", "x + x", "np.multiply(x, 2)"),
        "oracle": "2 * x",
        "mistake": ("doubled-twice", "You doubled twice.", "4 * x"),
    },
    "log_softmax": {
        "right": (
            "x - np.logaddexp.reduce(x, axis=-1, keepdims=True)",
            "x - np.log(np.exp(x).sum(axis=-1, keepdims=True))",
            "np.log(np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True))",
        ),
        "oracle": "x.log_softmax(-1)",
        "mistake": ("no-log", "You returned the exponentials of it.", "np.exp(x)"),
    },
}
"""What somebody writes where the skeleton says FILL IN; in prose, what it asks for is good enough here."""


def filled(text, name):
    """A text of the skeleton with everything written."""
    given = FILLED[name]
    id, says, wrong = given["mistake"]
    first, *others = given["right"]
    texts = {
        "return x  # FILL IN: one right answer": f"return {first}",
        "raise NotImplementedError  # FILL IN: one right answer": f"return {first}",
        "in_torch(lambda x: x),  # FILL IN": f"in_torch(lambda x: {given['oracle']}),  # FILL IN",
        "] = lambda x: x,  # FILL IN": f"] = lambda x: {first},  # FILL IN",
        "paired(step=lambda x: x)": f"paired(step=lambda x: {wrong})",
        "fill-in-an-id: FILL IN what the learner did, and why it matters.": f"{id}: {says}",
        "fill-in-an-id": id,
        "def first_style(x):\n    return x\n": f"def first_style(x):\n    return {first}\n",
        "def second_style(x):\n    return np.array(x)\n": f"def second_style(x):\n    return {others[0]}\n",
        "def third_style(x):\n    return x\n": f"def third_style(x):\n    return {others[1]}\n",
        "def first_mistake(x):\n    return x\n": f"def first_mistake(x):\n    return {wrong}\n",
        "def minus(x):\n    return -x\n": f"def minus(x):\n    return -({first})\n",
    }
    for old, new in texts.items():
        text = text.replace(old, new)
    return re.sub("FILL[ _]IN", "This", re.sub(r"FILL IN:? (?=\w)", "", text))


def fill_in(course, name, files):
    for path in files:
        if path.suffix == ".ipynb":
            book = nbformat.read(path, as_version=4)
            for cell in book.cells:
                cell.source = filled(cell.source, name)
            nbformat.write(book, path)
        else:
            path.write_text(filled(path.read_text("utf-8"), name), "utf-8")
        assert exercise.left(path) == []


IN_A_BROWSER = """
from pathlib import Path
from helpers import browser, check, try_it
from helpers.exercises import find
from helpers.in_browser import recorded, site
from tools.in_browser import recording
browser.HERE, site.FOLDER = True, Path("python")
recording.record(find("double_scores"), site.FOLDER / recorded.file_of("double_scores"))
def double_scores(x):
    return 2 * x
check("double_scores")
try_it("double_scores", 4)
"""
"""What the site's build does, and what a learner does there."""


# The lines of the page, on a copy


@pytest.mark.skipif(os.name == "nt", reason="the page has the lines for make")
def test_the_tool_and_the_page_name_the_same_lines():
    _, then = fresh_clone.blocks("CONTRIBUTING.md", "Add an exercise")
    assert exercise.then("log_softmax double_scores") == then.splitlines()


LAST = max(exercise.known_units(ROOT))
NEW_UNIT = f"{int(LAST[:2]) + 1:02}_training"
"""The page says 10_training, which is no new unit any more when there is another unit 10."""


@pytest.fixture(scope="module")
def added(tmp_path_factory):
    """A copy of the course with two exercises added by the lines of the page, and what its last ones said."""
    course = fresh_clone.origin(tmp_path_factory.mktemp("course"))
    fresh_clone.lend_environment(course)
    write, then = fresh_clone.blocks("CONTRIBUTING.md", "Add an exercise")
    for line in write.splitlines():
        said = type_line(course, line.replace("10_training", NEW_UNIT))
        name = line.rpartition("=")[2]
        fill_in(course, name, [course / path for path in re.findall(r"^\S+/\S+$", said, re.MULTILINE)])
    *lines, test = then.splitlines()
    assert test == "make test"
    return course, {line: type_line(course, line) for line in lines}


slow = pytest.mark.slow
own_environment = pytest.mark.skipif(
    Path(sys.prefix) != ROOT / ".venv", reason="set-up did not make this environment"
)


@pytest.mark.nightly
@own_environment
def test_only_the_notebooks_of_these_units_are_written(added):
    changed = re.search(r"^Changed in notebooks/: (.*)\.$", added[1]["make notebooks"], re.MULTILINE)[1]
    assert changed.split(", ") == [f"{unit}/{unit}.ipynb" for unit in sorted({"05_softmax", LAST, NEW_UNIT})]


FILES = """answers error_hints exercise_scaffold grading_messages hints recording make_it_yours notebooks
predictions progress reset right rows seam statements sync teeth whole_answer"""
"""Those whose tests go through all exercises or all units."""
AT_ONCE = """exercises_that_exist named_after units_only are_fresh set_up_cell_is reason_belongs a_unit_has
to_the_one_before lead_to_notebooks keep_their_numbers kept_figures show_the_kept what_is_recorded
repository_is_up_to_date passed_tried html_says blanks no_times four_grow left_to_fill_in"""
"""Words of the tests in these files that look at all of them at once."""


@pytest.mark.nightly
@own_environment
def test_a_new_exercise_is_checked_in_a_browser_whatever_its_unit(added):
    done = subprocess.run([sys.executable, "-c", IN_A_BROWSER], cwd=added[0], capture_output=True, text=True)
    assert done.stdout == "double_scores: right.\ndouble_scores: 8\n", done.stderr


@pytest.mark.nightly
@own_environment
def test_the_course_s_own_tests_accept_what_the_steps_made(added):
    files = " ".join(f"tests/test_{name}.py" for name in FILES.split())
    which = " or ".join([*FILLED, NEW_UNIT, *AT_ONCE.split()])
    said = type_line(added[0], f"""make test ARGS='-n 0 {files} -k "{which}"'""")
    passed = int(re.search(r"(\d+) passed", said)[1])
    assert passed > 100, said[-3000:]


@pytest.mark.nightly
@own_environment
@pytest.mark.needs("sandbox")
def test_right_and_wrong_submissions_get_their_marks(added):
    course = added[0]
    units = {"log_softmax": "05_softmax", "double_scores": NEW_UNIT}
    for name, unit in units.items():
        blank = nbformat.read(course / "notebooks" / unit / f"{unit}.ipynb", as_version=4)
        for who, body in (("right", FILLED[name]["right"][1]), ("wrong", FILLED[name]["mistake"][2])):
            answer = {name: f"def {name}(x):\n    return {body}"}
            made = classroom.sample_learners.answered(blank, answer)
            classroom.hand_in(course, unit, who, notebook=made)
    type_line(course, "make grade")
    for name, unit in units.items():
        marks = classroom.points(course, unit)
        assert {who: marks[who][name] for who in ("right", "wrong")} == {"right": 1, "wrong": 0}
        (mistake,) = classroom.reports(course, unit)["wrong"]["mistakes"].items()
        assert FILLED[name]["mistake"][0] in json.dumps(mistake)
