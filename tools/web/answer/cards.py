"""The cards in which exercises are answered on their page; `docs/_static/answer/` makes them live."""

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from helpers.offered import blanks, offered
from helpers.units import UNIT_OF, UNITS
from tools import opens
from tools.web.exercise_links import place_of

ON_PAGES = tuple(UNITS)
"""The units whose exercises are answered on their pages."""
ELSEWHERE: Mapping[str, str] = {}
"""Exercises of these units that a page cannot check, each with the reason."""

KEYS = (
    '<p id="answer-keys" hidden>Tab moves a line in; after Escape it leaves the editor. '
    "Control and Enter check the answer.</p>"
)
_AFTER = '<p class="with-script yours">What is shown below comes from the course\'s own answer.</p>'
_HOME = "../../"
_CHECK = re.compile(r"""^check\(["'](\w+)["']\)""", re.MULTILINE)
_TEMPLATE = Path(__file__).with_name("card.html")


def of(text: str) -> str:
    """The form of the exercise that the code of a card checks; empty where a page cannot."""
    asked = _CHECK.findall(text)[-1:]
    here = asked and UNIT_OF.get(asked[0]) in ON_PAGES and asked[0] not in ELSEWHERE
    return card(asked[0]) if here else ""


def card(exercise: str, source: str = "", panel: str = "", root: str = _HOME) -> str:
    """The form of an exercise.

    Args:
        exercise: its name.
        source: what stands in the editor, where that is not the blank answer of the learners' notebook.
        panel: what a check has said of it.
        root: the way from the page to the site's own.
    """
    unit, shown = UNIT_OF[exercise], source or blanks()[exercise]
    door = opens.in_browser(root, unit)  # on a small screen start.js makes it the notebook alone
    notebook = f'<a class="answer-notebook" href="{door}">Go on in the notebook</a>'
    parts = {
        "exercise": exercise,
        "unit": unit,
        "kind": " data-mend" if source else "",
        "rows": str(shown.count("\n") + 1),
        "source": escape(shown),
        "panel": panel,
        "next": _mended(exercise, root) if source else _next(exercise, root),
        "notebook": "" if source else notebook,
        "after": "" if source else _AFTER,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _TEMPLATE.read_text("utf-8"))


def _next(exercise: str, root: str) -> str:
    """A link to the exercise after this one, or to the unit after its unit's last."""
    names = [name for names in offered().values() for name in names]
    after = names[names.index(exercise) + 1 :][:1]
    place = place_of(after[0]) if after else None
    if not place:
        return ""
    title = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(place.title))
    return f'<a href="{root}{place.address}">Next: {place.number} {title}</a>'


def _mended(exercise: str, root: str) -> str:
    place = place_of(exercise)
    return (
        f'That was <a href="{root}{place.address}">exercise {place.number}</a> of the course.'
        if place
        else ""
    )


def _load(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Only pages with such cards load what makes them live."""
    if doctree is not None and (pagename == "index" or pagename.rpartition("/")[2] in ON_PAGES):
        app.add_css_file("answer/answer.css")
        app.add_js_file("answer/start.js", type="module")
        context["body"] += KEYS


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("html-page-context", _load)
