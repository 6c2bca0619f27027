"""What a class says to the concept inventory, without names: read from notebooks that were handed in.

Nothing of them is run: the answers are two texts in a call, found in the syntax tree of a cell.
"""

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grading import submission
from grading.handed_in import reading
from grading.handed_in.flags import LONGEST, python
from helpers.concept_inventory import items
from helpers.concept_inventory.doubts import Doubt, doubts
from helpers.concept_inventory.figures import FEWEST, FormFigures, enough_of, of_form
from helpers.concept_inventory.forms import SEEDS, marked
from helpers.concept_inventory.gains import Gain, gain
from helpers.errors import BadArgument

ASKED = {
    "00_start_here": "before",
    "06_multi_head_attention": "after",
    "09_efficient_attention": "after",
}
"""Which form each unit asks; what a notebook says to the other one is not looked at."""

CALL = "inventory"
Choices = list[int | None]


@dataclass
class Taken:
    """What a class answered in one unit.

    Attributes:
        unit: which.
        answers: the choices of each learner, by the name of the folder.
        unreadable: how many wrote answers of which none can be read.
    """

    unit: str
    answers: dict[str, Choices] = field(default_factory=dict)
    unreadable: int = 0


@dataclass(frozen=True)
class Asked:
    """A form in one unit, as the page shows it.

    Attributes:
        title: which form, in words.
        unreadable: how many wrote answers of which none can be read.
        figures: of those who answered; `None` where nobody did.
        doubts: what looks wrong.
        gain: against the form before; `None` for that form itself, and where nobody answered both.
    """

    title: str
    unreadable: int
    figures: FormFigures | None
    doubts: Sequence[Doubt]
    gain: Gain | None


@dataclass(frozen=True)
class Section:
    """The part of the page on the inventory.

    Attributes:
        items: the questions.
        asked: each form that somebody answered.
        fewest: below so many people nothing is said of single questions.
        chance: how many right answers are above chance, of all.
    """

    items: Sequence[items.Item]
    asked: Sequence[Asked]
    fewest: int = FEWEST
    chance: int = enough_of(items.COUNT)


def section(config: Any) -> Section | None:
    """What the page shows of the inventory; `None` where no cell has answers, or there are no questions.

    Args:
        config: the course's settings, see `grading.submission.settings`.
    """
    taken = [one for unit in ASKED if (one := of_unit(config, unit)).answers or one.unreadable]
    if not taken or not items.FILE.is_file():
        return None
    before = {
        name: said for one in taken if ASKED[one.unit] == "before" for name, said in one.answers.items()
    }
    return Section(items.read(), [_asked(one, before) for one in taken])


def _asked(taken: Taken, before: Mapping[str, Choices]) -> Asked:
    when, people = ASKED[taken.unit], list(taken.answers.values())
    both = [name for name in taken.answers if name in before] if when != "before" else []
    title = f"{'Before' if when == 'before' else 'After, in'} unit {taken.unit[:2]}"
    figures = of_form(people) if people else None
    return Asked(
        title,
        taken.unreadable,
        figures,
        doubts(people, figures) if people else [],
        gain([before[name] for name in both], [taken.answers[name] for name in both]) if both else None,
    )


def of_unit(config: Any, unit: str) -> Taken:
    """What everybody's notebook of a unit says; a hand-in that came later has replaced an earlier one."""
    taken = Taken(unit)
    for student in submission.submitted(config, unit):
        places = submission.folders(config, unit, student)
        folder = Path(places.format_path(places.submitted_directory, student, unit))
        try:
            cells = reading.read(folder / f"{unit}.ipynb").cells
        except (OSError, reading.Unreadable):  # grading says so
            continue
        written = [said for cell in cells if cell.cell_type == "code" for said in calls(cell.source)]
        texts = [answers for when, answers in written if when == ASKED[unit] and _is_answered(answers)]
        chosen = [one for text in texts if (one := _marked(ASKED[unit], text)) is not None]
        if chosen:
            taken.answers[student] = chosen[-1]
        taken.unreadable += bool(texts and not chosen)
    return taken


def calls(source: str) -> Iterator[tuple[str, str]]:
    """The two texts of each `inventory("before", "abdc-...")` in a cell, in their order there."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what a learner's text escapes
            tree = ast.parse(python(source[:LONGEST]))
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_ours(node.func)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in sorted(found, key=lambda one: (one.lineno, one.col_offset)):
        given = [*node.args, *(one.value for one in node.keywords)]
        texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if len(given) == len(texts) == 2:
            form, answers = texts if texts[0] in SEEDS else texts[::-1]
            yield form, answers


def _is_ours(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == CALL


def _is_answered(text: str) -> bool:
    """Whether somebody wrote a letter: a text of dots and lines is what one begins with."""
    return any(letter.isalnum() for letter in text)


def _marked(when: str, text: str) -> Choices | None:
    try:
        return marked(when, text)
    except BadArgument:
        return None
