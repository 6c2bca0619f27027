"""What outputs carry in themselves becomes files: pictures, and the scripts that views share."""

import base64
import hashlib
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from helpers.on_page.outputs import on_site
from helpers.plots.dark import in_the_dark

_PICTURE = re.compile(r'src="data:image/(png|svg)(?:\+xml)?;base64,([^"]+)"')
_VIEW = re.compile(
    r'<script>\(\(\) => \{ "use strict";\n(?P<code>.*?)\n'
    r"(?P<call>show|fold|unfold)\(document\.currentScript, (?P<data>[^\n]*)\); \}\)\(\);</script>",
    re.DOTALL,
)
_SHARED = """\
(window.courseViews ??= {{}})["{name}"] = (script, first, second) => {{ "use strict";
{code}
{call}(script, first, second); }};
"""


def _kept(folder: Path, content: bytes, ending: str) -> str:
    """Keep content under a name that follows from it, so that what is equal is kept once."""
    name = f"{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / name).exists():
        (folder / name).write_bytes(content)
    return name


def with_files(text: str, site: Path, up: str) -> str:
    """The HTML of an output with files in place of what it carried; `up` leads from its page to the site."""

    def picture(found: re.Match[str]) -> str:
        name = _kept(site / "_images", base64.b64decode(found[2]), found[1])
        return f'loading="lazy" src="{up}_images/{name}"'

    def address(svg: str) -> str:
        return f"{up}_images/{_kept(site / '_images', svg.encode(), 'svg')}"

    def view(found: re.Match[str]) -> str:
        shared = _SHARED.format(name="{name}", code=found["code"], call=found["call"])
        name = hashlib.sha256(shared.encode()).hexdigest()[:16]
        file = _kept(site / "_static" / "views", shared.replace("{name}", name, 1).encode(), "js")
        call = f'courseViews["{name}"](document.currentScript, {found["data"]});'
        return f'<script src="{up}_static/views/{file}"></script><script>{call}</script>'

    return _VIEW.sub(view, _PICTURE.sub(picture, on_site(text, address, in_the_dark)))


def _to_files(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for node in doctree.findall(nodes.raw):
        if "html" in node.get("format", ""):
            text = with_files(node.astext(), Path(app.outdir), "../" * docname.count("/"))
            node.rawsource, node.children = text, [nodes.Text(text)]


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("doctree-resolved", _to_files)
