"""What a check found, as the verdict says it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.exercises.base import Case
from helpers.exercises.compare import Difference, agree
from helpers.text import decimals_apart, table
from helpers.verdict.roster import Roster
from helpers.verdict.wording import THEIRS, label


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes:
        passed: whether every case is right.
        lines: the sentences the learner reads, the hint left out; empty when passed.
        misconception: id of the recognised mistake, or `None`.
        hint: what to look at next.
        remark: said of an answer that passes by calling a library function that is the whole answer.
        problem: how the result differs in the case that the sentences are about.
        case: that case.
        results: each result of it, the right one and the learner's as it was described; nothing where they
            are not built alike.
        general: whether the hint is the exercise's first, which knows nothing of the mistake.
        instructors: whether the sentence and the hint are the instructor's.
        tally: how many impostors an answer that is a test has caught, where it passes.
        so_far: whether it has to catch more for all points.
        roster: whom an answer that is a test has met, and what became of each.
    """

    passed: bool
    lines: tuple[str, ...] = ()
    misconception: str | None = None
    hint: str = ""
    remark: str = ""
    problem: Difference | None = None
    case: Case | None = None
    results: Sequence[tuple[Any, Mapping[str, Any]]] = ()
    general: bool = False
    instructors: bool = False
    tally: str = ""
    so_far: bool = False
    roster: Roster | None = None

    @property
    def hinted(self) -> str:
        """The hint, with words in front that say whether it is about the mistake."""
        return f"{self.label}: {self.hint}"

    @property
    def label(self) -> str:
        """What stands before the hint."""
        return THEIRS if self.instructors else label(self.general)

    @property
    def says(self) -> str:
        """All of it as text: the sentences, small arrays, the hint."""
        tables = _tables(self.problem) if self.problem else []
        return "\n".join([*self.lines, *tables, *([self.hinted] if self.problem else [])])


def _tables(problem: Difference) -> list[str]:
    if problem.expected is None or problem.got is None or max(problem.expected.size, problem.got.size) > 24:
        return []
    right, got = problem.expected, problem.got
    alike = right.shape == got.shape
    decimals = decimals_apart(right, got, ~agree(right, got, problem.within)) if alike else 3
    return ["Expected:", table(right, decimals), "Got:", table(got, decimals)]
