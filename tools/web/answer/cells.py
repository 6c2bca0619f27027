"""A unit's page is its notebook: what it needs for that; `docs/_static/answer/` makes its cells live."""

import json
import re
import shutil
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from tools.shell import ROOT

NAME = "course_cell"
"""In the metadata of a cell on its way to the page: its id, which Sphinx would lose."""

LONG = {"07-31g": 65, "07-31k": 70, "09-61b": 45}
"""Seconds that cells take in a browser, of those that take more than five."""

_CHOICES = re.compile(r'"(\w+)" or "(\w+)"')
_SURE = {"1": "a guess", "2": "fairly sure", "3": "certain"}

BAR = (
    '<p class="with-script page-file">'
    '<button type="button" class="cells-download">Download as a notebook</button> '
    '<button type="button" class="cells-open">Open a notebook</button> <span role="status"></span></p>'
)
"""What brings the page's file out and in."""

KEYS = (  # and which cells take long
    '<p id="cell-keys" data-long="{long}" hidden>Shift and Enter run the cell and go on, Control and Enter '
    "run it. Tab moves a line in. After Escape, Tab leaves the editor.</p>"
)


def asks(guess: str, reveal: str, wanted: str) -> str:
    """The form in which a reader predicts what comes out.

    Args:
        guess: the id of the cell that holds the prediction.
        reveal: that of the cell that compares it.
        wanted: what is asked for, as the cell's comment says it.
    """
    if found := _CHOICES.fullmatch(wanted):
        field = _radios("guess", {one: one for one in found.groups()})
        answer = f'<fieldset class="guess-of"><legend>Your guess</legend>{field}</fieldset>'
    else:
        hint = re.sub(r", or a fraction in quotes.*", "", wanted)
        answer = (
            f'<label class="guess-of">Your guess <input name="guess" autocomplete="off" autocapitalize="off" '
            f'spellcheck="false" placeholder="{escape(hint)}"></label>'
        )
    legend = "<legend>How sure are you?</legend>"
    sure = f'<fieldset class="guess-sure">{legend}{_radios("sure", _SURE)}</fieldset>'
    return (
        f'<form class="guess with-script" data-cell="{guess}" data-reveal="{reveal}">{answer}{sure}'
        '<div class="answer-tools"><button class="guess-compare">Compare</button>'
        '<button type="button" class="guess-show">Show without a guess</button>'
        '<button type="button" class="cell-stop" hidden>Stop</button></div>'
        '<p class="cell-says" role="status"></p><div class="cell_output"></div></form>'
    )


def _radios(name: str, labels: dict[str, str]) -> str:
    one = '<label><input type="radio" name="{name}" value="{value}"> {label}</label>'
    return "".join(one.format(name=name, value=value, label=label) for value, label in labels.items())


def lay(site: Path, units: list[str]) -> None:
    """Put the learners' notebooks beside the pages, which take cells from them."""
    for unit in units:
        shutil.copy(ROOT / "notebooks" / unit / f"{unit}.ipynb", site / "notebooks" / unit)


def _name(app: Sphinx, doctree: nodes.document) -> None:
    """Let each code cell have its notebook's id."""
    for cell in doctree.findall(nodes.container):
        if identity := cell.get("cell_metadata", {}).get(NAME):
            cell["ids"] = [f"cell-{identity}"]


def _load(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Units load what makes their cells live."""
    if doctree is None or not pagename.startswith("notebooks/"):
        return
    app.add_css_file("answer/cells.css")
    app.add_js_file("answer/cells.js", type="module")
    unit = pagename.rpartition("/")[2]
    long = {name: seconds for name, seconds in LONG.items() if name.startswith(unit[:2])}
    context["body"] += KEYS.format(long=escape(json.dumps(long)))


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("doctree-read", _name)
    app.connect("html-page-context", _load)
