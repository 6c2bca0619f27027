"""Build the site from docs/ and the solution notebooks: `make site` writes build/site/."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup, Tag
from nbgrader.preprocessors import ClearHiddenTests

from helpers.units import UNITS, grade_id
from tools.needs import MATHJAX
from tools.shell import ROOT, Stop

BUILD = ROOT / "build"
_NEEDED = ("es5/tex-chtml.js", "es5/output/chtml/fonts/woff-v2/")


def main(folder: Path = BUILD) -> int:
    """Build it; the exit code is that of Sphinx, which takes warnings for errors."""
    source, site = folder / "site-source", folder / "site"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)
    gather(source)
    put_mathjax(source / "_static" / "mathjax")
    environ = {"OMP_NUM_THREADS": "1", **os.environ, "PYTHONPATH": str(ROOT)}
    words = ["-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html"]
    done = subprocess.run(
        [sys.executable, *words, str(source), str(site)], cwd=ROOT, env=environ, check=False
    )
    if done.returncode == 0:
        write_search_texts(site)
        print(f"The site is in {site}: open index.html.")
    return done.returncode


def gather(source: Path) -> None:
    """Put the pages together: docs/, pictures, and one page for each unit."""
    shutil.copytree(ROOT / "docs", source)
    shutil.copytree(ROOT / "images", source / "images")
    shutil.copy(ROOT / "pyproject.toml", source)
    address = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
    index = source / "index.md"
    index.write_text(index.read_text("utf-8").replace("{repository}", address), "utf-8")
    for unit in UNITS:
        notebook = nbformat.read(ROOT / "solutions" / unit / f"{unit}.ipynb", as_version=4)
        page = source / "notebooks" / unit / f"{unit}.ipynb"
        page.parent.mkdir(parents=True)
        nbformat.write(as_page(notebook), page)


def as_page(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A solution notebook to be read: without hidden checks, and what is not to be seen at once is folded."""
    notebook, _ = ClearHiddenTests().preprocess(notebook, {})
    notebook.cells = [part for cell in notebook.cells for part in _parts(cell)]
    return notebook


def _parts(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    about = cell.metadata.get("nbgrader", {})
    if cell.cell_type != "code":
        return [cell]
    if cell.source.startswith("guess = ..."):
        return _question(cell)
    if re.search(r"\breveal\(\s*guess\b", cell.source):
        _fold(cell, "Compare", "Compare", "hide-cell")
    if grade_id(cell) == "set-up":
        _fold(cell, "Show the set-up", "Hide the set-up")
    if about.get("solution"):
        cell.source = re.sub(r"(?m)^ *### (BEGIN|END) SOLUTION\n?", "", cell.source).rstrip()
        _fold(cell, "Show one answer", "Hide the answer")
    return [cell]


def _question(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Nobody can type on a page: ask, and run on without a guess, so that `reveal` tells what comes out."""
    wanted = cell.source.partition("#")[2].strip()
    asks = nbformat.v4.new_markdown_cell(
        f"**Your guess?** {wanted[:1].upper()}{wanted[1:]}.", id=f"{cell.id}-asks"
    )
    cell.source = "guess = None"
    cell.metadata["tags"] = [*cell.metadata.get("tags", ()), "remove-cell"]
    return [asks, cell]


def _fold(cell: nbformat.NotebookNode, show: str, hide: str, tag: str = "hide-input") -> None:
    cell.metadata["tags"] = [*cell.metadata.get("tags", ()), tag]
    cell.metadata["mystnb"] = {"code_prompt_show": show, "code_prompt_hide": hide}


def write_search_texts(site: Path) -> None:
    """Put the words of its article beside each page, for the search to show: whole pages weigh far more."""
    for page in site.rglob("*.html"):
        article = BeautifulSoup(page.read_text("utf-8"), "html.parser").find("article")
        if article:
            page.with_suffix(".txt").write_text(search_text(article), "utf-8")


def search_text(article: Tag) -> str:
    """The text of an article in its sections, where Sphinx's search looks for it."""
    for part in article.select("script, style, h1, details, .headerlink, .toctree-wrapper"):
        part.decompose()
    for part in article.find_all(True):
        if part.name == "section":
            part.attrs = {"id": part.get("id", "")}
        else:
            part.unwrap()
    words = re.sub(r"\s+", " ", article.decode_contents())
    return f'<div role="main">{words}</div>'


def put_mathjax(folder: Path) -> None:
    """Lay MathJax where the pages look for it; `fetch_mathjax` says what it raises."""
    shutil.copytree(fetch_mathjax(), folder, ignore=shutil.ignore_patterns("done"))


def fetch_mathjax() -> Path:
    """Fetch MathJax from npm, once; later builds take it from build/.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    kept = BUILD / MATHJAX
    if not (kept / "done").exists():
        with tempfile.TemporaryDirectory() as name:
            archive = _packed(Path(name))
            with tarfile.open(archive) as packed:
                wanted = [
                    one
                    for one in packed.getmembers()
                    if one.name.removeprefix("package/").startswith(_NEEDED)
                ]
                packed.extractall(name, wanted, filter="data")
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(Path(name) / "package" / "es5", kept)
        (kept / "done").touch()
    return kept


def _packed(folder: Path) -> Path:
    npm = shutil.which("npm")
    if not npm:
        raise Stop("The site needs npm, to fetch MathJax: install Node.js, then run this again.")
    done = subprocess.run(
        [npm, "pack", MATHJAX, "--json"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Stop(f"npm could not fetch {MATHJAX}: {done.stderr.strip()[-300:]}")
    return folder / json.loads(done.stdout)[0]["filename"]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as stop:
        sys.exit(str(stop))
