"""What happens to the result if this number grows?"""

from typing import Any

import numpy as np

from helpers.exercises import find
from helpers.questions.changes import CHANGES
from helpers.questions.draw import in_turn, rng_of, shuffled
from helpers.questions.kinds.made_by import given
from helpers.questions.question import Question, Table

NAME = "what_moves"


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(CHANGES)


def question(exercise: str, seed: int) -> Question | None:
    """One question; `None` where no draw makes exactly one of the choices true."""
    rng, record = rng_of(NAME, exercise, seed), find(exercise)
    scene, changes, states = CHANGES[exercise]
    for tried in range(30):
        args = scene(rng)
        says, changed = in_turn(changes, seed + tried)(args, rng)
        before, after = (_results(record.oracle(*one.values())) for one in (args, changed))
        texts = states(args)
        true = [place for place, (_, holds) in enumerate(texts) if holds(before, after)]
        if len(true) != 1:
            continue
        choices, at = shuffled(rng, [text for text, _ in texts], true[0])
        names = record.parts or ("the result",)
        pairs = [one if isinstance(one, tuple) else (one,) for one in (before, after)]
        drawn = [
            Table(
                np.asarray(value), f"{name} {when}", record.axes.get(name if record.parts else "", ("", ""))
            )
            for when, values in zip(("before", "after"), pairs, strict=True)
            for name, value in zip(names, values, strict=True)
        ]
        few = all(map(_is_round, args.values()))  # with others the question is the same without them
        return Question(
            NAME,
            exercise,
            seed,
            f"In a call of `{exercise}` {says}. What does that change?",
            tuple(choices),
            at,
            f"{texts[true[0]][0][0].upper()}{texts[true[0]][0][1:]}.",
            given(record, args) if few else (),
            tuple(drawn) if few else (),
        )
    return None


def _is_round(value: Any) -> bool:
    return bool(np.allclose(value, np.round(np.asarray(value, float), 2)))


def _results(found: Any) -> Any:
    """What an oracle returns, without the gradients that some add to it."""
    return next(iter(found.values())) if isinstance(found, dict) else found
