"""What people get wrong in `apply_mask`: the same function with one step replaced.

Zeros and other finite numbers for hidden scores are no known programs: whatever the number is, the
exercise's `judge` names them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.attention import softmax
from helpers.exercises.wrong.rows import mistakes, paired, rows

Rule = Callable[[np.ndarray, np.ndarray], np.ndarray]


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


def _written(write: Callable[[np.ndarray, np.ndarray], Any]) -> Rule:
    """Hidden scores written into a copy."""

    def put(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        masked = scores.copy()
        write(masked, allowed)
        return masked

    return put


def _filled(value: Any) -> Rule:
    return lambda scores, allowed: np.where(allowed, scores, value)


def _pair_by_pair(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    n_q, n_k = map(range, scores.shape[:2])
    return np.array([[scores[i, j] if allowed[i, j] else -np.inf for j in n_k] for i in n_q], scores.dtype)


def _two_axes(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    n_q, n_k = scores.shape
    return np.where(np.broadcast_to(allowed, (n_q, n_k)), scores, -np.inf)


def _whole_columns(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Asks of every key whether all queries, of all sequences, may look at it."""
    return np.array([allowed[..., j].all() for j in range(scores.shape[-1])])


def _softmax_with_nan(scores: np.ndarray) -> np.ndarray:
    """As PyTorch has it: a row of minus infinity gives NaN."""
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


MISTAKES = mistakes(
    variant,
    *rows(
        "mask-inverted: You hid what is allowed and kept what is not: True means 'may look'.",
        "Which of the two should keep its score?",
        paired(mask=lambda scores, allowed: ~allowed),
        "mask-inverted: You hid what is allowed and kept what is not; and a large negative number is not minus infinity.",
        paired(put=lambda scores, allowed: np.where(allowed, -1e9, scores)),
        "mask-ignored: You hid every score; those that are allowed should stay.",
        paired(put=lambda scores, allowed: np.full_like(scores, -np.inf)),
        "mask-multiplied: You multiplied by the opposite of the mask: allowed scores became 0, and hidden ones stayed.",
        lambda scores, allowed: scores * ~allowed,
        "mask-ignored: The numbers of the scores come back as they were, hidden ones too.",
        "What is made of `allowed` in your code, and does it reach what you return?",
        paired(put=lambda scores, allowed: scores.copy()),
        "mask-ignored: You hid the future, whatever `allowed` says. The mask may be any other.",
        "Where does `allowed` appear in your code?",
        paired(mask=lambda scores, allowed: np.tri(*scores.shape[-2:], dtype=bool)),
        "mask-ignored: You hid negative scores; the mask alone decides which are hidden.",
        paired(put=lambda scores, allowed: np.where(scores < 0, -np.inf, scores)),
        "mask-ignored: You kept positive scores; the mask alone decides which are kept.",
        paired(put=lambda scores, allowed: np.where(scores > 0, scores, -np.inf)),
        "sign-flipped: Hidden scores are right, but the allowed ones have the opposite sign.",
        "Where does a minus sign come in?",
        paired(put=lambda scores, allowed: np.where(allowed, -scores, -np.inf)),
        "mask-value-sign: You put plus infinity, which draws all the weight to hidden keys.",
        "Which sign should a score have that nobody picks?",
        paired(put=_filled(np.inf)),
        "mask-value-not-a-number: You put NaN, which spoils the whole row later.",
        "Which score has the exponential 0?",
        paired(put=_filled(np.nan)),
        "mask-value-not-a-number: You put None, which is no number: the result is an array of Python objects.",
        "NumPy has a name for infinity.",
        paired(put=_filled(None)),
        "mask-value-not-a-number: You put the text '-inf', which turns all scores into text.",
        paired(put=_filled("-inf")),
        "mask-value-sign: You multiplied hidden scores by minus infinity: negative ones become plus infinity, and 0 becomes NaN.",
        "Choose with `np.where` instead of calculating with infinity.",
        paired(put=lambda scores, allowed: scores * np.where(allowed, 1, -np.inf)),
        "mask-value-sign: You divided by the mask: a score divided by 0 is plus or minus infinity, by its sign, and 0 / 0 is NaN.",
        paired(put=lambda scores, allowed: scores / allowed),
        "zero-times-inf: You multiplied the mask with infinity: infinity times 0 is NaN.",
        paired(put=lambda scores, allowed: scores + ~allowed * -np.inf),
        "zero-times-inf: You multiplied the mask with infinity: infinity times 0 is NaN. And it is the allowed scores that you sent there.",
        paired(put=lambda scores, allowed: scores + allowed * -np.inf),
        "zero-times-inf: You multiplied the mask with infinity: infinity times 0 is NaN. And with a minus twice it is plus infinity.",
        paired(put=lambda scores, allowed: scores - ~allowed * -np.inf),
        "zero-as-sentinel: You hid every score that is 0; a real score may be 0. Use the mask.",
        "How do you tell a score of 0 from a hidden one?",
        paired(put=lambda scores, allowed: np.where((s := scores * allowed) == 0, -np.inf, s)),
        "zero-as-sentinel: You hid scores that are 0, and the mask does nothing. Use the mask.",
        paired(put=lambda scores, allowed: np.where(scores == 0, -np.inf, scores)),
        "mask-added: You added the mask: True counts as 1, so allowed scores grow and nothing is hidden.",
        "Which entries should change, and to what?",
        lambda scores, allowed: scores + allowed,
        "mask-added: You added the opposite of the mask: True counts as 1, so hidden scores grow.",
        lambda scores, allowed: scores + ~allowed,
        "mask-added: You subtracted the mask: True counts as 1, so allowed scores shrink and nothing is hidden.",
        lambda scores, allowed: scores - allowed,
        "scores-forgotten: You returned a mask of other numbers, without the scores: allowed entries should keep their score.",
        "Where do the scores appear in your result?",
        lambda scores, allowed: np.where(allowed, 0.0, -np.inf) + np.zeros_like(scores),
        lambda scores, allowed: np.where(allowed, 0.0, -np.inf),
        lambda scores, allowed: np.where(allowed, 1.0, -np.inf) * np.ones_like(scores),
        lambda scores, allowed: np.where(allowed, 1.0, -np.inf),
        lambda scores, allowed: np.where(allowed, -np.inf, 0.0),
        "scores-forgotten: You returned the mask, not the scores: allowed entries should keep their score.",
        lambda scores, allowed: allowed.copy(),
        lambda scores, allowed: ~allowed,
        lambda scores, allowed: allowed * 1.0,
        "arguments-swapped: You gave `np.where` the scores as the condition; the mask decides, and it comes first.",
        "`np.where(condition, where it is True, where it is False)`: which of your arrays is the condition?",
        lambda scores, allowed: np.where(scores, allowed, -np.inf),
        lambda scores, allowed: np.where(scores, -np.inf, allowed),
        "input-changed: You wrote into the caller's scores; make a new array.",
        "Copy first, or let `np.where` make a new array.",
        paired(put=lambda scores, allowed: np.subtract(scores, np.inf, out=scores, where=~allowed)),
        "softmax-too-early: You applied softmax already; masked scores are not weights yet.",
        "Return the scores.",
        paired(after=lambda masked, allowed: softmax(masked)),
        {"after": lambda masked, allowed: _softmax_with_nan(masked)},
        "softmax-too-early: You applied softmax already, and down the columns; masked scores are not weights yet.",
        paired(after=lambda masked, allowed: softmax(masked, axis=-2)),
        "softmax-too-early: You applied softmax first and hid afterwards; here scores are masked, not weights.",
        lambda scores, allowed: np.where(allowed, softmax(scores), -np.inf),
        "softmax-too-early: You took exponentials already; masked scores are not weights yet.",
        paired(after=lambda masked, allowed: np.exp(masked)),
        "softmax-too-early: You applied softmax already, and gave 0 to hidden keys; masked scores are not weights yet.",
        lambda scores, allowed: softmax(scores) * allowed,
        "transposed-mask: You used the mask transposed: rows of the mask are queries, as in the scores.",
        "Whose rows and whose columns does the mask describe? Its last axis runs over the keys.",
        paired(mask=lambda scores, allowed: np.swapaxes(np.atleast_2d(allowed), -2, -1)),
        paired(mask=lambda scores, allowed: allowed.T),
        "transposed-mask: Where the mask is square you read it the other way round: a row belongs to a query.",
        {"mask": lambda s, a: a.swapaxes(-2, -1) if a.ndim > 1 and a.shape[-1] == a.shape[-2] else a},
        "padding-on-queries: You take a mask of shape (n,) for one of queries where there are as many queries as keys; it names keys.",
        {"mask": lambda scores, allowed: allowed[:, None] if allowed.ndim == 1 else allowed},
        {
            "mask": lambda scores, allowed: (
                allowed[:, None] if allowed.shape == scores.shape[-2:-1] else allowed
            )
        },
        "padding-on-queries: You hid a query's whole row when one of its keys is hidden.",
        paired(mask=lambda scores, allowed: allowed.all(-1, keepdims=True)),
        "padding-on-queries: You looked only whether a query may look anywhere, and then at none of its keys.",
        paired(mask=lambda scores, allowed: allowed.any(-1, keepdims=True)),
        "query-used-for-all: You used the first row of the mask for every query.",
        paired(mask=lambda scores, allowed: np.atleast_2d(allowed)[..., :1, :]),
        "query-used-for-all: You used `allowed[0]`, the first row or the first sequence, for all of them.",
        paired(mask=lambda scores, allowed: allowed[0]),
        "query-used-for-all: You joined the rows of the mask into one; each query has a row of its own.",
        paired(mask=lambda scores, allowed: allowed.all(0)),
        "query-used-for-all: You hid a key from every query as soon as one query may not look at it.",
        "Which entry of the mask says whether query i may look at key j?",
        paired(mask=_whole_columns),
        {"mask": lambda scores, allowed: allowed.all(-2, keepdims=True)},
        "wrong-order: You turned each row of the mask back to front; entry [i, j] of the mask belongs to score [i, j].",
        paired(mask=lambda scores, allowed: np.flip(allowed, -1)),
        "wrong-order: You turned the mask back to front in all its axes: `np.flip` is not `not`.",
        paired(mask=lambda scores, allowed: np.flip(allowed)),
        "first-batch-only: You used the mask of the first sequence for every sequence.",
        "Leave the leading axes alone: they broadcast.",
        paired(mask=lambda s, allowed: np.broadcast_to(allowed, s.shape).reshape(-1, *s.shape[-2:])[0]),
        "first-batch-only: You masked the first sequence of the batch alone.",
        {
            "mask": lambda s, a: (
                a | (np.arange(len(s)) > 0).reshape(-1, *[1] * (s.ndim - 1)) if s.ndim > 2 else a
            )
        },
        "blocked-row-left-open: A query that may look nowhere keeps its scores; all of them should be hidden.",
        "What becomes of a row of the mask that is all False?",
        paired(mask=lambda scores, allowed: allowed | ~allowed.any(-1, keepdims=True)),
        "nothing-allowed-as-no-mask: A mask without a single True hides nothing in your code; it should hide every score.",
        "Do you ask whether there is any True in the mask? What should become of the scores if there is none?",
        paired(mask=lambda scores, allowed: allowed if allowed.any() else ~allowed),
        "diagonal-left-open: You let every query look at the key of the same number, whatever the mask says.",
        "Does the mask say anywhere that a token may look at itself?",
        paired(mask=lambda scores, allowed: allowed | np.eye(*scores.shape[-2:], dtype=bool)),
        "causal-by-default: You hid the future besides what the mask hides.",
        "Does the task say that the mask is causal?",
        paired(mask=lambda scores, allowed: allowed & np.tri(*scores.shape[-2:], dtype=bool)),
        "blocked-keys-removed: You took the hidden scores out, so the shape is lost. They stay in place, as minus infinity.",
        "Which shape should the result have?",
        paired(put=lambda scores, allowed: scores[np.broadcast_to(allowed, scores.shape)]),
        paired(put=lambda scores, allowed: scores[allowed]),
        "mask-not-broadcast: You used the mask as an index; there it must have the very shape of the scores, and it may have fewer axes, or axes of length 1.",
        "The mask may have fewer axes, or axes of length 1. Which functions broadcast?",
        paired(put=_written(lambda masked, allowed: masked.__setitem__(~allowed, -np.inf))),
        "mask-not-broadcast: You used the mask as an index; there it must have the very shape of the axes it stands for.",
        paired(put=_written(lambda masked, allowed: masked.__setitem__((..., ~allowed), -np.inf))),
        "mask-not-broadcast: You used the mask in `np.putmask`, which does not broadcast it over the scores.",
        paired(put=_written(lambda masked, allowed: np.putmask(masked, ~allowed, -np.inf))),
        "mask-not-broadcast: You used the mask in `np.place`, which does not broadcast it over the scores.",
        paired(put=_written(lambda masked, allowed: np.place(masked, ~allowed, -np.inf))),
        "mask-not-broadcast: You removed the axes of length 1 from the mask; they say along which axes it is repeated.",
        paired(mask=lambda scores, allowed: allowed.squeeze()),
        "mask-not-broadcast: You gave the mask an axis too many at the end; the last axis of the mask runs over the keys.",
        paired(mask=lambda scores, allowed: allowed[..., None]),
        "mask-not-broadcast: You look up one entry of the mask for each pair, but the mask may have fewer axes, or axes of length 1.",
        paired(put=_pair_by_pair),
        lambda s, a: np.array(
            [[x if a[i][j] else -np.inf for j, x in enumerate(r)] for i, r in enumerate(s)]
        ),
        "fixed-number-of-axes: Your code works for scores with two axes only; there may be a batch and heads in front.",
        "Count axes from the end (-1, -2), so that any number may stand in front.",
        _two_axes,
    ),
)
