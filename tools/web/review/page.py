"""What the page "Review" holds when it arrives, and how the units' pages lead to it."""

from docutils import nodes
from sphinx.application import Sphinx

from helpers.views.script import as_json
from tools.web.review import pool

LEADS = (
    '<p>What you have done here stays longer if you are asked about it some days later: the <a href="../../'
    'review.html">review</a> does, with four short questions a day.</p>'
)
ALONE = "The questions need JavaScript. In a notebook of the course <code>review()</code> asks the same ones."


def part() -> str:
    """All that the page has below its first words; the questions come when they are asked."""
    return (
        '<link rel="stylesheet" href="_static/review/review.css">'
        f'<div id="review-page"><noscript><p>{ALONE}</p></noscript></div>'
        f'<script type="application/json" id="review-course">{as_json(pool.course())}</script>'
        '<script type="module" src="_static/review/page.js"></script>'
    )


def _tell(app: Sphinx, doctree: nodes.document) -> None:
    """Lead here from the end of a unit, before what it says of the next one."""
    if not app.env.docname.startswith("notebooks/"):
        return
    last = list(doctree.findall(nodes.section))[-1]
    onward = [
        place
        for place, one in enumerate(last.children)
        if isinstance(one, nodes.paragraph) and one.astext().startswith(("Next:", "Back:"))
    ]
    last.insert(onward[0] if onward else len(last.children), nodes.raw("", LEADS, format="html"))


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("doctree-read", _tell, priority=130)
