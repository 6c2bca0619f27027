"""Exercises are cards: what belongs to one is framed, its number, points and minutes are badges."""

import re

from docutils import nodes
from sphinx.application import Sphinx

_TITLE = re.compile(r"Exercise (?P<number>\d+\.\d+): ")
_WORTH = re.compile(r" \((?P<points>\d+ points?), (?P<minutes>\d+ minutes?)\)$")
_OPTIONAL = re.compile(r" \(optional\)$")


def _cut(title: nodes.title, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Take a part from the beginning or the end of a heading's text."""
    for text in title.findall(nodes.Text):
        if found := pattern.search(text):
            text.parent.replace(text, nodes.Text(text[: found.start()] + text[found.end() :]))
            return found
    return None


def _badge(text: str, *classes: str) -> list[nodes.Node]:
    return [nodes.Text(" "), nodes.inline(text, text, classes=["badge-of", *classes])]


def _with_badges(title: nodes.title) -> tuple[bool, bool]:
    """Make badges of what a heading says in brackets; tells whether it is an exercise's, and optional."""
    if optional := bool(_cut(title, _OPTIONAL)):
        title += _badge("optional", "is-optional")
    number, worth = _cut(title, _TITLE), _cut(title, _WORTH)
    if number and worth:
        name = f"Exercise {number['number']}"
        title.insert(0, [nodes.inline(name, name, classes=["exercise-number"]), nodes.Text(" ")])
        title += _badge(worth["points"]) + _badge(worth["minutes"])
    return bool(number), optional


def _fold(section: nodes.section) -> None:
    """Close what stands below the heading of an optional part; a link into it opens it."""
    begin = '<details class="optional-part"><summary>Open this part</summary>'
    section.insert(1, nodes.raw("", begin, format="html"))
    section.append(nodes.raw("", "</details>", format="html"))


def _last_of(section: nodes.section) -> int:
    """Where the exercise ends: with the cell of its check."""
    checks = [
        place
        for place, part in enumerate(section.children)
        if any(
            re.search(r"^check\(", code.astext(), re.MULTILINE) for code in part.findall(nodes.literal_block)
        )
    ]
    return checks[-1] if checks else 0


def _as_cards(app: Sphinx, doctree: nodes.document) -> None:
    for section in list(doctree.findall(nodes.section)):
        title = section.next_node(nodes.title)
        if title is None or title.parent is not section:
            continue
        exercise, optional = _with_badges(title)
        if optional and not exercise:
            _fold(section)
        if not exercise:
            continue
        last = _last_of(section)
        if last:
            card = nodes.container("", *section.children[1 : last + 1], classes=["exercise-body"])
            section["classes"].append("exercise")
            section.children[1 : last + 1] = [card]
            card.parent = section


def setup(app: Sphinx) -> None:
    """What Sphinx calls: before it collects headings for the tables of contents."""
    app.connect("doctree-read", _as_cards, priority=100)
