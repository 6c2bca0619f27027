"""What a learner sees first, in a fresh clone and a real browser: after `make learn`, and on Binder."""

import contextlib
import json
import re
import sys
import urllib.request
from pathlib import Path
from urllib.parse import unquote

import pytest

from helpers.units import UNITS
from tests import fresh_clone
from tests.test_pages_lines import ADDRESS
from tools import real_browser
from tools.shell import ROOT

pytestmark = [
    pytest.mark.needs("browser"),
    pytest.mark.slow,
    pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="set-up did not make this environment"),
]
FIRST = "Unit 00: Start here"
EXPOSED = {"LabApp": {"expose_app_in_browser": True}}  # for `real_browser.Notebook`


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    source = fresh_clone.origin(tmp_path_factory.mktemp("origin"))
    one = fresh_clone.Shell(tmp_path_factory.mktemp("first"), ADDRESS, source)
    one.type(f"git clone --quiet {ADDRESS}")
    clone = next(path.parent for path in one.folder.glob("*/pyproject.toml"))
    fresh_clone.lend_environment(clone)
    one.type(f"cd {clone}")
    yield one
    one.close()


def lab(shell, home, line):
    """Start JupyterLab by a line, with a home where nothing else was kept; the address that it prints."""
    (home / ".jupyter").mkdir(parents=True, exist_ok=True)
    (home / ".jupyter" / "jupyter_lab_config.json").write_text(json.dumps(EXPOSED), "utf-8")
    return shell.serve(f"HOME={home} {line}", r"http://(localhost|127\.0\.0\.1):\S+")[0]


@pytest.fixture(scope="module")
def learn(shell):
    return lab(shell, shell.folder / "of-learner", "make learn")


@pytest.fixture(scope="module")
def binder(shell):
    """What repo2docker runs last, JupyterLab over the whole clone, and the README's link into it."""
    home = shell.folder / "of-binder"
    home.mkdir()
    code, said = shell.type(f"HOME={home} ./postBuild")
    assert code == 0, said
    printed = lab(shell, home, ".venv/bin/python -m jupyterlab --no-browser --allow-root")
    host, _, token = printed.partition("/lab?")
    row = next(line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if FIRST in line)
    link = row.partition("?urlpath=")[2].partition(")")[0]
    return f"{host}/{unquote(link)}&{token}"


SCREENS = [
    pytest.param((name, width), marks=marks, id=f"{name}-{width}")
    for name, width, marks in (
        ("learn", 1280, ()),
        ("binder", 768, ()),
        ("learn", 768, pytest.mark.nightly),
        ("binder", 1280, pytest.mark.nightly),
    )
]
"""Each address and each width once in the gate, and all pairs with the night."""


@pytest.fixture(scope="module", params=SCREENS)
def screen(request, chromium):
    """A first screen, opened once: it takes ten seconds to compute, so a test leaves it as it found it."""
    name, width = request.param
    with real_browser.Visit(chromium, width=width, height=900) as visit:
        visit.width, visit.notebook = width, opened(visit, request.getfixturevalue(name))
        yield visit
        assert visit.errors == visit.outside == []


def opened(visit, address):
    """JupyterLab when the notebook is there, the file browser has its list, and what comes late has come."""
    notebook = real_browser.Notebook(visit.page, address)
    visit.page.locator(".jp-NotebookPanel h1").first.wait_for()
    real_browser.settled(visit.page)
    return notebook


@contextlib.contextmanager
def unfolded(page, side, title):
    """Unfold what is beside the notebook by its button, and fold it again."""
    button = page.locator(f".jp-SideBar.jp-mod-{side} .lm-TabBar-tab[title^='{title}']")
    button.click()
    yield
    button.click()
    page.evaluate("window.jupyterapp.shell.activateById(window.jupyterapp.shell.currentWidget.id)")


def texts(page, selector):
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def tabs(page, side):
    names = page.locator(f".jp-SideBar.jp-mod-{side} .lm-TabBar-tab").all()
    return [name.get_attribute("title").partition(" (")[0] for name in names]


def test_the_first_screen_has_all_units_and_nothing_in_the_way(screen):
    page = screen.page
    page.locator("body[data-jp-theme-light=true]").wait_for(state="attached")
    assert texts(page, ".jp-NotebookPanel h1")[0].startswith(FIRST)
    assert not page.locator(".jp-DirListing").is_visible(), "beside the notebook nothing is needed yet"
    assert page.locator(".jp-NotebookPanel").bounding_box()["width"] > screen.width - 100
    assert tabs(page, "left") == ["File Browser", "Running Terminals and Kernels"]
    assert tabs(page, "right") == ["Table of Contents"]
    menus = texts(page, ".lm-MenuBar-item")
    assert menus == ["File", "Edit", "View", "Run", "Kernel", "Tabs", "Settings", "Help"]
    assert texts(page, ".jp-Dialog, .Toastify__toast, .jp-Notification-List") == []
    assert "token" not in page.url, "who shares the screen, shares the course"


def test_the_set_up_cell_is_one_line_that_fits(screen):
    cell = screen.page.locator(".jp-CodeCell").first
    line = cell.locator(".jp-InputPlaceholder")
    assert line.inner_text().strip() == "# Set-up: run this cell first."
    assert not cell.locator(".cm-content").is_visible()
    seen = screen.page.locator(".jp-NotebookPanel").first.bounding_box()
    place = line.bounding_box()
    assert place["x"] + place["width"] <= seen["x"] + seen["width"]


def test_it_runs_by_keyboard_and_says_so(screen):
    screen.notebook.find("00-01")
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("Shift+Enter")
    screen.page.keyboard.press("Shift+Enter")
    said = screen.page.locator(".jp-CodeCell").first.locator(".jp-OutputArea-output")
    said.filter(has_text="Set-up is done.").wait_for()


def test_lines_of_code_wrap(screen):
    lines = screen.page.locator(".jp-CodeCell .cm-content").evaluate_all(
        "found => found.map(one => one.classList.contains('cm-lineWrapping'))"
    )
    assert len(lines) > 3
    assert all(lines)


def test_headings_are_beside_the_units_and_the_answers_above_them(screen):
    page = screen.page

    def listed():
        page.locator(".jp-DirListing-item").filter(has_text=[*UNITS][-1]).wait_for()
        return texts(page, ".jp-DirListing-itemText")

    with unfolded(page, "right", "Table of Contents"), unfolded(page, "left", "File Browser"):
        page.get_by_role("treeitem", name="Run a cell").wait_for()
        assert listed() == list(UNITS)
        page.locator(".jp-BreadCrumbs-home").click()
        page.locator(".jp-DirListing-item").filter(has_text="solutions").dblclick()
        page.locator(".jp-BreadCrumbs").filter(has_text="solutions").wait_for()
        assert listed() == list(UNITS)
        page.evaluate("""() => {
            const path = window.jupyterapp.shell.currentWidget.context.path.split("/")[0];
            return window.jupyterapp.commands.execute("filebrowser:go-to-path", { path });
        }""")
        assert listed() == list(UNITS)


def test_a_check_before_the_set_up_says_what_to_do(screen):
    notebook = screen.notebook
    screen.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    said = notebook.run("double-test").inner_text()
    assert said.startswith("Run the set-up cell first")
    assert "Traceback" not in said
    notebook.write("00-04", "def scaled(scores):\n    return scores / d_k**0.5\nscaled(3)")
    said = notebook.run("00-04").inner_text()
    assert "Traceback" in said
    assert "NameError: name 'd_k' is not defined" in said


def left_out(address):
    """Which of JupyterLab's extensions its page leaves out."""
    with urllib.request.urlopen(address) as answer:
        told = re.search(
            r'<script id="jupyter-config-data"[^>]*>(.*?)</script>', answer.read().decode(), re.S
        )
    return json.loads(told[1])["disabledExtensions"]


def test_an_instructor_keeps_nbgraders_menu(shell, learn):
    """Also where a learner's JupyterLab runs; the menu itself is seen in `test_browser_teach.py`."""
    assert "@jupyter/nbgrader:menu" in left_out(learn)
    assert "@jupyter/nbgrader:menu" not in left_out(lab(shell, shell.folder / "of-teacher", "make teach"))
