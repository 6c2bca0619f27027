"""What a learner sees first, in a fresh clone and a real browser: after `make learn`, and on Binder."""

import json
import sys
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


@pytest.fixture(params=["learn", "binder"])
def address(request):
    return request.getfixturevalue(request.param)


def opened(visit, address):
    """JupyterLab when the notebook is there, the file browser has its list, and what comes late has come."""
    notebook = real_browser.Notebook(visit.page, address)
    visit.page.locator(".jp-NotebookPanel h1").first.wait_for()
    real_browser.settled(visit.page)
    return notebook


def unfold_files(page):
    """Open the list of files by its button, and wait for its last unit."""
    page.locator(".jp-SideBar.jp-mod-left .lm-TabBar-tab[title^='File Browser']").click()
    page.locator(".jp-DirListing-item").filter(has_text=[*UNITS][-1]).wait_for()


def texts(page, selector):
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def tabs(page, side):
    names = page.locator(f".jp-SideBar.jp-mod-{side} .lm-TabBar-tab").all()
    return [name.get_attribute("title").partition(" (")[0] for name in names]


@pytest.mark.parametrize("width", [1280, 768])
def test_the_first_screen_has_all_units_and_nothing_in_the_way(address, chromium, width):
    with real_browser.Visit(chromium, width=width, height=900) as visit:
        opened(visit, address)
        page = visit.page
        assert texts(page, ".jp-NotebookPanel h1")[0].startswith(FIRST)
        assert not page.locator(".jp-DirListing").is_visible(), "beside the notebook nothing is needed yet"
        assert page.locator(".jp-NotebookPanel").bounding_box()["width"] > width - 100
        assert tabs(page, "left") == ["File Browser", "Running Terminals and Kernels"]
        assert tabs(page, "right") == ["Table of Contents"]
        menus = texts(page, ".lm-MenuBar-item")
        assert menus == ["File", "Edit", "View", "Run", "Kernel", "Tabs", "Settings", "Help"]
        assert texts(page, ".jp-Dialog, .Toastify__toast, .jp-Notification-List") == []
        assert visit.errors == []
        assert visit.outside == []
        assert "token" not in page.url, "who shares the screen, shares the course"
        unfold_files(page)
        assert texts(page, ".jp-DirListing-itemText") == list(UNITS)


def test_the_set_up_cell_is_one_line_that_fits(address, chromium):
    with real_browser.Visit(chromium, width=768, height=900) as visit:
        opened(visit, address)
        cell = visit.page.locator(".jp-CodeCell").first
        line = cell.locator(".jp-InputPlaceholder")
        assert line.inner_text().strip() == "# Set-up: run this cell first."
        assert not cell.locator(".cm-content").is_visible()
        seen = visit.page.locator(".jp-NotebookPanel").first.bounding_box()
        place = line.bounding_box()
        assert place["x"] + place["width"] <= seen["x"] + seen["width"]


def test_it_runs_by_keyboard_and_says_so(address, chromium):
    with real_browser.Visit(chromium, width=1280, height=900) as visit:
        notebook = opened(visit, address)
        notebook.find("00-01")
        visit.page.keyboard.press("Escape")
        visit.page.keyboard.press("Shift+Enter")
        visit.page.keyboard.press("Shift+Enter")
        said = visit.page.locator(".jp-CodeCell").first.locator(".jp-OutputArea-output")
        said.filter(has_text="Set-up is done.").wait_for()


def test_lines_of_code_wrap(address, chromium):
    with real_browser.Visit(chromium, width=768, height=900) as visit:
        opened(visit, address)
        lines = visit.page.locator(".jp-CodeCell .cm-content").evaluate_all(
            "found => found.map(one => one.classList.contains('cm-lineWrapping'))"
        )
        assert len(lines) > 3
        assert all(lines)


def test_headings_are_beside_the_units_and_the_answers_above_them(address, chromium):
    with real_browser.Visit(chromium, width=1280, height=900) as visit:
        opened(visit, address)
        page = visit.page
        page.locator(".jp-SideBar.jp-mod-right .lm-TabBar-tab").click()
        page.get_by_role("treeitem", name="Run a cell").wait_for()
        unfold_files(page)
        assert texts(page, ".jp-DirListing-itemText") == list(UNITS)
        page.locator(".jp-BreadCrumbs-home").click()
        page.locator(".jp-DirListing-item").filter(has_text="solutions").dblclick()
        page.locator(".jp-BreadCrumbs").filter(has_text="solutions").wait_for()
        page.locator(".jp-DirListing-item").filter(has_text=[*UNITS][-1]).wait_for()
        assert texts(page, ".jp-DirListing-itemText") == list(UNITS)


def test_a_check_before_the_set_up_says_what_to_do(address, chromium):
    with real_browser.Visit(chromium, width=1280, height=900) as visit:
        notebook = opened(visit, address)
        visit.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
        said = notebook.run("double-test").inner_text()
        assert said.startswith("Run the set-up cell first")
        assert "Traceback" not in said
        notebook.write("00-04", "def scaled(scores):\n    return scores / d_k**0.5\nscaled(3)")
        said = notebook.run("00-04").inner_text()
        assert "Traceback" in said
        assert "NameError: name 'd_k' is not defined" in said


def test_an_instructor_keeps_nbgraders_menu(shell, chromium):
    printed = lab(shell, shell.folder / "of-teacher", "make teach")
    with real_browser.Visit(chromium, width=1280, height=900) as visit:
        visit.page.goto(printed)
        menu = visit.page.locator(".lm-MenuBar-item").filter(has_text="Nbgrader")
        menu.wait_for()
        menu.click()
        visit.page.locator(".lm-Menu-itemLabel").get_by_text("Formgrader", exact=True).wait_for()
