"""Build the site from docs/ and the solution notebooks: `make site` writes build/site/."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbgrader.preprocessors import ClearHiddenTests

from helpers import named_mistakes
from helpers.beside.kernel import AS_SVG
from helpers.in_browser.names import parsed
from helpers.units import grade_id
from tools import opens, sync, units
from tools.in_browser import build
from tools.shell import ROOT, Stop
from tools.web import (
    buttons,
    code_lines,
    execution,
    formulas,
    icons,
    impostor,
    landing,
    look_inside,
    not_found,
    pictures,
    printed,
    search_texts,
    styles,
    unit_path,
)
from tools.web.answer import cells, editor
from tools.web.live import pack
from tools.web.review import page as review
from tools.web.review import pool

BUILD = ROOT / "build"
_REPLACED = re.compile(r"\s*<(?:script|link)[^>]*scripts/bootstrap\.js[^>]*>(?:</script>)?")  # by menus.js
_NAMELESS = '<summary aria-label="Toggle hidden content">'  # its own words are a better name
_BELOW = re.compile(  # pages below one of the side bar: seen where one reads them, with nothing to fold
    r'<details( open="open")?><summary><span class="toctree-toggle".*?</summary>'
    r"(<ul[^>]*>.*?</ul>)\s*</details>",
    re.DOTALL,
)
_IDLE = re.compile(r'\s*<script src="[^"]*(?:doctools|sphinx_highlight)\.js[^"]*"></script>')
SHOW = ("plots", "views", "try_it", "print")
_COMPARES = re.compile(r"\b(reveal|settle)\(\s*guess\b")
_SEARCH = re.compile(r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>')


def main(folder: Path = BUILD, pyodide: Path | None = None) -> int:
    """Build it; the exit code is that of Sphinx, which takes warnings for errors.

    Args:
        folder: where to build.
        pyodide: Pyodide's wheels, all of which are copied into the site; without them its pages use the CDN.

    Raises:
        Stop: when something cannot be fetched, the folder is not what it should be, or the instructor's
            sentences cannot be read.
    """
    try:
        named_mistakes.read()  # readers' checks say it too
    except named_mistakes.BadEntry as broken:
        raise Stop(str(broken)) from None
    source, site = folder / "site-source", folder / "site"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)
    execution.execute(gather(source))
    formulas.put(source / "_static" / "katex")
    editor.put(source / "_static" / "answer")
    environ = {"OMP_NUM_THREADS": "1", **os.environ, "PYTHONPATH": str(ROOT), AS_SVG: "yes"}
    words = ["-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html"]
    done = subprocess.run(
        [sys.executable, *words, str(source), str(site)], cwd=ROOT, env=environ, check=False
    )
    if done.returncode == 0:
        finish(site)
        cells.lay(site, units.written())
        pack.lay(site / "_static" / "live" / "model")
        build.build(site, pyodide)
        where = os.path.relpath(site)  # a browser runs no modules from a file
        print(f"The site is in {site}. To open it: python -m http.server --directory {where}")
    return done.returncode


def finish(site: Path) -> None:
    """What is done to pages that are written: icons in them, scripts off them that they do not use."""
    pictures.write(site / "_images")
    kinds = styles.coloured((site / "_static" / "pygments.css").read_text("utf-8"))
    for page in site.rglob("*.html"):
        text = styles.without_idle_spans(icons.with_icons(page.read_text("utf-8")), kinds)
        text = _REPLACED.sub("", text).replace(_NAMELESS, "<summary>")
        text = _BELOW.sub(lambda found: found[2] if found[1] else "", text)
        if page.name != "search.html":  # the theme loads the index of the search with every page
            text = _SEARCH.sub("", text)
        unit = page.parent.parent.name == "notebooks"
        text = buttons.with_buttons(text, unit=unit)
        text = unit_path.with_path(text, page.stem) if unit else text
        if page == site / "index.html":  # it stays light until its first key
            text = _IDLE.sub("", text)
        page.write_text(printed.fitting(code_lines.in_lines(text)), "utf-8")
    styles.sweep(site)
    search_texts.write(site)
    not_found.write(site, "Attention, step by step", opens.site(sync.address(ROOT)), units.written())


def gather(source: Path) -> list[Path]:
    """Put the pages together: docs/, pictures, and one page for each unit; gives those to be executed."""
    shutil.copytree(ROOT / "docs", source)
    shutil.copytree(ROOT / "images", source / "images")
    shutil.copy(ROOT / "pyproject.toml", source)
    address = sync.address(ROOT)
    index = source / "index.md"
    index.write_text(landing.filled(index.read_text("utf-8"), address), "utf-8")
    inside = source / "look_inside.md"
    inside.write_text(look_inside.page(inside.read_text("utf-8")), "utf-8")
    look_inside.lay_out(source / "_static" / "live")
    game = source / "impostor.md"
    game.write_text(game.read_text("utf-8").replace("{{impostor}}", impostor.part()), "utf-8")
    asks = source / "review.md"
    asks.write_text(asks.read_text("utf-8").replace("{{review}}", review.part()), "utf-8")
    pool.write(source / "_static" / "review")
    pages = []
    for unit in units.written():
        notebook = nbformat.read(ROOT / "solutions" / unit / f"{unit}.ipynb", as_version=4)
        page = source / "notebooks" / unit / f"{unit}.ipynb"
        page.parent.mkdir(parents=True)
        nbformat.write(as_page(notebook), page)
        pages.append(page)
    return pages


def as_page(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A solution notebook to be read: without hidden checks, and what is not to be seen at once is folded."""
    notebook, _ = ClearHiddenTests().preprocess(notebook, {})
    reveals = _reveals(notebook)
    notebook.cells = [part for cell in notebook.cells for part in _parts(cell, reveals)]
    return notebook


def _reveals(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """The cells that compare a prediction, by the id of the cell that holds it."""
    found, guess = {}, ""
    for cell in notebook.cells:
        if cell.source.startswith("guess = ..."):
            guess = cell.id
        elif cell.cell_type == "code" and _COMPARES.search(cell.source):
            found[guess] = cell.id
    return found


def _parts(cell: nbformat.NotebookNode, reveals: Mapping[str, str]) -> list[nbformat.NotebookNode]:
    about = cell.metadata.get("nbgrader", {})
    if cell.source.startswith("## Before you start\n"):
        return []  # the page of the review asks
    if cell.cell_type != "code":
        return [cell]
    if cell.source.startswith(("before_you_start(", "inventory(")):
        return []  # the inventory wants a notebook to be answered in
    if cell.source.startswith("guess = ..."):
        return _question(cell, reveals[cell.id])
    cell.metadata[cells.NAME] = cell.id
    if _COMPARES.search(cell.source):
        _fold(cell, "Compare", "Compare", "hide-cell")
        cell.metadata["tags"].append("compares")
    if grade_id(cell) == "set-up":
        _fold(cell, "Show the set-up", "Hide the set-up", "hide-cell")
    elif only_shows(cell.source):
        _fold(cell, "Show the code", "Hide the code")
    if about.get("solution"):
        cell.source = re.sub(r"(?m)^ *### (BEGIN|END) SOLUTION\n?", "", cell.source).rstrip()
        _fold(cell, "Show one answer", "Hide the answer")
    return [cell]


def only_shows(source: str) -> bool:
    """Whether a cell does nothing but draw and print: its code tells less than what it shows."""
    statements = parsed(source).body
    return bool(statements) and all(map(_shows, statements))


def _shows(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.For):
        return all(map(_shows, statement.body))
    return isinstance(statement, ast.Expr) and _called(statement.value) in SHOW


def _called(value: ast.expr) -> str:
    """The name that a chain of calls begins with: `plots` of `plots.bars(x).captioned("...")`."""
    while isinstance(value, ast.Call | ast.Attribute):
        value = value.func if isinstance(value, ast.Call) else value.value
    return value.id if isinstance(value, ast.Name) else ""


def _question(cell: nbformat.NotebookNode, reveal: str) -> list[nbformat.NotebookNode]:
    """A form asks; the build runs on without a guess, so that `reveal` tells what comes out."""
    wanted = cell.source.splitlines()[0].partition("#")[2].strip()
    without = f'<p class="without-script"><b>Your guess?</b> {wanted[:1].upper()}{wanted[1:]}.</p>'
    asks = nbformat.v4.new_markdown_cell(
        f"{without}\n{cells.asks(cell.id, reveal, wanted)}", id=f"{cell.id}-asks"
    )
    cell.source = "guess = sure = None"
    cell.metadata["tags"] = [*cell.metadata.get("tags", ()), "remove-cell"]
    return [asks, cell]


def _fold(cell: nbformat.NotebookNode, show: str, hide: str, tag: str = "hide-input") -> None:
    cell.metadata["tags"] = [*cell.metadata.get("tags", ()), tag]
    cell.metadata["mystnb"] = {"code_prompt_show": show, "code_prompt_hide": hide}


if __name__ == "__main__":
    try:
        sys.exit(main(BUILD, Path(sys.argv[1]).resolve() if sys.argv[1:] else None))
    except Stop as stop:
        sys.exit(str(stop))
