"""What people get wrong in `cosine_similarity`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable


def _norm(a: np.ndarray) -> float:
    return np.sqrt(np.sum(a * a))


def _zero_for_zero(cosine: float, a: np.ndarray, b: np.ndarray) -> float:
    return cosine if a.any() and b.any() else 0.0


def _zero_if(cosine: float, condition: Any) -> float:
    return 0.0 if condition else cosine


def _near_zero(cosine: float, a: np.ndarray, b: np.ndarray) -> float:
    return _zero_if(cosine, _norm(a) * _norm(b) < 1e-9)


@replaceable
def variant(
    *,
    vectors: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]] = lambda a, b: (a, b),
    top: Callable[[np.ndarray, np.ndarray], Any] = lambda a, b: np.sum(a * b),
    bottom: Callable[[np.ndarray, np.ndarray], Any] = lambda a, b: _norm(a) * _norm(b),
    after: Callable[[Any], Any] = lambda cosine: cosine,
    guard: Callable[[Any, np.ndarray, np.ndarray], Any] = _zero_for_zero,
) -> Callable[..., Any]:
    """The cosine with one or more of its steps replaced by a wrong one."""

    def answer(a: np.ndarray, b: np.ndarray) -> Any:
        one, other = vectors(a, b)
        return guard(after(top(one, other) / bottom(one, other)), a, b)

    return answer


def _angle(cosine: float) -> float:
    return np.arccos(np.clip(cosine, -1, 1))


def _with_epsilon(bottom: Callable[[np.ndarray, np.ndarray], float]) -> Mistake:
    """A length kept away from 0; not to be combined with other mistakes, there are too many of these."""
    answer = variant(bottom=bottom)
    return Mistake(
        "epsilon-too-large",
        "You moved the lengths away from 0 by a small number; it shows in short vectors.",
        lambda a, b: answer(a, b),
        "Ask whether the length is 0 instead of moving it.",
    )


MISTAKES = (
    Mistake(
        "zero-vector-nan",
        "A vector of no length gives 0 / 0, which is NaN. The exercise asks for 0.0 there.",
        variant(guard=lambda cosine, a, b: cosine),
        "Which value do you divide by, and when is it 0?",
    ),
    Mistake(
        "zero-vector-nan",
        "You look whether a has no length but not whether b has none: 0 / 0 gives NaN.",
        variant(guard=lambda cosine, a, b: _zero_if(cosine, not a.any())),
        "Which values do you divide by, and when are they 0?",
    ),
    Mistake(
        "zero-vector-nan",
        "You look whether b has no length but not whether a has none: 0 / 0 gives NaN.",
        variant(guard=lambda cosine, a, b: _zero_if(cosine, not b.any())),
        "Which values do you divide by, and when are they 0?",
    ),
    Mistake(
        "zero-vector-nan",
        "You return 0.0 only when both vectors have no length; one of them is enough for 0 / 0, which is NaN.",
        variant(guard=lambda cosine, a, b: _zero_if(cosine, not a.any() and not b.any())),
        "Should `and` or `or` stand between your two conditions?",
    ),
    Mistake(
        "zero-vector-one",
        "You return 1.0 for a vector of no length; the exercise asks for 0.0 there.",
        variant(guard=lambda cosine, a, b: cosine if a.any() and b.any() else 1.0),
        "Does a vector of zeros point the same way as any other?",
    ),
    Mistake(
        "zero-vector-one",
        "You return 1.0 when both vectors have no length; the exercise asks for 0.0 there.",
        variant(guard=lambda cosine, a, b: _zero_for_zero(cosine, a, b) if a.any() or b.any() else 1.0),
        "Does a vector of zeros point the same way as any other?",
    ),
    Mistake(
        "zero-vector-returned",
        "For a vector of no length you return a vector; the exercise asks for the number 0.0.",
        variant(guard=lambda cosine, a, b: cosine if a.any() and b.any() else np.zeros_like(a)),
        "How many numbers should come back?",
    ),
    Mistake(
        "any-instead-of-all",
        "You return 0.0 as soon as one entry is 0; only a vector with no other entries has no length.",
        variant(guard=lambda cosine, a, b: _zero_if(cosine, not a.all() or not b.all())),
        "What do `any` and `all` ask of [3, 0]?",
    ),
    Mistake(
        "zero-sum-taken-for-zero",
        "You took a sum of 0 for a length of 0: the entries of [1, -1] add up to 0, and it has a length.",
        variant(guard=lambda cosine, a, b: _zero_if(cosine, a.sum() == 0 or b.sum() == 0)),
        "Which number is 0 only for a vector of zeros?",
    ),
    Mistake(
        "epsilon-too-large",
        "You took short vectors for vectors of no length: the cosine does not depend on how short they are.",
        variant(guard=_near_zero),
        "Ask whether the length is 0, not whether it is small.",
    ),
    *(
        _with_epsilon(lambda a, b, e=10.0**-p: _norm(a) * _norm(b) + e)
        for p in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12)
    ),
    *(
        _with_epsilon(lambda a, b, e=10.0**-p: (_norm(a) + e) * (_norm(b) + e))
        for p in (3, 4, 5, 6, 7, 8, 9, 10)
    ),
    *(_with_epsilon(lambda a, b, e=10.0**-p: max(_norm(a) * _norm(b), e)) for p in (5, 6, 7, 8, 9, 10)),
    Mistake(
        "no-normalisation",
        "You returned the dot product; the cosine also divides by both lengths.",
        variant(bottom=lambda a, b: 1.0),
        "What should come out for two vectors in the same direction, however long?",
    ),
    Mistake(
        "one-norm-forgotten",
        "You divided by the length of a only; b's length still counts.",
        variant(bottom=lambda a, b: _norm(a)),
        "Make b twice as long: should the cosine change?",
    ),
    Mistake(
        "one-norm-forgotten",
        "You divided by the length of b only; a's length still counts.",
        variant(bottom=lambda a, b: _norm(b)),
        "Make a twice as long: should the cosine change?",
    ),
    Mistake(
        "one-norm-forgotten",
        "You divided by the length of a twice; b's length still counts.",
        variant(bottom=lambda a, b: _norm(a) ** 2),
        "Make b twice as long: should the cosine change?",
    ),
    Mistake(
        "one-norm-forgotten",
        "You divided by the length of b twice; a's length still counts.",
        variant(bottom=lambda a, b: _norm(b) ** 2),
        "Make a twice as long: should the cosine change?",
    ),
    Mistake(
        "no-square-root",
        "You divided by the squared lengths: the square root is missing.",
        variant(bottom=lambda a, b: np.sum(a * a) * np.sum(b * b)),
        "The length of [3, 4] is 5, not 25.",
    ),
    Mistake(
        "no-square-root",
        "You divided by the squared length of a: the square root is missing there.",
        variant(bottom=lambda a, b: np.sum(a * a) * _norm(b)),
        "The length of [3, 4] is 5, not 25.",
    ),
    Mistake(
        "no-square-root",
        "You divided by the squared length of b: the square root is missing there.",
        variant(bottom=lambda a, b: _norm(a) * np.sum(b * b)),
        "The length of [3, 4] is 5, not 25.",
    ),
    Mistake(
        "extra-square-root",
        "You took the square root of the lengths once more than needed.",
        variant(bottom=lambda a, b: np.sqrt(_norm(a) * _norm(b))),
        "Does your length of [3, 4] come out as 5?",
    ),
    Mistake(
        "operator-precedence",
        "You divided by one length and multiplied by the other: `x / p * q` is `(x / p) * q`.",
        variant(bottom=lambda a, b: _norm(a) / _norm(b)),
        "Where do you need brackets?",
    ),
    Mistake(
        "result-inverted",
        "You divided the lengths by the dot product; it is the other way round.",
        variant(after=lambda cosine: 1 / cosine),
        "Two perpendicular vectors have the cosine 0. What do you divide by there?",
    ),
    Mistake(
        "scaled-up",
        "You multiplied by the lengths; the cosine divides by them.",
        lambda a, b: np.sum(a * b) * _norm(a) * _norm(b),
        "What should come out for two vectors in the same direction, however long?",
    ),
    Mistake(
        "lost-sign",
        "You dropped the sign: opposite vectors have the cosine -1.",
        variant(after=np.abs),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "lost-sign",
        "You cut off negative cosines at 0: opposite vectors have the cosine -1.",
        variant(after=lambda cosine: np.maximum(cosine, 0)),
        "What is the smallest cosine there is?",
    ),
    Mistake(
        "lost-sign",
        "You squared the cosine: opposite vectors have the cosine -1.",
        variant(after=lambda cosine: cosine**2),
        "Which squares does your code need, and which not?",
    ),
    Mistake(
        "lost-sign",
        "You dropped the sign of each product before adding: opposite entries must count against the others.",
        variant(top=lambda a, b: np.sum(np.abs(a * b))),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "angle-instead-of-cosine",
        "You returned the angle; the exercise asks for its cosine.",
        variant(after=_angle),
        "Two vectors in the same direction have the angle 0 and the cosine 1.",
    ),
    Mistake(
        "angle-instead-of-cosine",
        "You returned the angle in degrees; the exercise asks for its cosine.",
        variant(after=lambda cosine: np.degrees(_angle(cosine))),
        "Two vectors in the same direction have the angle 0 and the cosine 1.",
    ),
    Mistake(
        "cosine-of-cosine",
        "You took the cosine of a number that is the cosine already.",
        variant(after=np.cos),
        "Which function belongs to the angle, and do you have an angle?",
    ),
    Mistake(
        "sine-instead-of-cosine",
        "You returned the sine of the angle: it is 0 for the same direction.",
        variant(after=lambda cosine: np.sqrt(np.maximum(1 - cosine**2, 0))),
        "Two vectors in the same direction have the cosine 1.",
    ),
    Mistake(
        "distance-instead-of-similarity",
        "You returned 1 minus the cosine: a distance, large when the vectors differ.",
        variant(after=lambda cosine: 1 - cosine),
        "Which value means 'the same direction': 0 or 1?",
    ),
    Mistake(
        "distance-instead-of-similarity",
        "You returned 1 minus the cosine: a distance. For a vector of no length it gives 1 instead of 0.",
        lambda a, b: 1 - variant()(a, b),
        "Which value means 'the same direction': 0 or 1?",
    ),
    Mistake(
        "rescaled-to-0-1",
        "You moved the cosine into the range from 0 to 1; it goes from -1 to 1.",
        variant(after=lambda cosine: (1 + cosine) / 2),
        "Which cosine do opposite vectors have?",
    ),
    Mistake(
        "euclidean-distance",
        "You measured the distance between the tips; the cosine does not change when a vector gets longer.",
        lambda a, b: 1 / (1 + _norm(a - b)),
        "Which operation joins `a[i]` and `b[i]` in a dot product?",
    ),
    Mistake(
        "euclidean-distance",
        "You measured the distance between the tips; the cosine does not change when a vector gets longer.",
        lambda a, b: _norm(a - b),
        "Which operation joins `a[i]` and `b[i]` in a dot product?",
    ),
    Mistake(
        "euclidean-distance",
        "You measured the distance between the tips; the cosine does not change when a vector gets longer.",
        lambda a, b: 1 - _norm(a - b),
        "Which operation joins `a[i]` and `b[i]` in a dot product?",
    ),
    Mistake(
        "wrong-norm",
        "You measured the length as the sum of the absolute entries; here it is the root of the sum of squares.",
        variant(bottom=lambda a, b: np.abs(a).sum() * np.abs(b).sum()),
        "By Pythagoras, how long is [3, 4]?",
    ),
    Mistake(
        "wrong-norm",
        "You took the sum of the entries for the length; here it is the root of the sum of squares.",
        variant(bottom=lambda a, b: a.sum() * b.sum()),
        "By Pythagoras, how long is [3, 4]?",
    ),
    Mistake(
        "wrong-norm",
        "You took the largest entry for the length; here it is the root of the sum of squares.",
        variant(bottom=lambda a, b: np.abs(a).max() * np.abs(b).max()),
        "By Pythagoras, how long is [3, 4]?",
    ),
    Mistake(
        "wrong-norm",
        "You averaged the squares instead of adding them: that is not the length.",
        variant(bottom=lambda a, b: _norm(a) * _norm(b) / len(a)),
        "By Pythagoras, how long is [3, 4]?",
    ),
    Mistake(
        "wrong-norm",
        "You divided by the number of entries; divide by the lengths of the two vectors.",
        variant(bottom=lambda a, b: len(a)),
        "The length of [3, 4] is 5, and it has 2 entries.",
    ),
    Mistake(
        "wrong-norm",
        "You divided by the squared number of entries; divide by the lengths of the two vectors.",
        variant(bottom=lambda a, b: len(a) * len(b)),
        "The length of [3, 4] is 5, and it has 2 entries.",
    ),
    Mistake(
        "wrong-norm",
        "You divided by the sum of the lengths; divide by their product.",
        variant(bottom=lambda a, b: _norm(a) + _norm(b)),
        "a . b = |a| |b| cos: what has to go to the other side?",
    ),
    Mistake(
        "wrong-norm",
        "You added the squares of both vectors under one root; divide by the product of the two lengths.",
        variant(bottom=lambda a, b: np.sqrt(np.sum(a * a) + np.sum(b * b))),
        "a . b = |a| |b| cos: what has to go to the other side?",
    ),
    Mistake(
        "wrong-norm",
        "You divided by the length of the products `a * b`; divide by the product of the two lengths.",
        variant(bottom=lambda a, b: _norm(a * b)),
        "a . b = |a| |b| cos: what has to go to the other side?",
    ),
    Mistake(
        "wrong-norm",
        "You divided by the length of the difference `a - b`; divide by the product of the two lengths.",
        variant(bottom=lambda a, b: _norm(a - b)),
        "a . b = |a| |b| cos: what has to go to the other side?",
    ),
    Mistake(
        "wrong-norm",
        "You divided by the larger of the two squared lengths; divide by the product of the two lengths.",
        variant(bottom=lambda a, b: max(np.sum(a * a), np.sum(b * b))),
        "a . b = |a| |b| cos: what has to go to the other side?",
    ),
    Mistake(
        "centred-first",
        "You took the mean away first: that is a correlation, not a cosine.",
        variant(vectors=lambda a, b: (a - a.mean(), b - b.mean())),
        "Use the vectors as they are.",
    ),
    Mistake(
        "centred-first",
        "You took the mean away first: that is a correlation, not a cosine.",
        lambda a, b: variant()(a - a.mean(), b - b.mean()),
        "Use the vectors as they are.",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You averaged the products; the dot product adds them.",
        variant(top=lambda a, b: np.mean(a * b)),
        "Does your answer divide by the number of entries anywhere?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added entries where the dot product multiplies them.",
        variant(top=lambda a, b: np.sum(a + b)),
        "Which operation joins `a[i]` and `b[i]` in a dot product?",
    ),
    Mistake(
        "outer-product",
        "You multiplied every entry of a with every entry of b; each meets only the one at the same place.",
        variant(top=lambda a, b: np.sum(a) * np.sum(b)),
        "Which number of b belongs to the first number of a?",
    ),
    Mistake(
        "no-sum",
        "You divided the products of the entries by the lengths, and did not add them up.",
        variant(top=lambda a, b: a * b),
        "How many numbers should come back for two vectors?",
    ),
    Mistake(
        "one-matrix-twice",
        "You used the same vector twice: every vector points the same way as itself.",
        variant(after=lambda cosine: 1.0),
        "Do both a and b appear in your code?",
    ),
    Mistake(
        "one-matrix-twice",
        "You multiplied a with itself; b does not appear in your dot product.",
        variant(top=lambda a, b: np.sum(a * a)),
        "Do both a and b appear in your code?",
    ),
    Mistake(
        "one-matrix-twice",
        "You multiplied b with itself; a does not appear in your dot product.",
        variant(top=lambda a, b: np.sum(b * b)),
        "Do both a and b appear in your code?",
    ),
    Mistake(
        "sign-only",
        "You kept only the sign of the dot product; the cosine can be any number from -1 to 1.",
        variant(after=np.sign),
        "Do you divide by the lengths, or cut the dot product off?",
    ),
    Mistake(
        "clipped-instead-of-divided",
        "You cut the dot product off at -1 and 1; the cosine divides it by the lengths.",
        lambda a, b: np.clip(np.sum(a * b), -1, 1),
        "What should come out for two vectors in the same direction, however long?",
    ),
)
