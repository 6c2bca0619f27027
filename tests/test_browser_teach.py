"""What an instructor sees after `make teach`, in a fresh clone and a real browser: no news, no error."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from grading.term import by_hand
from helpers.units import UNITS
from tests import fresh_clone
from tests.test_pages_lines import ADDRESS
from tools import real_browser
from tools.patience import PATIENCE
from tools.shell import ROOT

pytestmark = [
    pytest.mark.needs("browser", "sandbox"),
    pytest.mark.slow,
    pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="set-up did not make this environment"),
]
IN_THE_WAY = ".jp-Dialog, .Toastify__toast, .jp-Notification-List, .alert-danger, .alert-warning"
UNIT = "05_softmax"


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    source = fresh_clone.origin(tmp_path_factory.mktemp("origin"))
    one = fresh_clone.Shell(tmp_path_factory.mktemp("teach"), ADDRESS, source)
    one.type(f"git clone --quiet {ADDRESS}")
    clone = next(path.parent for path in one.folder.glob("*/pyproject.toml"))
    fresh_clone.lend_environment(clone)
    one.type(f"cd {clone}")
    one.clone = clone
    yield one
    one.close()


@pytest.fixture(scope="module")
def visit(shell, chromium):
    """JupyterLab when its menus are there and what comes late has come; what its terminal says until then.

    Opened once: it takes ten seconds to compute, and each test opens what it looks at beside what is there.
    """
    home = shell.folder / "of-teacher"
    (home / ".jupyter").mkdir(parents=True)
    exposed = {"LabApp": {"expose_app_in_browser": True}}  # for `real_browser.Notebook`
    (home / ".jupyter" / "jupyter_lab_config.json").write_text(json.dumps(exposed), "utf-8")
    address = shell.serve(f"HOME={home} make teach", r"http://(localhost|127\.0\.0\.1):\S+")[0]
    with real_browser.Visit(chromium, width=1600, height=900) as one:
        one.failed, one.start = [], address.partition("/lab?")[0]
        one.page.on("response", lambda answer: answer.status >= 400 and one.failed.append(answer.url))
        one.page.goto(address)
        one.page.locator(".lm-MenuBar-item").filter(has_text="Nbgrader").wait_for()
        one.page.locator(".jp-LauncherCard").first.wait_for()
        real_browser.settled(one.page)
        shell.said = (shell.folder / "server-0.log").read_text("utf-8")
        yield one


@pytest.fixture(autouse=True)
def nothing_in_the_way(visit):
    yield
    assert [text for text in visit.page.locator(IN_THE_WAY).all_inner_texts() if text.strip()] == []
    assert visit.errors == []
    assert visit.outside == []
    assert visit.failed == []


def choose(page, name):
    page.locator(".lm-MenuBar-item").filter(has_text="Nbgrader").click()
    page.locator(".lm-Menu-itemLabel").get_by_text(name, exact=True).click()


def open_unit(visit, folder):
    real_browser.beside(visit.page, f"{folder}/{UNIT}/{UNIT}.ipynb")
    return visit.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")


def test_the_terminal_says_the_address_and_little_else(shell, visit):
    said = [line for line in shell.said.splitlines() if line.strip()]
    assert len(said) <= 8, said
    assert any("http://127.0.0.1:" in line for line in said)


def test_the_first_screen_has_the_course_and_no_news(visit):
    visit.page.locator(".jp-DirListing-item").filter(has_text="solutions").wait_for()


def test_formgrader_lists_the_units(visit):
    choose(visit.page, "Formgrader")
    frame = visit.page.frame_locator("iframe")
    for unit in UNITS:
        frame.locator("#manage_assignments_table, table").get_by_text(unit, exact=True).wait_for()
    assert frame.locator(".alert").all_inner_texts() == []


@pytest.mark.skipif(os.name == "nt", reason="the exchange is for systems with Unix rights")
def test_the_assignment_list_and_the_course_list_are_there(visit, shell):
    choose(visit.page, "Assignment List")
    visit.page.get_by_text("There are no assignments to fetch.").wait_for()
    choose(visit.page, "Course List")
    visit.page.get_by_text("attention-course").first.wait_for()
    assert "Error" not in " ".join(
        visit.page.locator(".jp-MainAreaWidget:not(.jp-NotebookPanel)").all_inner_texts()
    )
    assert (shell.clone / "exchange").stat().st_mode & 0o777 == 0o777


def test_create_assignment_and_the_table_of_contents_are_a_click_away(visit):
    open_unit(visit, "solutions")
    visit.page.locator(".jp-SideBar .lm-TabBar-tab").filter(has_text="Create Assignment").click()
    visit.page.get_by_text("Total points:").wait_for()
    contents = visit.page.locator(".jp-SideBar .lm-TabBar-tab[title^='Table of Contents']")
    contents.click()
    visit.page.get_by_role("treeitem", name="From scores to weights, by hand").wait_for()
    contents.click()  # folded, so that the toolbar has room for all its buttons


def test_validate_says_what_is_lacking_and_changes_no_tracked_file(visit, shell):
    panel = open_unit(visit, "notebooks")
    panel.get_by_text("Validate", exact=True).click()
    dialog = visit.page.locator(".jp-Dialog").filter(has_text=re.compile("Validat", re.IGNORECASE))
    dialog.get_by_role("button").first.wait_for()
    said = dialog.inner_text()
    dialog.get_by_role("button").last.click()
    assert "not answered yet" in said or "failed" in said, said
    code, status = shell.type("git status --short")
    assert (code, status) == (0, "")
    saved = json.loads((shell.clone / "notebooks" / UNIT / f"{UNIT}.ipynb").read_text("utf-8"))
    assert "version" not in saved["metadata"]["language_info"]


def autograde(visit, shell, student):
    """Hand in for a student and grade that as Formgrader's button does; how to ask its server for more."""
    shutil.copytree(shell.clone / "notebooks" / UNIT, shell.clone / "submitted" / student / UNIT)
    start = visit.start
    cookies = {one["name"]: one["value"] for one in visit.page.context.cookies()}
    asked = {"headers": {"X-XSRFToken": cookies["_xsrf"], "Referer": start}, "timeout": 1000 * PATIENCE}
    answer = visit.page.request.post(f"{start}/formgrader/api/submission/{UNIT}/{student}/autograde", **asked)
    assert answer.json()["success"], answer.json()
    return f"{start}/formgrader/api", asked, answer.json()["log"]


@pytest.mark.needs("sandbox")
def test_the_terminal_is_quiet_and_the_log_that_formgrader_shows_is_not(visit, shell):
    _, _, log = autograde(visit, shell, "ada")
    assert "[INFO]" in log
    said = (shell.folder / "server-0.log").read_text("utf-8")
    for loud in ("[I ", "[W ", "[E ", "WARNING", "Traceback"):
        assert loud not in said


@pytest.mark.needs("sandbox")
def test_formgrader_notes_who_gave_a_mark_by_hand(visit, shell):
    api, asked, _ = autograde(visit, shell, "ben")
    with Gradebook(f"sqlite:///{shell.clone}/gradebook.db", "attention-course") as book:
        grade = book.find_grade("softmax-test", UNIT, UNIT, "ben").id
    answer = visit.page.request.put(f"{api}/grade/{grade}", data={"manual_score": 1.5}, **asked)
    assert answer.json()["manual_score"] == 1.5, answer.text()
    (one,) = by_hand.by_cell(shell.clone, UNIT, "ben").values()
    assert (one.cell, one.points, one.who) == ("softmax-test", 1.5, by_hand.marker())
    assert one.answer, "which answer was seen is noted too"
