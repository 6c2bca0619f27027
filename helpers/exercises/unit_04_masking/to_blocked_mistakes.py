"""What people get wrong in `to_blocked`: the same mask with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.masks import ALIKE, NUMBERS
from helpers.exercises.wrong.rows import in_step, mistakes, paired, rows

Step = Callable[[np.ndarray], Any]


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


MISTAKES = mistakes(
    variant,
    *rows(
        "mask-not-inverted: You returned the mask as it is; `nn.MultiheadAttention` wants the opposite, True = blocked.",
        "What should become of `[True, False]`?",
        paired(turn=lambda allowed: allowed.copy()),
        "mask-not-bool: You returned the numbers 0 and 1; the mask should be True and False.",
        "Which step makes numbers? There is an operator that turns each entry of a boolean array round.",
        paired(after=lambda blocked: blocked * 1.0),
        "mask-not-bool: You returned 0 and -1: the numbers 1 and 0 with another sign. The mask should be True and False.",
        "There is an operator that turns each entry of a boolean array round.",
        lambda allowed: allowed * -1.0,
        "mask-not-bool: You returned 0 and -1: from True and False you subtracted 1. The mask should be True and False.",
        lambda allowed: allowed - 1,
        "minus-on-bool: You put a minus sign before the mask; NumPy has none for True and False.",
        {"turn": lambda allowed: -allowed},
        "minus-on-bool: You subtracted True and False from True; NumPy refuses it.",
        {"turn": lambda allowed: np.ones_like(allowed) - allowed},
        {"turn": lambda allowed: True - allowed},
        "array-truth-value: You asked a whole array for one True or False, as `not` does; for its entries there is an operator.",
        {"turn": lambda allowed: not allowed},
        "bitwise-on-int: You put `~` before whole numbers: it turns all their bits round, and 0 and 1 become 255 and 254.",
        "Turn the mask round while it is still boolean.",
        paired(turn=lambda allowed: ~allowed.astype(np.uint8)),
        "transposed-mask: You transposed the mask; only True and False should change places.",
        "Rows stay queries in both conventions.",
        paired(turn=lambda allowed: np.swapaxes(allowed, -2, -1)),
        "transposed-mask: You transposed the mask too; that True and False have changed places is right.",
        paired(after=lambda blocked: np.swapaxes(blocked, -2, -1)),
        "transposed-mask: You turned round the order of all axes besides True and False.",
        paired(after=lambda blocked: blocked.T),
        "transposed-mask: You turned round the order of all axes; only True and False should change places.",
        paired(turn=lambda allowed: allowed.T),
        "query-used-for-all: You used the first row of the mask for every query.",
        paired(before=lambda allowed: np.broadcast_to(allowed[..., :1, :], allowed.shape)),
        "flipped-triangle: You turned the mask upside down; True and False should change places.",
        paired(turn=lambda allowed: np.flip(allowed, -2)),
        "flipped-triangle: You turned the mask back to front: `np.flip` is not `not`.",
        "What should become of `[True, True, False]`?",
        paired(turn=np.flip),
        "flipped-triangle: You turned each row back to front; True and False should change places.",
        paired(turn=lambda allowed: allowed[..., ::-1]),
        "flipped-triangle: You turned the second axis back to front; True and False should change places.",
        {"turn": lambda allowed: allowed[:, ::-1]},
        "flipped-triangle: You turned each row back to front too; that True and False have changed places is right.",
        paired(after=lambda blocked: blocked[..., ::-1]),
        "mask-ignored: You blocked the future, whatever `allowed` says.",
        "Where does `allowed` appear in your result?",
        paired(turn=lambda allowed: np.triu(np.ones_like(allowed), 1)),
        "mask-ignored: You allowed the past, whatever `allowed` says; and True means blocked here.",
        paired(turn=lambda allowed: np.tril(np.ones_like(allowed))),
        "mask-ignored: You made a triangle by position, with the diagonal in it, and do not look at what `allowed` says.",
        lambda allowed: np.triu(np.ones((len(allowed), len(allowed)), bool)),
        lambda allowed: np.triu(np.ones((allowed.shape[-1],) * 2, bool)),
        paired(turn=lambda allowed: np.triu(np.ones_like(allowed))),
        "mask-ignored: You made a triangle by position, and do not look at what `allowed` says.",
        lambda allowed: np.triu(np.ones((len(allowed), len(allowed)), bool), 1),
        lambda allowed: np.triu(np.ones((allowed.shape[-1],) * 2, bool), 1),
        lambda allowed: np.triu(np.ones((*allowed.shape[:-2], *allowed.shape[-1:] * 2), bool), 1),
        "causal-by-default: You blocked the future besides what `allowed` blocks.",
        "Does the task say that the mask is causal?",
        paired(after=lambda blocked: blocked | np.triu(np.ones_like(blocked), 1)),
        "causal-by-default: You kept the upper triangle only: what `allowed` blocks in the past is open.",
        paired(after=lambda blocked: np.triu(blocked, 1)),
        "causal-by-default: You kept the upper triangle with the diagonal: what `allowed` blocks in the past is open.",
        paired(after=np.triu),
        "causal-by-default: You kept the lower triangle: what `allowed` blocks in the future is open.",
        paired(after=np.tril),
        "diagonal-left-open: You left the diagonal open; a pair that is not allowed is blocked on the diagonal too.",
        "What does `allowed` say of the diagonal? A token may see itself only where it is allowed.",
        paired(after=lambda blocked: np.where(np.eye(*blocked.shape[-2:]), False, blocked)),
        "diagonal-hidden: You blocked the diagonal; a token that may see itself is not blocked.",
        paired(after=lambda blocked: blocked | np.eye(*blocked.shape[-2:], dtype=bool)),
        "blocked-row-left-open: You opened rows in which nothing is allowed; they stay blocked.",
        "What should become of `[False, False, False]`?",
        paired(before=lambda allowed: allowed | ~allowed.any(-1, keepdims=True)),
        "blocked-row-left-open: You opened the first key in rows in which nothing is allowed; they stay blocked.",
        paired(before=lambda a: a | ~a.any(-1, keepdims=True) & (np.arange(a.shape[-1]) == 0)),
        "input-changed: You wrote into the caller's mask; make a new array.",
        "Which step writes into `allowed` itself?",
        lambda allowed: np.logical_not(allowed, out=allowed),
        "reduced-to-one-value: You asked whether a query may look anywhere; each pair keeps a True or False of its own.",
        "Should every pair keep its own True or False?",
        paired(turn=lambda allowed: ~allowed.any(-1)),
        "reduced-to-one-value: You asked whether a query may look everywhere; each pair keeps a True or False of its own.",
        paired(turn=lambda allowed: ~allowed.all(-1)),
        "reduced-to-one-value: You gave a whole row the same value; each pair keeps a True or False of its own.",
        paired(turn=lambda allowed: np.repeat(~allowed.any(-1, keepdims=True), allowed.shape[-1], -1)),
        paired(turn=lambda allowed: np.repeat(~allowed.all(-1, keepdims=True), allowed.shape[-1], -1)),
        "reduced-to-one-value: You made a single True or False of the whole mask; each pair keeps its own.",
        lambda allowed: not allowed.all(),
        lambda allowed: not allowed.any(),
        lambda allowed: bool(allowed.all()),
        lambda allowed: bool(allowed.any()),
        lambda allowed: allowed is False,
        "first-batch-only: You returned the mask of the first sequence for the whole batch.",
        "Leave the leading axes alone.",
        paired(before=lambda allowed: allowed[:1] if allowed.ndim > 2 else allowed),
        "first-batch-only: You kept the first entry along the first axis, and nothing of the others.",
        lambda allowed: ~allowed[0],
        "returns-positions: You returned the positions of blocked pairs, not a mask over all of them.",
        "The result should have the shape of `allowed`.",
        lambda allowed: np.argwhere(~allowed),
        "keepdims-left: The mask is right, but it has an axis too many.",
        paired(after=lambda blocked: blocked[None]),
        "fixed-number-of-axes: Your code works for masks with two axes only; there may be a batch and heads in front.",
        "Which operator works for any number of axes?",
        lambda allowed: np.array([[not entry for entry in row] for row in allowed]),
    ),
    *in_step("turn", (*NUMBERS, *ALIKE), pairs=True),
    yes="what is allowed",
    bool="Turn the mask round while it is boolean; True means blocked.",
    all_true="everything is blocked",
    all_false="nothing is blocked",
)
