"""What people get wrong in `silence_head`: the same function with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.generic import CHANGES
from helpers.exercises.wrong.rows import in_step, mistakes, only, paired, rows


def variant(
    *,
    step: Callable[[np.ndarray], np.ndarray] = lambda x: x,  # FILL IN: the steps of the right answer
    after: Callable[[np.ndarray], np.ndarray] = lambda y: y,
) -> Callable[[np.ndarray], np.ndarray]:
    """The right answer, with one or more of its steps replaced by a wrong one."""
    return lambda x: after(step(x))


MISTAKES = mistakes(
    variant,
    *rows(
        # FILL IN: the word before the colon is the mistake's id; see helpers/exercises/wrong/rows.py
        "fill-in-an-id: FILL IN what the learner did, and why it matters.",
        "FILL IN: what to look at?",
        paired(step=lambda x: x),
    ),
    # FILL IN: which of the changes in helpers/exercises/wrong/generic.py people make here
    *in_step("after", only(CHANGES, "sign-flipped", "returns-none")),
    it="the result",
)
