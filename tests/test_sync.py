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
    """Change the text of one cell, as an editor would: `old` is a pattern."""
    book = json.loads(path_of(course).read_text("utf-8"))
    (cell,) = (c for c in book["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)
    text, times = re.subn(old, lambda _: new, "".join(cell["source"]), flags=re.DOTALL)
    assert times
    cell["source"] = text.splitlines(keepends=True)
    if grade_id == "set-up":  # it is not folded any more
        assert cell["metadata"].pop("jupyter") == {"source_hidden": True}
    path_of(course).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")


def test_the_repository_is_up_to_date(capsys):
    assert sync.main(["--check"]) == 0, capsys.readouterr().err


def test_a_stale_cell_is_named_then_repaired_and_other_text_stays(course, capsys):
    change(course, "double-task", "any shape", "any shape at all")
    right = path_of(course).read_bytes()
    assert sync.main([], course) == 0
    assert path_of(course).read_bytes() == right
    assert capsys.readouterr().out.endswith("Everything is up to date.\n")
    for grade_id, old, new in (
        ("set-up", "import numpy as np", "import numpy"),
        ("double-task", re.escape(find("double").hints[0]), "An old hint."),
        ("double-task", r"\n+<details><summary>Hint 1</summary>.*", ""),  # written without any hints
        ("set-up", "^", ""),  # not folded, and no more than that
    ):
        change(course, grade_id, old, new)
        stale = path_of(course).read_bytes()
        assert sync.main(["--check"], course) == 1
        assert path_of(course).read_bytes() == stale
        assert capsys.readouterr().err == f"Not up to date: solutions/{UNIT}/{UNIT}.ipynb. Run `make sync`.\n"
        assert sync.main([], course) == 0
        assert path_of(course).read_bytes() == right
    assert sync.main(["--check"], course) == 0


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


def test_a_new_pytorch_is_written_wherever_one_is_told_to_install_it(course):
    pins = (course / "constraints.txt").read_text("utf-8")
    (course / "constraints.txt").write_text(re.sub("(?m)^torch==.+$", "torch==9.8.7", pins), "utf-8")
    for name in ("README.md", "Containerfile"):
        shutil.copy(ROOT / name, course)
    sync.main([], course)
    for name in ("README.md", "Containerfile"):
        assert re.findall(r"\btorch==([\w.]+)", (course / name).read_text("utf-8")) == ["9.8.7"]


def test_readme_without_markers_stays():
    assert sync.readme("# Course\n", "| table |") == "# Course\n"
