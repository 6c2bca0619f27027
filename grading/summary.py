"""How the class did: tables of marks, what went wrong most, and who is worth a look."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grading import report
from grading.said import sentence
from grading.term import ledger
from grading.term.by_hand import ByHand
from grading.term.gradebook import Standing, notes
from grading.term.late import Lateness
from grading.term.requests import Request
from grading.term.roster import Roster

MOST_MISTAKES = 8
MOST_STUDENTS = 40
"""Of larger classes the marks are in the export alone."""


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Class:
    """What the gradebook says after grading.

    Attributes:
        standings: of everybody who has handed in.
        of: the most points of each exercise.
        people: the roster, and who is not on it.
        changed: marks that were another one before.
        lateness: of each hand-in with a time, by student.
        elsewhere: marks of other units that were another one before, by unit.
        lost: what was given by hand and is not in this gradebook any more.
        marked_by: who marks whom, by student; empty where one person does.
        requests: regrade requests that are open.
    """

    standings: Mapping[str, Standing]
    of: Mapping[str, float]
    people: Roster
    changed: Sequence[ledger.Change]
    lateness: Mapping[str, Lateness] = field(default_factory=dict)
    elsewhere: Mapping[str, Sequence[ledger.Change]] = field(default_factory=dict)
    lost: Sequence[ByHand] = ()
    marked_by: Mapping[str, str] = field(default_factory=dict)
    requests: Sequence[Request] = ()


@dataclass(frozen=True)
class Outcome:
    """How a unit went, in numbers.

    Attributes:
        unit: which one.
        handed_in: how many submissions there are.
        marked: how many have a mark.
        mean: of the marks; `None` where there is none.
        of: the most points.
        missing: how many on the roster handed in nothing.
        late: how many came late, also where late days made up for it.
        by_hand: how many marks a human changed.
        flagged: how many are worth a look.
        changed: how many marks were another one before.
    """

    unit: str
    handed_in: int
    marked: int
    mean: float | None
    of: float
    missing: int
    late: int
    by_hand: int
    flagged: int
    changed: int

    @property
    def code(self) -> int:
        """0 when every submission has a mark, else 1."""
        return 1 if self.marked < self.handed_in else 0


GONE = 'Given by hand, and not in this gradebook any more (an older copy?); ARGS="--by-hand" gives it again:'

NOTHING = Class({}, {}, Roster(frozenset(), {}, {}, ()), ())
"""A class of which the gradebook knows nothing."""


def plain(text: str) -> Text:
    """A learner's word: no markup, nothing that a terminal obeys."""
    return Text(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text).encode("utf-8", "replace").decode())


def show(
    console: Console, course: Path, unit: str, students: Sequence[str], found: Class = NOTHING
) -> Outcome:
    """Print the summary of a unit, and return it in numbers."""
    reports = [one for student in students if (one := report.read(course, unit, student))]
    standings = {student: one for student, one in found.standings.items() if one.mark is not None}
    if standings:
        console.print(_exercises(unit, standings, found.of))
        _each(console, standings, found.of, found.lateness)
    _mistakes(console, [one for one in reports if not one.reason])
    follow_on = Counter(name for one in reports for name in one.follow_on)
    _names(console, "Failed only through an earlier answer:", [f"{one} {n}" for one, n in follow_on.items()])
    _list(console, "Changed marks:", [(one.student, [str(one)]) for one in found.changed])
    for other, changes in found.elsewhere.items():
        _list(console, f"Changed marks of {other}:", [(one.student, [str(one)]) for one in changes])
    set_aside = [(one.student, texts) for one in reports if (texts := _still_open(one, standings))]
    _list(console, "Handed in anew, so what was given by hand is set aside:", set_aside)
    _list(console, GONE, [(one.student, [str(one)]) for one in found.lost])
    _list(console, "No mark, and why:", [(one.student, [one.reason]) for one in reports if one.reason])
    near = {one: f"nearest there: {name}" if name else "" for one, name in found.people.strangers.items()}
    _list(console, "Not on the roster:", [(one, [text]) for one, text in near.items()])
    _list(console, "Skipped at collect:", [(one, [why]) for one, why in found.people.left_out.items()])
    _names(console, "On the roster, but nothing handed in:", found.people.silent)
    by_marker: dict[str, list[str]] = {}
    for name, one in standings.items():
        if one.wants_human:
            by_marker.setdefault(found.marked_by.get(name, ""), []).append(name)
    for marker, names in sorted(by_marker.items()):
        _names(console, f"To be looked at in Formgrader{f', by {marker}' if marker else ''}:", names)
    _list(
        console, "Regrade requests, not yet decided:", [(one.student, [str(one)]) for one in found.requests]
    )
    flagged = [one for one in reports if one.flags and not _is_decided(one, standings)]
    _list(console, "Worth a look:", [(one.student, one.flags) for one in flagged])
    _list(console, "Repaired:", [(one.student, one.remarks) for one in reports if one.remarks])
    marked = sum(not one.reason for one in reports)
    console.print(
        f"{marked} of {len(students)} have a mark. Reports: {report.FOLDER}/{unit}/.", highlight=False
    )
    marks = [one.mark for one in standings.values() if one.mark is not None]
    late = {name for name, one in found.lateness.items() if one.is_late}
    return Outcome(
        unit,
        len(students),
        marked,
        sum(marks) / len(marks) if marks else None,
        sum(found.of.values()),
        len(found.people.silent),
        sum(bool(one.late) or name in late for name, one in standings.items()),
        sum(one.overridden for one in standings.values()),
        len(flagged),
        len(found.changed),
    )


def _is_decided(one: report.Report, standings: Mapping[str, Standing]) -> bool:
    known = standings.get(one.student)
    return known is not None and one.is_decided(known.by_hand)


def _still_open(one: report.Report, standings: Mapping[str, Standing]) -> list[str]:
    """What was set aside and nobody has given points to since."""
    known = standings.get(one.student)
    if known is None or not known.wants_human:
        return []
    return [text for text in one.set_aside if text.partition(":")[0] not in known.by_hand]


def overview(console: Console, outcomes: Sequence[Outcome]) -> None:
    """A line for each unit, whose name is never cut, in the 80 columns of a pipe or a log."""
    table = Table(title="All units", title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column("unit", no_wrap=True, min_width=max(len(one.unit) for one in outcomes))
    heads = ("handed\nin", "marks", "mean", "of", "not\nin", "late", "by\nhand", "worth\na look", "new\nmark")
    for column in heads:
        table.add_column(column, justify="right", vertical="bottom")
    for one in outcomes:
        mean = "" if one.mean is None else f"{one.mean:.2f}"
        counts = (one.missing, one.late, one.by_hand, one.flagged, one.changed)
        cells = (one.unit, str(one.handed_in), str(one.marked), mean, f"{one.of:g}", *map(str, counts))
        table.add_row(*cells)
    console.print(table)


def _exercises(unit: str, standings: Mapping[str, Standing], of: Mapping[str, float]) -> Table:
    table = Table(title=f"{unit}: {len(standings)} marks", title_justify="left")
    table.add_column("exercise")
    for column in ("right", "points", "of"):
        table.add_column(column, justify="right")
    count = len(standings)
    for name, most in of.items():
        points = [one.points.get(name) or 0.0 for one in standings.values()]
        right = sum(got >= most for got in points)
        share = f"{right}/{count}" if most else ""  # dropped
        table.add_row(name, share, f"{sum(points) / count:.2f}", f"{most:g}")
    penalties = sum(one.penalty for one in standings.values())
    if penalties:
        table.add_row("taken off for lateness", "", f"{-penalties / count:.2f}", "")
    whole = sum(one.mark or 0.0 for one in standings.values()) / count
    table.add_row("mean mark", "", f"{whole:.2f}", f"{sum(of.values()):g}")
    return table


def _each(
    console: Console,
    standings: Mapping[str, Standing],
    of: Mapping[str, float],
    lateness: Mapping[str, Lateness],
) -> None:
    """The mark of everybody; of a large class, where to find it."""
    if len(standings) > MOST_STUDENTS:
        console.print(f"The marks of all {len(standings)}: `make export` writes them to marks.csv.")
        noted = {student: "; ".join(notes(one, lateness.get(student))) for student, one in standings.items()}
        said = [(student, [text]) for student, text in sorted(noted.items()) if text]
        _list(console, "Late, or changed by hand:", said)
        return
    table = Table(title=f"Marks, of {sum(of.values()):g}", title_justify="left")
    table.add_column("student", overflow="fold")
    table.add_column("mark", justify="right")
    table.add_column("notes")
    for student, one in sorted(standings.items()):
        table.add_row(plain(student), f"{one.mark:g}", "; ".join(notes(one, lateness.get(student))))
    console.print(table)


def _mistakes(console: Console, graded: Sequence[report.Report]) -> None:
    mistakes = Counter((name, id_) for one in graded for name, id_ in one.named.items())
    if not mistakes:
        return
    says = {(name, id_): sentence(one, name) for one in graded for name, id_ in one.named.items()}
    table = Table(title="What the class gets wrong", title_justify="left")
    table.add_column("exercise")
    table.add_column("mistake")
    table.add_column("learners", justify="right")
    for mistake, count in mistakes.most_common(MOST_MISTAKES):
        table.add_row(mistake[0], plain(says[mistake]), str(count))
    console.print(table)


def _names(console: Console, title: str, names: Iterable[str]) -> None:
    if joined := ", ".join(names):
        console.print(plain(f"{title} {joined}"), highlight=False, soft_wrap=True)


def _list(console: Console, title: str, items: Sequence[tuple[str, Sequence[str]]]) -> None:
    if items:
        console.print(title, style="bold")
    for student, texts in items:
        for text in texts:
            line = f"  {student}: {text}" if text else f"  {student}"
            console.print(plain(line), highlight=False, soft_wrap=True)
