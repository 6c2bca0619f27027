"""Exercise `dot`: the dot product of two vectors."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, perpendicular, opposite, one entry, random in both widths."""
    yield Case(
        "a = [1, 2, 0] and b = [3, 1, 5]", {"a": np.array([1.0, 2.0, 0.0]), "b": np.array([3.0, 1.0, 5.0])}
    )
    yield Case("two perpendicular vectors", {"a": np.array([2.0, 0.0]), "b": np.array([0.0, 3.0])})
    yield Case(
        "vectors that point against each other", {"a": np.array([1.0, -4.0]), "b": np.array([-2.0, 3.0])}
    )
    for width in (np.float64, np.float32):
        (d,) = draw.sizes(1)
        a, b = draw.normal(d, dtype=width), draw.normal(d, dtype=width)
        yield Case(f"random vectors of length {d} in {width.__name__}", {"a": a, "b": b})
    yield Case("vectors with one entry", {"a": np.array([-3.0]), "b": np.array([0.5])})


EXERCISE = Exercise(
    name="dot",
    cases=cases,
    oracle=in_torch(torch.dot),
    whole_answer=("numpy.dot", "numpy.inner", "numpy.vdot", "torch.dot"),
    hints=(
        "Which number of b belongs to the first number of a?",
        "Multiply the two vectors entry by entry. What do you do with the products?",
        "Start a total at 0 and add `a[i] * b[i]` for every i, or let `np.sum` add them up.",
    ),
    mistakes=(
        Mistake(
            "no-sum",
            "You returned the products of the entries; a dot product is their sum, one number.",
            lambda a, b: a * b,
            "How many numbers should come back for two vectors?",
        ),
        Mistake(
            "mean-instead-of-sum",
            "You averaged the products; the dot product adds them, so longer vectors can give larger numbers.",
            lambda a, b: np.mean(a * b),
            "Does your answer divide by the number of entries anywhere?",
        ),
        Mistake(
            "outer-product",
            "You multiplied the two sums; each entry of a meets only the entry of b at the same place.",
            lambda a, b: np.sum(a) * np.sum(b),
            "Work out a = [1, 2, 0] and b = [3, 1, 5] with a pencil: 1*3 + 2*1 + 0*5.",
        ),
        Mistake(
            "cosine-instead-of-dot",
            "You divided by the lengths: that is the cosine. The dot product keeps the lengths.",
            lambda a, b: np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b)),
            "What happens to a dot product when one vector becomes twice as long?",
        ),
        Mistake(
            "added-instead-of-multiplied",
            "You added entries where the dot product multiplies them.",
            lambda a, b: np.sum(a + b),
            "Perpendicular vectors such as [2, 0] and [0, 3] have the dot product 0.",
        ),
        Mistake(
            "lost-sign",
            "You dropped the sign. Vectors that point against each other have a negative dot product.",
            lambda a, b: abs(np.sum(a * b)),
            "Where in your code does a minus sign get lost?",
        ),
        Mistake(
            "last-left-out",
            "You left out the last pair of entries.",
            lambda a, b: np.sum((a * b)[:-1]),
            "Which indices does your loop or slice visit? `range(len(a))` visits them all.",
        ),
        Mistake(
            "returned-inside-loop",
            "You returned the first product only: `return` inside the loop ends it on the first round.",
            lambda a, b: a[0] * b[0],
            "How far is your `return` indented?",
        ),
        Mistake(
            "overwritten-instead-of-summed",
            "You kept only the last product: the total starts anew on each round.",
            lambda a, b: a[-1] * b[-1],
            "Should `=` or `+=` stand inside your loop?",
        ),
        Mistake(
            "euclidean-distance",
            "You measured the distance between the tips. The dot product measures how far they point the same way.",
            lambda a, b: np.sqrt(np.sum((a - b) ** 2)),
            "Which operation joins `a[i]` and `b[i]`?",
        ),
        Mistake(
            "one-matrix-twice",
            "You used the same vector twice.",
            lambda a, b: np.sum(a * a),
            "Do both a and b appear in your code?",
        ),
    ),
)
