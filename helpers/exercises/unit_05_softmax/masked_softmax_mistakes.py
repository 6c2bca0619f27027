"""What people get wrong in `masked_softmax`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import hide

Axis = int | None
Step = Callable[[np.ndarray, Axis], np.ndarray]
Empty = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _largest(hidden: np.ndarray, scores: np.ndarray, axis: Axis) -> np.ndarray:
    largest = hidden.max(axis=axis, keepdims=True)
    return np.where(np.isfinite(largest), largest, 0)


def _nothing(hidden: np.ndarray, scores: np.ndarray, axis: Axis) -> float:
    return 0.0


def _shares(powers: np.ndarray, axis: Axis) -> np.ndarray:
    return powers / powers.sum(axis=axis, keepdims=True)


def _zero(weights: np.ndarray, empty: np.ndarray, scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The weights, with 0 in rows in which everything is hidden."""
    return np.where(empty, 0, weights)


@replaceable
def variant(
    *,
    numbers: Callable[[np.ndarray], np.ndarray] = lambda scores: scores,
    mask: Callable[[np.ndarray, np.ndarray], np.ndarray] = hide,
    axis: Axis = -1,
    shift: Callable[[np.ndarray, np.ndarray, Axis], Any] = _largest,
    power: Callable[[np.ndarray], np.ndarray] = np.exp,
    divide: Step = _shares,
    empty: Empty = _zero,
    after: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda weights, allowed: weights,
) -> Callable[..., np.ndarray]:
    """Masked softmax with one or more of its steps replaced by a wrong one."""

    def answer(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        scores = numbers(scores)
        hidden = mask(scores, allowed)
        powers = power(hidden - shift(hidden, scores, axis))
        nobody = (powers == 0).all(axis=axis, keepdims=True)
        return after(empty(divide(powers, axis), nobody, scores, allowed), allowed)

    return answer


alone = variant.__wrapped__  # the same, but not tried together with a second mistake


def _softmax(x: np.ndarray, axis: Axis = -1) -> np.ndarray:
    """As it is without a mask: NaN where everything is -inf."""
    return _shares(np.exp(x - x.max(axis=axis, keepdims=True)), axis)


def _turned(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return hide(scores, np.swapaxes(np.atleast_2d(allowed), -2, -1))


def _in_place(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    scores[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return scores


def _by_index(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    scores = scores.copy()
    scores[~allowed] = -np.inf
    return scores


def _first_of_batch(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return hide(scores, allowed[0] if allowed.ndim > 2 else allowed)


def _first_query(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return hide(scores, allowed[..., :1, :] if allowed.ndim > 1 else allowed)


def _causal(scores: np.ndarray) -> np.ndarray:
    return np.tri(*scores.shape[-2:], dtype=bool)


def _row_by_row(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Row i of the scores with row i of the mask: fits equal shapes with two axes only."""
    weights = np.zeros_like(scores)
    for i in range(len(scores)):
        keep = allowed[i]
        if keep.any():
            weights[i][keep] = _softmax(scores[i][keep])
    return weights


def _entry_by_entry(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    n_q, n_k = scores.shape
    hidden = np.array([[scores[i, j] if allowed[i, j] else -np.inf for j in range(n_k)] for i in range(n_q)])
    return variant()(hidden, allowed)


def _multiplied(scores: np.ndarray, allowed: np.ndarray, guard: Callable[[np.ndarray], Any]) -> np.ndarray:
    """Exponentials without a maximum times the mask: infinity times 0 is NaN."""
    powers = np.exp(scores) * allowed
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=guard(total))


def _first_row_repaired(
    weights: np.ndarray, empty: np.ndarray, scores: np.ndarray, allowed: np.ndarray
) -> np.ndarray:
    weights = weights.copy()
    weights[..., 0, :] = np.where(empty[..., 0, :], 0, weights[..., 0, :])
    return weights


def _hidden_beside_hidden(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The maximum of all scores, and 0 only in the rows that the mask blocks."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * allowed
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(allowed.any(axis=-1, keepdims=True), total, 1)


def _without_exponential(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    kept = np.where(allowed, scores, 0)
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total == 0, 1, total)


# what masks leave of the scores when they do not hide a key for good: such rows are never empty
_LEAKING = (
    # -1e-9 in place of -1e9 is the same
    (
        "mask-multiplied",
        "Hidden keys got a score of 0, or nearly 0 such as -1e-9; e^0 is 1, so they still get weight.",
        lambda scores, allowed: scores * allowed,
        "Which score has the exponential 0?",
    ),
    *(
        (
            "mask-value-too-small",
            "Hidden keys got a low score, but not low enough: they still get weight beside other low scores.",
            lambda scores, allowed, hidden=hidden: np.where(allowed, scores, hidden),
            "Which score has the exponential 0, whatever the others are?",
        )
        for hidden in (-1.0, -5.0, -10.0, -100.0, -1e4)
    ),
    *(
        (
            "mask-value-too-small",
            "You took too little from the scores of hidden keys: a large one still gets weight.",
            lambda scores, allowed, less=less: scores - less * ~allowed,
            "Which score has the exponential 0, whatever the others are?",
        )
        for less in (10.0, 20.0, 50.0, 100.0, 1e4)
    ),
    (
        "mask-value-too-small",
        "Hidden keys got the smallest of all scores, which is not low enough: they still get weight.",
        lambda scores, allowed: np.where(allowed, scores, scores.min()),
        "Which score has the exponential 0, whatever the others are?",
    ),
    (
        "mask-value-sign",
        "Hidden keys got a very large score, so all the weight goes to them; the minus sign is missing.",
        lambda scores, allowed: np.where(allowed, scores, 1e9),
        "Which score has the exponential 0?",
    ),
    (
        "mask-ignored",
        "The mask hides nothing: hidden keys keep their weight.",
        lambda scores, allowed: scores,
        "What happens to `allowed` in your code? Is the masked array the one you go on with?",
    ),
    (
        "mask-added",
        "You added the mask to the scores: True counts as 1 and False as 0, a difference that hides nothing.",
        lambda scores, allowed: scores + allowed,
        "Which entries should change, and to what?",
    ),
)


def _blocked_rows_zero(weights: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return weights * allowed.any(axis=-1, keepdims=True)


MISTAKES = (
    Mistake(
        "blocked-row-nan",
        "A row with no allowed key becomes NaN: 0 divided by 0, or infinity minus infinity.",
        variant(empty=lambda weights, empty, scores, allowed: np.where(empty, np.nan, weights)),
        "What should a query get that may look at nobody?",
    ),
    Mistake(
        "blocked-row-uniform",
        "A row with no allowed key gets equal weights; it should get none at all.",
        variant(empty=lambda weights, empty, scores, allowed: np.where(empty, 1 / scores.shape[-1], weights)),
        "With the same score everywhere, as -1e9, all keys are equal again. What should such a row be?",
    ),
    Mistake(
        "blocked-row-left-open",
        "A row with no allowed key gets the weights it has without a mask. (Taking the same 1e9 from every score of a "
        "row changes nothing.)",
        variant(empty=lambda weights, empty, scores, allowed: np.where(empty, _softmax(scores), weights)),
        "What should a query get that may look at nobody?",
    ),
    Mistake(
        "blocked-row-uniform",
        "A row with no allowed key gets the weight 1 everywhere; it should get none at all.",
        alone(empty=lambda weights, empty, scores, allowed: np.where(empty, 1, weights)),
        "What should a query get that may look at nobody?",
    ),
    Mistake(
        "blocked-row-left-open",
        "A row with no allowed key gives all its weight to the first key; it should have none to give.",
        alone(
            empty=lambda weights, empty, scores, allowed: np.where(
                empty, np.eye(scores.shape[-1])[0], weights
            )
        ),
        "What should a query get that may look at nobody?",
    ),
    Mistake(
        "nothing-allowed-as-no-mask",
        "A mask without a single True hides nothing in your code; it should hide every key, and all weights be 0.",
        alone(mask=lambda scores, allowed: hide(scores, allowed | ~allowed.any())),
        "Do you ask whether there is any True in the mask? What should the weights be if there is none?",
    ),
    Mistake(
        "blocked-row-in-first-query-only",
        "You repaired the first row of scores only; another row with no allowed key is still NaN.",
        alone(empty=_first_row_repaired),
        "Any row may have no allowed key.",
    ),
    Mistake(
        "blocked-row-zeroes-all",
        "One row with no allowed key, and your whole result is 0; the other rows keep their weights.",
        variant(empty=lambda weights, empty, scores, allowed: np.where(empty.any(), 0, weights)),
        "Decide row by row: `any` has an axis.",
    ),
    Mistake(
        "all-instead-of-any",
        "You set every row to 0 that has a hidden key; it should be the rows in which all keys are hidden.",
        alone(after=lambda weights, allowed: weights * allowed.all(axis=-1, keepdims=True)),
        "`any` or `all`: which of them says 'at least one allowed key'?",
    ),
    Mistake(
        "mask-inverted",
        "You gave the weight to the hidden keys: True means 'may look'.",
        variant(mask=lambda scores, allowed: hide(scores, ~allowed)),
        "Which keys should end with weight 0?",
    ),
    Mistake(
        "mask-inverted",
        "You gave the weight to the hidden keys: True means 'may look'.",
        alone(mask=lambda scores, allowed: np.where(allowed, -1e9, scores)),
        "Which keys should end with weight 0?",
    ),
    Mistake(
        "mask-inverted",
        "You gave the weight to the hidden keys: True means 'may look'.",
        alone(mask=lambda scores, allowed: np.where(allowed, -1e9, scores), after=_blocked_rows_zero),
        "Which keys should end with weight 0?",
    ),
    Mistake(
        "mask-inverted",
        "You kept the weights of the hidden keys: True means 'may look'.",
        lambda scores, allowed: _softmax(scores) * ~allowed,
        "Which keys should end with weight 0?",
    ),
    *(
        Mistake(id, says, answer, hint)
        for id, says, mask, hint in _LEAKING
        for answer in (variant(mask=mask), alone(mask=mask, after=_blocked_rows_zero))
    ),
    Mistake(
        "mask-value-sign",
        "Hidden keys got +inf (or NaN) as their score, which turns the whole row into NaN; it should be minus infinity.",
        lambda scores, allowed: _softmax(np.where(allowed, scores, np.inf)),
        "Which score has the exponential 0?",
    ),
    Mistake(
        "mask-value-not-a-number",
        "Hidden keys end with NaN; their weight should be the number 0.",
        variant(after=lambda weights, allowed: np.where(allowed, weights, np.nan)),
        "Which score has the exponential 0?",
    ),
    Mistake(
        "zero-times-inf",
        "You multiplied infinity by the mask; 0 times infinity is NaN, so the allowed keys become NaN.",
        lambda scores, allowed: _softmax(scores + (1 - allowed) * -np.inf),
        "`np.where` chooses without multiplying.",
    ),
    Mistake(
        "zero-times-inf",
        "You multiplied infinity by the mask; 0 times infinity is NaN, so the allowed keys become NaN.",
        lambda scores, allowed: np.exp(scores + (1 - allowed) * -np.inf),
        "`np.where` chooses without multiplying.",
    ),
    Mistake(
        "minus-on-bool",
        "NumPy has no minus for True and False.",
        lambda scores, allowed: _softmax(scores + -allowed * 1e9),
        "The opposite of a mask is `~allowed`.",
    ),
    Mistake(
        "minus-on-bool",
        "NumPy has no minus for True and False.",
        lambda scores, allowed: _softmax(scores - (True - allowed) * 1e9),
        "The opposite of a mask is `~allowed`.",
    ),
    Mistake(
        "mask-after-softmax",
        "You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
        variant(
            mask=lambda scores, allowed: scores,
            after=lambda weights, allowed: weights * allowed,
        ),
        "Hide the scores before the softmax.",
    ),
    Mistake(
        "mask-after-softmax",
        "You put -inf in place of the weights of hidden keys; it belongs in place of their scores, before the softmax.",
        alone(
            mask=lambda scores, allowed: scores,
            after=lambda weights, allowed: np.where(allowed, weights, -np.inf),
        ),
        "Hide the scores before the softmax.",
    ),
    Mistake(
        "max-over-blocked",
        "You hid the keys only after the exponentials (or the softmax) of all scores: beside a large hidden score the "
        "allowed ones have become 0 by then.",
        variant(shift=lambda hidden, scores, axis: scores.max(axis=axis, keepdims=True)),
        "Mask before you look for the maximum.",
    ),
    Mistake(
        "max-over-blocked",
        "You hid the keys only after the exponentials (or the softmax) of all scores: beside a large hidden score the "
        "allowed ones have become 0 by then, and 0 / 0 is NaN.",
        _hidden_beside_hidden,
        "Mask before you look for the maximum.",
    ),
    Mistake(
        "causal-by-default",
        "You hide the keys that come after each query, whatever `allowed` says.",
        variant(mask=lambda scores, allowed: hide(scores, _causal(scores))),
        "Where does `allowed` appear in your code?",
    ),
    Mistake(
        "causal-by-default",
        "You hide the keys that come after each query, on top of those that `allowed` hides.",
        variant(mask=lambda scores, allowed: hide(scores, allowed & _causal(scores))),
        "Only `allowed` decides here.",
    ),
    Mistake(
        "diagonal-hidden",
        "You also hide each query's own place, the diagonal.",
        alone(mask=lambda scores, allowed: hide(scores, allowed & ~np.eye(*scores.shape[-2:], dtype=bool))),
        "Only `allowed` decides here.",
    ),
    Mistake(
        "transposed-mask",
        "Your mask is turned round: its rows belong to the queries, its columns to the keys.",
        variant(mask=_turned),
        "Leave `allowed` as it comes.",
    ),
    Mistake(
        "only-first-row",
        "You use the first query's row of the mask for every query.",
        alone(mask=_first_query),
        "Row i of `allowed` belongs to query i.",
    ),
    Mistake(
        "first-batch-only",
        "You use the first mask of the batch for all of them.",
        variant(mask=_first_of_batch),
        "`np.where` lines the axes up for you; no `[0]` is needed.",
    ),
    Mistake(
        "mask-not-broadcast",
        "A boolean index must have the shape of the scores; `allowed` may be smaller, such as one row for all.",
        alone(mask=_by_index),
        "`np.where` broadcasts; `scores[~allowed]` does not.",
    ),
    Mistake(
        "mask-not-broadcast",
        "You take row i of `allowed` for row i of the scores; `allowed` may have fewer axes, and both may have more than two.",
        _row_by_row,
        "`np.where` broadcasts; an index such as `allowed[i]` does not.",
    ),
    Mistake(
        "mask-not-broadcast",
        "You count on a matrix of scores and a mask of the same shape: `allowed[i, j]` is not there in a mask of shape (n_k,).",
        _entry_by_entry,
        "`np.where` broadcasts; an index such as `allowed[i, j]` does not.",
    ),
    Mistake(
        "blocked-keys-removed",
        "You kept the allowed scores alone, in one flat array; the result has the shape of the scores, with 0 for hidden keys.",
        lambda scores, allowed: _softmax(scores[np.broadcast_to(allowed, scores.shape)]),
        "Which score has the exponential 0, so that the key may stay in its place?",
    ),
    Mistake(
        "zero-as-sentinel",
        "You hid every score that is 0; a real score may be 0.",
        alone(mask=lambda scores, allowed: hide(scores, allowed & (scores != 0))),
        "Use the mask, not the scores.",
    ),
    Mistake(
        "input-changed",
        "You wrote into the caller's scores.",
        variant(mask=_in_place),
        "Copy first, or let `np.where` make a new array.",
    ),
    Mistake(
        "softmax-over-queries",
        "Your weights sum to 1 down the columns; each row should.",
        variant(axis=-2),
        "Each query shares out 1 among its keys: which axis are the keys?",
    ),
    Mistake(
        "softmax-over-batch",
        "You used axis 0, which runs over the queries of a matrix and over the batch of anything larger.",
        alone(axis=0),
        "Each query shares out 1 among its keys: which axis are the keys? Count from the end.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You used axis 1: right for a matrix, but with a batch in front the keys are no longer axis 1.",
        variant(axis=1),
        "Count from the end, so that any number of axes may stand in front.",
    ),
    Mistake(
        "softmax-over-everything",
        "Your weights sum to 1 over the whole array; each row should.",
        variant(axis=None),
        "Do your maximum and your sum get an axis?",
    ),
    Mistake(
        "softmax-over-everything",
        "Your weights sum to 1 over the whole array; each row should. With nothing allowed that sum is 0, and 0 / 0 is NaN.",
        alone(axis=None, empty=lambda weights, empty, scores, allowed: np.where(empty, np.nan, weights)),
        "Do your maximum and your sum get an axis?",
    ),
    Mistake(
        "softmax-over-everything",
        "You divided by the sum over the whole array; each row has a sum of its own.",
        variant(divide=lambda powers, axis: powers / powers.sum()),
        "Does your sum get an axis?",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your sum loses an axis, so it is divided along the wrong one, or does not fit at all.",
        variant(divide=lambda powers, axis: powers / powers.sum(axis=axis)),
        "`np.sum` has an option that keeps the summed axis with length 1.",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your maximum loses an axis, so it is taken away along the wrong one, or does not fit at all.",
        alone(shift=lambda hidden, scores, axis: hidden.max(axis=axis)),
        "`np.max` has an option that keeps the axis with length 1.",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your `any` (or `all`) loses an axis, so it lines up with the wrong one, or does not fit at all.",
        alone(after=lambda weights, allowed: np.where(allowed.any(axis=-1), weights, 0)),
        "`any` has an option that keeps the axis with length 1.",
    ),
    Mistake(
        "softmax-over-queries",
        "Your maximum runs along the first axis; the sum, rightly, along the last.",
        alone(shift=lambda hidden, scores, axis: _largest(hidden, scores, 0)),
        "What you take away must be the same for all scores that share one sum.",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow for large scores, or all become 0 for very low ones.",
        variant(shift=_nothing),
        "Take the largest allowed score of the row away first.",
    ),
    *(
        Mistake(
            "no-max-subtraction",
            "Your exponentials overflow for large scores, or all become 0 for very low ones; infinity times a mask of 0 is NaN.",
            answer,
            "Take the largest allowed score of the row away first.",
        )
        for answer in (
            lambda scores, allowed: _multiplied(scores, allowed, lambda total: total != 0),
            lambda scores, allowed: _multiplied(scores, allowed, lambda total: total > 0),
            alone(shift=_nothing, after=lambda weights, allowed: np.nan_to_num(weights)),
            alone(shift=_nothing, numbers=lambda scores: np.clip(scores, -50, 50)),
        )
    ),
    Mistake(
        "global-max",
        "You took away one maximum for the whole array; the exponentials of rows far below it all become 0.",
        variant(shift=lambda hidden, scores, axis: hidden.max()),
        "Each row has a maximum of its own: use the axis.",
    ),
    Mistake(
        "global-max",
        "You took away one maximum for the whole array; the exponentials of rows far below it all become 0.",
        lambda scores, allowed: _multiplied(
            scores - hide(scores, allowed).max(), allowed, lambda total: total > 0
        ),
        "Each row has a maximum of its own: use the axis.",
    ),
    Mistake(
        "global-max",
        "You took away one maximum for the whole array; the exponentials of rows far below it all become 0.",
        lambda scores, allowed: _multiplied(scores - scores.max(), allowed, lambda total: total > 0),
        "Each row has a maximum of its own: use the axis.",
    ),
    Mistake(
        "mean-for-max",
        "You took the mean of the scores away, not the maximum, so large differences still overflow.",
        alone(shift=lambda hidden, scores, axis: scores.mean(axis=axis, keepdims=True)),
        "After the subtraction no allowed score should be above 0.",
    ),
    Mistake(
        "min-for-max",
        "You took the smallest score away, not the largest, so large differences still overflow.",
        alone(shift=lambda hidden, scores, axis: scores.min(axis=axis, keepdims=True)),
        "After the subtraction no allowed score should be above 0.",
    ),
    # dividing by the largest, which is 1 by then, is the same
    Mistake(
        "not-normalised",
        "Your weights do not sum to 1: the largest is 1. Divide by the sum of the row.",
        variant(divide=lambda powers, axis: powers),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "not-normalised",
        "Your weights do not sum to 1: these are bare exponentials.",
        alone(shift=_nothing, divide=lambda powers, axis: powers),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You divided by the mean of the exponentials; the weights of a row should sum to 1.",
        variant(divide=lambda powers, axis: powers / powers.mean(axis=axis, keepdims=True)),
        "What should the weights of a row add up to?",
    ),
    *(
        Mistake(
            "epsilon-too-large",
            f"You added {epsilon:g} to the sum, so the weights do not sum to 1 any more.",
            alone(divide=lambda powers, axis, e=epsilon: powers / (powers.sum(axis=axis, keepdims=True) + e)),
            "Can the sum be 0 where a key is allowed? Treat the other rows apart.",
        )
        for epsilon in (1e-5, 1e-4, 1e-3, 1e-2, 1.0)
    ),
    Mistake(
        "weights-ignored",
        "Every allowed key gets the same weight: your result does not depend on the scores.",
        variant(power=lambda z: np.isfinite(z).astype(z.dtype)),
        "Where do the scores appear in your code?",
    ),
    # so does a mask turned into integers before `~`: all scores get the same low number
    Mistake(
        "weights-ignored",
        "All keys get the same weight, hidden or not: neither the scores nor the mask reach your result. (If you turned the "
        "mask into integers before `~`: ~0 is -1 and ~1 is -2, and both count as True.)",
        lambda scores, allowed: np.full_like(scores, 1 / scores.shape[-1]),
        "Print what goes into your softmax.",
    ),
    Mistake(
        "no-exponential",
        "You divided the scores by their sum; the exponentials are missing.",
        _without_exponential,
        "Which function makes every score positive?",
    ),
    Mistake(
        "no-softmax",
        "You returned masked scores; the softmax is missing.",
        hide,
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "sigmoid",
        "You squeezed each score by itself with a sigmoid; the weights of a row should depend on each other and sum to 1.",
        lambda scores, allowed: 1 / (1 + np.exp(-hide(scores, allowed))),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "hard-lookup",
        "You gave all the weight to the best allowed key; softmax leaves some for the others.",
        variant(power=lambda z: (z == 0).astype(z.dtype)),
        "What are the weights of the scores [ln 1, ln 3]?",
    ),
    Mistake(
        "wrong-base",
        "You took powers of 2; it should be powers of e.",
        alone(power=np.exp2),
        "Which function of NumPy has e built in?",
    ),
    Mistake(
        "log-softmax",
        "You returned the logarithm of the weights.",
        alone(divide=lambda powers, axis: np.log(_shares(powers, axis))),
        "Weights lie between 0 and 1.",
    ),
    Mistake(
        "log-softmax",
        "You returned the logarithm of the weights.",
        lambda scores, allowed: np.log(_softmax(hide(scores, allowed))),
        "Weights lie between 0 and 1.",
    ),
    Mistake(
        "softmax-again",
        "You applied the softmax twice: the weight 0 of a hidden key has the exponential 1.",
        variant(after=lambda weights, allowed: _softmax(weights)),
        "How often does `exp` appear in your code, or is called by it?",
    ),
    Mistake(
        "softmax-again",
        "You applied the softmax twice: mask the scores, not the weights.",
        lambda scores, allowed: variant()(_softmax(scores), allowed),
        "How often does `exp` appear in your code, or is called by it?",
    ),
    Mistake(
        "sign-flipped",
        "Large scores get small weights: a sign is flipped.",
        variant(numbers=lambda scores: -scores),
        "Is it the score minus the maximum, or the maximum minus the score?",
    ),
    Mistake(
        "sign-flipped",
        "Large scores get small weights and hidden keys all of it: you took the scores from the maximum.",
        lambda scores, allowed: _shares(np.exp(_largest(s := hide(scores, allowed), s, -1) - s), -1),
        "Is it the score minus the maximum, or the maximum minus the score?",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided the scores by the root of the number of keys; here they come ready.",
        alone(numbers=lambda scores: scores / np.sqrt(scores.shape[-1])),
        "Use the scores as they are.",
    ),
)
