"""What `trace` sees in the answers of the banks: `python -m studies.traces [--wrong] [NAMES]`.

Each answer is recorded once on the call that its own `trace` would show; printed are, for each exercise, how
many were recorded without changing what the call comes to, the stages that were found, and milliseconds.
"""

import os
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

from banks import registry
from helpers.beside import probe
from helpers.beside.probes import of
from helpers.exercises import find
from helpers.exercises.base import Case, Exercise, draw_cases
from helpers.exercises.oracle import one_thread
from helpers.learner.checking import verdict_of
from helpers.learner.traced_case import traced_case, untraceable
from helpers.units import UNIT_OF
from helpers.verdict.trace_facts import values
from tools.measuring import markdown

SECONDS = 5.0
HEAD = ("exercise", "answers", "recorded", "same result", "stages", "found, median", "ms, median", "most ms")


def traceable() -> list[str]:
    """Exercises that can be traced, in their order."""
    return [name for name in UNIT_OF if not untraceable(find(name))]


def shown_case(exercise: Exercise, answer: Any) -> Case | None:
    """The call that `trace` shows: the smallest that fails, else the first of size."""
    verdict = verdict_of(exercise, answer, 5)
    if verdict.problem and verdict.problem.misconception == "never-ends":
        return None
    cases = draw_cases(exercise, 5)
    return verdict.case if verdict.case is not None else cases[len(cases) // 2]


def measure(exercise: Exercise, answers: Sequence[Any]) -> list[Any]:
    """One row of the table."""
    recorded, unchanged, stages, shares, times = 0, 0, 0, [], []
    for one in answers:
        case = shown_case(exercise, one.obj)
        if case is None:
            continue
        before = probe.observe(exercise, one.obj, [case])
        start = time.perf_counter()
        found = traced_case(exercise, one.obj, case, draw_cases(exercise, 5), SECONDS)
        times.append(1000 * (time.perf_counter() - start))
        if found is None:
            continue
        recorded += not any("stopped with" in one for one in found.data["left_out"])
        after = probe.observe(exercise, one.obj, [case])
        unchanged += str(before[0].get("value")) == str(after[0].get("value")) and _same_end(
            found, before[0], exercise
        )
        stages = max(stages, len(found.data["stages"]))
        held = {what["stage"] for step in found.data["steps"] for _, what in values(step) if "stage" in what}
        shares.append(len(held))
    middle = [f"{statistics.median(some):.1f}" if some else "" for some in (shares, times)]
    return [
        f"`{exercise.name}`",
        len(answers),
        recorded,
        unchanged,
        stages,
        *middle,
        f"{max(times, default=0):.0f}",
    ]


def _same_end(found: Any, before: Any, exercise: Exercise) -> bool:
    """Whether the recorded call stopped with an error where the plain one did."""
    once = hasattr(sys.modules[of(exercise.name).__module__], "once")
    return once or bool(found.error) == ("error" in before or "unusable" in before)


def main(args: Sequence[str]) -> int:
    """Print the table."""
    wrong, names = "--wrong" in args, [one for one in args if not one.startswith("-")] or traceable()
    bank = registry.fresh()[wrong]
    rows = []
    with one_thread():
        for name in names:
            rows.append(measure(find(name), [one for one in bank if one.exercise == name]))
            print(rows[-1], file=sys.stderr)
    print(markdown(HEAD, [list(map(str, row)) for row in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
