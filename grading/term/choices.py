"""What an instructor chose for a term: `term.toml` in the course folder, which git does not track."""

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers.errors import OneSentence

FILE = "term.toml"
EARNS = ("flag", "zero")
"""What a right answer earns that calls the whole answer, or has code that no answer needs."""
FOLLOWS = ("flag", "full")
"""What an answer earns that fails only because another of the same learner is wrong."""

_TABLES = {
    "due": ("a unit", "2027-01-17T23:59:00+01:00"),
    "extensions": ("a unit", "{ ada = 3 }"),
    "late": ("days or take_off", "2"),
    "marks": ("whole_answer, unneeded_code or follow_on", "'zero'"),
    "nbgrader": ("a class of nbgrader's or the grader's", "{ notebook_seconds = 600 }"),
}


class BadChoice(OneSentence, ValueError):
    """`term.toml` has something that it cannot have; the message names the place and what belongs there."""


@dataclass(frozen=True)
class Choices:
    """A term.

    Attributes:
        due: when each unit is due, in UTC without a zone, as nbgrader keeps it.
        extensions: days more for a student, by unit.
        late_days: days that each student may be late in the whole term.
        take_off: share of the mark that is taken off for each further day begun.
        whole_answer: `"flag"` or `"zero"`: what a right answer earns that calls the whole answer.
        unneeded_code: the same for an answer with code that no answer needs.
        follow_on: `"flag"` or `"full"`: what one earns that fails only because another of the learner's does.
        nbgrader: more of nbgrader's settings, by class.
    """

    due: Mapping[str, datetime.datetime] = field(default_factory=dict)
    extensions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    late_days: int = 0
    take_off: float = 0.0
    whole_answer: str = "flag"
    unneeded_code: str = "flag"
    follow_on: str = "flag"
    nbgrader: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read(course: Path) -> Choices:
    """The choices of a course folder; without a file those that nobody has to make.

    Raises:
        BadChoice: with the place in the file, what belongs there and what stands there.
    """
    path = course / FILE
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Choices()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadChoice(f"{FILE} cannot be read: {error}.") from None
    for name, table in content.items():
        if name not in _TABLES:
            raise _bad(name, f"one of the tables {', '.join(_TABLES)}", "another one")
        if not isinstance(table, dict):
            raise _bad(name, f"a table, whose lines are such as {_TABLES[name][1]}", table)
    late, marks = content.get("late", {}), content.get("marks", {})
    _known(late, "late", ("days", "take_off"))
    _known(marks, "marks", ("whole_answer", "unneeded_code", "follow_on"))
    due = {unit: _moment(unit, when) for unit, when in content.get("due", {}).items()}
    late_days = _number(late.get("days", 0), "late.days", "a whole number of days, 0 or more")
    if late_days != int(late_days):
        raise _bad("late.days", "a whole number of days, 0 or more", late_days)
    if late_days and not due:
        raise BadChoice(f"{FILE}: late.days needs to know when units are due: add a table [due].")
    return Choices(
        due,
        {unit: _days(unit, given, due) for unit, given in content.get("extensions", {}).items()},
        int(late_days),
        _number(late.get("take_off", 0.0), "late.take_off", "a share of the mark, from 0 to 1", 1.0),
        _one_of(marks, "whole_answer"),
        _one_of(marks, "unneeded_code"),
        _one_of(marks, "follow_on", FOLLOWS),
        {name: _settings(name, given) for name, given in content.get("nbgrader", {}).items()},
    )


def apply(config: Any, course: Path) -> None:
    """Put the choices into nbgrader's settings; `nbgrader_config.py` calls it last.

    Raises:
        BadChoice: see `read`.
    """
    chosen = read(course)
    config.SandboxExecute.whole_answer = chosen.whole_answer
    config.SandboxExecute.unneeded_code = chosen.unneeded_code
    config.SandboxExecute.follow_on = chosen.follow_on
    if chosen.take_off:
        config.AssignLatePenalties.plugin_class = "grading.term.late.TakeOff"
        config.TakeOff.share = chosen.take_off
    for name, given in chosen.nbgrader.items():
        config[name].update(given)


def _bad(place: str, expected: str, came: Any) -> BadChoice:
    return BadChoice(f"{FILE}: {place}: expected {expected}; got {came}.")


def _known(table: Mapping[str, Any], place: str, names: tuple[str, ...]) -> None:
    for name in table:
        if name not in names:
            raise _bad(f"{place}.{name}", " or ".join(f"{place}.{one}" for one in names), name)


def _moment(unit: str, when: Any) -> datetime.datetime:
    if not isinstance(when, datetime.datetime) or when.tzinfo is None:
        example = _TABLES["due"][1]
        raise _bad(f"due.{unit}", f"a date, a time and its zone, such as {example}", when)
    return when.astimezone(datetime.UTC).replace(tzinfo=None)


def _days(unit: str, given: Any, due: Mapping[str, Any]) -> dict[str, float]:
    if not isinstance(given, dict):
        raise _bad(f"extensions.{unit}", "days by student, such as { ada = 3 }", given)
    if unit not in due:
        raise BadChoice(f"{FILE}: extensions.{unit}: say when {unit} is due, in the table [due].")
    return {
        student: _number(days, f"extensions.{unit}.{student}", "a number of days")
        for student, days in given.items()
    }


def _number(value: Any, place: str, expected: str, most: float = 1e4) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise _bad(place, expected, repr(value))
    return float(value)


def _one_of(marks: Mapping[str, Any], name: str, known: tuple[str, ...] = EARNS) -> str:
    value = marks.get(name, "flag")
    if value not in known:
        raise _bad(f"marks.{name}", " or ".join(f'"{one}"' for one in known), repr(value))
    return str(value)


def _settings(name: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise _bad(f"nbgrader.{name}", f"settings of that class, such as {_TABLES['nbgrader'][1]}", given)
    return given
