"""A real browser and what it is pointed at: the built site, one view, or a learner's JupyterLab."""

import contextlib
import functools
import http.server
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tools import lab, needs
from tools.patience import PATIENCE, until
from tools.shell import ROOT, Stop

_QUIET = ("--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update")
_ONCE = ("--js-flags=--no-wasm-tier-up --no-wasm-dynamic-tiering",)
"""Python in a page is compiled quickly, and not once more while it runs: pages are open for seconds here."""
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""Those of axe's rules that look at colours."""


def how_to_start(tools: Playwright, *flags: str) -> dict[str, Any]:
    """What Playwright is told to start Chromium with: the system's, where there is one.

    Raises:
        Stop: when there is none.
    """
    found = next(filter(None, map(shutil.which, needs.BROWSERS)), None)
    if not found and not Path(tools.chromium.executable_path).exists():
        raise Stop("This needs Chromium: `sudo apt install chromium` or `playwright install chromium`.")
    root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    return {"executable_path": found, "args": [*_QUIET, *_ONCE, *root, *flags], "timeout": 1000 * PATIENCE}


def patient(context: BrowserContext) -> None:
    """Give whatever is waited for in its pages the time that a busy machine takes."""
    context.set_default_timeout(1000 * PATIENCE)


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window.

    Raises:
        Stop: when there is none.
    """
    with sync_playwright() as tools:
        browser = tools.chromium.launch(**how_to_start(tools))
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page that may ask one server alone, and what went wrong on it.

    Attributes:
        page: Playwright's page.
        asked: addresses that the page asked for.
        outside: addresses that the page asked for elsewhere; none of them was let through.
        errors: what the console and the scripts complained about.
    """

    def __init__(
        self,
        browser: Browser,
        *,
        dark: bool = False,
        width: int = 1100,
        height: int = 800,
        first: bool = False,
    ) -> None:
        """Open an empty page; `first` is a visit of somebody who has chosen no colours yet."""
        scheme = "dark" if dark else "light"
        self._context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
        patient(self._context)
        self.asked: list[str] = []
        self.outside: list[str] = []
        self.errors: list[str] = []
        self._context.route("**/*", self._gate)
        self.page: Page = self._context.new_page()
        if not first:
            self.page.add_init_script(
                f"try {{ localStorage.mode = localStorage.theme = '{scheme}' }} catch {{}}"
            )
        self.page.on("request", lambda one: self.asked.append(one.url))
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _gate(self, route: Any) -> None:
        address = route.request.url
        if address.startswith(("http://127.0.0.1:", "http://localhost:", "file:", "data:", "blob:")):
            route.continue_()
        else:
            self.outside.append(address)
            route.abort()

    def close(self) -> None:
        """Forget everything."""
        self._context.close()

    def __enter__(self) -> "Visit":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def loaded(visit: Visit, address: str) -> dict[str, int]:
    """What a page loads when it is read to its end, unfolded: each address with its bytes, unpacked.

    A web server packs text to a quarter; here nothing is packed, so that the figures are the same everywhere.
    """
    answers = []
    visit.page.on("response", lambda one: answers.append(one))
    visit.page.goto(address, wait_until="networkidle")
    visit.page.evaluate("""async () => {
        for (const one of document.querySelectorAll('details')) one.open = true;
        for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
            scrollTo({ top: y, behavior: "instant" });
            await new Promise(requestAnimationFrame);
        }
        scrollTo({ top: 0, behavior: "instant" }); // further down the header covers what axe measures
    }""")
    visit.page.wait_for_load_state("networkidle")
    return {one.url: len(one.body()) for one in answers if one.ok and not one.url.startswith("data:")}


def held(page: Page, pattern: str) -> Callable[[], None]:
    """Keep back what a page asks for, itself or by its service worker; gives a function that lets it go."""
    waiting: list[Any] = []
    free: list[bool] = []
    page.context.route(pattern, lambda route: route.continue_() if free else waiting.append(route))

    def let_go() -> None:
        free.append(True)
        for one in waiting:
            one.continue_()

    return let_go


def at_rest(page: Page) -> None:
    """Wait until what fades in or out has done so."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function(
        """() => document.getAnimations().every((one) =>
            one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)"""
    )


# Marks elements with words or a value, the first and the last of each kind: what axe computes a contrast from
# is alike where elements and all they lie in have the same tags, classes and looks. Gives what takes it back.
_MARKED = """() => {
    const kinds = new Map(), ids = new Map();
    const look = (one, above) => {
        const style = getComputedStyle(one);
        const looks = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight",
            "textShadow", "filter", "position"].map((name) => style[name]);
        const kind = [above, one.tagName, one.getAttribute("class"), ...looks].join("|");
        if (!ids.has(kind)) ids.set(kind, ids.size);
        const id = ids.get(kind), seen = one.checkVisibility({ visibilityProperty: true });
        const words = [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
        if (seen && (words || one.matches("input, select, textarea")))
            kinds.set(id, [kinds.get(id)?.[0] ?? one, one]);
        for (const part of [...one.children, ...(one.shadowRoot?.children ?? [])]) look(part, id);
    };
    look(document.body, -1);
    const marked = [...kinds.values()].flat();
    for (const one of marked) one.dataset.ofKind = "";
    return () => marked.forEach((one) => delete one.dataset.ofKind);
}"""


def violations(page: Page, *, colours: bool = False, kinds: bool = False) -> list[str]:
    """What axe-core finds against WCAG A and AA: the rule, and the elements.

    Args:
        page: the page.
        colours: ask the rules alone that colours bear on, where the others have been asked in other colours.
        kinds: ask for the contrast of each kind of element: every one of a long page takes long.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    rules = {"type": "rule", "values": OF_COLOURS} if colours else {"type": "tag", "values": WCAG}
    # what passes is not listed: on a page of formulas the list is 30 times as long
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    found = page.evaluate(
        f"""async ([options, kinds]) => {{
            const done = kinds ? ({_MARKED})() : () => {{}};
            const selector = kinds ? "[data-of-kind]" : "*";
            axe.configure({{ rules: [{{ id: "color-contrast", selector }}] }});
            return (await axe.run(options).finally(done)).violations;
        }}""",
        [options, kinds],
    )
    return [f"{one['id']}: {node['target']} {node['html'][:150]}" for one in found for node in one["nodes"]]


@contextlib.contextmanager
def serving(handler: Callable[..., http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a web server on loopback that answers as a handler does."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def served(folder: Path, asked: list[str] | None = None) -> Iterator[str]:
    """The address of a web server on loopback for a folder; puts what is asked for into a list."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Nothing."""

        def log_request(self, *_: Any) -> None:
            if asked is not None:
                asked.append(self.path)

    with serving(functools.partial(Quiet, directory=str(folder))) as address:
        yield address


def alone(view: Any) -> str:
    """A page with one view and nothing else."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>View</title>'
        f"<body><main><h1>View</h1>{view.html}</main></body></html>"
    )


@contextlib.contextmanager
def jupyterlab(notebooks: Path) -> Iterator[str]:
    """A learner's JupyterLab over a copy of some notebooks; gives its address, a notebook's path left open.

    Raises:
        Stop: when it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as name:
        home, token = Path(name), secrets.token_hex(8)
        course = home / "course"
        shutil.copytree(notebooks, course / "work")
        lab.lay_out(course)
        environ = {
            **lab.learner_environ(os.environ), "HOME": name, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1",
            "JUPYTER_RUNTIME_DIR": str(home / "run"), "IPYTHONDIR": str(home / "ipython"),
        }  # fmt: skip
        with _server(course, environ, lab.learner_options(course), home, token) as start:
            yield f"{start}/lab/tree/work/{{}}?token={token}&reset"


@contextlib.contextmanager
def instructor(course: Path) -> Iterator[str]:
    """What `make teach` starts, over another course folder; gives its address, the path of a page left open.

    Raises:
        Stop: when it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as name:
        home, token = Path(name), secrets.token_hex(8)
        environ = {
            **lab.teacher_environ(os.environ), "HOME": name, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1",
            "JUPYTER_RUNTIME_DIR": str(home / "run"), "IPYTHONDIR": str(home / "ipython"),
        }  # fmt: skip
        with _server(course, environ, lab.teacher_options(course), home, token) as start:
            yield f"{start}/{{}}?token={token}"


@contextlib.contextmanager
def _server(
    folder: Path, environ: Mapping[str, str], options: Sequence[str], home: Path, token: str
) -> Iterator[str]:
    """JupyterLab without a window, at a free port; gives the address where it begins."""
    words = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        "--port=0",
        f"--IdentityProvider.token={token}",
        "--expose-app-in-browser",
    ]
    log = home / "log"
    with log.open("wb") as said:
        server = subprocess.Popen([*words, *options], cwd=folder, env=environ, stdout=said, stderr=said)
    try:
        yield f"http://127.0.0.1:{until(lambda: _port(server, home / 'run', log))}"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


def _port(server: subprocess.Popen, folder: Path, log: Path) -> int | None:
    if server.poll() is not None:
        raise Stop(f"JupyterLab did not start: {log.read_text('utf-8')[-500:]}")
    for place in folder.glob("jpserver-*.json"):
        with contextlib.suppress(json.JSONDecodeError):  # it is being written
            return json.loads(place.read_text("utf-8"))["port"]
    return None


def settled(page: Page) -> None:
    """Wait until JupyterLab has all its plug-ins, and an answer to all they ask: what comes late has come."""
    ready = "[jupyterapp.restored, jupyterapp.allPluginsActivated]"
    page.wait_for_function(f"window.jupyterapp && Promise.all({ready}).then(() => true)")
    page.wait_for_load_state("networkidle")


_SHOWN = ".jp-NotebookPanel:not(.lm-mod-hidden)"
_FIND = """(id) => {
    const cells = window.jupyterapp.shell.currentWidget.content.widgets;
    const one = cells.find((cell) => cell.model.id === id).model"""


class Notebook:
    """An open notebook in JupyterLab, used as a person uses it; only finding a cell is done by script."""

    def __init__(self, page: Page, address: str = "") -> None:
        """Wait for a notebook and its kernel: at an address, or where the page is already."""
        self.page = page
        if address:
            page.goto(address)
        page.locator(f"{_SHOWN} .jp-Cell").first.wait_for()
        page.wait_for_function(
            """() => {
                const shown = window.jupyterapp.shell.currentWidget;
                const kernel = shown?.sessionContext?.session?.kernel;
                return shown?.content?.model?.cells?.length > 3 && kernel?.status === 'idle';
            }""",
        )

    def find(self, identity: str) -> Any:
        """Bring the cell with an id into sight and make it the active one."""
        self.page.evaluate(
            """async (id) => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                const place = notebook.widgets.findIndex((cell) => cell.model.id === id);
                notebook.activeCellIndex = place;
                notebook.deselectAll();
                await notebook.scrollToItem(place, 'center');
            }""",
            identity,
        )
        cell = self.page.locator(f"{_SHOWN} .jp-Cell.jp-mod-active")
        cell.wait_for()
        return cell

    def write(self, identity: str, source: str) -> None:
        """Replace the text of a cell, by keyboard."""
        self.find(identity).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)

    def run(self, identity: str) -> Any:
        """Run a cell with Ctrl+Enter and wait for its end; gives its output area."""
        cell = self.find(identity)
        cell.locator(".jp-InputPrompt").click()
        # a new kernel counts from 1 again
        self.page.evaluate(f"{_FIND}; one.executionCount = null; }}", identity)
        self.page.keyboard.press("Control+Enter")
        ended = "one.executionCount !== null && one.executionState !== 'running'"
        self.page.wait_for_function(f"{_FIND}; return {ended}; }}", arg=identity)
        return self.find(identity).locator(".jp-OutputArea")

    def run_all(self) -> None:
        """Run > Run All Cells, and wait until the kernel rests."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Run").first.click()
        self.page.locator(".lm-Menu-itemLabel", has_text="Run All Cells").first.click()
        self.page.wait_for_function(
            """() => {
                const shown = window.jupyterapp.shell.currentWidget;
                const code = shown.content.widgets.filter((one) => one.model.type === 'code');
                const rests = code.every((one) => one.model.executionState !== 'running');
                const idle = shown.sessionContext.session.kernel.status === 'idle';
                return code[0].model.executionCount && rests && idle;
            }""",
        )

    def save(self) -> None:
        """Ctrl+S, and wait until it is saved."""
        self.page.keyboard.press("ControlOrMeta+s")
        dirty = "window.jupyterapp.shell.currentWidget.context.model.dirty"
        self.page.wait_for_function(f"!{dirty}")


def beside(page: Page, path: str) -> Notebook:
    """Open a notebook in a JupyterLab that is open already: a page of its own is ten seconds of computing."""
    page.evaluate("(path) => void window.jupyterapp.commands.execute('docmanager:open', { path })", path)
    shown = "(path) => window.jupyterapp.shell.currentWidget?.context?.path === path"
    page.wait_for_function(shown, arg=path)
    return Notebook(page)
