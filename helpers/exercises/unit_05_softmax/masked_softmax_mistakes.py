"""What people get wrong in `masked_softmax`: the same function with one step replaced."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.exercises.wrong.attention import (
    COUNTED_AS_0,
    FILLERS,
    NEVER_BELOW_0,
    TOO_HIGH,
    causal,
    hide,
    repaired,
    share,
)
from helpers.exercises.wrong.generic import turned
from helpers.exercises.wrong.rows import alone, mistakes, paired, rows, without
from helpers.exercises.wrong.softmax import KEEPDIMS, POWERS, SHARES, nothing, powers, shares, softmax

Array = np.ndarray
Axis = int | None
Step = Callable[[Array, Axis], Array]


def _largest(hidden: Array, axis: Axis, *_: Any) -> Array:
    largest = hidden.max(axis=axis, keepdims=True)
    return np.where(np.isfinite(largest), largest, 0)


def variant(
    *,
    numbers: Callable[[Array], Array] = lambda scores: scores,
    mask: Callable[[Array, Array], Array] = hide,
    axis: Axis = -1,
    shift: Callable[[Array, Axis, Array], Any] = _largest,
    power: Step = powers,
    divide: Step = shares,
    empty: Callable[..., Array] = lambda weights, empty, scores, allowed: np.where(empty, 0, weights),
    after: Callable[[Array, Array], Array] = lambda weights, allowed: weights,
) -> Callable[..., Array]:
    """Masked softmax with one or more of its steps replaced by a wrong one."""

    def answer(scores: Array, allowed: Array) -> Array:
        scores = numbers(scores)
        hidden = mask(scores, allowed)
        parts = power(hidden - shift(hidden, axis, scores), axis)
        nobody = (parts == 0).all(axis=axis, keepdims=True)
        return after(empty(divide(parts, axis), nobody, scores, allowed), allowed)

    return answer


def _written(scores: Array, hidden: Array) -> Array:
    scores[hidden] = -np.inf
    return scores


def _no_query(weights: Array, empty: Array, scores: Array, allowed: Array) -> Array:
    seen = np.broadcast_to(allowed, scores.shape).any(axis=0)
    return np.where(seen, np.where(empty, np.nan, weights), 0.0)


def _one_is_none(weights: Array, empty: Array, scores: Array, allowed: Array) -> Array:
    seen = np.broadcast_to(allowed, scores.shape).sum(axis=-1, keepdims=True)
    return np.where(seen > 1, weights, 0.0)


def _row_by_row(scores: Array, allowed: Array) -> Array:
    """Row i of the scores with row i of the mask: fits equal shapes with two axes only."""
    weights = np.zeros_like(scores)
    for i in range(len(scores)):
        keep = allowed[i]
        if keep.any():
            weights[i][keep] = softmax(scores[i][keep])
    return weights


def _entry_by_entry(scores: Array, allowed: Array) -> Array:
    n_q, n_k = scores.shape
    hidden = np.array([[scores[i, j] if allowed[i, j] else -np.inf for j in range(n_k)] for i in range(n_q)])
    return variant()(hidden, allowed)


def _multiplied(scores: Array, allowed: Array, guard: Callable[[Array], Any]) -> Array:
    """Exponentials without a maximum times the mask: infinity times 0 is NaN."""
    powers = np.exp(scores) * allowed
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=guard(total))


def _blocked_rows_zero(weights: Array, allowed: Array) -> Array:
    return weights * allowed.any(axis=-1, keepdims=True)


# what masks leave of the scores when they do not hide a key for good: such rows are never empty
_LEAKING = rows(
    # -1e-9 in place of -1e9 is the same
    "mask-multiplied: Hidden keys got a score of 0, or nearly 0 such as -1e-9; e^0 is 1, so they still get weight.",
    "Which score has the exponential 0?",
    lambda scores, allowed: scores * allowed,
    "mask-value-sign: Hidden keys got a very large score, so all the weight goes to them; the minus sign is missing.",
    lambda scores, allowed: np.where(allowed, scores, 1e9),
    "mask-value-too-small: Hidden keys got a low score, but not low enough: they still get weight beside other low scores.",
    "Which score has the exponential 0, whatever the others are?",
    *(lambda scores, allowed, v=v: np.where(allowed, scores, v) for v in (-100.0, -1e3, -1e4)),
    "mask-value-too-small: The scores of hidden keys are made too little lower: a large one still gets weight.",
    *(lambda scores, allowed, less=less: scores - less * ~allowed for less in (10.0, 20.0, 1e4)),
    "mask-value-too-small: Hidden keys got the smallest of all scores, which is not low enough: they still get weight.",
    lambda scores, allowed: np.where(allowed, scores, scores.min()),
    "mask-ignored: The mask hides nothing: hidden keys keep their weight.",
    "What happens to `allowed` in your code? Is the masked array the one you go on with?",
    lambda scores, allowed: scores,
    "mask-added: You added the mask to the scores: True counts as 1 and False as 0, a difference that hides nothing.",
    "Which entries should change, and to what?",
    lambda scores, allowed: scores + allowed,
)


MISTAKES = mistakes(
    variant,
    *rows(
        "blocked-row-nan: A row with no allowed key becomes NaN: 0 divided by 0, or infinity minus infinity.",
        "What should a query get that may look at nobody?",
        paired(empty=lambda w, empty, s, a: np.where(empty, np.nan, w)),
        "blocked-row-nan: A row with no allowed key becomes NaN, unless the mask allows nothing at all; it should be 0 in every mask.",
        "Do you ask the whole mask whether a key is allowed, or each row?",
        {"empty": lambda w, empty, s, a: np.where(empty, np.nan if a.any() else 0, w)},
        "blocked-row-nan: You look for keys that no query may see, with `any(axis=0)`; a row with no allowed key stays NaN.",
        "Over which axis must you ask whether a query may look at any key?",
        {"empty": _no_query},
        "off-by-one: You take a row with one allowed key for a row with none; that key should get all the weight.",
        "How many keys must be allowed for a row to have weights?",
        {"empty": _one_is_none},
        "blocked-row-left-open: A row with no allowed key gets the weights it has without a mask. (Taking the same 1e9 from every score of a row changes nothing.)",
        "What should a query get that may look at nobody?",
        paired(empty=lambda w, empty, s, a: np.where(empty, softmax(s), w)),
        "blocked-row-uniform: A row with no allowed key gets the weight 1 everywhere; it should get none at all.",
        {"empty": lambda w, empty, s, a: np.where(empty, 1, w)},
        "blocked-row-left-open: A row with no allowed key gives all its weight to the first key; it should have none to give.",
        {"empty": lambda w, empty, s, a: np.where(empty, np.eye(s.shape[-1])[0], w)},
        "blocked-row-uniform: A row with no allowed key gets equal weights; it should get none at all.",
        "With the same score everywhere, as -1e9, all keys are equal again. What should such a row be?",
        paired(empty=lambda w, empty, s, a: np.where(empty, 1 / s.shape[-1], w)),
        "nothing-allowed-as-no-mask: A mask without a single True hides nothing in your code; it should hide every key, and all weights be 0.",
        "Do you ask whether there is any True in the mask? What should the weights be if there is none?",
        {"mask": lambda scores, allowed: hide(scores, allowed | ~allowed.any())},
        "blocked-row-in-first-query-only: You repaired the first row of scores only; another row with no allowed key is still NaN.",
        "Any row may have no allowed key.",
        {"empty": lambda w, empty, s, a: np.where(empty & (np.indices(empty.shape)[-2] == 0), 0, w)},
        "blocked-row-zeroes-all: One row with no allowed key, and your whole result is 0; the other rows keep their weights.",
        "Decide row by row: `any` has an axis.",
        paired(empty=lambda w, empty, s, a: np.where(empty.any(), 0, w)),
        "all-instead-of-any: You set every row to 0 that has a hidden key; it should be the rows in which all keys are hidden.",
        "`any` or `all`: which of them says 'at least one allowed key'?",
        {"after": lambda weights, allowed: weights * allowed.all(axis=-1, keepdims=True)},
        "mask-inverted: You gave the weight to the hidden keys: True means 'may look'.",
        "Which keys should end with weight 0?",
        paired(mask=lambda scores, allowed: hide(scores, ~allowed)),
        {
            "mask": lambda scores, allowed: hide(scores, ~allowed),
            "empty": lambda w, empty, s, a: np.where(empty, np.nan, w),
        },
        paired(mask=lambda scores, allowed: np.where(allowed, -1e9, scores)),
        {"mask": lambda scores, allowed: np.where(allowed, -1e9, scores), "after": _blocked_rows_zero},
        "mask-inverted: In your result every allowed key has the weight 0: something is set to 0 where the mask says True.",
        "Which of its last two arguments does `np.where` take where the first is True?",
        {"after": lambda weights, allowed: np.where(allowed, 0, weights)},
        {
            "empty": lambda w, empty, s, a: np.where(empty, 1 / s.shape[-1], w),
            "after": lambda weights, allowed: np.where(allowed, 0, weights),
        },
        "mask-inverted: You kept the weights of the hidden keys: True means 'may look'.",
        lambda scores, allowed: softmax(scores) * ~allowed,
        "mask-value-sign: Hidden keys got +inf (or NaN) as their score, which turns the whole row into NaN; it should be minus infinity.",
        "Which score has the exponential 0?",
        lambda scores, allowed: softmax(np.where(allowed, scores, np.inf)),
        "mask-value-not-a-number: Hidden keys end with NaN; their weight should be the number 0.",
        paired(after=lambda weights, allowed: np.where(allowed, weights, np.nan)),
        "zero-times-inf: You multiplied infinity by the mask; 0 times infinity is NaN, so the allowed keys become NaN.",
        "`np.where` chooses without multiplying.",
        lambda scores, allowed: softmax(scores + (1 - allowed) * -np.inf),
        lambda scores, allowed: np.exp(scores + (1 - allowed) * -np.inf),
        "minus-on-bool: You put a minus to a mask; NumPy has none for True and False.",
        "The opposite of a mask is `~allowed`.",
        lambda scores, allowed: softmax(scores + -allowed * 1e9),
        lambda scores, allowed: softmax(scores - (True - allowed) * 1e9),
        "mask-after-softmax: You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
        "Hide the scores before the softmax.",
        paired(mask=lambda scores, allowed: scores, after=lambda weights, allowed: weights * allowed),
        "mask-after-softmax: You put -inf in place of the weights of hidden keys; it belongs in place of their scores, before the softmax.",
        {"mask": lambda s, a: s, "after": lambda w, a: np.where(a, w, -np.inf)},
        "max-over-blocked: You hid the keys only after the exponentials (or the softmax) of all scores: beside a large hidden score the allowed ones have become 0 by then.",
        "Mask before you look for the maximum.",
        paired(shift=lambda hidden, axis, scores: scores.max(axis=axis, keepdims=True)),
        *(lambda s, a, e=e: (w := softmax(s) * a) / (w.sum(-1, keepdims=True) + e) for e in (1e-9, 1e-12)),
        "max-over-blocked: You hid the keys only after the exponentials (or the softmax) of all scores: beside a large hidden score the allowed ones have become 0 by then, and 0 / 0 is NaN.",
        lambda s, a: _multiplied(s - _largest(s, -1), a, lambda _: a.any(axis=-1, keepdims=True)),
        "causal-by-default: You hide the keys that come after each query, whatever `allowed` says.",
        "Where does `allowed` appear in your code?",
        paired(mask=lambda scores, allowed: hide(scores, causal(scores))),
        "causal-by-default: You hide the keys that come after each query, on top of those that `allowed` hides.",
        "Only `allowed` decides here.",
        paired(mask=lambda scores, allowed: hide(scores, allowed & causal(scores))),
        "diagonal-hidden: You also hide each query's own place, the diagonal.",
        {"mask": lambda scores, allowed: hide(scores, allowed & ~np.eye(*scores.shape[-2:], dtype=bool))},
        "transposed-mask: Your mask is turned round: its rows belong to the queries, its columns to the keys.",
        "Leave `allowed` as it comes.",
        paired(mask=lambda s, a: hide(s, turned(np.atleast_2d(a)))),
        "only-first-row: You use the first query's row of the mask for every query.",
        "Row i of `allowed` belongs to query i.",
        {"mask": lambda s, a: hide(s, a[..., :1, :] if a.ndim > 1 else a)},
        "first-batch-only: You use the first mask of the batch for all of them.",
        "`np.where` lines the axes up for you; no `[0]` is needed.",
        paired(mask=lambda s, a: hide(s, a[0] if a.ndim > 2 else a)),
        "mask-not-broadcast: You used the mask as an index; there it must have the shape of the scores, and `allowed` may be smaller.",
        "`np.where` broadcasts; `scores[~allowed]` does not.",
        {"mask": lambda s, a: _written(s.copy(), ~a)},
        "mask-not-broadcast: You take row i of `allowed` for row i of the scores; `allowed` may have fewer axes, and both may have more than two.",
        "`np.where` broadcasts; an index such as `allowed[i]` does not.",
        _row_by_row,
        "mask-not-broadcast: You count on a matrix of scores and a mask of the same shape: `allowed[i, j]` is not there in a mask of shape (n_k,).",
        "`np.where` broadcasts; an index such as `allowed[i, j]` does not.",
        _entry_by_entry,
        "blocked-keys-removed: You kept the allowed scores alone, in one flat array; the result has the shape of the scores, with 0 for hidden keys.",
        "Which score has the exponential 0, so that the key may stay in its place?",
        lambda scores, allowed: softmax(scores[np.broadcast_to(allowed, scores.shape)]),
        "zero-as-sentinel: You hid every score that is 0; a real score may be 0.",
        "Use the mask, not the scores.",
        {"mask": lambda scores, allowed: hide(scores, allowed & (scores != 0))},
        "input-changed: You wrote into the caller's scores.",
        "Copy first, or let `np.where` make a new array.",
        paired(mask=lambda s, a: _written(s, ~np.broadcast_to(a, s.shape))),
        "softmax-over-queries: Your weights sum to 1 down the columns; each row should.",
        "Each query shares out 1 among its keys: which axis are the keys?",
        paired(axis=-2),
        "softmax-over-batch: You used axis 0, which runs over the queries of a matrix and over the batch of anything larger.",
        "Each query shares out 1 among its keys: which axis are the keys? Count from the end.",
        {"axis": 0},
        "axis-counted-from-front: You used axis 1: right for a matrix, but with a batch in front the keys are no longer axis 1.",
        "Count from the end, so that any number of axes may stand in front.",
        paired(axis=1),
        "softmax-over-everything: Your weights sum to 1 over the whole array; each row should.",
        "Do your maximum and your sum get an axis?",
        paired(axis=None),
        "softmax-over-everything: Your weights sum to 1 over the whole array; each row should. With nothing allowed that sum is 0, and 0 / 0 is NaN.",
        {"axis": None, "empty": lambda w, empty, s, a: np.where(empty, np.nan, w)},
        "keepdims-forgotten: Your `any` (or `all`) loses an axis, so it lines up with the wrong one, or does not fit at all.",
        "`any` has an option that keeps the axis with length 1.",
        {"after": lambda weights, allowed: np.where(allowed.any(axis=-1), weights, 0)},
        {"after": lambda w, allowed: np.where(np.broadcast_to(allowed, w.shape).any(axis=-1), w, 0)},
        "softmax-over-queries: Your maximum runs along the first axis; the sum, rightly, along the last.",
        "What you take away must be the same for all scores that share one sum.",
        {"shift": lambda hidden, axis, scores: _largest(hidden, 0)},
        "no-max-subtraction: Your exponentials overflow for large scores, or all become 0 for very low ones.",
        "Take the largest allowed score of the row away first.",
        paired(shift=nothing),
        "no-max-subtraction: Your exponentials overflow for large scores, or all become 0 for very low ones; infinity times a mask of 0 is NaN.",
        lambda scores, allowed: _multiplied(scores, allowed, lambda total: total != 0),
        lambda scores, allowed: _multiplied(scores, allowed, lambda total: total > 0),
        {"shift": nothing, "after": lambda weights, allowed: np.nan_to_num(weights)},
        {"shift": nothing, "numbers": lambda scores: np.clip(scores, -50, 50)},
        TOO_HIGH,
        "Which score has the exponential 0, whatever the others are?",
        *(
            {
                "mask": lambda s, a, v=value, added=added: s + ~a * v if added else hide(s, a, v),
                "after": lambda w, a, renormalised=renormalised: repaired(w, a, renormalised=renormalised),
            }
            for value in FILLERS
            for added in (False, True)
            for renormalised in (False, True)
        ),
        COUNTED_AS_0,
        "Where does the maximum look: at the masked scores, or at scores times the mask?",
        lambda s, a: share(np.exp(hide(s, a) - (s * a).max(-1, keepdims=True))),
        NEVER_BELOW_0,
        "With which number does the search for your maximum start?",
        {"shift": lambda hidden, axis, scores: np.maximum(hidden.max(axis=axis, keepdims=True), 0)},
        "global-max: You took away one maximum for the whole array; the exponentials of rows far below it all become 0.",
        "Each row has a maximum of its own: use the axis.",
        paired(shift=lambda hidden, axis, scores: hidden.max()),
        lambda s, a: _multiplied(s - hide(s, a).max(), a, lambda total: total > 0),
        lambda s, a: _multiplied(s - s.max(), a, lambda total: total > 0),
        "mean-for-max: You took the mean of the scores away, not the maximum, so large differences still overflow.",
        "After the subtraction no allowed score should be above 0.",
        {"shift": lambda hidden, axis, scores: scores.mean(axis=axis, keepdims=True)},
        "min-for-max: You took the smallest score away, not the largest, so large differences still overflow.",
        {"shift": lambda hidden, axis, scores: scores.min(axis=axis, keepdims=True)},
        "weights-ignored: Every allowed key gets the same weight: your result does not depend on the scores.",
        "Where do the scores appear in your code?",
        paired(power=lambda z, axis: np.isfinite(z).astype(z.dtype)),
        "weights-ignored: All keys get the same weight, hidden or not: neither the scores nor the mask reach your result. (If you turned the mask into integers before `~`: ~0 is -1 and ~1 is -2, and both count as True.)",
        "Print what goes into your softmax.",
        lambda scores, allowed: np.full_like(scores, 1 / scores.shape[-1]),
        "no-exponential: You divided the scores by their sum; the exponentials are missing.",
        "Which function makes every score positive?",
        lambda scores, allowed: share(np.where(allowed, scores, 0)),
        "no-softmax: You returned masked scores; the softmax is missing.",
        "What should the weights of a row add up to?",
        hide,
        "sigmoid: You squeezed each score by itself with a sigmoid; the weights of a row should depend on each other and sum to 1.",
        lambda scores, allowed: 1 / (1 + np.exp(-hide(scores, allowed))),
        "hard-lookup: You gave all the weight to the best allowed key; softmax leaves some for the others.",
        "What are the weights of the scores [ln 1, ln 3]?",
        paired(power=lambda z, axis: (z == 0).astype(z.dtype)),
        "wrong-base: You took powers of 2; it should be powers of e.",
        "Which function of NumPy has e built in?",
        {"power": lambda z, axis: np.exp2(z)},
        "log-softmax: You returned the logarithm of the weights.",
        "Weights lie between 0 and 1.",
        lambda scores, allowed: np.log(softmax(hide(scores, allowed))),
        "softmax-again: You applied the softmax twice: the weight 0 of a hidden key has the exponential 1.",
        "How often does `exp` appear in your code, or is called by it?",
        paired(after=lambda weights, allowed: softmax(weights)),
        "softmax-again: You applied the softmax twice: mask the scores, not the weights.",
        lambda scores, allowed: variant()(softmax(scores), allowed),
        "sign-flipped: Large scores get small weights and hidden keys all of it: you took the scores from the maximum.",
        "Is it the score minus the maximum, or the maximum minus the score?",
        lambda scores, allowed: shares(np.exp(_largest(s := hide(scores, allowed), -1) - s), -1),
        "scaled-by-sqrt-n: You divided the scores by the root of the number of keys; here they come ready.",
        "Use the scores as they are.",
        {"numbers": lambda scores: scores / np.sqrt(scores.shape[-1])},
    ),
    *(
        replace(row, program=program)
        for row in _LEAKING
        for program in (paired(mask=row.program), {"mask": row.program, "after": _blocked_rows_zero})
    ),
    *KEEPDIMS[:1],
    *alone(KEEPDIMS[1:]),
    *POWERS[:1],
    *without(SHARES, "log-softmax"),
    numbers="scores",
    all_powers="the row",
    no_epsilon="Can the sum be 0 where a key is allowed? Treat the other rows apart.",
)
