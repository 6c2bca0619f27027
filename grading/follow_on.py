"""Answers that failed only because another answer of the same learner is wrong: found, and said.

`attention` calls the learner's own `softmax`. When all cells and tests have run, the course's answers are
put in the place of the wrong ones that an answer uses, and its tests are run again on the same inputs. The
course's answers are those of `helpers.reference`, which learners have, so that nothing new is there to be
found. An answer that is right beside them is right by itself, whatever it noticed. Of an exercise whose
points everybody is given nobody knows whether the answer is right: it is replaced too.
"""

import ast
import contextlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grading.checker import UNNEEDED, WHOLE_ANSWER, BrokenTest, Checker, Finding
from grading.handed_in.flags import python
from grading.handed_in.needed import of_one
from grading.handed_in.restore import GIVEN
from grading.outside.outputs import new_output
from grading.outside.processes import Ended, Notebook
from helpers import reference
from helpers.units import grade_id, tested_by


@dataclass(frozen=True)
class Test:
    """A cell that has run, and what its checks found.

    Attributes:
        cell: with its outputs.
        findings: none of a cell that checks nothing.
    """

    cell: Any
    findings: Sequence[Finding]


def sentence(exercise: str, causes: Sequence[str]) -> str:
    """What is said of such an answer."""
    alone = f"{causes[0]} alone" if len(causes) == 1 else "these alone"
    named = " and ".join(filter(None, [", ".join(causes[:-1]), causes[-1]]))
    return f"With a right {named} your {exercise} is right: it failed because of {alone}."


def add(
    notebook: Notebook, checker: Checker, tests: Sequence[Test], cells: Sequence[Any], full: bool
) -> None:
    """Say it in the test cells of such answers, and note it in their findings.

    Args:
        notebook: all of its cells and tests have run, and nothing that it shows is looked at any more.
        checker: has run the tests.
        tests: the cells that have run.
        cells: of the notebook, in order.
        full: whether such an answer has its points; without an error its test gives them.
    """
    findings = [one for test in tests for one in test.findings if not one.passed]
    failed = {one.exercise: None for one in findings if one.misconception not in (WHOLE_ANSWER, UNNEEDED)}
    given = {tested_by(grade_id(test.cell)) for test in tests if test.cell.source == GIVEN}
    if len(failed) + len(given) < 2:
        return
    dead = {one.exercise for one in findings if one.trouble}
    uses, found = _uses(cells), set[str]()
    with contextlib.suppress(Ended, BrokenTest):
        for exercise in failed:
            causes = [*_causes(exercise, uses, (failed.keys() | given) - found)]
            its = [test for test in tests if any(one.exercise == exercise for one in test.findings)]
            if causes and exercise not in dead and _lent(notebook, causes) and _pass(checker, its):
                found.add(exercise)
                for test in its:
                    _say(test, exercise, causes, full)


def _uses(cells: Sequence[Any]) -> Mapping[str, set[str]]:
    """By each name that the notebook makes, the names of the notebook that are read for it."""
    found: dict[str, set[str]] = defaultdict(set)
    for cell in cells:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            for one in ast.parse(python(cell.source)).body if cell.cell_type == "code" else ():
                makes, reads = of_one(ast.unparse(one))
                for name in makes:
                    found[name] |= reads
    return found


def _causes(exercise: str, uses: Mapping[str, set[str]], wrong: Collection[str]) -> Iterator[str]:
    """The answers that may be wrong which an answer uses, itself or through others that are right."""
    waiting, seen = [exercise], {exercise}
    while waiting:
        for name in sorted(uses.get(waiting.pop(), set()) - seen):
            seen.add(name)
            if name in wrong:
                yield name
            else:
                waiting.append(name)


def _lent(notebook: Notebook, names: Sequence[str]) -> bool:
    """Put the course's answers in the place of the learner's."""
    if not set(names) <= set(reference.__all__):
        return False
    shown = notebook.run(f"from helpers.reference import {', '.join(names)}").get("outputs")
    return shown == []


def _pass(checker: Checker, tests: Sequence[Test]) -> bool:
    """Whether all these tests pass now; library calls are noted as in a test that passed at once."""
    for test in tests:
        again = checker.anew()
        again.run(test.cell.source)
        if not again.findings or not all(one.passed for one in again.findings):
            return False
        for one in test.findings:
            called = {name for other in again.findings for name in other.library}
            one.library = tuple(sorted({*one.library, *called}))
    return True


def _say(test: Test, exercise: str, causes: Sequence[str], full: bool) -> None:
    says = sentence(exercise, causes) + " It has its points all the same." * full
    said = new_output("display_data", data={"text/html": f"<p>{says}</p>", "text/plain": says})
    shown = [one for one in test.cell.outputs if not (full and one.output_type == "error")]
    if any(not one.passed for one in test.findings):
        test.cell.outputs = [said, *shown]
    for one in test.findings:
        if one.exercise == exercise and not one.passed:
            one.follow_on = tuple(causes)
