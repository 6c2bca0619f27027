"""`make sync` writes what is stated once, and leaves every other byte alone."""

import json
import re
import shutil

import pytest

from helpers.exercises import find
from tools import sync
from tools.shell import ROOT

UNIT = "00_start_here"
README = "# Course\n\n<!-- units -->\nold\n<!-- /units -->\n\nMore.\n"


@pytest.fixture
def course(tmp_path):
    """A small copy of the course: one unit, a README with markers."""
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "solutions" / UNIT).mkdir(parents=True)
    shutil.copy(ROOT / "solutions" / UNIT / f"{UNIT}.ipynb", tmp_path / "solutions" / UNIT)
    (tmp_path / "README.md").write_text(README)
    sync.main([], tmp_path)
    return tmp_path


def path_of(course):
    return course / "solutions" / UNIT / f"{UNIT}.ipynb"


def change(course, grade_id, old, new):
    """Change the text of one cell, as an editor would."""
    book = json.loads(path_of(course).read_text("utf-8"))
    (cell,) = (c for c in book["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)
    text = "".join(cell["source"])
    assert old in text
    cell["source"] = text.replace(old, new).splitlines(keepends=True)
    path_of(course).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")


def test_the_repository_is_up_to_date(capsys):
    assert sync.main(["--check"]) == 0, capsys.readouterr().err


def test_writing_twice_changes_nothing(course, capsys):
    before = path_of(course).read_bytes()
    assert sync.main([], course) == 0
    assert path_of(course).read_bytes() == before
    assert capsys.readouterr().out.endswith("Everything is up to date.\n")


@pytest.mark.parametrize(
    ("grade_id", "old", "new"),
    [
        ("set-up", "import numpy as np", "import numpy"),
        ("set-up", "github.com/attention-course", "github.com/somebody"),
        ("double-task", find("double").hints[0], "An old hint."),
        ("double-task", "<details><summary>Hint 1</summary>", "No hints. "),
    ],
)
def test_stale_cell_is_named_then_repaired(course, capsys, grade_id, old, new):
    right = path_of(course).read_bytes()
    change(course, grade_id, old, new)
    if "No hints" in new:  # a task written without any hints
        text = path_of(course).read_text("utf-8")
        book = json.loads(text)
        (cell,) = (c for c in book["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)
        cell["source"] = ["".join(cell["source"]).split("No hints.")[0].rstrip()]
        path_of(course).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")
    stale = path_of(course).read_bytes()
    assert sync.main(["--check"], course) == 1
    assert path_of(course).read_bytes() == stale
    assert capsys.readouterr().err == f"Not up to date: solutions/{UNIT}/{UNIT}.ipynb. Run `make sync`.\n"
    assert sync.main([], course) == 0
    assert path_of(course).read_bytes() == right
    assert sync.main(["--check"], course) == 0


def test_the_set_up_cell_is_folded(course):
    book = json.loads(path_of(course).read_text("utf-8"))
    (cell,) = (one for one in book["cells"] if one["id"] == "set-up")
    assert cell["metadata"]["jupyter"] == {"source_hidden": True}
    del cell["metadata"]["jupyter"]
    right = path_of(course).read_bytes()
    path_of(course).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert sync.main(["--check"], course) == 1
    sync.main([], course)
    assert path_of(course).read_bytes() == right


def test_other_text_stays(course):
    change(course, "double-task", "any shape", "any shape at all")
    before = path_of(course).read_bytes()
    sync.main([], course)
    assert path_of(course).read_bytes() == before


def test_readme_gets_title_minutes_and_badges(course):
    text = (course / "README.md").read_text()
    assert text.startswith("# Course\n\n<!-- units -->\n| unit |")
    assert text.endswith("\n<!-- /units -->\n\nMore.\n")
    (minutes,) = re.findall(r"\*\*Time:\*\* (\d+) minutes", path_of(course).read_text())
    assert f"| Unit 00: Start here | {minutes} |" in text
    assert f"attention-course/HEAD?urlpath=lab/tree/notebooks/{UNIT}/{UNIT}.ipynb%3F" in text
    assert "file-browser-path%3D/notebooks) |" in text, "on Binder, too, the file browser lists all units"
    assert f"attention-course/blob/main/notebooks/{UNIT}/{UNIT}.ipynb)" in text


def test_address_comes_from_pyproject(course):
    project = course / "pyproject.toml"
    project.write_text(project.read_text().replace("github.com/attention-course/", "github.com/another/"))
    assert sync.main(["--check"], course) == 1
    sync.main([], course)
    assert "git+https://github.com/another/attention-course" in path_of(course).read_text("utf-8")
    assert "mybinder.org/v2/gh/another/attention-course/HEAD" in (course / "README.md").read_text()


@pytest.mark.parametrize("name", ["README.md", "Containerfile"])
def test_a_new_pytorch_is_written_wherever_one_is_told_to_install_it(course, name):
    shutil.copy(ROOT / name, course)
    pins = (course / "constraints.txt").read_text("utf-8")
    (course / "constraints.txt").write_text(re.sub("(?m)^torch==.+$", "torch==9.8.7", pins), "utf-8")
    sync.main([], course)
    assert re.findall(r"\btorch==([\w.]+)", (course / name).read_text("utf-8")) == ["9.8.7"]


def test_readme_without_markers_stays():
    assert sync.readme("# Course\n", "| table |") == "# Course\n"
