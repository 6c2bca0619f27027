"""What people get wrong in `cosine_similarity`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.generic import centred_rows
from helpers.exercises.wrong.products import JOINS, SUMS
from helpers.exercises.wrong.rows import filled, mistakes, only, paired, rows

Array = np.ndarray


def _norm(a: Array) -> float:
    return np.sqrt(np.sum(a * a))


def _zero_for_zero(cosine: Any, a: Array, b: Array) -> Any:
    return cosine if a.any() and b.any() else 0.0


def _nothing_for_zero(cosine: Any, a: Array, b: Array) -> Any:
    return cosine if a.any() and b.any() else None


def variant(
    *,
    vectors: Callable[[Array, Array], tuple[Array, Array]] = lambda a, b: (a, b),
    multiply: Callable[[Array, Array], Any] = lambda a, b: np.sum(a * b),
    bottom: Callable[[Array, Array], Any] = lambda a, b: _norm(a) * _norm(b),
    after: Callable[[Any], Any] = lambda cosine: cosine,
    guard: Callable[[Any, Array, Array], Any] = _zero_for_zero,
) -> Callable[..., Any]:
    """The cosine with one or more of its steps replaced by a wrong one."""

    def answer(a: Array, b: Array) -> Any:
        one, other = vectors(a, b)
        return guard(after(multiply(one, other) / bottom(one, other)), a, b)

    return answer


def _zero_if(condition: Callable[[Array, Array], Any]) -> Callable[[Any, Array, Array], Any]:
    """The step `guard` with another condition."""
    return lambda cosine, a, b: 0.0 if condition(a, b) else cosine


ADDED = (1e-2, 1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12)

MISTAKES = mistakes(
    variant,
    *rows(
        *filled(
            "truncates-to-int: Your result is rounded to {}; all digits are needed.",
            "Look for `round`.",
            {
                "one digit": {"after": lambda cosine: np.round(cosine, 1)},
                "two digits": {"after": lambda cosine: np.round(cosine, 2)},
                "three digits": {"after": lambda cosine: np.round(cosine, 3)},
            },
        ),
        "zero-vector-nan: A vector of zeros gives 0 / 0, which is NaN. The exercise asks for 0.0 there.",
        "Which values do you divide by, and when are they 0?",
        paired(guard=lambda cosine, a, b: cosine),
        "zero-vector-nan: You look whether a is all zeros but not whether b is: 0 / 0 gives NaN.",
        paired(guard=_zero_if(lambda a, b: not a.any())),
        "zero-vector-nan: You look whether b is all zeros but not whether a is: 0 / 0 gives NaN.",
        paired(guard=_zero_if(lambda a, b: not b.any())),
        "zero-vector-nan: You return 0.0 only when both vectors are all zeros; one of them is enough for 0 / 0, which is NaN.",
        "Should `and` or `or` stand between your two conditions?",
        paired(guard=_zero_if(lambda a, b: not a.any() and not b.any())),
        "returns-none: You return nothing for a vector of zeros; the exercise asks for 0.0 there.",
        "Every way through your function should end in a `return`.",
        {"guard": _nothing_for_zero},
        "zero-vector-one: You return 1.0 for a vector of zeros; the exercise asks for 0.0 there.",
        "Does a vector of zeros point the same way as any other?",
        paired(guard=lambda cosine, a, b: cosine if a.any() and b.any() else 1.0),
        "zero-vector-one: You return 1.0 when both vectors are all zeros; the exercise asks for 0.0 there.",
        paired(guard=lambda cosine, a, b: _zero_for_zero(cosine, a, b) if a.any() or b.any() else 1.0),
        "zero-vector-returned: For a vector of zeros you return a vector; the exercise asks for the number 0.0.",
        "How many numbers should come back?",
        paired(guard=lambda cosine, a, b: cosine if a.any() and b.any() else np.zeros_like(a)),
        "any-instead-of-all: You return 0.0 as soon as one entry is 0; it should when all of them are.",
        "What do `any` and `all` ask of [3, 0]?",
        paired(guard=_zero_if(lambda a, b: not a.all() or not b.all())),
        "zero-sum-taken-for-zero: You took a sum of 0 for a length of 0: the entries of [1, -1] add up to 0, and it has a length.",
        "Which number is 0 only for a vector of zeros?",
        paired(guard=_zero_if(lambda a, b: a.sum() == 0 or b.sum() == 0)),
        "epsilon-too-large: You took short vectors for vectors of zeros: the cosine does not depend on how short they are.",
        "Ask whether the length is 0, not whether it is small.",
        paired(guard=_zero_if(lambda a, b: _norm(a) * _norm(b) < 1e-9)),
        "epsilon-too-large: You moved the lengths away from 0 by a small number; it shows in short vectors.",
        "Ask whether the length is 0 instead of moving it.",
        *({"bottom": lambda a, b, e=e: _norm(a) * _norm(b) + e} for e in ADDED),
        {"bottom": lambda a, b: (_norm(a) + 1e-8) * (_norm(b) + 1e-8)},
        *({"bottom": lambda a, b, e=e: max(_norm(a) * _norm(b), e)} for e in (1e-5, 1e-12)),
        "no-normalisation: You returned the dot product; the cosine also divides by both lengths.",
        "What should come out for two vectors in the same direction, however long?",
        paired(bottom=lambda a, b: 1.0),
        "scaled-up: You multiplied by the lengths; the cosine divides by them.",
        lambda a, b: np.sum(a * b) * _norm(a) * _norm(b),
        "clipped-instead-of-divided: You cut the dot product off at -1 and 1; the cosine divides it by the lengths.",
        lambda a, b: np.clip(np.sum(a * b), -1, 1),
        "one-norm-forgotten: You divided by the length of a only; b's length still counts.",
        "Make b twice as long: should the cosine change?",
        paired(bottom=lambda a, b: _norm(a)),
        "one-norm-forgotten: You divided by the length of a twice; b's length still counts.",
        paired(bottom=lambda a, b: _norm(a) ** 2),
        "one-norm-forgotten: You divided by the length of b only; a's length still counts.",
        "Make a twice as long: should the cosine change?",
        paired(bottom=lambda a, b: _norm(b)),
        "one-norm-forgotten: You divided by the length of b twice; a's length still counts.",
        paired(bottom=lambda a, b: _norm(b) ** 2),
        "no-square-root: You divided by the squared lengths: the square root is missing.",
        "The length of [3, 4] is 5, not 25.",
        paired(bottom=lambda a, b: np.sum(a * a) * np.sum(b * b)),
        "no-square-root: You divided by the squared length of a: the square root is missing there.",
        paired(bottom=lambda a, b: np.sum(a * a) * _norm(b)),
        "no-square-root: You divided by the squared length of b: the square root is missing there.",
        paired(bottom=lambda a, b: _norm(a) * np.sum(b * b)),
        "operator-precedence: You divided by halves of squared lengths: where a root is meant, something is halved.",
        "If you wrote `** 1 / 2`: which goes first, the power or the division?",
        paired(bottom=lambda a, b: np.sum(a * a) * np.sum(b * b) / 4),
        paired(bottom=lambda a, b: np.sum(a * a) * np.sum(b * b) / 2),
        {"bottom": lambda a, b: np.sum(a * a) / 2 * _norm(b)},
        {"bottom": lambda a, b: _norm(a) * np.sum(b * b) / 2},
        "operator-precedence: Your result is the dot product over the squared lengths, halved or doubled: no root is taken.",
        {"bottom": lambda a, b: np.sum(a * a) * np.sum(b * b) * 2},
        "wrong-norm: You divided by the sums of the entries, without their signs; a length is the root of the sum of the squares.",
        "Which comes first, squaring or adding up?",
        paired(bottom=lambda a, b: abs(a.sum() * b.sum())),
        "absolute-for-length: You took the sign of each entry away, as `abs` does; the length of a vector is one number, the root of a · a.",
        "How many numbers is the length of [3, 4]?",
        paired(bottom=lambda a, b: np.abs(a) * np.abs(b)),
        paired(multiply=lambda a, b: a * b, bottom=lambda a, b: np.abs(a) * np.abs(b)),
        "extra-square-root: You took the square root of the lengths once more than needed.",
        "Does your length of [3, 4] come out as 5?",
        paired(bottom=lambda a, b: np.sqrt(_norm(a) * _norm(b))),
        "operator-precedence: You divided by one length and multiplied by the other: `x / p * q` is `(x / p) * q`.",
        "Where do you need brackets?",
        paired(bottom=lambda a, b: _norm(a) / _norm(b)),
        "result-inverted: You divided the lengths by the dot product; it is the other way round.",
        "Two perpendicular vectors have the cosine 0. What do you divide by there?",
        paired(after=lambda cosine: 1 / cosine),
        "lost-sign: You dropped the sign: opposite vectors have the cosine -1.",
        "Where in your code does a minus sign get lost?",
        paired(after=np.abs),
        "lost-sign: You dropped the sign of each product before adding: opposite entries must count against the others.",
        paired(multiply=lambda a, b: np.sum(np.abs(a * b))),
        "lost-sign: You cut off negative cosines at 0: opposite vectors have the cosine -1.",
        "What is the smallest cosine there is?",
        paired(after=lambda cosine: np.maximum(cosine, 0)),
        "lost-sign: You squared the cosine: opposite vectors have the cosine -1.",
        "Which squares does your code need, and which not?",
        paired(after=lambda cosine: cosine**2),
        "angle-instead-of-cosine: You returned the angle; the exercise asks for its cosine.",
        "Two vectors in the same direction have the angle 0 and the cosine 1.",
        paired(after=lambda cosine: np.arccos(np.clip(cosine, -1, 1))),
        "angle-instead-of-cosine: You returned the angle in degrees; the exercise asks for its cosine.",
        paired(after=lambda cosine: np.degrees(np.arccos(np.clip(cosine, -1, 1)))),
        "sine-instead-of-cosine: You returned the sine of the angle: it is 0 for the same direction.",
        paired(after=lambda cosine: np.sqrt(np.maximum(1 - cosine**2, 0))),
        "cosine-of-cosine: You took the cosine of a number that is the cosine already.",
        "Which function belongs to the angle, and do you have an angle?",
        paired(after=np.cos),
        "cosine-of-cosine: You took the cosine of the dot product: `np.cos` wants an angle, and a dot product is none.",
        "What does a dot product have to be divided by, to be the cosine itself?",
        paired(bottom=lambda a, b: 1.0, after=np.cos),
        lambda a, b: np.cos(np.sum(a * b)),
        "distance-instead-of-similarity: You returned 1 minus the cosine: a distance, large when the vectors differ.",
        "Which value means 'the same direction': 0 or 1?",
        paired(after=lambda cosine: 1 - cosine),
        "distance-instead-of-similarity: You returned 1 minus the cosine: a distance. For a vector of zeros it gives 1 instead of 0.",
        {"guard": lambda cosine, a, b: 1 - _zero_for_zero(cosine, a, b)},
        "rescaled-to-0-1: You moved the cosine into the range from 0 to 1; it goes from -1 to 1.",
        "Which cosine do opposite vectors have?",
        paired(after=lambda cosine: (1 + cosine) / 2),
        "euclidean-distance: You measured the distance between the tips; the cosine does not change when a vector gets longer.",
        "Which operation joins `a[i]` and `b[i]` in a dot product?",
        lambda a, b: 1 / (1 + _norm(a - b)),
        lambda a, b: _norm(a - b),
        lambda a, b: 1 - _norm(a - b),
        "wrong-norm: You measured the length as the sum of the absolute entries; here it is the root of the sum of squares.",
        "By Pythagoras, how long is [3, 4]?",
        paired(bottom=lambda a, b: np.abs(a).sum() * np.abs(b).sum()),
        "wrong-norm: You measured the length as the sum of the absolute entries, and return nothing for a vector of zeros; the length is the root of the sum of squares.",
        "The length of [3, 4] is 5, not 7; and every way through your function should end in a `return`.",
        {"bottom": lambda a, b: np.abs(a).sum() * np.abs(b).sum(), "guard": _nothing_for_zero},
        "wrong-norm: You took the sum of the entries for the length; here it is the root of the sum of squares.",
        "By Pythagoras, how long is [3, 4]?",
        paired(bottom=lambda a, b: a.sum() * b.sum()),
        "wrong-norm: You took the largest entry for the length; here it is the root of the sum of squares.",
        paired(bottom=lambda a, b: np.abs(a).max() * np.abs(b).max()),
        "wrong-norm: You averaged the squares instead of adding them: that is not the length.",
        paired(bottom=lambda a, b: _norm(a) * _norm(b) / len(a)),
        "wrong-norm: You divided by the number of entries; divide by the lengths of the two vectors.",
        "The length of [3, 4] is 5, and it has 2 entries.",
        paired(bottom=lambda a, b: len(a)),
        "wrong-norm: You divided by the squared number of entries; divide by the lengths of the two vectors.",
        paired(bottom=lambda a, b: len(a) * len(b)),
        "wrong-norm: You divided by the sum of the lengths; divide by their product.",
        "a . b = |a| |b| cos: what has to go to the other side?",
        paired(bottom=lambda a, b: _norm(a) + _norm(b)),
        "wrong-norm: You added the squares of both vectors under one root; divide by the product of the two lengths.",
        paired(bottom=lambda a, b: np.sqrt(np.sum(a * a) + np.sum(b * b))),
        "wrong-norm: You divided by the length of the products `a * b`; divide by the product of the two lengths.",
        paired(bottom=lambda a, b: _norm(a * b)),
        "wrong-norm: You divided by the length of the difference `a - b`; divide by the product of the two lengths.",
        paired(bottom=lambda a, b: _norm(a - b)),
        "wrong-norm: You divided by the larger of the two squared lengths; divide by the product of the two lengths.",
        paired(bottom=lambda a, b: max(np.sum(a * a), np.sum(b * b))),
        "centred-first: You took the mean away first: that is a correlation, not a cosine.",
        "Use the vectors as they are.",
        paired(vectors=lambda a, b: (centred_rows(a), centred_rows(b))),
        lambda a, b: variant()(centred_rows(a), centred_rows(b)),
        "one-matrix-twice: You used the same vector twice: every vector points the same way as itself.",
        "Do both a and b appear in your code?",
        paired(after=lambda cosine: 1.0),
        "one-matrix-twice: You multiplied a with itself; b does not appear in your dot product.",
        paired(multiply=lambda a, b: np.sum(a * a)),
        "one-matrix-twice: You multiplied b with itself; a does not appear in your dot product.",
        paired(multiply=lambda a, b: np.sum(b * b)),
        "outer-product: You multiplied every entry of a with every entry of b; each meets only the one at the same place.",
        "Which number of b belongs to the first number of a?",
        paired(multiply=lambda a, b: np.sum(a) * np.sum(b)),
        "no-sum: You divided the products of the entries by the lengths, and did not add them up.",
        "How many numbers should come back for two vectors?",
        paired(multiply=np.multiply),
        "sign-only: You kept only the sign of the dot product; the cosine can be any number from -1 to 1.",
        "Do you divide by the lengths, or cut the dot product off?",
        paired(after=np.sign),
    ),
    *only(SUMS, "mean-instead-of-sum"),
    *only(JOINS, "added-instead-of-multiplied"),
    pair="a and b",
    products="products",
    width="the number of entries",
)
