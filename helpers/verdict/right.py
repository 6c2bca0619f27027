"""What a passed check draws: that it is right, what was tried, what the code can now do, and what is next.

The same frame as the panel of a failing check, in green and of a few lines. As text it is the one line that
a check has always printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from helpers.exercises.base import Case, Exercise
from helpers.verdict.drawn import RIGHT, framed, in_html
from helpers.verdict.found import Verdict
from helpers.verdict.judge import right_result
from helpers.verdict.telling import praise
from helpers.verdict.tried import tried

TINT = "; background: rgba(58, 145, 67, 0.04)"
"""Of the whole panel: a hint of the colour at its left, so faint that links on it can be read."""


@dataclass(frozen=True)
class Standing:
    """How far a unit is, and what comes next in it.

    Attributes:
        passed: how many of its exercises are passed.
        exercises: how many it has.
        next: a sentence: the next exercise and where, or the next unit.
        link: a place in that sentence and an address: where they are given, the words lead there.
    """

    passed: int
    exercises: int
    next: str
    link: tuple[str, str] | None = None

    def html(self) -> str:
        """The line, with a dot for each exercise."""
        dots = "".join("●" if place < self.passed else "○" for place in range(self.exercises))
        said = in_html(self.next)
        if self.link:
            words, address = (in_html(one) for one in self.link)
            said = said.replace(words, f'<a href="{address}">{words}</a>', 1)
        row = f'<span aria-hidden="true" style="letter-spacing: 2px">{dots}</span>'
        return f"{row} {self.passed} of {self.exercises} in this unit. {said}"


@dataclass(frozen=True)
class Right:
    """A passed check, drawn.

    Attributes:
        text: what is printed where nothing is drawn.
        title: the first sentence.
        able: what the learner's code can do now, or `""`.
        lines: what is said below it.
        standing: how far the unit is, where that is known.
    """

    text: str
    title: str
    able: str
    lines: tuple[str, ...]
    standing: Standing | None = None

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        title = f'<b><span aria-hidden="true">✓</span> {in_html(self.title)}</b>'
        said = [f"{title} {in_html(self.able)}".strip(), *map(in_html, self.lines)]
        said += [self.standing.html()] if self.standing else []
        close = "margin: 6px 0"
        return framed("".join(f'<p style="{close}">{one}</p>' for one in said), RIGHT, TINT)


def right(
    exercise: Exercise,
    verdict: Verdict,
    cases: Sequence[Case],
    *,
    able: str = "",
    standing: Standing | None = None,
) -> Right:
    """The panel of a passed check.

    Args:
        exercise: its record.
        verdict: what the check found.
        cases: the calls that it made.
        able: what the learner's code can do now, or `""`.
        standing: how far the unit is, where that is known.
    """
    rights = () if exercise.lineup else [right_result(exercise, case) for case in cases]
    lines = tuple(filter(None, (verdict.remark, verdict.tally, tried(exercise, cases, rights))))
    title = f"{exercise.name} is right{' so far' if verdict.so_far else ''}."
    return Right(praise(exercise.name, verdict), title, able, lines, standing)


def unseen(name: str, verdict: Verdict) -> Right:
    """The panel of a passed check on hidden inputs, of which no number and no kind is told."""
    title = f"{name} is right{' so far' if verdict.so_far else ''} on inputs that stay hidden, too."
    return Right(praise(name, verdict), title, "", tuple(filter(None, (verdict.remark, verdict.tally))))
