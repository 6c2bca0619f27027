"""What people get wrong in `dot`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable


@replaceable
def variant(
    *,
    vectors: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]] = lambda a, b: (a, b),
    join: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda a, b: a * b,
    total: Callable[[np.ndarray], Any] = np.sum,
    after: Callable[[Any, np.ndarray, np.ndarray], Any] = lambda s, a, b: s,
) -> Callable[..., Any]:
    """The dot product with one or more of its steps replaced by a wrong one."""

    def answer(a: np.ndarray, b: np.ndarray) -> Any:
        return after(total(join(*vectors(a, b))), a, b)

    return answer


def _length(a: np.ndarray) -> float:
    return np.sqrt(np.sum(a * a))


MISTAKES = (
    Mistake(
        "equal-products-once",
        "Equal products count once in your sum, as in a set; each of them counts.",
        lambda a, b: float(sum(set((a * b).tolist()))),
        "What does a set do with two equal numbers?",
    ),
    Mistake(
        "no-sum",
        "You returned the products of the entries; a dot product is their sum, one number.",
        variant(total=lambda products: products),
        "How many numbers should come back for two vectors?",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You averaged the products; the dot product adds them, so longer vectors can give larger numbers.",
        variant(total=np.mean),
        "Does your answer divide by the number of entries anywhere?",
    ),
    Mistake(
        "outer-product",
        "You returned a table of all products; each entry of a meets only the entry of b at the same place.",
        variant(join=np.outer, total=lambda products: products),
        "Work out a = [1, 2, 0] and b = [3, 1, 5] with a pencil: 1*3 + 2*1 + 0*5.",
    ),
    Mistake(
        "outer-product",
        "You multiplied the two sums; each entry of a meets only the entry of b at the same place.",
        variant(join=np.outer),
        "Work out a = [1, 2, 0] and b = [3, 1, 5] with a pencil: 1*3 + 2*1 + 0*5.",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You divided by the lengths: that is the cosine. The dot product keeps the lengths.",
        variant(after=lambda s, a, b: s / (_length(a) * _length(b))),
        "What happens to a dot product when one vector becomes twice as long?",
    ),
    Mistake(
        "projection-instead-of-dot",
        "You divided by the length of a: the dot product keeps both lengths.",
        variant(after=lambda s, a, b: s / _length(a)),
        "What happens to a dot product when one vector becomes twice as long?",
    ),
    Mistake(
        "projection-instead-of-dot",
        "You divided by the length of b: the dot product keeps both lengths.",
        variant(after=lambda s, a, b: s / _length(b)),
        "What happens to a dot product when one vector becomes twice as long?",
    ),
    Mistake(
        "lengths-only",
        "You multiplied the lengths of the two vectors; where they point does not count.",
        lambda a, b: _length(a) * _length(b),
        "Perpendicular vectors such as [2, 0] and [0, 3] have the dot product 0.",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added entries where the dot product multiplies them.",
        variant(join=lambda a, b: a + b),
        "Perpendicular vectors such as [2, 0] and [0, 3] have the dot product 0.",
    ),
    Mistake(
        "subtracted-instead-of-multiplied",
        "You subtracted entries where the dot product multiplies them.",
        variant(join=lambda a, b: a - b),
        "Which operation joins `a[i]` and `b[i]`?",
    ),
    Mistake(
        "divided-instead-of-multiplied",
        "You divided entries where the dot product multiplies them.",
        variant(join=lambda a, b: a / b),
        "Which operation joins `a[i]` and `b[i]`?",
    ),
    Mistake(
        "power-instead-of-product",
        "You raised the entries of a to powers: `**` where `*` is meant.",
        variant(join=lambda a, b: a**b),
        "Which operator multiplies?",
    ),
    Mistake(
        "squared-products",
        "You squared the products before adding them.",
        variant(join=lambda a, b: (a * b) ** 2),
        "Add the products as they are.",
    ),
    Mistake(
        "lost-sign",
        "You dropped the sign. Vectors that point against each other have a negative dot product.",
        variant(after=lambda s, a, b: np.abs(s)),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "lost-sign",
        "You dropped the sign of each product before adding. Negative products must count against the others.",
        variant(join=lambda a, b: np.abs(a * b)),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "lost-sign",
        "You left out the negative products. They must count against the others.",
        variant(join=lambda a, b: np.maximum(a * b, 0)),
        "Which pairs does your condition or `maximum` leave out?",
    ),
    Mistake(
        "lost-sign",
        "You cut off negative results at 0. Vectors that point against each other have a negative dot product.",
        variant(after=lambda s, a, b: np.maximum(s, 0)),
        "Where could a negative number get lost: a `max`, a `clip`, a comparison?",
    ),
    Mistake(
        "lost-sign",
        "You squared the result: vectors that point against each other have a negative dot product.",
        variant(after=lambda s, a, b: s**2),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by the square root of the number of entries; the plain dot product divides by nothing.",
        variant(after=lambda s, a, b: s / np.sqrt(len(a))),
        "Scaling comes in a later unit.",
    ),
    Mistake(
        "extra-square-root",
        "You took the square root of the sum; the dot product is the sum itself.",
        variant(after=lambda s, a, b: np.sqrt(s)),
        "The length of a vector has a root; its dot product with itself does not.",
    ),
    Mistake(
        "last-left-out",
        "You left out the last pair of entries.",
        variant(vectors=lambda a, b: (a[:-1], b[:-1])),
        "Which indices does your loop or slice visit? `range(len(a))` visits them all.",
    ),
    Mistake(
        "last-left-out",
        "You left out the first pair of entries.",
        variant(vectors=lambda a, b: (a[1:], b[1:])),
        "Python counts from 0. Which indices does your loop or slice visit?",
    ),
    Mistake(
        "returned-inside-loop",
        "You returned the first product only. A `return` inside a loop ends it on the first round.",
        variant(vectors=lambda a, b: (a[:1], b[:1])),
        "How far is your `return` indented?",
    ),
    Mistake(
        "overwritten-instead-of-summed",
        "You kept only the last product: the total starts anew on each round.",
        variant(vectors=lambda a, b: (a[-1:], b[-1:])),
        "Should `=` or `+=` stand inside your loop?",
    ),
    Mistake(
        "first-counted-twice",
        "You counted the first product twice.",
        variant(total=lambda products: np.sum(products) + products[0]),
        "Where does your total start, and which pair comes first in your loop?",
    ),
    Mistake(
        "wrong-start-value",
        "Your total starts at 1: every result is 1 too large.",
        variant(total=lambda products: np.sum(products) + 1),
        "Which number changes nothing when something is added to it?",
    ),
    Mistake(
        "multiplied-instead-of-summed",
        "You multiplied the products with each other; the dot product adds them.",
        variant(total=np.prod),
        "Which operation joins one product with the next?",
    ),
    Mistake(
        "multiplied-instead-of-summed",
        "You multiplied into a total that starts at 0, so it stays 0.",
        variant(total=lambda products: 0.0),
        "Which operation joins one product with the next?",
    ),
    Mistake(
        "max-for-sum",
        "You took the largest product; the dot product adds them all.",
        variant(total=np.max),
        "What do you do with the products?",
    ),
    Mistake(
        "running-total",
        "You returned the total after every entry; only the last one is asked for.",
        variant(total=np.cumsum),
        "How many numbers should come back for two vectors?",
    ),
    Mistake(
        "indices-summed",
        "You added up places, not entries: the numbers 0, 1, 2 and so on.",
        lambda a, b: sum(i * i for i in range(len(a))),
        "How do you reach the entry of a at place i?",
    ),
    Mistake(
        "lengths-counted",
        "You returned the number of entries.",
        lambda a, b: len(a),
        "What should be added up for each entry?",
    ),
    Mistake(
        "euclidean-distance",
        "You measured the distance between the tips. The dot product measures how far they point the same way.",
        variant(join=lambda a, b: (a - b) ** 2, after=lambda s, a, b: np.sqrt(s)),
        "Which operation joins `a[i]` and `b[i]`?",
    ),
    Mistake(
        "euclidean-distance",
        "You added up squared differences: that is a squared distance, not a dot product.",
        variant(join=lambda a, b: (a - b) ** 2),
        "Which operation joins `a[i]` and `b[i]`?",
    ),
    Mistake(
        "euclidean-distance",
        "You added up the sizes of the differences: that is a distance, not a dot product.",
        variant(join=lambda a, b: np.abs(a - b)),
        "Which operation joins `a[i]` and `b[i]`?",
    ),
    Mistake(
        "one-matrix-twice",
        "You used a twice; b does not appear.",
        variant(vectors=lambda a, b: (a, a)),
        "Do both a and b appear in your code?",
    ),
    Mistake(
        "one-matrix-twice",
        "You used b twice; a does not appear.",
        variant(vectors=lambda a, b: (b, b)),
        "Do both a and b appear in your code?",
    ),
    Mistake(
        "one-vector-only",
        "You added up a; b does not count.",
        lambda a, b: np.sum(a),
        "Do both a and b appear in your code?",
    ),
    Mistake(
        "one-vector-only",
        "You added up b; a does not count.",
        lambda a, b: np.sum(b),
        "Do both a and b appear in your code?",
    ),
    Mistake(
        "wrong-order",
        "You ran through one of the vectors backwards: its last entry met the first of the other.",
        variant(vectors=lambda a, b: (a, b[::-1])),
        "Which number of b belongs to the first number of a?",
    ),
    Mistake(
        "off-by-one",
        "Your entries meet their neighbours: `a[i]` should meet `b[i]`, not the entry before or behind it.",
        variant(vectors=lambda a, b: (a, np.roll(b, 1))),
        "Which index of b belongs to index i of a?",
    ),
    Mistake(
        "off-by-one",
        "Your entries meet their neighbours: `a[i]` should meet `b[i]`, not the entry before or behind it.",
        variant(vectors=lambda a, b: (a[:-1], b[1:])),
        "Which index of b belongs to index i of a?",
    ),
    Mistake(
        "off-by-one",
        "Your entries meet their neighbours: `a[i]` should meet `b[i]`, not the entry before or behind it.",
        variant(vectors=lambda a, b: (a[1:], b[:-1])),
        "Which index of b belongs to index i of a?",
    ),
    Mistake(
        "truncates-to-int",
        "You cut each product off to a whole number before adding.",
        variant(join=lambda a, b: np.trunc(a * b)),
        "Look for `int`, `//` or an array made for whole numbers.",
    ),
    Mistake(
        "truncates-to-int",
        "You cut the entries off to whole numbers before multiplying.",
        variant(vectors=lambda a, b: (np.trunc(a), np.trunc(b))),
        "Look for `int`, `//` or an array made for whole numbers.",
    ),
)
