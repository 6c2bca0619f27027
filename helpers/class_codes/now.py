"""`class_now`: how a class stands, from the codes that its learners have posted or the hub has gathered."""

import html
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from helpers.class_codes.counts import UnitNow, counted
from helpers.class_codes.folder import VARIABLE, file_of_the_class
from helpers.class_codes.found import found_in
from helpers.class_codes.tables import table_of
from helpers.errors import BadArgument
from helpers.verdict.drawn import in_html

HOURS = 4.0
WHOSE = len("5A7K-7H2M")
"""So many letters of a code say which unit and which learner it is of."""


def class_now(text: str | None = None, *, hours: float = HOURS) -> "ClassNow":
    """Show how a class stands: who is how far, by exercise, and which mistakes are made now.

    Args:
        text: everything the class posted, with the codes that `share()` prints in it, between `r\"\"\"` and
            `\"\"\"`; left out on a hub, where each check may send the code by itself.
        hours: on a hub, how old a code may be.

    Raises:
        BadArgument: when there is no text, and this is no hub that gathers codes; or `hours` is no number.
    """
    if text is None:
        text = _sent(hours)
        if not text:
            return ClassNow((), (f"No check has sent a code in the last {hours:g} hours.",))
    elif not isinstance(text, str):
        raise BadArgument(
            f"class_now takes the text that the class posted, in quotes; got {type(text).__name__}"
        )
    found = found_in(text)
    units = counted(found, {unit: table_of(unit) for unit in found.learners})
    return ClassNow(tuple(units), tuple(found.notes))


def _sent(hours: Any) -> str:
    """What checks have written into the hub's file in the last hours."""
    file = file_of_the_class()
    if file is None:
        raise BadArgument(
            'paste what the class posted, between r""" and """: class_now(r"""..."""). Without it class_now '
            f"reads what a hub gathers, and {VARIABLE} is not set here"
        )
    if isinstance(hours, bool) or not isinstance(hours, int | float) or not hours > 0:
        raise BadArgument(f"hours should be a number above 0; got {hours!r}")
    since = datetime.now(UTC) - timedelta(hours=hours)
    try:
        lines = file.read_text("utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        raise BadArgument(f"no check has sent a code yet: there is no {file}") from None
    except OSError as error:
        raise BadArgument(f"{file} cannot be read ({error.strerror}): only the instructor can") from None
    sent = [line.partition(" ")[2] for line in lines if _at(line) >= since]
    last = {code[:WHOSE]: code for code in sent}
    return "\n".join(last.values())


def _at(line: str) -> datetime:
    """When a line was written; one that does not say so is left out."""
    try:
        at = datetime.fromisoformat(line.partition(" ")[0])
    except ValueError:
        at = datetime.min
    return at if at.tzinfo else at.replace(tzinfo=UTC)


@dataclass(frozen=True)
class ClassNow:
    """What `class_now` shows.

    Attributes:
        units: how the learners of each unit stand.
        notes: what was wrong with what was pasted, a sentence each.
    """

    units: tuple[UnitNow, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([*(line for unit in self.units for line in _lines(unit)), *self.notes])

    def _repr_html_(self) -> str:
        parts = [part for unit in self.units for part in _drawn(unit)]
        return "".join([*parts, *(f"<p>{html.escape(note)}</p>" for note in self.notes)])


def _headed(unit: UnitNow) -> str:
    return f"{unit.title}: {unit.learners} learner{'s' * (unit.learners != 1)}"


def _lines(unit: UnitNow) -> Iterator[str]:
    yield f"{_headed(unit)}."
    yield from map(str, unit.said)
    for row in unit.rows:
        yield f"{row.number} {row.exercise}: {row.passed} passed, {row.tried} tried, {row.untouched} not yet."


def _drawn(unit: UnitNow) -> Iterator[str]:
    yield f"<p><strong>{html.escape(_headed(unit))}</strong></p>"
    if unit.said:
        yield f"<ul>{''.join(f'<li>{in_html(str(one))}</li>' for one in unit.said)}</ul>"
    heads = "".join(_cell("th", word, "col") for word in ("exercise", "passed", "tried", "not yet"))
    rows = "".join(
        f"<tr>{_cell('th', f'{row.number} {row.exercise}', 'row')}"
        f"{_cell('td', row.passed)}{_cell('td', row.tried)}{_cell('td', row.untouched)}</tr>"
        for row in unit.rows
    )
    head, body = f"<thead><tr>{heads}</tr></thead>", f"<tbody>{rows}</tbody>"
    yield f'<table style="width: auto; margin: 0">{head}{body}</table>'


def _cell(tag: str, text: Any, scope: str = "") -> str:
    named = f' scope="{scope}"' if scope else ""
    return f'<{tag}{named} style="text-align: left; padding: 3px 10px">{html.escape(str(text))}</{tag}>'
