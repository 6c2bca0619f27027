"""What the landing page shows of the course, made anew from the course: units, a failing check, figures."""

import html
import inspect
import json
import re
from collections.abc import Mapping

from banks import registry
from helpers.exercises import find
from helpers.learner.checking import verdict_of
from helpers.offered import offered
from helpers.units import TITLES
from helpers.verdict.panel import panel
from tools import checks_page, opens, teeth
from tools.shell import ROOT
from tools.units import head, written
from tools.web import first_screen
from tools.web.answer import cards
from tools.web.outputs import in_both
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

SHOWN = ("apply_mask", "mask-multiplied")
"""The wrong answer whose check is shown: one line of code, a small table, and a mistake many make."""


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
        f'<span class="card-time">{minutes} minutes{more}</span></a>'
        f'<a class="open-here not-on-a-phone" href="{opens.in_browser("", unit)}" '
        f'aria-label="Open in your browser: unit {unit[:2]}">Open in your browser</a></li>'
    )


def address(unit: str) -> str:
    """The page of a unit, seen from the landing page."""
    return f"notebooks/{unit}/{unit}.html"


def begin() -> str:
    """The way into the course: a notebook where there is room to write, else the first unit to be read."""
    first = written()[0]
    (_, minutes, _), read = head(first), f"Read unit {first[:2]}"
    return (
        f'<p class="begin"><a class="button-of not-on-a-phone" href="{opens.in_browser("", first)}">'
        "Begin, in your browser</a> "
        f'<a class="not-on-a-phone" href="{address(first)}">{read}</a>'
        f'<a class="button-of on-a-phone" href="{address(first)}">{read}</a> '
        f'<span>{minutes} minutes, no machine learning needed. <span class="not-on-a-phone">'
        'A wrong answer is told which mistake it is; of <a href="how_good_are_the_checks.html">'
        f"strangers' wrong answers, {named():.0%}</a> were.</span></span></p>"
    )


def failing_check() -> str:
    """A wrong answer of the banks, really checked, in the card in which the visitor can mend it."""
    exercise, mistake = SHOWN
    registry.load()
    wrong = next(one for one in registry.WRONG if (one.exercise, one.mistake) == SHOWN)
    verdict = verdict_of(find(exercise), wrong.obj, seed=0)
    if verdict.misconception != mistake:
        raise ValueError(f"the check of {exercise} finds {verdict.misconception}, where {mistake} was meant")
    drawn, source = panel(find(exercise), verdict, "")._repr_html_(), _source(exercise, wrong.obj)
    alone = f'<div class="without-script">{_code(exercise, source)}{drawn}</div>'
    return f'<div class="failed-check">{alone}{cards.card(exercise, source, drawn, root="")}</div>'


def _source(exercise: str, answer: object) -> str:
    """The code of an answer of the banks, under the exercise's own name."""
    lines = inspect.getsource(answer).splitlines()  # type: ignore[arg-type]
    source = "\n".join(line for line in lines if not line.startswith("@"))
    return re.sub(r"^def \w+", f"def {exercise}", source)


def _code(exercise: str, source: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(f'{source}\n\ncheck("{exercise}")', PythonLexer(), HtmlFormatter(cssclass="highlight"))


def named() -> float:
    """The share of wrong programs, by authors who saw no check, that were told which mistake it is."""
    met = checks_page.in_all(checks_page.first_contact(ROOT))
    return met["told"] / met["wrong"]


def refused_of_wrong() -> tuple[int, int]:
    """How many wrong programs the checks refuse, and how many were tried: `make teeth` measured it."""
    figures = json.loads(teeth.KEPT.read_text("utf-8"))["ours"].values()
    wrong, refused = (sum(one[key] for one in figures) for key in ("wrong", "rejected"))
    return refused, wrong


def caught() -> str:
    """How much the checks catch, from the figures that `make teeth` measured."""
    figures = json.loads(teeth.KEPT.read_text("utf-8"))
    right, accepted = (sum(one[key] for one in figures["ours"].values()) for key in ("right", "accepted"))
    rejected, wrong = refused_of_wrong()
    rows = [
        (f"{rejected:,} of {wrong:,}", "wrong programs refused"),
        (
            f"{named():.0%}",
            "of new ones, whose authors saw no check, told which mistake it is",
        ),
        (f"{accepted} of {right}", "right answers accepted, whatever their style"),
    ]
    shown = "".join(f"<li><strong>{figure}</strong> {what}</li>" for figure, what in rows)
    return f'<ul class="caught">{shown}</ul>'


def filled(page: str, repository: str) -> str:
    """The landing page with what is made of the course in its places."""
    parts = {
        "repository": repository,
        "begin": begin(),
        "live": first_screen.part(),
        "limits": first_screen.limits(),
        "model": first_screen.MODEL,
        "failing_check": failing_check(),
        "caught": caught(),
        "units": units(),
        "exercises": str(sum(map(len, offered().values()))),
        "unit_count": str(len(written())),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)
