"""What an instructor chose for a term: `term.toml` in the course folder, which git does not track."""

import datetime
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grading.course_folder import units_of
from grading.trouble import meant
from helpers.errors import OneSentence

FILE = "term.toml"
EARNS = ("flag", "zero")
"""What a right answer earns that calls the whole answer, or has code that no answer needs."""
FOLLOWS = ("flag", "full")
"""What an answer earns that fails only because another of the same learner is wrong."""

OF_UNITS = ("due", "extensions", "points", "exercises", "groups")
"""Tables whose lines begin with a unit."""

INSTEAD = ("drop", "give")
"""What becomes of an exercise for everybody: it does not count, or whoever handed in gets its points."""

_TABLES = {
    "due": ("a unit", "2027-01-17T23:59:00+01:00"),
    "extensions": ("a unit", "{ ada = 3 }"),
    "points": ("a unit", "{ softmax = 5 }"),
    "exercises": ("a unit", '{ softmax = "drop" }'),
    "graders": ("a person", '["Monday"]'),
    "groups": ("a unit", '{ team1 = ["ada", "ben"] }'),
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
        points: of an exercise instead of those in its notebook, by unit.
        exercises: `"drop"` or `"give"`, by unit and exercise, see `INSTEAD`.
        graders: the sections that each person marks.
        late_days: days that each student may be late in the whole term.
        take_off: share of the mark that is taken off for each further day begun.
        whole_answer: `"flag"` or `"zero"`: what a right answer earns that calls the whole answer.
        unneeded_code: the same for an answer with code that no answer needs.
        follow_on: `"flag"` or `"full"`: what one earns that fails only because another of the learner's does.
        nbgrader: more of nbgrader's settings, by class.
        groups: who hands in together, by unit and by the group's name.
    """

    due: Mapping[str, datetime.datetime] = field(default_factory=dict)
    extensions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    points: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    exercises: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    graders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    late_days: int = 0
    take_off: float = 0.0
    whole_answer: str = "flag"
    unneeded_code: str = "flag"
    follow_on: str = "flag"
    nbgrader: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def named(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The tables that name students, with their place in the file."""
        yield from ((f"extensions.{unit}", given) for unit, given in self.extensions.items())


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
    there = units_of(course)
    for name in OF_UNITS:
        for unit in content.get(name, {}):
            if there and unit not in there:
                near = meant(unit, there, f"; the units are {', '.join(there)}.", 0.5)
                raise BadChoice(f"{FILE}: {name}.{unit}: there is no unit {unit}{near}")
    return Choices(
        due,
        {unit: _days(unit, given, due) for unit, given in content.get("extensions", {}).items()},
        {unit: _points(unit, given) for unit, given in content.get("points", {}).items()},
        {unit: _instead(unit, given) for unit, given in content.get("exercises", {}).items()},
        {name: _sections(name, given) for name, given in content.get("graders", {}).items()},
        int(late_days),
        _number(late.get("take_off", 0.0), "late.take_off", "a share of the mark, from 0 to 1", 1.0),
        _one_of(marks, "whole_answer"),
        _one_of(marks, "unneeded_code"),
        _one_of(marks, "follow_on", FOLLOWS),
        {name: _settings(name, given) for name, given in content.get("nbgrader", {}).items()},
        {unit: _groups(unit, given) for unit, given in content.get("groups", {}).items()},
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


def _points(unit: str, given: Any) -> dict[str, float]:
    return {
        name: _number(points, f"points.{unit}.{name}", "a number of points, 0 or more")
        for name, points in _of_exercises("points", unit, given).items()
    }


def _instead(unit: str, given: Any) -> dict[str, str]:
    for name, what in _of_exercises("exercises", unit, given).items():
        if what not in INSTEAD:
            raise _bad(f"exercises.{unit}.{name}", " or ".join(f'"{one}"' for one in INSTEAD), repr(what))
    return dict(given)


def _of_exercises(table: str, unit: str, given: Any) -> Mapping[str, Any]:
    """A table by exercise; which there are, a unit's notebook says: see `chosen_points`."""
    if not isinstance(given, dict):
        raise _bad(f"{table}.{unit}", f"a table by exercise, such as {_TABLES[table][1]}", given)
    return given


def _sections(name: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise _bad(f"graders.{name}", f"a list of sections, such as {_TABLES['graders'][1]}", given)
    return tuple(given)


def _groups(unit: str, given: Any) -> dict[str, tuple[str, ...]]:
    place = f"groups.{unit}"
    if not isinstance(given, dict):
        raise _bad(place, f"ids by the group's name, such as {_TABLES['groups'][1]}", given)
    of: dict[str, str] = {}
    for name, ids in given.items():
        if not isinstance(ids, list) or len(ids) < 2 or not all(isinstance(one, str) for one in ids):
            raise _bad(f"{place}.{name}", 'a list of two ids or more, such as ["ada", "ben"]', ids)
        for one in ids:
            if of.setdefault(one, name) != name or ids.count(one) > 1:
                raise _bad(
                    f"{place}.{name}", "each student in one group, once", f"{one}, who is in {of[one]}"
                )
    return {name: tuple(ids) for name, ids in given.items()}


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
