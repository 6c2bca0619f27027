"""How well the id of what an answer does stands for its mistake, on the banks.

    python -m studies.behaviour_purity [EXERCISE ...]

A group is all wrong answers to an exercise with one id (`helpers.verdict.behaviour`). A mistake is what gives
the same results in every call, as the course compares them, under one name of the bank. One name may have
several: exponentials can be left out of `softmax` in ten ways, and each returns something else.
"""

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

from banks import registry
from helpers.beside import probe
from helpers.beside.standard import standard
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.oracle import one_thread
from helpers.units import UNIT_OF
from helpers.verdict.behaviour import SEED, SIZES, behaviour
from helpers.verdict.patterns import narrow
from helpers.verdict.recognise import alike
from tools.teeth import WRONG_SECONDS


@dataclass(frozen=True)
class Seen:
    """A wrong answer of a bank, as it was seen.

    Attributes:
        exercise: its name.
        mistake: its name in the bank.
        calls: what the probe saw of each call.
        group: the id of what it does.
    """

    exercise: str
    mistake: str
    calls: Sequence[dict[str, Any]]
    group: str


@dataclass(frozen=True)
class Figures:
    """What groups are worth.

    Attributes:
        programs: how many wrong answers there are.
        groups: how many groups they make.
        repeated: how many make a mistake that another one makes too.
        together: how many of these are in the largest group of their mistake.
        named: how many have a name in the bank that another one has too.
        by_name: how many of these are in the largest group of that name.
        mixed: how many are in a group in which most have another name.
    """

    programs: int
    groups: int
    repeated: int
    together: int
    named: int
    by_name: int
    mixed: int

    def __str__(self) -> str:
        return (
            f"{self.programs} wrong answers in {self.groups} groups.\n"
            f"Of one mistake in one group: {_share(self.together, self.repeated)}.\n"
            f"In a group of another name: {_share(self.mixed, self.programs)}.\n"
            f"Of one name in one group, whatever they do: {_share(self.by_name, self.named)}."
        )


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(1, whole):.2f} %)"


def seen(names: Iterable[str]) -> Iterator[Seen]:
    """Every wrong answer of the banks, run on the draw by which behaviours are compared."""
    _, wrong = registry.load()
    patience, probe.SECONDS = probe.SECONDS, WRONG_SECONDS
    try:
        for name in names:
            exercise = find(name)
            if exercise.enough:
                continue
            cases = draw_cases(exercise, SEED, SIZES)
            for answer in [one for one in wrong if one.exercise == name]:
                with standard(), one_thread():
                    calls = probe.observe(exercise, answer.obj, cases)
                    yield Seen(name, answer.mistake, calls, behaviour(exercise, cases, calls))
    finally:
        probe.SECONDS = patience


def figures(answers: Sequence[Seen]) -> Figures:
    """What the groups of some wrong answers are worth."""
    mistakes = _mistakes(answers)
    repeated, together = _in_the_largest(answers, lambda one: mistakes[id(one)])
    named, by_name = _in_the_largest(answers, lambda one: (one.exercise, one.mistake))
    groups = defaultdict(Counter)
    for one in answers:
        groups[one.exercise, one.group][one.mistake] += 1
    mixed = sum(sum(names.values()) - max(names.values()) for names in groups.values())
    return Figures(len(answers), len(groups), repeated, together, named, by_name, mixed)


def _mistakes(answers: Sequence[Seen]) -> dict[int, Any]:
    """A number for each answer: those that do the same under one name have the same one."""
    kinds: dict[tuple[str, str], list[Seen]] = defaultdict(list)
    found = {}
    for one in answers:
        firsts = kinds[one.exercise, one.mistake]
        same = next((first for first in firsts if _same(first, one)), one)
        if same is one:
            firsts.append(one)
        found[id(one)] = id(same)
    return found


def _same(one: Seen, other: Seen) -> bool:
    """Whether two answers to an exercise do the same in every call, as the course compares it."""
    cases = draw_cases(find(one.exercise), SEED, SIZES)
    calls = zip(cases, one.calls, other.calls, strict=False)
    return len(one.calls) == len(other.calls) and all(
        ("too_slow" in first and "too_slow" in second) or alike(first, second, narrow(case))
        for case, first, second in calls
    )


def _in_the_largest(answers: Sequence[Seen], by: Callable[[Seen], Any]) -> tuple[int, int]:
    """Of those that are not alone under something, how many there are, and in the largest group of theirs."""
    found = defaultdict(Counter)
    for one in answers:
        found[by(one)][one.group] += 1
    several = [groups for groups in found.values() if groups.total() > 1]
    return sum(one.total() for one in several), sum(max(one.values()) for one in several)


def shaken(answers: Sequence[Seen], seed: int = 0) -> int:
    """How many get another id when every number is changed in its last bits, as another machine may."""
    rng, moved = np.random.default_rng(seed), 0
    for one in answers:
        exercise = find(one.exercise)
        cases = draw_cases(exercise, SEED, SIZES)
        calls = [
            call | ({"value": _shaken(call["value"], rng)} if "value" in call else {}) for call in one.calls
        ]
        moved += behaviour(exercise, cases, calls) != one.group
    return moved


def _shaken(value: Any, rng: np.random.Generator) -> Any:
    if "array" in value and value["array"].dtype.kind == "f":
        array = value["array"]
        bits = rng.integers(-4, 5, array.shape) * np.finfo(array.dtype).eps
        largest = np.abs(array[np.isfinite(array)]).max(initial=0.0)
        return value | {
            "array": np.where(np.isfinite(array), array + bits * largest, array).astype(array.dtype)
        }
    if "items" in value:
        items = value["items"]
        if isinstance(items, dict):
            return value | {"items": {key: _shaken(one, rng) for key, one in items.items()}}
        return value | {"items": [_shaken(one, rng) for one in items]}
    return value


def main(words: Sequence[str]) -> int:
    """Print the figures of the exercises named, or of all."""
    if strangers := [word for word in words if word not in UNIT_OF]:
        sys.exit(f"There is no exercise {strangers[0]}: the exercises stand in helpers/units.py.")
    answers = list(seen([name for name in UNIT_OF if name in words or not words]))
    print(figures(answers))
    print(f"Another id when the last bits change: {_share(shaken(answers), len(answers))}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
