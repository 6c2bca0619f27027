"""What people get wrong in `apply_mask`: the same function with one step replaced.

Zeros and other finite numbers for hidden scores are no known programs: whatever the number is, the
exercise's `judge` names them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import softmax

Rule = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _turned_if_square(allowed: np.ndarray) -> np.ndarray:
    square = allowed.ndim > 1 and allowed.shape[-1] == allowed.shape[-2]
    return np.swapaxes(allowed, -2, -1) if square else allowed


def _as_queries(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    rows = allowed.ndim == 1 and len(allowed) == scores.shape[-2]
    return allowed[:, None] if rows else allowed


@replaceable
def variant(
    *,
    mask: Rule = lambda scores, allowed: allowed,
    put: Rule = lambda scores, allowed: np.where(allowed, scores, -np.inf),
    after: Rule = lambda masked, allowed: masked,
) -> Callable[[np.ndarray, np.ndarray], Any]:
    """Masked scores with one or more of the steps replaced by a wrong one."""

    def answer(scores: np.ndarray, allowed: np.ndarray) -> Any:
        return after(put(scores, mask(scores, allowed)), allowed)

    return answer


def _filled(value: Any) -> Rule:
    return lambda scores, allowed: np.where(allowed, scores, value)


def _in_place(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    scores[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return scores


def _first_of_batch(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return np.broadcast_to(allowed, scores.shape).reshape(-1, *scores.shape[-2:])[0]


def _by_index(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    masked = scores.copy()
    masked[~allowed] = -np.inf
    return masked


def _by_last_axis(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    masked = scores.copy()
    masked[..., ~allowed] = -np.inf
    return masked


def _by_putmask(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    masked = scores.copy()
    np.putmask(masked, ~allowed, -np.inf)
    return masked


def _by_place(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    masked = scores.copy()
    np.place(masked, ~allowed, -np.inf)
    return masked


def _pair_by_pair(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    masked = scores.copy()
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            if not allowed[i, j]:
                masked[i, j] = -np.inf
    return masked


def _two_axes(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    n_q, n_k = scores.shape
    return np.where(np.broadcast_to(allowed, (n_q, n_k)), scores, -np.inf)


def _first_sequence_filled(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    masked = np.where(allowed, scores, -np.inf)
    return np.concatenate([masked[:1], scores[1:]]) if scores.ndim > 2 else masked


_WHICH = "Which of the two should keep its score?"
_VALUE = "Which score has the exponential 0?"
_CHOOSE = "Choose with `np.where` instead of calculating with infinity."
_BROADCAST = "The mask may have fewer axes, or axes of length 1. Which functions broadcast?"
_ROWS = "Whose rows and whose columns does the mask describe?"

MISTAKES = (
    Mistake(
        "mask-inverted",
        "You hid what is allowed and kept what is not: True means 'may look'.",
        variant(mask=lambda scores, allowed: ~allowed),
        _WHICH,
    ),
    Mistake(
        "mask-ignored",
        "The scores come back as they were: the mask does nothing.",
        variant(put=lambda scores, allowed: scores.copy()),
        "What happens to `allowed`, and to the result of `np.where`, in your code?",
    ),
    Mistake(
        "mask-ignored",
        "You hid the future, whatever `allowed` says. The mask may be any other.",
        variant(mask=lambda scores, allowed: np.tri(*scores.shape[-2:], dtype=bool)),
        "Where does `allowed` appear in your code?",
    ),
    Mistake(
        "mask-ignored",
        "You hid every score; those that are allowed should stay.",
        variant(put=lambda scores, allowed: np.full_like(scores, -np.inf)),
        _WHICH,
    ),
    Mistake(
        "mask-ignored",
        "You hid negative scores; the mask alone decides which are hidden.",
        variant(put=lambda scores, allowed: np.where(scores < 0, -np.inf, scores)),
        "Where does `allowed` appear in your code?",
    ),
    Mistake(
        "mask-ignored",
        "You kept positive scores; the mask alone decides which are kept.",
        variant(put=lambda scores, allowed: np.where(scores > 0, scores, -np.inf)),
        "Where does `allowed` appear in your code?",
    ),
    Mistake(
        "sign-flipped",
        "Hidden scores are right, but the allowed ones have the opposite sign.",
        variant(put=lambda scores, allowed: np.where(allowed, -scores, -np.inf)),
        "Where does a minus sign come in?",
    ),
    Mistake(
        "mask-value-sign",
        "You put plus infinity, which draws all the weight to hidden keys.",
        variant(put=_filled(np.inf)),
        "Which sign should a score have that nobody picks?",
    ),
    Mistake(
        "mask-value-sign",
        "You multiplied hidden scores by minus infinity: negative ones become plus infinity, and 0 becomes NaN.",
        variant(put=lambda scores, allowed: scores * np.where(allowed, 1, -np.inf)),
        _CHOOSE,
    ),
    Mistake(
        "mask-value-sign",
        "You divided by the mask: a score divided by 0 is plus or minus infinity, by its sign, and 0 / 0 is NaN.",
        variant(put=lambda scores, allowed: scores / allowed),
        _CHOOSE,
    ),
    Mistake(
        "mask-value-not-a-number",
        "You put NaN, which spoils the whole row later.",
        variant(put=_filled(np.nan)),
        _VALUE,
    ),
    Mistake(
        "mask-value-not-a-number",
        "You put None, which is no number: the result is an array of Python objects.",
        variant(put=_filled(None)),
        "NumPy has a name for infinity.",
    ),
    Mistake(
        "mask-value-not-a-number",
        "You put the text '-inf', which turns all scores into text.",
        variant(put=_filled("-inf")),
        "NumPy has a name for infinity.",
    ),
    Mistake(
        "zero-times-inf",
        "Infinity times 0 is NaN: do not multiply the mask with infinity.",
        variant(put=lambda scores, allowed: scores + ~allowed * -np.inf),
        _CHOOSE,
    ),
    Mistake(
        "zero-times-inf",
        "Infinity times 0 is NaN: do not multiply the mask with infinity. And it is the allowed scores that you sent there.",
        variant(put=lambda scores, allowed: scores + allowed * -np.inf),
        _CHOOSE,
    ),
    Mistake(
        "zero-times-inf",
        "Infinity times 0 is NaN: do not multiply the mask with infinity. And with a minus twice it is plus infinity.",
        variant(put=lambda scores, allowed: scores - ~allowed * -np.inf),
        _CHOOSE,
    ),
    Mistake(
        "zero-as-sentinel",
        "You hid every score that is 0; a real score may be 0. Use the mask.",
        variant(put=lambda scores, allowed: np.where((s := scores * allowed) == 0, -np.inf, s)),
        "How do you tell a score of 0 from a hidden one?",
    ),
    Mistake(
        "zero-as-sentinel",
        "You hid scores that are 0, and the mask does nothing. Use the mask.",
        variant(put=lambda scores, allowed: np.where(scores == 0, -np.inf, scores)),
        "How do you tell a score of 0 from a hidden one?",
    ),
    Mistake(
        "mask-added",
        "You added the mask: True counts as 1, so allowed scores grow and nothing is hidden.",
        lambda scores, allowed: scores + allowed,
        "Which entries should change, and to what?",
    ),
    Mistake(
        "mask-added",
        "You added the opposite of the mask: True counts as 1, so hidden scores grow.",
        lambda scores, allowed: scores + ~allowed,
        "Which entries should change, and to what?",
    ),
    Mistake(
        "mask-added",
        "You subtracted the mask: True counts as 1, so allowed scores shrink and nothing is hidden.",
        lambda scores, allowed: scores - allowed,
        "Which entries should change, and to what?",
    ),
    Mistake(
        "mask-multiplied",
        "You multiplied by the opposite of the mask: allowed scores became 0, and hidden ones stayed.",
        lambda scores, allowed: scores * ~allowed,
        _WHICH,
    ),
    Mistake(
        "mask-inverted",
        "You hid what is allowed and kept what is not; and a large negative number is not minus infinity.",
        variant(put=lambda scores, allowed: np.where(allowed, -1e9, scores)),
        _WHICH,
    ),
    *(
        Mistake(
            "scores-forgotten",
            "You returned a mask of other numbers, without the scores: allowed entries should keep their score.",
            answer,
            "Where do the scores appear in your result?",
        )
        for answer in (
            lambda scores, allowed: np.where(allowed, 0.0, -np.inf) + np.zeros_like(scores),
            lambda scores, allowed: np.where(allowed, 0.0, -np.inf),
            lambda scores, allowed: np.where(allowed, 1.0, -np.inf) * np.ones_like(scores),
            lambda scores, allowed: np.where(allowed, 1.0, -np.inf),
            lambda scores, allowed: np.where(allowed, -np.inf, 0.0),
        )
    ),
    *(
        Mistake(
            "scores-forgotten",
            "You returned the mask, not the scores: allowed entries should keep their score.",
            answer,
            "Where do the scores appear in your result?",
        )
        for answer in (
            lambda scores, allowed: allowed.copy(),
            lambda scores, allowed: ~allowed,
            lambda scores, allowed: allowed * 1.0,
        )
    ),
    Mistake(
        "input-changed",
        "You wrote into the caller's scores; make a new array.",
        variant(put=_in_place),
        "Copy first, or let `np.where` make a new array.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax already; masked scores are not weights yet.",
        variant(after=lambda masked, allowed: softmax(masked)),
        "Return the scores.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax already, and down the columns; masked scores are not weights yet.",
        variant(after=lambda masked, allowed: softmax(masked, axis=-2)),
        "Return the scores.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax first and hid afterwards; here scores are masked, not weights.",
        lambda scores, allowed: np.where(allowed, softmax(scores), -np.inf),
        "Return the scores.",
    ),
    Mistake(
        "softmax-too-early",
        "You took exponentials already; masked scores are not weights yet.",
        variant(after=lambda masked, allowed: np.exp(masked)),
        "Return the scores.",
    ),
    Mistake(
        "softmax-too-early",
        "You applied softmax already, and gave 0 to hidden keys; masked scores are not weights yet.",
        lambda scores, allowed: softmax(scores) * allowed,
        "Return the scores.",
    ),
    Mistake(
        "transposed-mask",
        "You used the mask transposed: rows of the mask are queries, as in the scores.",
        variant(mask=lambda scores, allowed: np.swapaxes(np.atleast_2d(allowed), -2, -1)),
        "Compare the shapes of scores and mask.",
    ),
    Mistake(
        "transposed-mask",
        "You used the mask transposed: rows of the mask are queries, as in the scores.",
        variant(mask=lambda scores, allowed: allowed.T),
        "Compare the shapes of scores and mask.",
    ),
    Mistake(
        "transposed-mask",
        "Where the mask is square you read it the other way round: a row belongs to a query.",
        lambda scores, allowed: np.where(_turned_if_square(allowed), scores, -np.inf),
        "Which axis of the mask runs over the keys?",
    ),
    Mistake(
        "padding-on-queries",
        "You take a mask of shape (n,) for one of queries where there are as many queries as keys; it names keys.",
        lambda scores, allowed: np.where(_as_queries(scores, allowed), scores, -np.inf),
        _ROWS,
    ),
    Mistake(
        "padding-on-queries",
        "You hid a query's whole row when one of its keys is hidden.",
        variant(mask=lambda scores, allowed: allowed.all(-1, keepdims=True)),
        _ROWS,
    ),
    Mistake(
        "padding-on-queries",
        "You looked only whether a query may look anywhere, and then at none of its keys.",
        variant(mask=lambda scores, allowed: allowed.any(-1, keepdims=True)),
        _ROWS,
    ),
    Mistake(
        "query-used-for-all",
        "You used the first row of the mask for every query.",
        variant(mask=lambda scores, allowed: np.atleast_2d(allowed)[..., :1, :]),
        _ROWS,
    ),
    Mistake(
        "query-used-for-all",
        "You used `allowed[0]`, the first row or the first sequence, for all of them.",
        variant(mask=lambda scores, allowed: allowed[0]),
        _ROWS,
    ),
    Mistake(
        "query-used-for-all",
        "You joined the rows of the mask into one; each query has a row of its own.",
        variant(mask=lambda scores, allowed: allowed.all(0)),
        _ROWS,
    ),
    Mistake(
        "wrong-order",
        "You turned each row of the mask back to front; entry [i, j] of the mask belongs to score [i, j].",
        variant(mask=lambda scores, allowed: np.flip(allowed, -1)),
        _ROWS,
    ),
    Mistake(
        "wrong-order",
        "You turned the mask back to front in all its axes: `np.flip` is not `not`.",
        variant(mask=lambda scores, allowed: np.flip(allowed)),
        _ROWS,
    ),
    Mistake(
        "first-batch-only",
        "You used the mask of the first sequence for every sequence.",
        variant(mask=_first_of_batch),
        "Leave the leading axes alone: they broadcast.",
    ),
    Mistake(
        "first-batch-only",
        "You masked the first sequence of the batch alone.",
        _first_sequence_filled,
        "Leave the leading axes alone: they broadcast.",
    ),
    Mistake(
        "blocked-row-left-open",
        "A query that may look nowhere keeps its scores; all of them should be hidden.",
        variant(mask=lambda scores, allowed: allowed | ~allowed.any(-1, keepdims=True)),
        "What becomes of a row of the mask that is all False?",
    ),
    Mistake(
        "nothing-allowed-as-no-mask",
        "A mask without a single True hides nothing in your code; it should hide every score.",
        variant(mask=lambda scores, allowed: allowed if allowed.any() else ~allowed),
        "Do you ask whether there is any True in the mask? What should become of the scores if there is none?",
    ),
    Mistake(
        "diagonal-left-open",
        "You let every query look at the key of the same number, whatever the mask says.",
        variant(mask=lambda scores, allowed: allowed | np.eye(*scores.shape[-2:], dtype=bool)),
        "Does the mask say anywhere that a token may look at itself?",
    ),
    Mistake(
        "causal-by-default",
        "You hid the future besides what the mask hides.",
        variant(mask=lambda scores, allowed: allowed & np.tri(*scores.shape[-2:], dtype=bool)),
        "Does the task say that the mask is causal?",
    ),
    Mistake(
        "blocked-keys-removed",
        "You took the hidden scores out, so the shape is lost. They stay in place, as minus infinity.",
        variant(put=lambda scores, allowed: scores[np.broadcast_to(allowed, scores.shape)]),
        "Which shape should the result have?",
    ),
    Mistake(
        "blocked-keys-removed",
        "You took the hidden scores out, so the shape is lost. They stay in place, as minus infinity.",
        variant(put=lambda scores, allowed: scores[allowed]),
        "Which shape should the result have?",
    ),
    Mistake(
        "mask-not-broadcast",
        "An index that is a mask must have the very shape of the scores; yours may have fewer axes, or axes of length 1.",
        variant(put=_by_index),
        _BROADCAST,
    ),
    Mistake(
        "mask-not-broadcast",
        "An index that is a mask must have the very shape of the axes it stands for; it does not broadcast.",
        variant(put=_by_last_axis),
        _BROADCAST,
    ),
    Mistake(
        "mask-not-broadcast",
        "`np.putmask` does not broadcast the mask over the scores.",
        variant(put=_by_putmask),
        _BROADCAST,
    ),
    Mistake(
        "mask-not-broadcast",
        "`np.place` does not broadcast the mask over the scores.",
        variant(put=_by_place),
        _BROADCAST,
    ),
    Mistake(
        "mask-not-broadcast",
        "You removed the axes of length 1 from the mask; they say along which axes it is repeated.",
        variant(mask=lambda scores, allowed: allowed.squeeze()),
        _BROADCAST,
    ),
    Mistake(
        "mask-not-broadcast",
        "You gave the mask an axis too many at the end; the last axis of the mask runs over the keys.",
        variant(mask=lambda scores, allowed: allowed[..., None]),
        _BROADCAST,
    ),
    Mistake(
        "mask-not-broadcast",
        "You look up one entry of the mask for each pair, but the mask may have fewer axes, or axes of length 1.",
        variant(put=_pair_by_pair),
        _BROADCAST,
    ),
    Mistake(
        "fixed-number-of-axes",
        "Your code works for scores with two axes only; there may be a batch and heads in front.",
        _two_axes,
        "Count axes from the end (-1, -2), so that any number may stand in front.",
    ),
)
