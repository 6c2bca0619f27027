"""What a learner masters, step by step: done, remembered, sure and right.  Nothing is locked by it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from helpers.passed import Asked
from helpers.questions import kinds
from helpers.questions.schedule import day
from helpers.units import STEPS

ENOUGH = 8
"""After so many answers it is told when they are no better than guesses."""


@dataclass(frozen=True)
class Mastery:
    """One step of attention.

    Attributes:
        step: its name, such as `"softmax"`.
        done: how many of its exercises are passed.
        exercises: how many it has.
        remembered: how many of those that can be asked about were answered rightly on two days, the last
            two times, and not by guessing.
        asked: how many can be asked about.
        certain: of how many answers the learner was certain.
        certain_and_right: how many of these were right.
    """

    step: str
    done: int
    exercises: int
    remembered: int
    asked: int
    certain: int
    certain_and_right: int

    def __str__(self) -> str:
        parts = [f"{self.done} of {self.exercises} done"]
        if self.asked:
            parts.append(f"{self.remembered} of {self.asked} remembered")
        if self.certain:
            parts.append(f"certain and right: {self.certain_and_right} of {self.certain}")
        return ", ".join(parts)


def mastery(
    offered: Mapping[str, Collection[str]], passed: Collection[str], asked: Sequence[Asked]
) -> list[Mastery]:
    """Every step of which exercises are offered.

    Args:
        offered: the exercises of each unit.
        passed: those that are passed.
        asked: the answered questions, in order.
    """
    there = {name for names in offered.values() for name in names}
    found = []
    for step, names in STEPS.items():
        mine = [name for name in names if name in there]
        asking = [name for name in mine if kinds.of(name)]
        sure = [one.right for one in asked if one.sure == 3 and one.exercise in mine]
        done = sum(name in passed for name in mine)
        kept = sum(remembered(name, asked) for name in asking)
        if mine:
            found.append(Mastery(step, done, len(mine), kept, len(asking), len(sure), sum(sure)))
    return found


def remembered(exercise: str, asked: Sequence[Asked]) -> bool:
    """Whether the last two answers about an exercise were right, on two days, and neither was a guess."""
    last = [one for one in asked if one.exercise == exercise][-2:]
    days = {day(one.at) for one in last}
    return len(days) == 2 and all(one.right and one.sure != 1 for one in last)


def guessing(asked: Sequence[Asked]) -> str:
    """A sentence where the answers are no better than guesses, or `""`."""
    right = sum(one.right for one in asked)
    by_chance = sum(0.5 if one.kind == "rivals" else 0.25 for one in asked)
    spread = sum(0.25 if one.kind == "rivals" else 0.1875 for one in asked) ** 0.5
    if len(asked) < ENOUGH or right > by_chance + spread:
        return ""
    says = f"{right} of {len(asked)} questions right is about what guessing gives"
    return f"{says}: take your time, and read the reason below each."
