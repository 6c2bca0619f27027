"""Exercise `look_back`: choose a query matrix with which each token looks a few places back."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.look_back import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference
from helpers.exercises.unit_02_queries_keys_values.look_back_mistakes import MISTAKES

FEW = 4
"""So many tokens are named in a sentence."""


def cases(draw: Draw) -> Iterator[Case]:
    """One sentence with few and many steps, then other sizes: each of them once, and any number of steps."""
    for steps in (1, 3, 2):
        yield _case(2, 4, steps)
    yield _case(1, 5, 2)  # one word
    few, many = sorted(draw.sizes(2))
    yield _case(few, many, int(draw.rng.integers(2, many)))
    yield _case(many + 1, few + 1, int(draw.rng.integers(1, few + 1)))
    yield _case(few + 2, many + 2, many + 1)  # only the last token has a token so far back
    yield _case(many, many, 1)
    yield _case(few + 3, few + 3, 2)
    yield _case(6, 2, 1)
    yield _case(4, 9, int(draw.rng.integers(3, 7)))


def _case(num_words: int, n: int, steps: int) -> Case:
    return Case(f"look_back({num_words}, {n}, {steps})", {"num_words": num_words, "n": n, "steps": steps})


def oracle(num_words: int, n: int, steps: int) -> dict[str, Any]:
    """Each token from place `steps` on scores highest at the first, the second, ... token, whatever its word."""
    by_place = torch.eye(n, dtype=torch.int64)[: n - steps]
    highest = by_place.expand(num_words, -1, -1)
    return {"highest": highest.numpy().copy(), "by_place": by_place.numpy(), "repeated": True}


def judge(right: Mapping[str, Any], args: Mapping[str, Any], got: Mapping[str, Any]) -> Difference | None:
    """The first token that looks elsewhere, or at several tokens alike."""
    highest, wanted = got["items"]["highest"]["array"], right["highest"]
    elsewhere = (highest != wanted).any(-1)
    if not elsewhere.any():
        return None
    word, row = (int(i) for i in np.argwhere(elsewhere)[0])
    says = f"with word {word}, token {args['steps'] + row} {_looks(highest[word, row])}; expected token {row}"
    if highest[word, row].sum() > 1:
        says += " alone"
    by_place, repeated = (got["items"][name]["array"] for name in ("by_place", "repeated"))
    return Difference(says, **_why(highest, by_place, wanted, bool(repeated)))


def _looks(highest: np.ndarray) -> str:
    tokens = np.flatnonzero(highest).tolist()
    if len(tokens) == 1:
        return f"scores highest at token {tokens[0]}"
    if len(tokens) == highest.size:
        return "scores all tokens alike"
    if len(tokens) > FEW:
        return f"scores highest at {len(tokens)} of {highest.size} tokens alike"
    return f"scores highest at tokens {', '.join(map(str, tokens[:-1]))} and {tokens[-1]} alike"


def _why(highest: np.ndarray, by_place: np.ndarray, right: np.ndarray, repeated: bool) -> dict[str, str]:
    """What the tokens themselves give away, whatever the program."""
    if not repeated:
        hint = "What is drawn at random in your code, or outlives the call?"
        return {"misconception": "state-between-calls", "hint": hint}
    if (by_place == right[0]).all():
        cause = "Your rows for the words are not zeros and outweigh those for the places, which are right."
        hint = "What should the word of a token add to its query?"
        return {"misconception": "words-not-dropped", "cause": cause, "hint": hint}
    if (highest != highest[:1]).any():
        cause = (
            "The word of a token changes where it looks, and not every place alone would look `steps` back."
        )
        hint = "Begin with the places: where should the largest number of row num_words + i stand?"
        return {"misconception": "words-not-dropped", "cause": cause, "hint": hint}
    if (highest >= right).all():
        hint = (
            "The right token is among the highest, but it should be highest alone. What else is in its row?"
        )
        return {"misconception": "highest-not-alone", "hint": hint}
    return {}


EXERCISE = Exercise(
    name="look_back",
    cases=cases,
    oracle=oracle,
    probe=probe,
    judge=judge,
    hints=(
        "The key of token j is the code of place j. Which code must the query of token i be, to score highest at token i - steps?",
        "A token has two ones, so its query is the sum of two rows of W_q: the row of its word and the row of its place. What should each of them hold?",
        "Put num_words rows of zeros on top. Below them, row i has its 1 in column i - steps: `np.eye(n, k=...)` moves its ones k columns to the right, or to the left for a negative k.",
    ),
    mistakes=MISTAKES,
)
