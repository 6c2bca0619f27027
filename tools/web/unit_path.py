"""The side bar of a unit: its exercises in their order, which the page fills as they are passed."""

import re
from html import escape

from helpers.offered import offered
from tools.web.exercise_links import place_of

_CURRENT = re.compile(r'(<li class="toctree-l1 current active">.*?)(</li>)', re.DOTALL)


def with_path(text: str, unit: str) -> str:
    """Put the exercises of a unit below its name in the side bar of its page."""
    places = [(name, place_of(name)) for name in offered().get(unit, ())]
    steps = [
        f'<li data-exercise="{name}"><a href="#{place.address.partition("#")[2]}">{place.number} '
        f"{escape(place.title.replace('`', ''))}</a></li>"
        for name, place in places
        if place
    ]
    if not steps:
        return text
    path = f'<ol class="unit-path" aria-label="Exercises of this unit">{"".join(steps)}</ol>'
    return _CURRENT.sub(lambda found: f"{found[1]}{path}{found[2]}", text, count=1)
