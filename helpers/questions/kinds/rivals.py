"""Which of two rival explanations holds?  They stand in the notebooks; here they are asked again."""

import functools
import json
from collections.abc import Mapping
from importlib import resources

from helpers.predictions import RIVALS
from helpers.questions.draw import in_turn, rng_of, shuffled
from helpers.questions.question import Question

NAME = "rivals"


@functools.cache
def kept() -> Mapping[str, dict[str, str]]:
    """All pairs, by name, as the notebooks have them."""
    return json.loads((resources.files("helpers") / "rivals.json").read_text("utf-8"))


def exercises() -> tuple[str, ...]:
    """The first exercise of each unit that has such a pair."""
    return tuple(dict.fromkeys(one["exercise"] for one in kept().values()))


def question(exercise: str, seed: int) -> Question | None:
    """One question."""
    rng = rng_of(NAME, exercise, seed)
    names = [name for name, one in kept().items() if one["exercise"] == exercise]
    name = in_turn(names, seed)
    holds, why = RIVALS[name]
    choices, place = shuffled(rng, [kept()[name]["A"], kept()[name]["B"]], "AB".index(holds))
    return Question(NAME, exercise, seed, kept()[name]["asks"], tuple(choices), place, why)
