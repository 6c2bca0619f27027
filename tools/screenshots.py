"""Take the pictures of the README and the site in a real browser: `make screenshots` writes images/."""

import sys

from helpers import reference, views
from tools import real_browser
from tools.shell import ROOT, Stop

IMAGES = ROOT / "images"
WRONG = """def double(x):
    return x**2"""


def main() -> int:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    try:
        with real_browser.chromium() as chromium:
            loom(chromium)
            failed_check(chromium)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    return 0


def loom(chromium: real_browser.Browser) -> None:
    """The loom with a mistake in its code, its blanks opened, and the verb's weight on its subject chosen."""
    view = views.loom(allowed=reference.causal_mask(4), title="I saw a saw")
    page_file = ROOT / "build" / "loom.html"
    page_file.parent.mkdir(exist_ok=True)
    page_file.write_text(real_browser.alone(view), "utf-8")
    with real_browser.Visit(chromium, width=1000, height=1200) as visit:
        visit.page.goto(page_file.as_uri())
        for press in visit.page.get_by_role("button", name="show the line").all()[::-1]:
            press.click()
        visit.page.get_by_label("weights =").select_option("softmax-over-queries")
        visit.page.evaluate("document.querySelector('.attention-view').shadowRoot.activeElement.blur()")
        visit.page.locator("section").screenshot(path=IMAGES / "loom.png")
    print("images/loom.png")


def failed_check(chromium: real_browser.Browser) -> None:
    """A wrong answer in JupyterLab, and what its check says."""
    with (
        real_browser.jupyterlab(ROOT / "notebooks") as address,
        real_browser.Visit(chromium, width=1200, height=820) as visit,
    ):
        notebook = real_browser.Notebook(visit.page, address.format("00_start_here/00_start_here.ipynb"))
        notebook.run("set-up")
        notebook.write("double", WRONG)
        notebook.run("double")
        notebook.run("double-test").wait_for()
        visit.page.wait_for_timeout(500)
        visit.page.screenshot(path=IMAGES / "failed_check.png")
    print("images/failed_check.png")


if __name__ == "__main__":
    sys.exit(main())
