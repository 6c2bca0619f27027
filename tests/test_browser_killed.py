"""A browser that is killed has kept what one typed; it starts with a profile, in a file of its own."""

import os
import signal

import pytest
from playwright.sync_api import expect

from tests.test_browser_cells import PAGE, cell, kept, write
from tools import real_browser
from tools.patience import until

pytestmark = [pytest.mark.needs("browser", "katex", "engine", "editor"), pytest.mark.slow]


def test_a_browser_that_is_killed_has_kept_each_key(playwright, tmp_path, address):
    home = tmp_path / "profile"
    how = real_browser.how_to_start(playwright)
    context = playwright.chromium.launch_persistent_context(home, **how)
    page = context.pages[0]
    page.goto(f"{address}/{PAGE}", wait_until="networkidle")
    write(cell(page, "05-04"), "scores = 1")
    page.keyboard.type("23")
    until(lambda: kept(page, "05-04") == "scores = 123")
    for process in _of_profile(home):
        os.kill(process, signal.SIGKILL)
    context = playwright.chromium.launch_persistent_context(home, **how)
    page = context.pages[0]
    page.goto(f"{address}/{PAGE}", wait_until="networkidle")
    expect(cell(page, "05-04").locator("pre").first).to_have_text("scores = 123")
    context.close()


def _of_profile(home):
    """The processes of the browser with this profile."""
    for folder in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{folder}/cmdline") as file:
                words = file.read()
        except OSError:
            continue
        if str(home) in words:
            yield int(folder)
