"""What people get wrong in `causal_mask`: the same matrix with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.masks import ALIKE, LOOKS, NUMBERS
from helpers.exercises.wrong.rows import in_step, mistakes, paired, rows


def variant(
    *,
    tokens: Callable[[int], int] = lambda n: n,
    look: Callable[[np.ndarray, np.ndarray, int], np.ndarray] = lambda query, key, n: key <= query,
    give: Callable[[np.ndarray], np.ndarray] = lambda mask: mask,
) -> Callable[[int], np.ndarray]:
    """A causal mask with one or more of its steps replaced by a wrong one."""

    def answer(n: int) -> np.ndarray:
        size = tokens(n)
        position = np.arange(size)
        mask = look(position[:, None], position[None, :], size)
        return give(mask if mask.shape == (size, size) else np.broadcast_to(mask, (size, size)).copy())

    return answer


MISTAKES = mistakes(
    variant,
    *rows(
        "diagonal-hidden: You hid the diagonal, but for the first token: every token may look at itself.",
        "May a token look at itself?",
        lambda n: np.tri(n, k=-1, dtype=bool) | (np.arange(n * n).reshape(n, n) == 0),
        "mask-missing: Your mask is True everywhere: the future is in sight.",
        "Which entries should be False? If you write into rows one by one: are they all the same list?",
        paired(give=np.ones_like),
        "mask-inverted: True and False have changed places: here True means 'may look'.",
        "What is `mask[0, 0]`, and what should it be?",
        paired(give=lambda mask: ~mask),
        "only-the-diagonal: Each token sees everything but itself.",
        "What may the last token look at, and what the first?",
        paired(look=lambda query, key, n: key != query),
        "only-last-two: Each token sees only its neighbours on both sides; all of the past is allowed, and nothing of the future.",
        "How many keys may the last token look at?",
        paired(look=lambda query, key, n: abs(key - query) <= 1),
        "only-last-two: Each token sees only the one before it; it may look at itself and at all of the past.",
        paired(look=lambda query, key, n: key == query - 1),
        "rows-all-alike: All your rows are alike: each token sees only the first.",
        paired(look=lambda query, key, n: key == 0),
        "flipped-triangle: Your triangle lies in the wrong corner, and its diagonal is missing.",
        "Column 0 is the first key, row 0 the first query. Who may look at whom?",
        paired(look=lambda query, key, n: n - 1 - key < query),
        paired(look=lambda query, key, n: query + key < n - 1),
        "returned-inside-loop: Only the first row is filled: the function ends after the first round of your loop.",
        "How far is your `return` indented?",
        paired(look=lambda query, key, n: (key <= query) & (query == 0)),
        "returned-inside-loop: You returned one row, the first one; the mask needs a row for each query.",
        {"give": lambda mask: mask[0]},
        "overwritten-instead-of-collected: Only the last row is filled; each row of the mask is needed.",
        "Does each round of your loop keep what the earlier ones made?",
        paired(look=lambda query, key, n: query == n - 1),
        "mask-not-broadcast: You returned a single row in which everything is allowed; the mask needs a row for each query.",
        "Positions of queries in a column, positions of keys in a row: what does comparing them give?",
        {"give": lambda mask: mask[-1]},
        "n-ignored: You made the mask of four tokens, whatever n is.",
        "How many rows and columns do n tokens need?",
        paired(tokens=lambda n: 4),
        *(
            part
            for most in (4, 8, 10, 16, 32, 64)
            for part in (
                f"fixed-size: Your mask ends at {most} tokens; n may be larger.",
                "How many rows and columns do n tokens need?",
                paired(tokens=lambda n, most=most: min(n, most)),
            )
        ),
        "off-by-one: You made the mask of n + 1 tokens.",
        paired(tokens=lambda n: n + 1),
        "off-by-one: You made the mask of n - 1 tokens.",
        paired(tokens=lambda n: n - 1),
        "keepdims-left: The mask is right, but it has an axis too many: its shape should be (n, n).",
        "Which step adds an axis?",
        {"give": lambda mask: mask[None]},
        "keepdims-left: The mask is right, but it has axes for batch and heads; its shape should be (n, n).",
        {"give": lambda mask: mask[None, None]},
        "returns-positions: You returned the positions of the pairs, not a mask over all of them.",
        "The result should be a matrix of shape (n, n).",
        {"give": np.argwhere},
        {"give": np.nonzero},
        "mask-not-bool: You returned differences of positions; the mask should be True and False.",
        "Which sign has the difference when a key lies in the past?",
        lambda n: np.subtract.outer(np.arange(n), np.arange(n)),
        "mask-not-bool: You returned weights that sum to 1 in each row; the mask should be True and False.",
        "{bool}",
        paired(give=lambda mask: mask / mask.sum(-1, keepdims=True)),
    ),
    # before the triangles: of two pairs that come to the same, the one with 0 for what is allowed is named
    *in_step("give", (*NUMBERS, *ALIKE), pairs=True),
    *LOOKS,
    real="",
    yes="what is allowed",
    bool="`dtype=bool`, or a comparison, gives booleans.",
    all_true="the future is in sight",
    all_false="nobody may look at anyone",
)
