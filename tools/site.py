"""Build the site from docs/ and the solution notebooks: `make site` writes build/site/."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

import nbformat

from helpers.units import UNITS
from tools.shell import ROOT, Stop

BUILD = ROOT / "build"
MATHJAX = "mathjax@3.2.2"
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
    """A solution notebook to be read: the set-up and the answers are folded."""
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code":
            continue
        if about.get("grade_id") == "set-up":
            _fold(cell, "Show the set-up", "Hide the set-up")
        if about.get("solution"):
            lines = cell.source.splitlines()
            cell.source = "\n".join(
                line for line in lines if line.strip() not in ("### BEGIN SOLUTION", "### END SOLUTION")
            )
            _fold(cell, "Show one answer", "Hide the answer")
    return notebook


def _fold(cell: nbformat.NotebookNode, show: str, hide: str) -> None:
    cell.metadata["tags"] = [*cell.metadata.get("tags", ()), "hide-input"]
    cell.metadata["mystnb"] = {"code_prompt_show": show, "code_prompt_hide": hide}


def put_mathjax(folder: Path) -> None:
    """MathJax from npm, once; later builds take it from build/.

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
    shutil.copytree(kept, folder, ignore=shutil.ignore_patterns("done"))


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
