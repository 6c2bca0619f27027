"""The numbers of the page: what the gradebook and the reports say of each unit, and what they said before."""

import datetime
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grading import report
from grading.said import sentence
from grading.term import choices, collected, gradebook, ledger
from grading.term.late import Lateness

SNAPSHOTS = "reports/analytics.jsonl"
BARS = 10
MOST_MISTAKES = 12


@dataclass
class Mistake:
    """One mistake of one exercise.

    Attributes:
        exercise: its name.
        says: the sentence that learners read.
        students: who made it.
    """

    exercise: str
    says: str
    students: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ExerciseFigures:
    """How an exercise went.

    Attributes:
        name: its name.
        tried: how many gave an answer.
        passed: how many have all its points; of one that was dropped, how many have it right.
        of: how many were graded.
        points: the most.
        before: the share that passed at an earlier run; `None` where there was none.
        follow_on: how many are not right through an earlier answer alone.
        instead: `"drop"` or `"give"`, where `term.toml` says so.
    """

    name: str
    tried: int
    passed: int
    of: int
    points: float
    before: float | None
    follow_on: int = 0
    instead: str = ""

    @property
    def share(self) -> float:
        """The share that passed."""
        return self.passed / self.of if self.of else 0.0


@dataclass(frozen=True)
class UnitFigures:
    """How a unit went.

    Attributes:
        unit: which one.
        marks: all marks that there are, in order.
        of: the most points.
        handed_in: how many submissions there are.
        again: how many handed in more than once.
        late: how many came late, also where late days made up for it.
        exercises: in the order of the notebook.
        mistakes: the commonest first.
        since: day and time of the earlier run; empty where there was none.
    """

    unit: str
    marks: Sequence[float]
    of: float
    handed_in: int
    again: int
    late: int
    exercises: Sequence[ExerciseFigures]
    mistakes: Sequence[Mistake]
    since: str

    @property
    def mean(self) -> float:
        """Of the marks."""
        return sum(self.marks) / len(self.marks)

    @property
    def bars(self) -> list[tuple[str, str, int]]:
        """Where each tenth of the points begins and ends, and how many marks lie in it."""
        counts = [0] * BARS
        for mark in self.marks:
            counts[min(BARS - 1, int(mark / self.of * BARS)) if self.of else 0] += 1
        edges = [self.of * part / BARS for part in range(BARS + 1)]
        return [(f"{edges[i]:.3g}", f"{edges[i + 1]:.3g}", count) for i, count in enumerate(counts)]


def of_unit(book: Any, course: Path, unit: str, lateness: Mapping[str, Lateness]) -> UnitFigures | None:
    """The figures of a unit; `None` where nobody has a mark."""
    standings = {name: one for name, one in gradebook.standings(book, unit).items() if one.mark is not None}
    if not standings:
        return None
    most, there = gradebook.most(book, unit), collected.remembered(course, unit)
    late = {name for name, one in there.items() if one.late}
    late |= {name for name, one in lateness.items() if one.is_late}
    reports = [one for name in standings if (one := report.read(course, unit, name)) and not one.reason]
    instead = choices.read(course).exercises.get(unit, {})
    passed = {
        name: sum(name not in (*one.says, *one.blank) for one in reports)
        if instead.get(name) == "drop"
        else sum((one.points.get(name) or 0.0) >= points for one in standings.values())
        for name, points in most.items()
    }
    earlier = _earlier(course, unit, {name: count / len(standings) for name, count in passed.items()})
    exercises = [
        ExerciseFigures(
            name,
            len(standings) - sum(name in one.blank for one in reports),
            passed[name],
            len(standings),
            points,
            earlier.get("passed", {}).get(name),
            sum(name in one.follow_on for one in reports),
            instead.get(name, ""),
        )
        for name, points in most.items()
    ]
    return UnitFigures(
        unit,
        sorted(one.mark for one in standings.values() if one.mark is not None),
        sum(most.values()),
        len(standings),
        sum(count > 1 for count in ledger.hand_ins(course, unit).values()),
        sum(bool(one.late) or name in late for name, one in standings.items()),
        exercises,
        _mistakes(reports),
        earlier.get("time", "")[:16].replace("T", " "),
    )


def _mistakes(reports: Sequence[report.Report]) -> list[Mistake]:
    """Those with a name; one sentence stands for all that have the same."""
    found: dict[tuple[str, str], Mistake] = {}
    for one in reports:
        for exercise, known in one.named.items():
            says = sentence(one, exercise)
            found.setdefault((exercise, known), Mistake(exercise, says)).students.append(one.student)
    return sorted(found.values(), key=lambda one: (-len(one.students), one.exercise, one.says))[
        :MOST_MISTAKES
    ]


def _earlier(course: Path, unit: str, passed: Mapping[str, float]) -> dict[str, Any]:
    """The last snapshot of a unit that is another one than now; now is kept when it is new."""
    path, kept = course / SNAPSHOTS, defaultdict(list)
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            one = json.loads(line)
            kept[one["unit"]].append(one)
    now = {
        "unit": unit,
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="minutes"),
        "passed": passed,
    }
    if not kept[unit] or kept[unit][-1]["passed"] != passed:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(now) + "\n")
    return next((one for one in reversed(kept[unit]) if one["passed"] != passed), {})
