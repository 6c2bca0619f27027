"""Where a unit's reader can work: on its page, or in a notebook elsewhere; it is said at the top."""

from urllib.parse import urlparse

from docutils import nodes
from sphinx.application import Sphinx

from tools import opens
from tools.web.answer import cards, cells

WORK = (
    '<div class="workplaces" id="work">'
    '<p class="with-script"><b>Write and run everything here.</b> This browser keeps what you write. '
    '<span id="answer-count"></span></p>'
    f"{cells.BAR}"
    '<p class="without-script">Without scripts this page shows one answer to each exercise, folded away.</p>'
    '<p class="elsewhere">With PyTorch itself it opens in <a href="{colab}">Colab</a>, in '
    '<a href="{binder}">Binder</a> and <a href="{home}">on your computer</a>. Here a stand-in computes.</p>'
    "</div>"
)


def addresses(repository: str, unit: str) -> dict[str, str]:
    """Where a unit's notebook opens elsewhere: in Colab, on Binder, at home."""
    name = urlparse(repository).path.strip("/")
    return {
        "colab": opens.in_colab(name, unit),
        "binder": opens.on_binder(name, unit),
        "home": f"{repository}#readme",
    }


def _is_code(part: nodes.Node) -> bool:
    return isinstance(part, nodes.container) and "cell" in part.get("classes", ())


def _tell(app: Sphinx, doctree: nodes.document) -> None:
    """Say it after the first paragraph of a unit, and put a form into each exercise before its first cell."""
    if not app.env.docname.startswith("notebooks/"):
        return
    repository = app.config.html_theme_options["repository_url"]
    where = addresses(repository, app.env.docname.rpartition("/")[2])
    first = doctree.next_node(nodes.paragraph)
    first.parent.insert(first.parent.index(first) + 1, nodes.raw("", WORK.format(**where), format="html"))
    for card in doctree.findall(
        lambda node: "exercise-body" in getattr(node, "attributes", {}).get("classes", ())
    ):
        place = next(place for place, part in enumerate(card.children) if _is_code(part))
        card.insert(place, nodes.raw("", cards.of(card.astext()), format="html"))


def setup(app: Sphinx) -> None:
    """What Sphinx calls: once the exercises are cards."""
    app.connect("doctree-read", _tell, priority=110)
