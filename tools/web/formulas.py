"""Formulas are set when the site is built, as HTML and MathML, so that pages carry no script for it."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import SphinxError

from tools import npm
from tools.shell import ROOT, Stop
from tools.versions import KATEX

KEPT = ROOT / "build" / KATEX
_NEEDED = ("LICENSE", "dist/katex.min.js", "dist/katex.min.css")
STYLE = "katex/katex.min.css"


def fetch() -> Path:
    """Fetch KaTeX from npm, once; later builds take it from build/.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    if not (KEPT / "done").exists():
        with npm.unpacked(KATEX, "The site") as package:
            shutil.rmtree(KEPT, ignore_errors=True)
            KEPT.mkdir(parents=True)
            for wanted in (*(package / one for one in _NEEDED), *package.glob("dist/fonts/*.woff2")):
                to = KEPT / wanted.relative_to(package / "dist" if "dist" in wanted.parts else package)
                to.parent.mkdir(exist_ok=True)
                shutil.copy(wanted, to)
        (KEPT / "done").touch()
    return KEPT


def put(folder: Path) -> None:
    """Lay KaTeX's style sheet and fonts where the pages look for them: the script stays at home."""
    kept = fetch()
    shutil.copytree(kept / "fonts", folder / "fonts")
    shutil.copy(kept / "LICENSE", folder)
    sheet = (kept / "katex.min.css").read_text("utf-8")
    older = r',url\(fonts/[\w-]+\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)'  # every browser reads woff2
    (folder / "katex.min.css").write_text(re.sub(older, "", sheet), "utf-8")


@cache
def _katex() -> subprocess.Popen[str]:
    """The one process that sets formulas; it ends with ours, when its input does."""
    node = shutil.which("node")
    if not node:
        raise Stop("The site needs Node.js, to set formulas: install it, then run this again.")
    words = [node, str(Path(__file__).with_name("formulas.js")), str(KEPT / "katex.min.js")]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


@cache
def as_html(tex: str, alone: bool) -> str:
    """A formula as HTML, with MathML for screen readers.

    Raises:
        SphinxError: when KaTeX cannot read it; nothing is shown in red.
    """
    process = _katex()
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps([tex, alone]) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    if "problem" in answer:
        raise SphinxError(f"KaTeX cannot read the formula {tex!r}: {answer['problem']}")
    return answer["html"]


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(f'<span class="math">{as_html(node.astext(), False)}</span>')
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{as_html(node.astext(), True)}</div>')
    raise nodes.SkipNode


def _style(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Only pages with formulas load their style."""
    if doctree is not None and next(
        doctree.findall(nodes.math), next(doctree.findall(nodes.math_block), None)
    ):
        app.add_css_file(STYLE)


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.add_html_math_renderer("katex", (_inline, None), (_block, None))
    app.connect("html-page-context", _style)
