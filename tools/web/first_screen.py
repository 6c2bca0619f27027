"""The first screen of the site: a sentence that a real model reads, and beside it a line to choose.

`docs/_static/live/first.js` makes it live.  The first picture is drawn here by the page's own script under
Node.js, and what is said of each line is what the course's check says of it while the site is built.
"""

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.learner.checking import verdict_of
from helpers.offered import offered
from helpers.on_page.running import ran
from helpers.verdict.can_do import can_do
from helpers.verdict.judge import Verdict
from helpers.verdict.panel import panel
from helpers.verdict.right import right
from tools.web.exercise_links import place_of
from tools.web.look_inside import LIVE, drawn, filled

EXERCISE = "apply_mask"
LINES = (
    "scores * allowed",
    "np.where(allowed, -np.inf, scores)",
    "np.where(allowed, scores, -np.inf)",
)
"""Three ways to write its last line."""


@cache
def first() -> Mapping[str, Any]:
    """The sentences that are kept, and the first one drawn."""
    scripts = (LIVE / name for name in ("kept.js", "picture.js", "reading.js", "saying.js"))
    return drawn(*scripts, Path(__file__).with_suffix(".js"))


def part() -> str:
    """Both halves of the first screen."""
    one = first()
    sentence, example = one["kept"]
    parts = {name: one[name] for name in ("threads", "dots", "said", "of", "start", "end")} | {
        "text": escape(sentence["text"]),
        "example": escape(example["text"]),
        "words": _words(sentence),
        "count": len(sentence["words"]),
        "exercise": EXERCISE,
        "lines": "".join(_line(number, line) for number, line in enumerate(LINES)),
        "verdicts": "".join(map(_shown, LINES)),
        "kept": json.dumps(one["kept"], separators=(",", ":")).replace("<", "\\u003c"),
    }
    return filled(Path(__file__).with_suffix(".html").read_text("utf-8"), parts)


def _words(sentence: Mapping[str, Any]) -> str:
    looks = dict(zip(sentence["pair"], (" one", " two"), strict=True))
    return "".join(
        f'<span class="word{looks.get(place, "")}">{escape(word["text"])}</span>'
        for place, word in enumerate(sentence["words"])
    )


def _line(number: int, line: str) -> str:
    return f'<label><input type="radio" name="turn" id="turn-{number}"> <code>{escape(line)}</code></label>'


def _shown(line: str) -> str:
    verdict = checked(line)
    after = _next() if verdict.passed else ""
    return f'<div class="verdict">{_panel(verdict)}{after}</div>'


def checked(line: str) -> Verdict:
    """What the course's check says of the exercise with this line."""
    source = f"def {EXERCISE}(scores, allowed):\n    return {line}\n"
    return verdict_of(find(EXERCISE), ran(EXERCISE, source, {}).value, seed=0)


def _panel(verdict: Verdict) -> str:
    record = find(EXERCISE)
    if verdict.passed:
        return right(record, verdict, draw_cases(record, 0), able=can_do(EXERCISE))._repr_html_()
    return panel(record, verdict, "")._repr_html_()


def _next() -> str:
    """The way from here to the exercise that one writes oneself."""
    exercises = [name for unit in offered().values() for name in unit]
    here, after = place_of(EXERCISE), place_of(exercises[exercises.index(EXERCISE) + 1])
    return (
        f"<p>That is exercise {here.number}, one of {len(exercises)}. "
        f'<a href="{after.address}">Write the next one yourself →</a></p>'
    )
