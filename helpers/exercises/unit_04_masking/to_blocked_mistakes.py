"""What people get wrong in `to_blocked`: the same mask with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable

Step = Callable[[np.ndarray], Any]


@replaceable
def variant(
    *,
    before: Step = lambda allowed: allowed,
    turn: Step = lambda allowed: ~allowed,
    after: Step = lambda blocked: blocked,
) -> Callable[[np.ndarray], Any]:
    """A mask in the other convention, with one or more of the steps replaced by a wrong one."""

    def answer(allowed: np.ndarray) -> Any:
        return after(turn(before(allowed)))

    return answer


def _in_place(allowed: np.ndarray) -> np.ndarray:
    np.logical_not(allowed, out=allowed)
    return allowed


def _eye(mask: np.ndarray) -> np.ndarray:
    return np.eye(*mask.shape[-2:], dtype=bool)


_BOOL = "The result should be True and False."
_OPERATOR = "There is an operator that turns each entry of a boolean array round."
_EACH = "Should every pair keep its own True or False?"
_ROWS = "Rows stay queries in both conventions."
_USED = "Where does `allowed` appear in your result?"

MISTAKES = (
    Mistake(
        "mask-not-inverted",
        "You returned the mask as it is; `nn.MultiheadAttention` wants the opposite, True = blocked.",
        variant(turn=lambda allowed: allowed.copy()),
        "What should become of `[True, False]`?",
    ),
    Mistake(
        "mask-not-bool",
        "You returned the numbers 0 and 1; the mask should be True and False.",
        variant(after=lambda blocked: blocked * 1.0),
        "`1 - mask` makes numbers. " + _OPERATOR,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and -inf to add to the scores; here a boolean mask is asked for.",
        variant(after=lambda blocked: np.where(blocked, -np.inf, 0.0)),
        _BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned -inf where a query may look, and 0 elsewhere; here a boolean mask is asked for, True = blocked.",
        variant(after=lambda blocked: np.where(blocked, 0.0, -np.inf)),
        _BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 1 and -inf; here a boolean mask is asked for.",
        variant(after=lambda blocked: np.where(blocked, -np.inf, 1.0)),
        _BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and a large negative number to add to the scores; here a boolean mask is asked for.",
        variant(after=lambda blocked: np.where(blocked, -1e9, 0.0)),
        _BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and -1: the numbers 1 and 0 with another sign. The mask should be True and False.",
        lambda allowed: allowed * -1.0,
        _OPERATOR,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and -1: from True and False you subtracted 1. The mask should be True and False.",
        lambda allowed: allowed - 1,
        _OPERATOR,
    ),
    Mistake(
        "zero-times-inf",
        "You multiplied with infinity: 0 times infinity is NaN. And here a boolean mask is asked for.",
        variant(after=lambda blocked: np.where(blocked, -np.inf, np.nan)),
        _BOOL,
    ),
    Mistake(
        "zero-times-inf",
        "You multiplied with infinity: 0 times infinity is NaN. And here a boolean mask is asked for.",
        variant(after=lambda blocked: np.where(blocked, np.nan, -np.inf)),
        _BOOL,
    ),
    Mistake(
        "bitwise-on-int",
        "`~` on whole numbers gives -1 and -2. On True and False it turns one into the other.",
        variant(turn=lambda allowed: ~allowed.astype(int)),
        "Turn the mask round while it is still boolean.",
    ),
    Mistake(
        "bitwise-on-int",
        "`~` on whole numbers turns all their bits round: 0 and 1 become 255 and 254.",
        variant(turn=lambda allowed: ~allowed.astype(np.uint8)),
        "Turn the mask round while it is still boolean.",
    ),
    Mistake(
        "minus-on-bool",
        "A minus sign does not turn True into False; NumPy refuses it.",
        variant(turn=lambda allowed: -allowed),
        _OPERATOR,
    ),
    Mistake(
        "minus-on-bool",
        "You subtracted one boolean array from another; NumPy refuses it.",
        variant(turn=lambda allowed: np.ones_like(allowed) - allowed),
        _OPERATOR,
    ),
    Mistake(
        "minus-on-bool",
        "You subtracted from True; NumPy refuses to subtract True and False.",
        variant(turn=lambda allowed: True - allowed),
        _OPERATOR,
    ),
    Mistake(
        "array-truth-value",
        "`not` wants a single True or False; for the entries of an array there is an operator.",
        variant(turn=lambda allowed: not allowed),
        "Which operator turns each entry round?",
    ),
    Mistake(
        "transposed-mask",
        "You transposed the mask; only True and False should change places.",
        variant(turn=lambda allowed: np.swapaxes(allowed, -2, -1)),
        _ROWS,
    ),
    Mistake(
        "transposed-mask",
        "True and False have changed places, which is right; but you transposed the mask too.",
        variant(after=lambda blocked: np.swapaxes(blocked, -2, -1)),
        _ROWS,
    ),
    Mistake(
        "transposed-mask",
        "You turned round the order of all axes besides True and False.",
        variant(after=lambda blocked: blocked.T),
        _ROWS,
    ),
    Mistake(
        "transposed-mask",
        "You turned round the order of all axes; only True and False should change places.",
        variant(turn=lambda allowed: allowed.T),
        _ROWS,
    ),
    Mistake(
        "flipped-triangle",
        "You turned the mask back to front: `np.flip` is not `not`.",
        variant(turn=np.flip),
        "What should become of `[True, True, False]`?",
    ),
    Mistake(
        "flipped-triangle",
        "You turned each row back to front; True and False should change places.",
        variant(turn=lambda allowed: allowed[..., ::-1]),
        "What should become of `[True, True, False]`?",
    ),
    Mistake(
        "flipped-triangle",
        "You turned the mask upside down; True and False should change places.",
        variant(turn=lambda allowed: np.flip(allowed, -2)),
        _ROWS,
    ),
    Mistake(
        "flipped-triangle",
        "True and False have changed places, which is right; but you turned each row back to front too.",
        variant(after=lambda blocked: blocked[..., ::-1]),
        "What should become of `[True, True, False]`?",
    ),
    Mistake(
        "mask-missing",
        "You blocked nothing: your mask is False everywhere.",
        variant(turn=np.zeros_like),
        _USED,
    ),
    Mistake(
        "mask-missing",
        "You blocked everything: your mask is True everywhere.",
        variant(turn=np.ones_like),
        _USED,
    ),
    Mistake(
        "mask-ignored",
        "You blocked the future, whatever `allowed` says.",
        variant(turn=lambda allowed: np.triu(np.ones(allowed.shape, bool), 1)),
        _USED,
    ),
    Mistake(
        "mask-ignored",
        "You allowed the past, whatever `allowed` says; and True means blocked here.",
        variant(turn=lambda allowed: np.tril(np.ones(allowed.shape, bool))),
        _USED,
    ),
    Mistake(
        "causal-by-default",
        "You blocked the future besides what `allowed` blocks.",
        variant(after=lambda blocked: blocked | np.triu(np.ones(blocked.shape, bool), 1)),
        "Does the task say that the mask is causal?",
    ),
    Mistake(
        "causal-by-default",
        "You kept the upper triangle only: what `allowed` blocks in the past is open.",
        variant(after=lambda blocked: np.triu(blocked, 1)),
        "Does the task say that the mask is causal?",
    ),
    Mistake(
        "causal-by-default",
        "You kept the upper triangle with the diagonal: what `allowed` blocks in the past is open.",
        variant(after=np.triu),
        "Does the task say that the mask is causal?",
    ),
    Mistake(
        "causal-by-default",
        "You kept the lower triangle: what `allowed` blocks in the future is open.",
        variant(after=np.tril),
        "Does the task say that the mask is causal?",
    ),
    Mistake(
        "diagonal-left-open",
        "You left the diagonal open; a pair that is not allowed is blocked on the diagonal too.",
        variant(after=lambda blocked: blocked & ~_eye(blocked)),
        "Does `allowed` say that a token may always see itself?",
    ),
    Mistake(
        "diagonal-hidden",
        "You blocked the diagonal; a token that may see itself is not blocked.",
        variant(after=lambda blocked: blocked | _eye(blocked)),
        "What does `allowed` say of the diagonal?",
    ),
    Mistake(
        "blocked-row-left-open",
        "You opened rows in which nothing is allowed; they stay blocked.",
        variant(before=lambda allowed: allowed | ~allowed.any(-1, keepdims=True)),
        "What should become of `[False, False, False]`?",
    ),
    Mistake(
        "blocked-row-left-open",
        "You opened the first key in rows in which nothing is allowed; they stay blocked.",
        variant(
            before=lambda allowed: (
                allowed | (~allowed.any(-1, keepdims=True) & (np.arange(allowed.shape[-1]) == 0))
            )
        ),
        "What should become of `[False, False, False]`?",
    ),
    Mistake(
        "input-changed",
        "You wrote into the caller's mask; make a new array.",
        _in_place,
        "Which step writes into `allowed` itself?",
    ),
    Mistake(
        "reduced-to-one-value",
        "You asked whether a query may look anywhere; each pair keeps a True or False of its own.",
        variant(turn=lambda allowed: ~allowed.any(-1)),
        _EACH,
    ),
    Mistake(
        "reduced-to-one-value",
        "You asked whether a query may look everywhere; each pair keeps a True or False of its own.",
        variant(turn=lambda allowed: ~allowed.all(-1)),
        _EACH,
    ),
    Mistake(
        "reduced-to-one-value",
        "You gave a whole row the same value; each pair keeps a True or False of its own.",
        variant(turn=lambda allowed: np.repeat(~allowed.any(-1, keepdims=True), allowed.shape[-1], -1)),
        _EACH,
    ),
    Mistake(
        "reduced-to-one-value",
        "You gave a whole row the same value; each pair keeps a True or False of its own.",
        variant(turn=lambda allowed: np.repeat(~allowed.all(-1, keepdims=True), allowed.shape[-1], -1)),
        _EACH,
    ),
    *(
        Mistake(
            "reduced-to-one-value",
            "You made a single True or False of the whole mask; each pair keeps its own.",
            answer,
            _EACH,
        )
        for answer in (
            lambda allowed: not allowed.all(),
            lambda allowed: not allowed.any(),
            lambda allowed: bool(allowed.all()),
            lambda allowed: bool(allowed.any()),
            lambda allowed: allowed is False,
        )
    ),
    Mistake(
        "first-batch-only",
        "You returned the mask of the first sequence for the whole batch.",
        variant(before=lambda allowed: allowed[:1] if allowed.ndim > 2 else allowed),
        "Leave the leading axes alone.",
    ),
    Mistake(
        "first-batch-only",
        "You kept the first entry along the first axis, and nothing of the others.",
        lambda allowed: ~allowed[0],
        "Leave the leading axes alone.",
    ),
    Mistake(
        "returns-positions",
        "You returned the positions of blocked pairs, not a mask over all of them.",
        lambda allowed: np.argwhere(~allowed),
        "The result should have the shape of `allowed`.",
    ),
    Mistake(
        "query-used-for-all",
        "You used the first row of the mask for every query.",
        variant(before=lambda allowed: np.broadcast_to(allowed[..., :1, :], allowed.shape)),
        _ROWS,
    ),
    Mistake(
        "keepdims-left",
        "The mask is right, but it has an axis too many.",
        variant(after=lambda blocked: blocked[None]),
        "Which step adds an axis?",
    ),
    Mistake(
        "fixed-number-of-axes",
        "Your code works for masks with two axes only; there may be a batch and heads in front.",
        lambda allowed: np.array([[not entry for entry in row] for row in allowed]),
        "Which operator works for any number of axes?",
    ),
)
