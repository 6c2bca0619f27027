"""Where a unit's reader can work: on the page, or in a notebook; it is said at the top and in each exercise.

Without scripts, and in the units whose exercises need a notebook, a page only shows answers.
"""

from urllib.parse import urlparse

from docutils import nodes
from sphinx.application import Sphinx

from tools import opens
from tools.web.answer import cards, cells

HERE = (
    '<p class="with-script"><b>Write your answers here</b>, in the exercises below: each has a check. '
    "You can change and run every other piece of code too. This browser keeps what you write. "
    '<span id="answer-count"></span></p>'
    f"{cells.BAR}"
    '<p class="with-script not-on-a-phone">A notebook has the same exercises, and room to try things. '
    "Your answers come along:</p>"
    '<p class="with-script on-a-phone">A notebook has the same exercises. Your answers come along:</p>'
)
"""What is said first where one can answer on the page."""
WORK = (
    '<div class="workplaces" id="work">{here}<p class="{alone}not-on-a-phone">You read here, where every '
    "answer is filled in and folded away, and write in the notebook:</p>"
    '<p class="not-on-a-phone"><a class="button-of" href="{browser}">Open in your browser</a> '
    "<span>Nothing to install, no account. It keeps your work.</span></p>"
    '<p class="not-on-a-phone">Or open it in <a href="{colab}">Colab</a>, in <a href="{binder}">Binder</a> '
    'or <a href="{home}">on your computer</a>, where PyTorch itself runs: '
    "in your browser a stand-in does, and the longest trainings show what they gave.</p>"
    '<p class="{alone}on-a-phone">You read unit {number} here, where every answer is filled in and folded '
    "away, and touch its figures.</p>"
    '<p class="on-a-phone"><a class="button-of" href="{notebook}">Open the notebook</a> '
    "<span>A phone is narrow to write on, but it can be done.</span></p>"
    '<p class="on-a-phone"><button type="button" class="share" hidden>Copy the link</button>'
    "</p></div>"
)
YOURS = (
    '<p class="{alone}yours">Yours to write, <a href="#work">in the notebook</a>. '
    "What is printed here comes from the folded answer.</p>"
)


def addresses(repository: str, unit: str) -> dict[str, str]:
    """Where a unit's notebook opens: in this browser, in Colab, on Binder, at home; its number."""
    name = urlparse(repository).path.strip("/")
    return {
        "browser": opens.in_browser("../../", unit),
        "notebook": opens.in_notebook("../../", unit),
        "colab": opens.in_colab(name, unit),
        "binder": opens.on_binder(name, unit),
        "home": f"{repository}#readme",
        "number": unit[:2],
        "here": HERE if unit in cards.ON_PAGES else "",
        "alone": "without-script " if unit in cards.ON_PAGES else "",
    }


def _is_code(part: nodes.Node) -> bool:
    return isinstance(part, nodes.container) and "cell" in part.get("classes", ())


def _tell(app: Sphinx, doctree: nodes.document) -> None:
    """Say it after the first paragraph of a unit, and in each exercise before its first cell."""
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
        form = cards.of(card.astext())
        says = YOURS.format(alone="without-script " if form else "")
        card.insert(place, nodes.raw("", says + form, format="html"))


def setup(app: Sphinx) -> None:
    """What Sphinx calls: once the exercises are cards."""
    app.connect("doctree-read", _tell, priority=110)
