"""The wall stands in the tree of folders: where a file lies says what it may import."""

import ast
import os
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("banks", "grading", "helpers", "studies", "tests", "tools")
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in OURS
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.parent.name != "learners"  # cells of sample learners, which nothing imports
}
SANDBOX = ast.parse(
    (ROOT / "grading" / "outside" / "sandbox.py").read_text("utf-8")
)  # Windows cannot import it
INSIDE = next(
    ast.literal_eval(node.value)
    for node in SANDBOX.body
    if isinstance(node, ast.Assign) and node.targets[0].id == "INSIDE"
)
BESIDE = ("helpers.beside", "helpers.pretrained", "grading.inside")
GROUND = tuple(name for name in FILES if name.startswith("helpers.") and name.count(".") == 1)


@cache
def imports(name):
    """The imports in a file, anywhere in it."""
    tree = ast.parse(FILES[name].read_text("utf-8"))
    return [node for node in statements(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def statements(node):
    """All that stand in a statement; expressions, which are most of a tree, hold no import."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for one in getattr(node, part, ()):
            yield one
            yield from statements(one)


@cache
def imported(name):
    """The modules of ours that a file imports."""
    return sorted({one for node in imports(name) for one in _named(node, name)} - {name})


def _named(node, name):
    if isinstance(node, ast.Import):
        yield from (_file(alias.name) for alias in node.names if alias.name.split(".")[0] in OURS)
    elif isinstance(node, ast.ImportFrom):
        base = ".".join([*name.split(".")[: -node.level], node.module or ""]).strip(".")
        whole = base if node.level else node.module
        if whole.split(".")[0] in OURS:
            yield from (_file(f"{whole}.{alias.name}", whole) for alias in node.names)


def _file(*names):
    """The first of these that is a file or a package of ours; a name of a package is its `__init__`."""
    for name in names:
        for there in (name, f"{name}.__init__"):
            if there in FILES:
                return there
    raise AssertionError(f"{names[0]} is imported, and no such file is here")


def within(name, places):
    return any(name == place or name.startswith(f"{place}.") for place in places)


def room(name):
    """The folder of a file; what lies at the top of a package is a room of its own."""
    package, *rest = name.removesuffix(".__init__").split(".")
    if package in ("banks", "studies", "tests", "tools"):
        return package
    return f"{package}.{rest[0]}" if rest else package


def beyond(names, places):
    """What files of ours import outside of some places."""
    found = {name: [one for one in imported(name) if not within(one, places)] for name in names}
    return {name: others for name, others in found.items() if others}


def test_what_runs_beside_learner_code_imports_nothing_that_judges():
    places = [part.removesuffix(".py").replace("/", ".") for part in INSIDE]
    assert beyond([name for name in FILES if within(name, BESIDE)], places) == {}


def test_a_reference_answer_imports_only_others_and_the_ground_and_the_ground_only_ground():
    references = [name for name in FILES if within(name, ["helpers.reference"])]
    assert beyond(references, ["helpers.reference", *GROUND]) == {}
    assert beyond(GROUND, GROUND) == {}


def test_what_grades_reaches_nothing_that_only_learners_or_browsers_have():
    reached = set()
    waiting = {name for name in FILES if within(name, ["grading"])}
    while waiting:
        reached |= waiting
        waiting = {one for name in waiting for one in imported(name)} - reached
    assert [one for one in sorted(reached) if within(one, ["helpers.learner", "helpers.in_browser"])] == []


def test_the_sandbox_holds_the_two_folders_the_references_the_model_and_ground():
    folders = {part for part in INSIDE if not part.endswith(".py")}
    assert folders == {"grading/inside", "helpers/beside", "helpers/pretrained", "helpers/reference"}
    files = {part.removesuffix(".py").replace("/", ".") for part in INSIDE} - {
        folder.replace("/", ".") for folder in folders
    }
    assert files <= {"grading.__init__", *GROUND}


@pytest.mark.slow
def test_neither_a_file_nor_a_room_imports_itself_in_a_circle():
    TopologicalSorter({name: imported(name) for name in FILES}).prepare()  # a CycleError names the circle
    arrows = {}
    for name in FILES:
        arrows.setdefault(room(name), set()).update(room(one) for one in imported(name))
    TopologicalSorter({start: ends - {start} for start, ends in arrows.items()}).prepare()


@pytest.mark.slow
def test_no_module_is_imported_under_two_names():
    """`import classroom` beside `import tests.classroom` would make two modules of one file."""
    alone = {name.split(".")[-1] for name in FILES if room(name) in ("banks", "studies", "tests", "tools")}
    assert {name: both for name in FILES if (both := _roots(name) & alone)} == {}


def _roots(name):
    plain = {alias.name for node in imports(name) if isinstance(node, ast.Import) for alias in node.names}
    of = {node.module for node in imports(name) if isinstance(node, ast.ImportFrom) and not node.level}
    return {module.split(".")[0] for module in plain | of}


def test_every_record_is_read_where_there_is_no_pytorch():
    """As in a browser: what a record computes with PyTorch it computes when asked, not when it is read."""
    read = (
        "import torch; from helpers.exercises import find; from helpers.units import UNIT_OF; "
        "print(len([find(name) for name in UNIT_OF]), torch.__file__)"
    )
    paths = os.pathsep.join([str(ROOT / "helpers/in_browser/stand_in"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", read], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "stand_in" in done.stdout
