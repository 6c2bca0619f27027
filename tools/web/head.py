"""What the head of a page tells those who do not open it: search engines, and links to it elsewhere."""

import html
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from tools.web.pictures import LINK

LONGEST = 200


def description(doctree: nodes.document) -> str:
    """The first paragraph of a page, in whole sentences as far as there is room."""
    first = doctree.next_node(nodes.paragraph)
    text = " ".join(first.astext().split()) if first else ""
    if len(text) <= LONGEST:
        return text
    return text[: text.rfind(". ", 0, LONGEST) + 1] or text[: text.rfind(" ", 0, LONGEST)] + " ..."


def _write(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if doctree is None:
        return
    base = app.config.html_baseurl
    said = {
        "og:title": app.env.titles[pagename].astext(),
        "og:description": description(doctree),
        "og:type": "article" if pagename.startswith("notebooks/") else "website",
        "og:site_name": app.config.project,
        "og:url": f"{base}{pagename}.html",
        "og:image": f"{base}_images/{LINK}",
        "og:image:alt": "Attention over I saw a saw: who looks at whom, as a table of weights.",
    }
    tags = [f'<meta name="description" content="{html.escape(said["og:description"])}">']
    tags += [f'<meta property="{name}" content="{html.escape(text)}">' for name, text in said.items()]
    tags.append('<meta name="twitter:card" content="summary_large_image">')
    context["metatags"] = context.get("metatags", "") + "\n".join(tags)


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("html-page-context", _write)
