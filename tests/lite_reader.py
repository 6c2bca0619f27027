"""A reader's own Chromium: it keeps its profile when it is closed, and what it asks of others is noted."""

import contextlib
import http.server
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Playwright

from tools import real_browser

CHROMIUMS_OWN = ("update.googleapis.com", "accounts.google.com", "content-autofill.googleapis.com")
"""What Chromium asks its makers on its own account."""


@contextlib.contextmanager
def refusing(asked: list[str]) -> Iterator[str]:
    """A proxy for all but loopback, which lets nothing through: service workers and kernels meet it too."""

    class Refuses(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not any(host in self.path for host in CHROMIUMS_OWN):
                asked.append(self.path)
            self.send_error(502)

        do_CONNECT = do_POST = do_HEAD = do_GET

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    with real_browser.serving(Refuses) as address:
        yield address


class Reader:
    """One person's browser, which can be closed and opened again.

    Attributes:
        home: its profile.
        outside: what it asked of any other server; none of it came through.
        errors: what the console and the scripts of the present page complained about.
    """

    def __init__(self, playwright: Playwright, home: Path) -> None:
        self.home, self.outside, self.errors = home, [], []
        self._playwright = playwright

    @contextlib.contextmanager
    def opened(
        self, *, width: int = 1280, flags: tuple[str, ...] = (), before: str = "", cookies: bool = True
    ) -> Iterator[Page]:
        """Open the browser, and close it at the end.

        Args:
            width: of its window, in pixels.
            flags: what Chromium is told besides.
            before: a script that runs before those of each page.
            cookies: whether its owner lets pages keep anything.
        """
        if not cookies:
            told = {"profile": {"default_content_setting_values": {"cookies": 2}}}
            (self.home / "Default").mkdir(parents=True, exist_ok=True)
            (self.home / "Default" / "Preferences").write_text(json.dumps(told), "utf-8")
        with refusing(self.outside) as proxy:
            context: BrowserContext = self._playwright.chromium.launch_persistent_context(
                self.home,
                viewport={"width": width, "height": 800},
                **real_browser.how_to_start(self._playwright, f"--proxy-server={proxy}", *flags),
            )
            real_browser.patient(context)
            try:
                if before:
                    context.add_init_script(before)
                self.errors.clear()
                page = context.pages[0]
                page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
                page.on("pageerror", lambda error: self.errors.append(str(error)))
                yield page
            finally:
                context.close()


def line(page: Page) -> Any:
    """What the line above the notebook says."""
    return page.locator("#course-line .words")
