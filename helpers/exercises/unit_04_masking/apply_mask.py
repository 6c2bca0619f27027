"""Exercise `apply_mask`: -inf where nobody may look."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand with a score of 0, a key row that broadcasts, batches with heads, all and nothing allowed."""
    by_hand = np.array([[1.0, 0.0, 2.0], [0.0, -1.0, 3.0]])
    allowed = np.array([[True, True, False], [True, False, True]])
    yield Case("2 x 3 scores, one of them 0", {"scores": by_hand, "allowed": allowed})
    for width in (np.float64, np.float32):
        b, h, n_q, n_k = draw.sizes(4)
        scores = draw.normal(b, h, n_q, n_k, dtype=width)
        says = f"scores of shape {scores.shape} in {width.__name__}"
        yield Case(
            f"{says}, a mask of shape ({b}, 1, 1, {n_k})",
            {"scores": scores, "allowed": draw.mask(b, 1, 1, n_k)},
        )
        yield Case(
            f"scores of shape ({n_q}, {n_k}), a mask of shape ({n_k},)",
            {"scores": scores[0, 0], "allowed": draw.mask(n_k)},
        )
    yield Case(
        "a row with nothing allowed",
        {"scores": draw.normal(2, 3), "allowed": np.array([[False] * 3, [True] * 3])},
    )
    square = draw.mask(3, 3)
    square[0], square[:, 0] = [True, False, False], [True, True, False]
    yield Case("square scores of shape (3, 3)", {"scores": draw.normal(3, 3), "allowed": square})


def _in_place(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    scores[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return scores


EXERCISE = Exercise(
    name="apply_mask",
    cases=cases,
    oracle=in_torch(lambda scores, allowed: scores.masked_fill(~allowed, float("-inf"))),
    whole_answer=("torch.masked_fill", "torch.Tensor.masked_fill"),
    hints=(
        "Which number has the exponential 0?",
        "You want the score where `allowed` is True and minus infinity elsewhere.",
        "`np.where(condition, a, b)` picks from a or b and makes a new array; `-np.inf` is minus infinity.",
    ),
    mistakes=(
        Mistake(
            "mask-inverted",
            "You hid what is allowed and kept what is not: True means 'may look'.",
            lambda scores, allowed: np.where(allowed, -np.inf, scores),
            "Which of the two should keep its score?",
        ),
        Mistake(
            "mask-multiplied",
            "Hidden scores became 0, or nearly 0 such as -1e-9. But e^0 is 1, so these keys still count.",
            lambda scores, allowed: scores * allowed,
            "Which score has the exponential 0?",
        ),
        Mistake(
            "mask-value-too-small",
            "You put a large finite number; this exercise asks for minus infinity itself.",
            lambda scores, allowed: np.where(allowed, scores, -1e9),
            "NumPy has a name for infinity.",
        ),
        Mistake(
            "mask-value-sign",
            "You put plus infinity, which draws all the weight to hidden keys.",
            lambda scores, allowed: np.where(allowed, scores, np.inf),
            "Which sign should a score have that nobody picks?",
        ),
        Mistake(
            "mask-value-not-a-number",
            "You put NaN, which spoils the whole row later.",
            lambda scores, allowed: np.where(allowed, scores, np.nan),
            "Which number has the exponential 0?",
        ),
        Mistake(
            "mask-value-not-a-number",
            "Infinity times 0 is NaN: do not multiply the mask with infinity.",
            lambda scores, allowed: scores + (1 - allowed * 1.0) * -np.inf,
            "Choose with `np.where` instead of calculating with infinity.",
        ),
        Mistake(
            "zero-as-sentinel",
            "You hid every score that is 0; a real score may be 0. Use the mask.",
            lambda scores, allowed: np.where((s := scores * allowed) == 0, -np.inf, s),
            "How do you tell a score of 0 from a hidden one?",
        ),
        Mistake(
            "mask-added",
            "You added the mask: True counts as 1, so allowed scores grow and nothing is hidden.",
            lambda scores, allowed: scores + allowed,
            "Which entries should change, and to what?",
        ),
        Mistake(
            "result-dropped",
            "The scores come back as they were: the masked array was never returned.",
            lambda scores, allowed: scores.copy(),
            "What happens to the result of `np.where` in your code?",
        ),
        Mistake(
            "input-changed",
            "You wrote into the caller's scores; make a new array.",
            _in_place,
            "Copy first, or let `np.where` make a new array.",
        ),
        Mistake(
            "softmax-too-early",
            "You applied softmax already; masked scores are not weights yet.",
            lambda scores, allowed: (lambda e: e / e.sum(-1, keepdims=True))(
                np.exp(np.where(allowed, scores, -np.inf))
            ),
            "Return the scores.",
        ),
        Mistake(
            "transposed-mask",
            "You used the mask transposed: rows of the mask are queries, as in the scores.",
            lambda scores, allowed: np.where(np.swapaxes(np.atleast_2d(allowed), -2, -1), scores, -np.inf),
            "Compare the shapes of scores and mask.",
        ),
    ),
)
