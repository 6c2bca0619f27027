"""The cards in which exercises are answered on their page; `docs/_static/answer/` makes them live."""

import re
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from helpers.offered import blanks, offered
from helpers.units import UNIT_OF, UNITS
from tools.web.exercise_links import place_of

KEYS = (
    '<p id="answer-keys" hidden>Tab moves a line in; after Escape it leaves the editor. '
    "Control and Enter check the answer.</p>"
)
_HOME = "../../"
_CHECK = re.compile(r"""^check\(["'](\w+)["']\)""", re.MULTILINE)
_TEMPLATE = Path(__file__).with_name("card.html")


def of(text: str) -> str:
    """The form of the exercise that the code of a card checks; empty where it is none of the course's."""
    asked = _CHECK.findall(text)[-1:]
    return card(asked[0]) if asked and asked[0] in UNIT_OF else ""


def card(exercise: str) -> str:
    """The form of an exercise."""
    unit, blank = UNIT_OF[exercise], blanks()[exercise]
    parts = {
        "exercise": exercise,
        "unit": unit,
        "rows": str(blank.count("\n") + 1),
        "source": escape(blank),
        "next": _next(exercise),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _TEMPLATE.read_text("utf-8"))


def _next(exercise: str) -> str:
    """A link to the exercise after this one, or to the unit after its unit's last."""
    names = [name for names in offered().values() for name in names]
    after = names[names.index(exercise) + 1 :][:1]
    place = place_of(after[0]) if after else None
    if not place:
        return ""
    title = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(place.title))
    return f'<a href="{_HOME}{place.address}">Next: {place.number} {title}</a>'


def _load(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Only pages with such cards load what makes them live."""
    if doctree is not None and pagename.rpartition("/")[2] in UNITS:
        app.add_css_file("answer/answer.css")
        app.add_js_file("answer/start.js", type="module")
        context["body"] += KEYS


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("html-page-context", _load)
