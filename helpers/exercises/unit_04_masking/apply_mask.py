"""Exercise `apply_mask`: -inf where nobody may look."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.begins import SCALED, of_scores
from helpers.exercises.compare import Difference, difference
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_04_masking.apply_mask_mistakes import MISTAKES
from helpers.text import number


def cases(draw: Draw) -> Iterator[Case]:
    """By hand with a score of 0, a key row that broadcasts, batches with heads, all and nothing allowed."""
    by_hand = np.array([[1.0, 0.0, 2.0], [-2.0, -1.0, 3.0]])
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
            f"scores of shape ({b}, {n_q}, {n_k}), a mask for each pair",
            {"scores": scores[:, 0], "allowed": draw.mask(b, n_q, n_k)},
        )
    yield Case(
        "a row with nothing allowed",
        {"scores": draw.normal(2, 3), "allowed": np.array([[False] * 3, [True] * 3])},
    )
    yield Case(
        "a mask of shape (2, 1, 3) that allows nothing",
        {"scores": draw.normal(2, 2, 3), "allowed": np.zeros((2, 1, 3), bool)},
    )
    square = draw.mask(3, 3)
    square[0], square[:, 0] = [True, False, False], [True, True, False]
    keys = np.array([True, False, True])
    yield Case("square scores, a mask of shape (3,)", {"scores": draw.normal(3, 3), "allowed": keys})
    yield Case("square scores of shape (3, 3)", {"scores": draw.normal(3, 3), "allowed": square})


oracle = in_torch(lambda scores, allowed: scores.masked_fill(~allowed, float("-inf")))


def judge(right: np.ndarray, args: Mapping[str, Any], got: Any) -> Difference | None:
    """As usual; but where hidden scores are finite, whatever the number, say so."""
    wrong = difference(right, got)
    if wrong is None or wrong.got is None or wrong.got.shape != right.shape or wrong.got.dtype.kind != "f":
        return wrong
    allowed = np.broadcast_to(args["allowed"], right.shape)
    hidden, kept = wrong.got[~allowed], wrong.got[allowed]
    if not hidden.size or not np.isfinite(hidden).all():
        return wrong
    if np.allclose(kept, right[allowed]):
        says, misconception, hint = _finite(hidden)
    elif np.allclose(hidden, args["scores"][~allowed]):
        says, misconception = "hidden scores stayed, and allowed ones changed", "mask-inverted"
        hint = "Which of the two should keep its score?"
    else:
        return wrong
    return Difference(f"{says}; {wrong.says}", right, wrong.got, misconception, hint)


def _finite(hidden: np.ndarray) -> tuple[str, str, str]:
    """What finite hidden scores give away: a sentence, the mistake's id, a hint."""
    if not hidden.any():
        says = "hidden scores are 0, which is a score like any other: e^0 is 1"
        return says, "mask-multiplied", "Which score has the exponential 0?"
    value = f"are {number(hidden[0])}" if np.ptp(hidden) == 0 else "stay finite"
    if hidden.min() >= 100:
        says = f"hidden scores {value}: a large score draws all the weight"
        return says, "mask-value-sign", "Which sign should a score have that nobody picks?"
    says = f"hidden scores {value}; this exercise asks for minus infinity itself"
    return says, "mask-value-too-small", "NumPy has a name for infinity."


EXERCISE = Exercise(
    name="apply_mask",
    cases=cases,
    oracle=oracle,
    judge=judge,
    whole_answer=("torch.masked_fill", "torch.Tensor.masked_fill"),
    axes={"": ("query", "key")},
    woven=Woven({"": "masked"}, "masked", of_scores, SCALED),
    hints=(
        "Which number has the exponential 0?",
        "You want the score where `allowed` is True and minus infinity elsewhere.",
        "`np.where(condition, a, b)` picks from a or b and makes a new array; `-np.inf` is minus infinity.",
    ),
    mistakes=MISTAKES,
)
