"""Take the pictures of the README and the site in a real browser: `python -m tools.screenshots`.

Their words are kept in `images/words.json`, so that a test sees when a picture shows what is said no more.
"""

import json
import re
import sys
from pathlib import Path

from helpers import reference, views
from tools import real_browser
from tools.shell import ROOT, Stop

IMAGES = ROOT / "images"
WORDS = IMAGES / "words.json"
WRONG = """def double(x):
    return x**2"""


def main() -> int:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    try:
        with real_browser.chromium() as chromium:
            words = {"loom": loom(chromium), "failed_check": failed_check(chromium)}
        WORDS.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", "utf-8")
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    return 0


def loom(chromium: real_browser.Browser, picture: Path | None = IMAGES / "loom.png") -> str:
    """The loom with a mistake in its code and its blanks opened; gives its words, and takes its picture."""
    page_file = ROOT / "build" / "loom.html"
    page_file.parent.mkdir(exist_ok=True)
    page_file.write_text(
        real_browser.alone(views.loom(allowed=reference.causal_mask(4), title="I saw a saw")), "utf-8"
    )
    with real_browser.Visit(chromium, width=1000, height=1200) as visit:
        visit.page.goto(page_file.as_uri())
        for press in visit.page.get_by_role("button", name="show the line").all()[::-1]:
            press.click()
        visit.page.get_by_label("weights =").select_option("softmax-over-queries")
        visit.page.evaluate("document.querySelector('.attention-view').shadowRoot.activeElement.blur()")
        shown = visit.page.locator("section")
        if picture:
            shown.screenshot(path=picture)
            print(f"images/{picture.name}")
        return " ".join(shown.inner_text().split())


def failed_check(chromium: real_browser.Browser) -> str:
    """A wrong answer in JupyterLab, and what its check says; gives the words below the check."""
    with (
        real_browser.jupyterlab(ROOT / "notebooks") as address,
        real_browser.Visit(chromium, width=1200, height=820) as visit,
    ):
        notebook = real_browser.Notebook(visit.page, address.format("00_start_here/00_start_here.ipynb"))
        notebook.run("set-up")
        notebook.write("double", WRONG)
        notebook.run("double")
        said = notebook.run("double-test")
        said.wait_for()
        real_browser.at_rest(visit.page)
        visit.page.screenshot(path=IMAGES / "failed_check.png")
        print("images/failed_check.png")
        return " ".join(said.inner_text().split())


def plain(words: str) -> str:
    """Words as they are compared: without spaces, signs of code, and the seed, which is another each time."""
    return re.sub(r"\s+|`|(?<=seed=)\d+", "", words)


if __name__ == "__main__":
    sys.exit(main())
