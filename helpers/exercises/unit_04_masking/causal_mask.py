"""Exercise `causal_mask`: nobody looks into the future."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """Four tokens, one token, a random number."""
    yield Case("n = 4", {"n": 4})
    yield Case("n = 1", {"n": 1})
    yield Case(f"n = {(n := draw.sizes(1)[0] + 4)}", {"n": n})


EXERCISE = Exercise(
    name="causal_mask",
    cases=cases,
    oracle=in_torch(lambda n: torch.ones(n, n, dtype=torch.bool).tril()),
    whole_answer=("numpy.tri", "numpy.tril", "torch.tril"),
    hints=(
        "Which keys may token 0 look at, and which token 3?",
        "Compare the position of the key with the position of the query, for all pairs at once.",
        "A column of positions against a row of positions, compared with `<=`, gives the whole matrix.",
    ),
    mistakes=(
        Mistake(
            "transposed-mask",
            "Your triangle is the wrong way round: each token sees the future and not the past.",
            lambda n: np.triu(np.ones((n, n), bool)),
            "Row i is query i. Which columns may row 0 see?",
        ),
        Mistake(
            "diagonal-hidden",
            "You hid the diagonal too: a token may look at itself, or token 0 has nobody at all.",
            lambda n: np.tril(np.ones((n, n), bool), -1),
            "Should the comparison be `<` or `<=`?",
        ),
        Mistake(
            "future-visible-by-one",
            "Each token sees one token of the future.",
            lambda n: np.tril(np.ones((n, n), bool), 1),
            "Row 0 should have a single True.",
        ),
        Mistake(
            "mask-inverted",
            "True and False have changed places: here True means 'may look'.",
            lambda n: ~np.tril(np.ones((n, n), bool)),
            "What is `mask[0, 0]`, and what should it be?",
        ),
        Mistake(
            "mask-not-bool",
            "You returned the numbers 0 and 1; the mask should be True and False.",
            lambda n: np.tril(np.ones((n, n))),
            "`dtype=bool`, or a comparison, gives booleans.",
        ),
        Mistake(
            "mask-not-bool",
            "You returned whole numbers 0 and 1; the mask should be True and False.",
            lambda n: np.tril(np.ones((n, n), int)),
            "`dtype=bool`, or a comparison, gives booleans.",
        ),
        Mistake(
            "mask-not-bool",
            "You returned 0 and -inf to add to the scores; here a mask is True and False.",
            lambda n: np.triu(np.full((n, n), -np.inf), 1),
            "Which tokens may look? Say True for those.",
        ),
        Mistake(
            "mask-missing",
            "You allowed everything: the future is in sight.",
            lambda n: np.ones((n, n), bool),
            "Which entries of row 0 should be False?",
        ),
        Mistake(
            "only-the-diagonal",
            "Each token sees only itself; the past is allowed too.",
            lambda n: np.eye(n, dtype=bool),
            "What may the last token look at?",
        ),
    ),
)
