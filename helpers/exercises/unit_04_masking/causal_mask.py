"""Exercise `causal_mask`: nobody looks into the future."""

from collections.abc import Iterator

import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_04_masking.causal_mask_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """Three tokens, two, one, four, a random number, more than a buffer would hold."""
    yield Case("n = 3", {"n": 3})
    yield Case("n = 2", {"n": 2})
    yield Case("n = 1", {"n": 1})
    yield Case("n = 4", {"n": 4})
    yield Case(f"n = {(n := draw.sizes(1)[0] + 4)}", {"n": n})
    yield Case("n = 70", {"n": 70})


EXERCISE = Exercise(
    name="causal_mask",
    cases=cases,
    oracle=in_torch(lambda n: torch.ones(n, n, dtype=torch.bool).tril()),
    whole_answer=("numpy.tri", "numpy.tril", "torch.tril"),
    axes={"": ("query", "key")},
    hints=(
        "Which keys may token 0 look at, and which token 3?",
        "Compare the position of the key with the position of the query, for all pairs at once.",
        "A column of positions against a row of positions, compared with `<=`, gives the whole matrix.",
    ),
    mistakes=MISTAKES,
)
