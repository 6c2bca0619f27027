"""Run a test cell on the side of the verdict: what it checks is asked of the learner's process.

A test cell comes from the gradebook, not from the learner. It may call `check(...)`, once or more.
"""

import contextlib
import hashlib
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grading.outside.elsewhere import RemoteAnswer, lineup
from grading.outside.observations import Instead, checked, instead
from grading.outside.outputs import as_it_stands, new_output
from grading.outside.processes import Ended, Notebook
from grading.term import secret
from helpers import named_mistakes
from helpers.beside import wire
from helpers.beside.failed_cells import Failed as Stopped
from helpers.beside.probe import observe
from helpers.errors import CheckFailed, OneSentence
from helpers.exercises import find
from helpers.exercises.base import Exercise, asking, draw_cases
from helpers.exercises.impostors import Lineup
from helpers.exercises.oracle import one_thread
from helpers.verdict.behaviour import behaviour
from helpers.verdict.instructors import in_their_words
from helpers.verdict.judge import Verdict, judge
from helpers.verdict.panel import panel
from helpers.verdict.right import right, unseen
from helpers.verdict.telling import failure, not_checked, nothing_there, the_same

SEED = 0
"""Of every check without one: the same inputs for everybody, however often a class is graded."""

HOURS = 10_000.0

HIDDEN = "hidden"
"""Where a test cell draws such sizes, library calls are looked for in each of those calls, and in the first
of the others: an answer that is right on inputs that nobody has seen computes them then.  A line-up that
all see is one of these others: it is met once, for the check that asks for a few and for the one for more.
"""

MOST, LARGEST = 4000, 2**16
"""So many verdicts are kept, on observations of so many bytes at most."""


NO_CELL = "No cell of the notebook that was handed in makes it."


class BrokenTest(OneSentence, RuntimeError):
    """The test cell is wrong, not the answer; the message says what to do."""


@dataclass
class Finding:
    """What a check found, for the instructor.

    Attributes:
        exercise: its name.
        passed: whether it is right.
        misconception: id of the recognised mistake.
        library: library calls that are the whole answer, or that hid what was called.
        trouble: why the answer could not be looked at, where it could not.
        says: what is wrong, in a sentence.
        tried: whether there is an answer.
        follow_on: the other answers that alone are why it is not right, see `follow_on.py`.
        group: of a wrong answer on the draw by which behaviours are compared, what it does: see `behaviour`.
        differs: how it differs there, in a sentence.
        told: the instructor's own words, where they were said.
    """

    exercise: str
    passed: bool
    misconception: str | None = None
    library: tuple[str, ...] = ()
    trouble: str = ""
    says: str = ""
    tried: bool = True
    follow_on: tuple[str, ...] = ()
    group: str = ""
    differs: str = ""
    told: str = ""


@dataclass(frozen=True)
class Earns:
    """What a right answer earns that an instructor may not want, see `choices.py`.

    Attributes:
        whole_answer: `"flag"` or `"zero"`, where it calls a library function that is the whole answer.
        unneeded: code that no answer needs, by exercise; where there is some, the answer earns nothing.
    """

    whole_answer: str = "flag"
    unneeded: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def refuses(self, exercise: str, library: Sequence[str]) -> tuple[str, str]:
        """An id and a sentence for the learner, where a right answer earns nothing; else nothing twice."""
        if library and self.whole_answer == "zero":
            called = ", ".join(library)
            return WHOLE_ANSWER, (
                f"Your {exercise} gives the right numbers, but it calls {called}, which is the whole answer. "
                "Here that earns no points: build it from the steps that the task names."
            )
        if what := self.unneeded.get(exercise):
            return UNNEEDED, (
                f"Your {exercise} gives the right numbers, but it holds {', '.join(what)}, which no answer "
                "needs. Here that earns no points: leave it out."
            )
        return "", ""


WHOLE_ANSWER, UNNEEDED = "whole-answer", "unneeded-code"


class Checker:
    """The `check` that test cells call when a class is graded.

    Args:
        notebook: the learner's process.
        key: the course folder's secret; hidden tests draw from it.
        earns: what a right answer earns that an instructor may not want.
        left: the answers whose cells are gone, or as they were released.

    Attributes:
        ended: why the cell of an answer was stopped from outside, by exercise.
        findings: of each check, in order.
    """

    def __init__(
        self,
        notebook: Notebook,
        key: bytes = b"",
        earns: Earns | None = None,
        left: Collection[str] = frozenset(),
    ) -> None:
        self._notebook, self._key, self._earns, self._left = notebook, key, earns or Earns(), left
        self.ended: dict[str, str] = {}
        self._words = named_mistakes.usable()
        self._last: tuple[Any, Any] = (None, None)
        self.findings: list[Finding] = []

    def anew(self) -> "Checker":
        """One that draws the same inputs, and has found nothing yet."""
        return Checker(self._notebook, self._key, self._earns, self._left)

    def run(self, source: str) -> list[Any]:
        """Run a test cell; what a notebook would show, an error where it fails.

        Raises:
            BrokenTest: when the test itself does not work, so that nobody gets 0 points for that.
        """
        self._outputs: list[Any] = []
        self._has_hidden = HIDDEN in source
        printed = io.StringIO()
        error = []
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(source, "<test cell>", "exec"), {"__name__": "__main__", "check": self.check})
        except CheckFailed as failed:
            lines = failed._render_traceback_()
            error = [new_output("error", ename="CheckFailed", evalue=str(failed), traceback=lines)]
        except Exception as problem:
            raise BrokenTest(
                f"a test cell failed by itself with {type(problem).__name__}: {problem}. This is not the "
                "learner's fault: mend the test, which may call check(...) and nothing of the learner's."
            ) from problem
        text = printed.getvalue()
        said = [new_output("stream", name="stdout", text=text)] if text else []
        return [*said, *self._outputs, *error]

    def check(
        self, name: str, *, seed: int = SEED, sizes: str = "visible", caught: int | None = None
    ) -> None:
        """Check one exercise.

        Raises:
            CheckFailed: when the answer is not right.
        """
        exercise = asking(find(name), caught)
        public = sizes == "visible" and not exercise.enough  # whom a test meets when is nobody's to know
        drawn_from = seed if public else secret.seed(self._key, seed)
        cases = draw_cases(exercise, drawn_from, sizes)
        try:
            seen = self._observe(exercise, cases, sizes)
            if isinstance(seen, Instead):
                raise self._nothing_there(exercise, seen)
            verdict = verdict_on(exercise, drawn_from, sizes, seen)
        except (Ended, ValueError) as trouble:
            self.findings.append(Finding(name, False, trouble=str(trouble)))
            raise CheckFailed(f"{name} could not be checked: {trouble}.", name) from None
        library = tuple(seen[0].get("whole_answer", ()))
        refused, why = self._earns.refuses(name, library) if verdict.passed else ("", "")
        if refused:
            self.findings.append(Finding(name, False, refused, library, says=why))
            raise CheckFailed(why, name, refused)
        differs, told = "".join(verdict.lines[-1:]), ""
        group = self._group(exercise, verdict, cases, seen) if public and seed == SEED else ""
        named = None if verdict.misconception else self._words.get((name, group))
        if named:
            verdict, told = in_their_words(exercise, verdict, named), named.text
        says = "".join(verdict.lines[:2][-1:])  # the first line is the same for everybody
        tried = not (name in self._left and any("unanswered" in one for one in seen))
        self.findings.append(
            Finding(
                *(name, verdict.passed, verdict.misconception, library),
                says=says,
                tried=tried,
                group=group,
                differs=differs if group else "",
                told=told,
            )
        )
        if verdict.passed:
            self._show(right(exercise, verdict, cases) if sizes == "visible" else unseen(name, verdict))
            if verdict.roster:
                self._show(verdict.roster)
            return
        again = (
            the_same(name, seed, sizes) if sizes == "visible" else "(More random inputs than you have seen.)"
        )
        drawn = verdict.problem is not None
        if drawn:
            self._show(panel(exercise, verdict, again))
        raise failure(exercise, verdict, again, drawn=drawn)

    def _nothing_there(self, exercise: Exercise, there: Instead) -> CheckFailed:
        """The error where the notebook has nothing of that name: as a learner's own check says it."""
        name = exercise.name
        if name in self.ended:
            says = f"{name} is not checked: the cell with {name} was stopped: {self.ended[name]}."
            error = CheckFailed(says, name, hint=exercise.hints[0])
        elif there.stopped:
            error = not_checked(exercise, Stopped(*there.stopped, left=None, cell=None), again="")
        else:
            error = nothing_there(exercise, there.near, there.note or NO_CELL)
        tried = name not in self._left or bool(there.stopped or there.near)
        self.findings.append(Finding(name, False, says=str(error).split("\n")[0], tried=tried))
        return error

    def _group(self, exercise: Exercise, verdict: Verdict, cases: list[Any], seen: Any) -> str:
        """What a wrong answer does; one that the course names, where the instructor may have named it too."""
        both = any(name == exercise.name for name, _ in self._words)
        if verdict.passed or verdict.problem is None or (verdict.misconception and not both):
            return ""
        try:
            return behaviour(exercise, cases, seen)
        except Exception:  # its process may send anything, and the verdict stands without it
            return ""

    def _show(self, drawing: Any) -> None:
        shown = {"text/html": as_it_stands(drawing._repr_html_()), "text/plain": repr(drawing)}
        self._outputs.append(new_output("display_data", data=shown))

    def _observe(self, exercise: Exercise, cases: list[Any], sizes: str) -> Any:
        request: dict[str, Any] = {
            "exercise": exercise.name,
            "whole_answer": list(exercise.whole_answer),
            "hands_over": "suspect" if exercise.lineup else "attend" if exercise.handed_a_function else "",
            "look_everywhere": sizes == HIDDEN or not (self._has_hidden or exercise.lineup),
        }
        if exercise.lineup:
            return self._met(exercise.lineup, cases, request)
        if not exercise.handed_a_function:
            return self._ask({**request, "cases": [dict(case.args) for case in cases]}, len(cases))
        answer = RemoteAnswer(self._notebook.probe, request)
        seen = observe(exercise, answer, cases, HOURS)
        if answer.missing:
            return instead(answer.missing)
        if answer.trouble:
            raise Ended(answer.trouble)
        found = {"whole_answer": sorted(answer.noted), **answer.of_code}
        return [seen[0] | {name: texts for name, texts in found.items() if texts}, *seen[1:]]

    def _met(self, line: Lineup, cases: list[Any], request: Mapping[str, Any]) -> Any:
        """What became of a line-up: a check that asks for a few has met those of the next one."""
        met = [[case.args for case in cases], request, self._notebook.cells]
        if self._last[0] != met:
            suspects = [{"suspect": place} for place in range(len(cases))]
            seen = self._ask({**request, "cases": suspects}, len(cases), lineup(line, cases))
            self._last = (met, seen)
        return self._last[1]

    def _ask(self, request: Mapping[str, Any], count: int, reply: Any = None) -> Any:
        message = self._notebook.probe(request, reply)
        return instead(message) if message.get("missing") is True else checked(message.get("seen"), count)


_VERDICTS: dict[tuple[str, int, int, str, bytes], Verdict] = {}


def verdict_on(exercise: Exercise, seed: int, sizes: str, seen: list[dict[str, Any]]) -> Verdict:
    """What `judge` says of observations; of the same ones it says the same, so it is asked once.

    The same are those whose bytes are: width, sign of zero and the bits of each nan count.

    Raises:
        ValueError: when they are none: a process under foreign control can send what no probe makes.
    """
    try:
        packed = wire.pack(seen)
        key = exercise.name, exercise.enough, seed, sizes, hashlib.sha256(packed).digest()
        if key not in _VERDICTS:
            with one_thread():
                verdict = judge(exercise, draw_cases(exercise, seed, sizes), seen)
            if len(packed) > LARGEST:
                return verdict
            if len(_VERDICTS) >= MOST:
                del _VERDICTS[next(iter(_VERDICTS))]  # the oldest
            _VERDICTS[key] = verdict
        return _VERDICTS[key]
    except Exception as error:
        raise ValueError(f"its process sent what no answer returns ({error!r:.100})") from error
