"""What a wrong result looks like beside the right one: turned, cut short, negated, multiplied.

A last resort after the known mistakes: it needs no program, only the two arrays.  Each sentence says what is
seen, which every program that gives such numbers may be told; where it may come from is a question, the hint.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.exercises.wrong.generic import softmax
from helpers.exercises.wrong.rows import rows
from helpers.verdict import looks
from helpers.verdict.looks import Find, Look, Silent, close, floats, look, made_by

Args = Mapping[str, Any]
Array = np.ndarray
Call = tuple[Sequence[tuple[Array, Array]], Args]
"""The arrays of a call, right one and learner's, and its arguments."""


@dataclass(frozen=True)
class Resemblance:
    """One way in which a wrong result can come from the right one.

    Attributes:
        id: short name of the mistake.
        hint: what to look at.
        says: what the learner did, with a place in braces for each value that was found.
        find: takes the right array, the learner's and the arguments of the call; returns the values, `True`
            where there are none to tell, or nothing where it does not fit.
        silent: takes the same and the values that were found in another call; tells whether nothing of it
            could show in this call, as of a transpose where the right result is symmetric.
        exact: whether it must say the same of every call, numbers included.
    """

    id: str
    hint: str
    says: str
    find: Find
    silent: Silent
    exact: bool

    def look(self, right: Array, got: Array, args: Args) -> str | None:
        """What to say of one call, or `None` where it does not fit."""
        found = self.find(right, got, args)
        return self.says.format(*(found if isinstance(found, tuple) else ())) if found else None

    def said_of(self, wrong: Sequence[Call], right: Sequence[Call]) -> dict[int, str]:
        """What to say of wrong calls, by their places; nothing at all where one call speaks against it.

        It must hold in the first wrong call, and in every other in which it could show: of every array that
        is wrong.  Where an answer is right there must be an array in which it could not show.

        Args:
            wrong: the wrong calls that gave a result, each with the arrays that differ.
            right: the right calls, each with all its arrays.
        """
        with np.errstate(all="ignore"):
            said = {}
            for place, (parts, args) in enumerate(wrong):
                looks = [self.look(one, got, args) for one, got in parts]
                if parts and all(looks):
                    said[place] = looks[0]
                if not said:  # most end here, after one call
                    return {}
            if len({self._form(says) for says in said.values()}) > 1:
                return {}
            (one, got), args = wrong[0][0][0], wrong[0][1]
            found = self.find(one, got, args)
            others = (call for place, call in enumerate(wrong) if place not in said)
            if not all(
                parts and all(self.silent(*pair, args, found) for pair in parts) for parts, args in others
            ):
                return {}
            for parts, args in right:
                if parts and not any(self.silent(*pair, args, found) for pair in parts):
                    return {}
        return said

    def _form(self, says: str) -> str:
        """A sentence without the sizes of its call, but for one that must say the same of every call."""
        return says if self.exact else re.sub(r"[\W\d]", "", says)


_LOSE = "You lose the digits after the point: "

RESEMBLANCES = tuple(
    Resemblance(row.id, row.hint, row.says, row.program.find, row.program.silent, row.program.exact)
    for row in rows(
        "keepdims-left: The numbers are right, but your result has an axis too many: its shape is {}.",
        "Which step keeps an axis of size 1?",
        Look(looks.axis_left, lambda right, got, args, found: False),
        "shape-flattened: The numbers are right and in order, but your result lacks an axis of size 1.",
        "Which step removes an axis? One row is still a matrix with one row.",
        Look(looks.axis_gone, lambda right, got, args, found: 1 not in right.shape),
        "shape-flattened: The numbers are right and in order, but your result lacks axes: it is too flat.",
        "Which step removes an axis?",
        Look(
            lambda right, got, args: got.ndim < right.ndim and looks.in_order(right, got),
            lambda right, got, args, found: right.ndim < 2,
        ),
        "sign-flipped: Every sign is turned round.",
        "Where does a minus sign come in?",
        made_by(lambda r: -r),
        "lost-sign: The numbers are right, but the minus signs are lost.",
        "Where could a minus sign get lost: `abs`, a square, a clip?",
        made_by(np.abs),
        "lost-sign: Where the right result is negative, yours is 0.",
        "Where could negative numbers get lost: `maximum`, `clip`, a comparison?",
        made_by(lambda r: np.maximum(r, 0)),
        f"truncates-to-int: {_LOSE}each number is cut off to an integer.",
        "Look for `int`, `//`, `round` or an array made for integers.",
        made_by(np.trunc, fits=looks.whole_numbers),
        f"truncates-to-int: {_LOSE}each number is rounded down to an integer.",
        "Look for `//` or `floor`.",
        made_by(np.floor, fits=looks.whole_numbers),
        *(
            part
            for k in range(5)
            for part in (
                f"truncates-to-int: {_LOSE}each number is rounded to {k} digits.",
                "Look for `round`: results are compared with all their digits.",
                made_by(lambda r, k=k: np.round(r, k), fits=looks.whole_numbers),
            )
        ),
        "returns-input: Your result is the input {} as it came.",
        "Does what you computed reach the `return`, and does it change anything?",
        looks.with_input(lambda right, got, value: value.size > 1 and close(got, value)),
        "first-batch-only: Your result is that of the first sequence of the batch, and of no other.",
        "Leave the leading axes alone: `[0]` and `[:1]` drop sequences.",
        made_by(lambda r: r[0], lambda r: r[:1], lambda r: np.broadcast_to(r[:1], r.shape), fits=looks.batch),
        "overwritten-instead-of-collected: Every sequence of the batch has the result of the last one.",
        "Do your rounds all write into one array?",
        made_by(lambda r: np.broadcast_to(looks.last_sequence(r), r.shape), fits=looks.batch),
        "returned-inside-loop: Only the first row comes back.",
        "Where does your loop end: is a `return` inside it?",
        made_by(lambda r: r[..., :1, :], lambda r: r[..., 0, :], fits=looks.matrix),
        "rows-paired: Your numbers are the diagonal of the right result, as if row i met row i only.",
        "Every row of one array should meet every row of the other.",
        made_by(
            lambda r: np.diagonal(r, 0, -2, -1), fits=lambda r, got: looks.matrix(r, got) and r.shape[-1] > 1
        ),
        "axes-out-of-order: The numbers are right, but the axes stand in another order: "
        "{} of the right ones.",
        "Write the shape behind each line of your code.",
        look(looks.axes_swapped, lambda right: right.ndim < 2),
        "shape-flattened: The numbers come in the right order, but in another shape.",
        "Which line changes the shape last?",
        Look(
            lambda right, got, args: got.shape != right.shape and looks.in_order(right, got),
            lambda right, got, args, found: right.size < 2,
        ),
        "last-left-out: The {} entry along axis {} is {}.",
        "Where does your loop or slice begin, and where does it end?",
        look(looks.last_missing, looks.last_cannot_miss),
        "last-left-out: The {0} row and the {0} column are left at zero.",
        "Where do your loops begin, and where do they end?",
        look(looks.frame_at_zero, looks.last_cannot_miss),
        "off-by-one: Your result has one entry too many along axis {}.",
        "Count the entries: `range(n)` has n of them.",
        looks.along(lambda whole, mine: close(mine[:-1], whole) or close(mine[1:], whole), 0),
        "off-by-one: Every entry stands one place too far along axis {}.",
        "Check where your counting starts.",
        looks.along(lambda whole, mine: len(whole) > 2 and close(mine, np.roll(whole, 1, 0)), 3),
        "off-by-one: Every entry stands one place too early along axis {}.",
        looks.along(lambda whole, mine: len(whole) > 2 and close(mine, np.roll(whole, -1, 0)), 3),
        "wrong-order: Your result runs backwards along axis {}.",
        "In which direction do you loop, or slice?",
        looks.along(lambda whole, mine: len(whole) > 1 and close(mine, whole[::-1]), 2),
        "no-sum: Added up along one axis your result would be right: a sum is missing.",
        "Over which axis should be added up?",
        Look(looks.not_summed, lambda right, got, args, found: False),
        "axis-summed: Your result is the right one added up along axis {}, which is gone.",
        "Where does that axis go: is there a sum too many, or a letter missing behind an arrow?",
        Look(looks.summed_away, lambda right, got, args, found: right.ndim < 2),
        "softmax-over-everything: Your result is one number: {} of all entries of the right one.",
        "Which axis should remain?",
        Look(looks.one_number, lambda right, got, args, found: right.size < 2),
        "extra-residual: Your result is the right one plus the input {}.",
        "Return the result alone.",
        looks.with_input(
            lambda r, got, value: floats(r, got, value) and r.size > 1 and close(got, r + value)
        ),
        "extra-layernorm: Your result is the right one with each row brought to mean 0 and spread 1.",
        "Return the numbers as they are.",
        look(looks.normalised, looks.few_rows),
        "extra-residual: Your result is the right one plus the input {}, "
        "each row brought to mean 0 and spread 1.",
        "Which of these steps does the exercise ask for?",
        looks.with_input(
            lambda r, got, value: floats(r, got, value) and bool(looks.normalised(r + value, got, {}))
        ),
        "softmax-too-early: Your result is a softmax of the right one.",
        "Which is the last step that the exercise asks for?",
        made_by(
            softmax,
            fits=lambda right, got: looks.rows_of(2, right) and right.any() and np.isfinite(right).all(),
        ),
        "extra-nonlinearity: Your result is the tanh of the right one.",
        made_by(np.tanh),
        "clamped: No number of your result is {} {:.4g}, but right ones are.",
        "Where do you keep numbers from growing or falling: `clip`, `maximum`, `minimum`?",
        Look(looks.held, looks.within_the_bound, exact=True),
        "mean-instead-of-sum: Your result is the right one {} {}, a size of your inputs, "
        "as a mean is beside a sum.",
        "Look for `mean` or a division.",
        looks.scaled([-1], 2),
        "scaled-too-early: Your result is the right one {} {}, a size of your inputs.",
        "Look for a division by a square root: how often is it asked for?",
        looks.scaled([-0.5], 1),
        "constant-factor: Your result is the right one times {:.4g}, everywhere.",
        "Look for a factor or a divisor too many, or one that is missing.",
        Look(looks.plain_factor, lambda right, got, args, found: close(got, found[0] * right), exact=True),
        "constant-factor: Your result is the right one {} {}, which is a size of your inputs.",
        "Look for a factor or a divisor too many, or one that is missing.",
        looks.scaled(looks.POWERS),
        "measured-with-too-few-draws: Your results are near the right ones, but not equal to them.",
        "Does your code draw random numbers? A formula has no scatter.",
        Look(looks.near, lambda right, got, args, found: not right.any()),
        "first-batch-only: Only the first sequence of the batch is right.",
        "What happens to the later sequences of a batch, and what to the first?",
        Look(looks.first_right, lambda right, got, args, found: not looks.batch(right, got)),
        "out-of-place: The numbers are the right ones, but read by columns where rows should be read.",
        'Is there an `order="F"` in your code, or a transpose beside a `reshape`?',
        made_by(*looks.BY_COLUMNS, fits=lambda right, got: floats(right, got) and right.size > 3),
        "out-of-place: The numbers are the right ones, but they stand in other places.",
        "Compare the shapes before and after each reshape or swap.",
        Look(
            lambda r, got, args: floats(r, got) and r.size > 3 and looks.same_numbers(r, got),
            lambda right, got, args, found: looks.same_numbers(right, got),  # few of them, or none moved
        ),
    )
)
