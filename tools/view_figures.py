"""Print what the views and the site weigh and how fast they answer: `python -m tools.view_figures`.

Times are those of one change in Chromium, handler and layout together, the median and the largest of 40.
"""

import json
import re
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np

from helpers import example, reference, views
from tools import browser, site
from tools.shell import ROOT

RNG = np.random.default_rng(0)
_TIME = """(host) => {
    const root = host.shadowRoot, times = [];
    const cells = [...root.querySelectorAll('table[role=grid] td')], select = root.querySelector('select');
    for (let round = 0; round < 40; round++) {
        const start = performance.now();
        if (round % 2 && cells.length) cells[(round * 37) % cells.length].click();
        else {
            select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
            select.dispatchEvent(new Event('change'));
        }
        root.firstElementChild.nextElementSibling.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    return times;
}"""


def some() -> dict[str, views.View]:
    """Views of the sizes that the figures speak of."""

    def softmaxed(*shape: int) -> np.ndarray:
        return reference.softmax(RNG.normal(size=shape) * 2)

    Q, K, V = reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V)
    layer = (example.X, example.W_Q, example.W_K, example.W_V, example.W_O, 2)
    return {
        "attention, 1 head, 4 tokens": views.explore_attention(Q, K, V, None, example.TOKENS),
        "weights, 12 heads, 16 tokens": views.explore_weights(softmaxed(12, 16, 16)),
        "attention, 12 heads of 64, 16 tokens": views.explore_attention(*RNG.normal(size=(3, 12, 16, 64))),
        "attention, 12 heads of 64, 64 tokens": views.explore_attention(*RNG.normal(size=(3, 12, 64, 64))),
        "layers, 6 of 12 heads, 16 tokens": views.explore_layers(softmaxed(6, 12, 16, 16)),
        "nine steps, 2 heads, 4 tokens": views.explore_steps(*layer, tokens=example.TOKENS),
    }


def show_views() -> None:
    """One line a view: kilobytes, milliseconds."""
    print("| view | kB | of it the picture | ms, median | ms, largest |\n|---|---|---|---|---|")
    with browser.chromium() as chromium, tempfile.TemporaryDirectory() as name:
        for what, view in some().items():
            path = Path(name, "view.html")
            path.write_text(browser.alone(view), "utf-8")
            with browser.Visit(chromium) as visit:
                visit.page.goto(path.as_uri())
                times = visit.page.locator(".attention-view").evaluate(_TIME)
            picture = len(re.findall(r'src="data:[^"]*"', view.html)[0])
            print(
                f"| {what} | {len(view.html.encode()) / 1000:.0f} | {picture / 1000:.0f} "
                f"| {statistics.median(times):.1f} | {max(times):.1f} |"
            )


def show_site() -> None:
    """One line a page: kilobytes, figures and their words, requests elsewhere, violations, complaints."""
    folder = site.BUILD / "site"
    if not folder.is_dir() and site.main():
        raise SystemExit(1)
    print("\n| page | kB without pictures | figures | with words | outside | axe, light and dark | console |")
    print("|---|---|---|---|---|---|---|")
    with browser.chromium() as chromium, browser.served(folder) as address:
        for path in sorted(folder.rglob("*.html")):
            page = path.relative_to(folder).as_posix()
            if page.startswith("_static/"):
                continue
            text = path.read_text("utf-8")
            small = re.sub(r"data:image/[^\"']*", "", text)
            pictures = re.findall(r"<(?:figure|p)[^>]*>.{0,60}?(<img[^>]*>)", text, flags=re.DOTALL)
            words = sum(bool(re.search(r'alt="[^"]+"', picture)) for picture in pictures)
            outside, found, errors = 0, [], 0
            for dark in (False, True):
                with browser.Visit(chromium, dark=dark) as visit:
                    visit.page.goto(f"{address}/{page}", wait_until="networkidle")
                    outside, errors = outside + len(visit.outside), errors + len(visit.errors)
                    found.append(len(browser.violations(visit.page)))
            print(
                f"| {page} | {len(small.encode()) / 1000:.0f} | {len(pictures)} | {words} | {outside} "
                f"| {found[0]}, {found[1]} | {errors} |"
            )


def show_notebooks() -> None:
    """How large the learners' notebooks are, and what outputs they hold."""
    print("\n| notebook | kB | outputs | plots and views |\n|---|---|---|---|")
    for path in sorted((ROOT / "notebooks").glob("*/*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        outputs = sum(len(cell.get("outputs", ())) for cell in cells)
        drawn = sum(len(re.findall(r"(?:plots|views)\.\w+\(", "".join(cell["source"]))) for cell in cells)
        print(f"| {path.stem} | {path.stat().st_size / 1000:.0f} | {outputs} | {drawn} |")


def main() -> int:
    """Print all of it."""
    show_views()
    show_site()
    show_notebooks()
    return 0


if __name__ == "__main__":
    sys.exit(main())
