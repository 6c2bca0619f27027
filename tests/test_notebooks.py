"""The notebooks: fresh, clean, of one grammar; blanks fail at their exercises only.

That solutions run, and what they show, `test_site.py` sees: the site is made by running them.
"""

import ast
import copy
import re
from pathlib import Path

import nbformat
import pytest

from helpers.exercises import find
from helpers.plots.machine import STEPS
from helpers.units import UNIT_OF
from tests.lanes import at_night
from tests.sample_learners import (
    ALL_UNITS,
    NOTEBOOKS,
    ROOT,
    SOLUTIONS,
    UNITS,
    environ,
    grader,
    nbgrader,
    path_of,
    points,
    read,
)
from tools import kernels
from tools.notebooks import files, put

units = pytest.mark.parametrize("unit", UNITS)
exercises = pytest.mark.parametrize(
    ("unit", "name"), [(unit, name) for unit in UNITS for name in ALL_UNITS[unit]], ids=lambda value: value
)
HEADING = re.compile(r"### Exercise (\d+)\.(\d+): \S.* \((\d+) points?, (\d+) minutes\)")
MACHINE = re.compile(r"(?<![\w.~:/])/(?:home|root|Users|tmp|work|usr|opt|mnt|var)/|\b[A-Z]:\\\\")  # as JSON


@pytest.fixture(scope="session")
def quiet_place(tmp_path_factory):
    """Jupyter's own settings and history, away from the user's."""
    return tmp_path_factory.mktemp("jupyter")


def run(notebook, place, *, allow_errors=False, cwd=ROOT):
    """Run a notebook in a real kernel, where every warning is an error."""
    strict = nbformat.v4.new_code_cell("import warnings\nwarnings.simplefilter('error')")
    lenient = nbformat.v4.new_code_cell("warnings.simplefilter('ignore')")  # so that the kernel can stop
    notebook = nbformat.from_dict({**notebook, "cells": [strict, *notebook.cells, lenient]})
    with kernels.client(notebook, cwd, kernel_name="python3", allow_errors=allow_errors) as client:
        client.execute(env=environ(place))
    return notebook.cells[1:-1]


def complaints(cells):
    """What went wrong in cells that ran: errors, and text on stderr."""
    outputs = [(cell, output) for cell in cells for output in cell.get("outputs", ())]
    bad = [(cell, out) for cell, out in outputs if out.output_type == "error" or out.get("name") == "stderr"]
    return [(cell.get("id"), out.get("evalue") or out.get("text")) for cell, out in bad]


def source(cells, kind):
    return [cell.source for cell in cells if cell.cell_type == kind]


def four_cells(unit, name):
    """The cells of an exercise: task, answer, free, test."""
    cells = [cell for cell in read(SOLUTIONS, unit).cells if not is_few(cell)]
    at = [i for i, cell in enumerate(cells) if grader(cell).get("grade_id") == f"{name}-task"]
    assert len(at) == 1, f"{unit} has {len(at)} cells called {name}-task"
    return cells[at[0] : at[0] + 4]


def is_few(cell):
    """Whether a cell is the first of two test cells, which an exercise has whose answer is a test."""
    return grader(cell).get("grade_id", "").endswith("-few-test")


def is_variable(unit, name):
    """Whether an exercise asks for a value; the stub of such a one raises in its own cell."""
    return not re.search(rf"^(def|class) {name}\b", four_cells(unit, name)[1].source, flags=re.MULTILINE)


# Fresh and clean


def test_notebooks_are_fresh(tmp_path):
    there = f"--CourseDirectory.release_directory={tmp_path}"
    done = nbgrader(ROOT, "generate_assignment", "*", "--force", "--no-db", there)
    assert done.returncode == 0, done.stderr
    made, kept = files(tmp_path), files(NOTEBOOKS)
    stale = sorted(str(path) for path in made.keys() | kept.keys() if made.get(path) != kept.get(path))
    assert not stale, f"notebooks/ is not what solutions/ gives ({', '.join(stale)}): run `make notebooks`"


def test_only_what_has_changed_is_written(tmp_path):
    made, kept = tmp_path / "made", tmp_path / "kept"
    for path, text in {
        made / "05_a/05_a.ipynb": "same",
        kept / "05_a/05_a.ipynb": "same",
        made / "06_b/06_b.ipynb": "changed",
        kept / "06_b/06_b.ipynb": "as before",
        kept / "06_b/gone.png": "not in solutions/ any more",
        kept / "06_b/.ipynb_checkpoints/06_b.ipynb": "JupyterLab's",
        made / "10_c/10_c.ipynb": "new",
        kept / "own.txt": "of no unit",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    begun = (kept / "05_a/05_a.ipynb").stat().st_mtime_ns
    assert put(made, kept) == ["06_b/06_b.ipynb", "06_b/gone.png", "10_c/10_c.ipynb"]
    assert (kept / "05_a/05_a.ipynb").stat().st_mtime_ns == begun
    assert files(kept) == files(made) | {Path("own.txt"): b"of no unit"}
    assert (kept / "06_b/.ipynb_checkpoints/06_b.ipynb").exists()
    assert put(made, kept) == []


def test_solutions_holds_units_only():
    found = {folder.name for folder in SOLUTIONS.iterdir() if folder.is_dir()}
    assert found - {".ipynb_checkpoints"} == set(UNITS), "solutions/ and helpers.exercises.UNITS differ"


@units
def test_stripped(unit):
    for cell in read(SOLUTIONS, unit).cells:
        if cell.cell_type == "code":
            assert not cell.outputs, f"{cell.id} has outputs: run `make fix`"
            assert cell.execution_count is None, f"{cell.id} has an execution count: run `make fix`"


@units
def test_ids(unit):
    source, blank = read(SOLUTIONS, unit), read(NOTEBOOKS, unit)
    ids = [cell.id for cell in source.cells]
    assert len(set(ids)) == len(ids)
    assert [cell.id for cell in blank.cells] == ids
    noted = [grader(cell)["grade_id"] for cell in source.cells if grader(cell)]
    assert len(set(noted)) == len(noted)
    assert [grader(cell)["grade_id"] for cell in blank.cells if grader(cell)] == noted


@units
def test_nothing_of_one_machine(unit):
    for tree in (SOLUTIONS, NOTEBOOKS):
        assert read(tree, unit).metadata.kernelspec.name == "python3"
        found = MACHINE.search(path_of(tree, unit).read_text(encoding="utf-8"))
        assert not found, f"{unit} holds a path of one machine: {found.string[found.start() :][:40]}"


@units
def test_a_learner_sees_no_answer(unit):
    text = path_of(NOTEBOOKS, unit).read_text(encoding="utf-8")
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert 'sizes=\\"hidden\\"' not in text


# Grammar


@units
def test_all_exercises_are_there(unit):
    assert sorted(points(unit)) == sorted(ALL_UNITS[unit])


@exercises
def test_task_cell(unit, name):
    task, *_ = four_cells(unit, name)
    assert task.cell_type == "markdown"
    assert grader(task)["locked"]
    assert not grader(task)["solution"]
    assert not grader(task)["grade"]
    heading = HEADING.fullmatch(task.source.split("\n", 1)[0])
    assert heading, f"no number, points and minutes in: {task.source[:80]}"
    number, place, worth, minutes = (int(group) for group in heading.groups())
    assert (number, place) == (int(unit[:2]), list(points(unit)).index(name) + 1)
    assert worth == points(unit)[name] > 0
    assert 1 <= minutes <= 40
    text = re.sub(r"<details>.*?</details>", "", task.source.split("\n", 1)[1], flags=re.DOTALL)
    words = [word for word in text.split() if re.search(r"\w", word)]
    assert len(words) <= 90, f"the task of {name} has {len(words)} words"


@exercises
def test_hints(unit, name):
    task = four_cells(unit, name)[0].source
    folded = re.findall(r"<details><summary>Hint (\d+)</summary>(.*?)</details>", task, flags=re.DOTALL)
    assert task.count("<details>") == len(folded) >= 3
    assert [int(number) for number, _ in folded] == list(range(1, len(folded) + 1))
    assert tuple(text.strip() for _, text in folded) == find(name).hints, f"the hints of {name} differ"


@exercises
def test_answer_and_free_cells(unit, name):
    _, answer, free, _ = four_cells(unit, name)
    assert {answer.cell_type, free.cell_type} == {"code"}
    assert grader(answer) | {"grade_id": name, "solution": True, "locked": False, "grade": False} == grader(
        answer
    )
    assert re.search(rf"^(def {name}\(|class {name}[(:]|{name} = )", answer.source, flags=re.MULTILINE)
    regions = answer.source.count("### BEGIN SOLUTION")
    assert 1 <= regions == answer.source.count("### END SOLUTION")
    assert regions == 1 or name[0].isupper(), "one solution region (a class may have one for each method)"
    assert free.source.strip()
    assert not grader(free).get("grade")
    assert not grader(free).get("solution")


@exercises
def test_test_cell(unit, name):
    test = four_cells(unit, name)[3]
    wanted = {"grade_id": f"{name}-test", "grade": True, "locked": True, "solution": False}
    assert grader(test) | wanted == grader(test)
    visible, hidden = test.source.split("### BEGIN HIDDEN TESTS\n")
    says, call = visible.strip().split("\n")
    assert re.fullmatch(r'""".*"""', says)
    assert call == f'check("{name}")'
    wanted = rf'(check\("{name}", seed=\d+, sizes="hidden"\)\n)+### END HIDDEN TESTS'
    assert re.fullmatch(wanted, hidden.strip())


@pytest.mark.parametrize("name", [name for name in UNIT_OF if find(name).enough])
def test_an_exercise_whose_answer_is_a_test_has_a_cell_for_few_impostors_before_the_test_cell(name):
    cells = [cell for cell in read(SOLUTIONS, UNIT_OF[name]).cells if cell.cell_type == "code"]
    ids = [grader(cell).get("grade_id") for cell in cells]
    place = ids.index(f"{name}-test")
    few = cells[place - 1]
    assert few.source.split("\n")[1:] == [f'check("{name}", caught=5)']
    wanted = {"grade_id": f"{name}-few-test", "grade": True, "locked": True, "solution": False, "points": 1}
    assert grader(few) | wanted == grader(few)


def test_set_up_cell_is_the_same():
    first = {
        next(cell.source for cell in read(SOLUTIONS, unit).cells if cell.cell_type == "code")
        for unit in UNITS
    }
    assert len(first) == 1


@units
def test_page(unit):
    text = "\n\n".join(source(read(SOLUTIONS, unit).cells, "markdown"))
    assert re.match(r"# Unit \d\d: ", text)
    for heading in ("**After this unit you can**", "**You need:**"):
        assert heading in text
    assert re.search(r"^## In PyTorch$", text, flags=re.MULTILINE)
    papers = text.partition("**Read next**\n")[2].strip().splitlines()
    assert papers, "no **Read next**"
    for paper in papers:
        assert re.match(r"- .*\((19|20)\d\d\)", paper), f"no year: {paper}"


@units
def test_the_five_steps_stand_at_its_head_with_its_own_in_bold(unit):
    """Which unit builds which step stands in the drawing of the whole transformer."""
    number = unit[:2]
    own = {step for step, of in STEPS.items() if number in of or number > "05"}
    strip = " · ".join(f"**{step}**" if step in own else step for step in STEPS)
    assert f"\n\n> {strip}\n\n**Time:**" in source(read(SOLUTIONS, unit).cells, "markdown")[0]


def shape_of_code(node):
    """An expression whatever its variables are called; `np`, `torch` and `F` keep their names."""

    class Nameless(ast.NodeTransformer):
        def visit_Name(self, name):
            return name if name.id in ("np", "torch", "F") else ast.Name("_", name.ctx)

    return ast.dump(Nameless().visit(copy.deepcopy(node)))


@exercises
def test_no_cell_above_a_task_holds_what_its_answer_returns(unit, name):
    """One operator alone, such as `X @ W`, has to stand somewhere; from eight parts on it is an answer."""
    cells = [cell for cell in read(SOLUTIONS, unit).cells if cell.cell_type == "code"]
    place = next(i for i, cell in enumerate(cells) if cell.id == name)
    answer = ast.walk(ast.parse(cells[place].source))
    returned = [node.value for node in answer if isinstance(node, ast.Return) and node.value]
    returned = {shape_of_code(node) for node in returned if len(list(ast.walk(node))) >= 8}
    for cell in cells[:place]:
        if not cell.metadata.get("nbgrader"):
            code = ast.parse(re.sub(r"(?m)^ *%.*", "    pass", cell.source))
            shown = {shape_of_code(node) for node in ast.walk(code) if isinstance(node, ast.expr)}
            assert not returned & shown, f"{cell.id} holds the answer"


@units
def test_predict_then_run(unit):
    codes = source(read(SOLUTIONS, unit).cells, "code")
    predicted = [i for i, code in enumerate(codes) if code.startswith("guess = ...")]
    revealed = [i for i, code in enumerate(codes) if re.search(r"\b(reveal|settle)\(\s*guess\b", code)]
    assert predicted, "no prediction cell (guess = ...)"
    assert all(re.search(r"^sure = \.\.\.", codes[i], re.MULTILINE) for i in predicted)
    assert [i + 1 for i in predicted] == revealed


@units
def test_wrong_then_right(unit):
    cells = read(SOLUTIONS, unit).cells
    said = [
        i
        for i, cell in enumerate(cells[:-1])
        if cell.cell_type == "markdown"
        and not grader(cell)
        and re.search(r"(?i)\btempting|\bmistake", cell.source)
    ]
    assert any(cells[i + 1].cell_type == "code" for i in said), "no tempting mistake is shown in a cell"


@units
def test_cells_are_short(unit):
    lines = sorted(code.count("\n") + 1 for code in source(read(SOLUTIONS, unit).cells, "code"))
    assert lines[int(0.9 * (len(lines) - 1))] <= 15
    assert lines[-1] <= 30


# Runs

OF_ALL_KINDS = "05"
"""The unit whose exercises are functions, tests and a value; of every other blank `test_answers.py` sees
in the quick suite that it is not answered yet."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [unit if unit.startswith(OF_ALL_KINDS) else at_night(unit) for unit in UNITS],
)
def test_blank_fails_at_its_exercises_only(unit, quiet_place):
    cells = run(read(NOTEBOOKS, unit), quiet_place, allow_errors=True, cwd=NOTEBOOKS / unit)
    failed = {}
    for cell in cells:
        for output in cell.get("outputs", ()):
            assert output.get("name") != "stderr", f"{cell.id} writes to stderr: {output.text}"
            if output.output_type == "error":
                failed[cell.id] = output
    wanted = {f"{name}-test" for name in ALL_UNITS[unit]}
    wanted |= {f"{name}-few-test" for name in ALL_UNITS[unit] if find(name).enough}
    at_once = {name for name in ALL_UNITS[unit] if is_variable(unit, name)}
    assert failed.keys() == wanted | at_once
    for place, output in failed.items():
        kinds = {"NotImplementedError"} if place in at_once else {"CheckFailed", "NotImplementedError"}
        assert output.ename in kinds
        assert "not answered yet" in output.evalue
        assert "helpers" not in "\n".join(output.traceback), f"{place} shows a traceback through helpers/"


# The tests above can fail

PASSED_ON = """
import os, sys, threading
passed_on, write = threading.Event(), sys.stderr.write
sys.stderr.write = lambda text: (write(text), passed_on.set())
os.write(2, b'careful')
passed_on.wait(60)
"""
"""Another thread reads what goes to the descriptor."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import warnings; warnings.warn('careful')",
        "import warnings; warnings.warn('old', DeprecationWarning)",
        "import numpy as np; np.log(np.zeros(3))",
        "import torch; torch.ones(2, 3, 5).T",
        "import sys; print('careful', file=sys.stderr)",
        PASSED_ON,
        "1 / 0",
    ],
)
def test_a_bad_cell_is_noticed(code, quiet_place):
    bad = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    assert complaints(run(bad, quiet_place, allow_errors=True))


def test_a_bad_cell_stops_a_solution(quiet_place):
    bad = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("import warnings; warnings.warn('careful')")]
    )
    with pytest.raises(Exception, match="careful"):
        run(bad, quiet_place)
