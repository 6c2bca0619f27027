"""What the landing page shows of the course, made anew from the course: its first screen and its units."""

import html
from collections.abc import Mapping

from helpers.offered import offered
from helpers.on_page.outputs import in_both
from helpers.units import TITLES
from tools.units import head, written
from tools.web import first_screen
from tools.web.pictures import names_of

QUESTIONS: Mapping[str, str] = {
    "00_start_here": "How do you ask a notebook whether your answer is right?",
    "01_dot_product": "How well do two words fit together, as one number?",
    "02_queries_keys_values": "Who asks, who answers, and what is handed over?",
    "03_scaling": "Why divide the scores, and by which root?",
    "04_masking": "Who may look at whom?",
    "05_softmax": "How do scores become shares of one whole?",
    "06_multi_head_attention": "How can a token look at two places at once?",
    "07_train_a_transformer": "What does attention find by itself when it learns?",
    "08_inside_a_pretrained_model": "Does your code run a model that others trained?",
    "09_efficient_attention": "How does attention stay fast when texts grow?",
}
"""What each unit answers. Titles and minutes stand elsewhere."""


def units() -> str:
    """A card for each unit: its picture, its title, what it asks, how long it takes."""
    return f'<ol class="cards units">{"".join(map(_card, written()))}</ol>'


def _card(unit: str) -> str:
    _, minutes, optional = head(unit)
    more = f" + {optional} optional" if optional else ""
    pictures = in_both('alt="" width="160" height="96"', (f"_images/{name}" for name in names_of(unit)))
    return (
        f'<li><a class="card-of" href="{address(unit)}"><span class="card-picture">{pictures}</span>'
        f'<span class="card-number">Unit {unit[:2]}</span>'
        f'<span class="card-title">{html.escape(TITLES[unit])}</span>'
        f'<span class="card-asks">{html.escape(QUESTIONS[unit])}</span>'
        f'<span class="card-time">{minutes} minutes{more}</span></a></li>'
    )


def address(unit: str) -> str:
    """The page of a unit, seen from the landing page."""
    return f"notebooks/{unit}/{unit}.html"


def begin() -> str:
    """The one way into the course."""
    first = written()[0]
    _, minutes, _ = head(first)
    return (
        f'<p class="begin"><a class="button-of" href="{address(first)}">Start: unit {first[:2]}</a> '
        f"<span>Free. Nothing to install. {minutes} minutes, a little Python, no machine learning.</span></p>"
    )


def filled(page: str, repository: str) -> str:
    """The landing page with what is made of the course in its places."""
    parts = {
        "repository": repository,
        "first": first_screen.part(),
        "begin": begin(),
        "units": units(),
        "exercises": str(sum(map(len, offered().values()))),
        "unit_count": str(len(written())),
    }
    return first_screen.filled(page, parts)
