"""The earlier exercises that an answer uses: the learner's own answers, or the course's in their place."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from helpers import reference
from helpers.beside.byte_code import all_steps, steps
from helpers.learner.checking import find_exercise, verdict_of
from helpers.on_page.running import ran
from helpers.units import UNIT_OF, UNITS


@dataclass
class Earlier:
    """What an answer may use of the exercises that stand before it in its unit, as in the unit's notebook.

    Attributes:
        own: the learner's answers, by exercise.
        lent: the course's, where the learner has none that runs.
    """

    own: dict[str, Any] = field(default_factory=dict)
    lent: dict[str, Any] = field(default_factory=dict)

    @property
    def all(self) -> dict[str, Any]:
        """Both, by name."""
        return self.own | self.lent

    def wrong(self) -> set[str]:
        """Those of the learner's that do not pass their own check."""
        return {
            name for name, answer in self.own.items() if not verdict_of(find_exercise(name), answer).passed
        }


def earlier(name: str, source: str, answers: Mapping[str, str], wrong: Collection[str] = ()) -> Earlier:
    """What an answer uses.

    Args:
        name: the exercise.
        source: its answer.
        answers: the learner's other answers, by exercise.
        wrong: whose place the course's take in any case.
    """
    found = Earlier()
    _add(found, name, source, answers, wrong)
    return found


def _add(found: Earlier, name: str, source: str, answers: Mapping[str, str], wrong: Collection[str]) -> None:
    names = UNITS[UNIT_OF[name]]
    used = reads(source)
    for one in names[: names.index(name)]:
        if one not in used or one in found.all:
            continue
        if one in answers and one not in wrong:
            _add(found, one, answers[one], answers, wrong)
            there = ran(one, answers[one], found.all)
            if not there.stopped and one in there.space:
                found.own[one] = there.value
                continue
        found.lent[one] = getattr(reference, one)


def reads(source: str) -> set[str]:
    """The names that code takes from outside; nothing of code that is no Python."""
    try:
        code = compile(source, "<answer>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return set()
    makes = {step.argval for step in steps(code) if step.opname == "STORE_NAME"}
    return {step.argval for step in all_steps(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")} - makes
