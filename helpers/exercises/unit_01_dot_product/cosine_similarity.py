"""Exercise `cosine_similarity`: the dot product with the lengths divided out."""

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, same direction, opposite, nothing in common, no length at all, random, huge and tiny."""
    yield Case("a = [3, 0] and b = [2, 2]", {"a": np.array([3.0, 0.0]), "b": np.array([2.0, 2.0])})
    yield Case(
        "two vectors in one direction", {"a": np.array([1.0, 2.0, 2.0]), "b": np.array([3.0, 6.0, 6.0])}
    )
    yield Case("two opposite vectors", {"a": np.array([1.0, -2.0]), "b": np.array([-3.0, 6.0])})
    yield Case("vectors whose entries sum to 0", {"a": np.array([1.0, -1.0]), "b": np.array([2.0, -3.0])})
    for width in (np.float64, np.float32):
        (d,) = draw.sizes(1)
        a, b = draw.normal(d, dtype=width), draw.normal(d, dtype=width, scale=4)
        yield Case(f"random vectors of length {d} in {width.__name__}", {"a": a, "b": b})
    yield Case("a = [0, 0, 0], a vector of no length", {"a": np.zeros(3), "b": np.array([1.0, 2.0, 3.0])})
    yield Case("b = [0, 0], a vector of no length", {"a": np.array([1.0, -1.0]), "b": np.zeros(2)})
    yield Case("two vectors of no length", {"a": np.zeros(2), "b": np.zeros(2)})
    yield Case("very short vectors", {"a": 1e-6 * draw.normal(3), "b": 1e-6 * draw.normal(3)})
    yield Case("very long vectors", {"a": 1e6 * draw.normal(5), "b": 1e6 * draw.normal(5)})


def _cosine(a: np.ndarray, b: np.ndarray, length: float, top: float | None = None) -> float:
    """A cosine with a mistake in it, but right about vectors of no length."""
    return 0.0 if length == 0 else (np.sum(a * b) if top is None else top) / length


def _norm(a: np.ndarray) -> float:
    return np.sqrt(np.sum(a * a))


EXERCISE = Exercise(
    name="cosine_similarity",
    cases=cases,
    # eps only guards against 0 / 0; the default 1e-8 would show in very short vectors
    oracle=in_torch(lambda a, b: F.cosine_similarity(a, b, dim=0, eps=torch.finfo(torch.float64).tiny)),
    whole_answer=("torch.nn.functional.cosine_similarity", "torch.cosine_similarity"),
    hints=(
        "What does the dot product of a vector with itself tell you about its length?",
        "The length of a is the square root of its dot product with itself. Divide the dot product by both lengths.",
        "Before dividing, look whether the product of the lengths is 0; then the answer is 0.0.",
    ),
    mistakes=(
        Mistake(
            "zero-vector-nan",
            "A vector of no length gives 0 / 0, which is NaN. The exercise asks for 0.0 there.",
            lambda a, b: np.sum(a * b) / (_norm(a) * _norm(b)),
            "Which value do you divide by, and when is it 0?",
        ),
        Mistake(
            "no-normalisation",
            "You returned the dot product; the cosine also divides by both lengths.",
            lambda a, b: np.sum(a * b),
            "What should come out for two vectors in the same direction, however long?",
        ),
        Mistake(
            "one-norm-forgotten",
            "You divided by the length of a only; b's length still counts.",
            lambda a, b: _cosine(a, b, _norm(a)),
            "Make b twice as long: should the cosine change?",
        ),
        Mistake(
            "one-norm-forgotten",
            "You divided by the length of b only; a's length still counts.",
            lambda a, b: _cosine(a, b, _norm(b)),
            "Make a twice as long: should the cosine change?",
        ),
        Mistake(
            "no-square-root",
            "You divided by the squared lengths: the square root is missing.",
            lambda a, b: _cosine(a, b, np.sum(a * a) * np.sum(b * b)),
            "The length of [3, 4] is 5, not 25.",
        ),
        Mistake(
            "lost-sign",
            "You dropped the sign: opposite vectors have the cosine -1.",
            lambda a, b: abs(_cosine(a, b, _norm(a) * _norm(b))),
            "Where in your code does a minus sign get lost?",
        ),
        Mistake(
            "angle-instead-of-cosine",
            "You returned the angle; the exercise asks for its cosine.",
            lambda a, b: np.arccos(np.clip(_cosine(a, b, _norm(a) * _norm(b)), -1, 1)),
            "Two vectors in the same direction have the angle 0 and the cosine 1.",
        ),
        Mistake(
            "distance-instead-of-similarity",
            "You returned 1 minus the cosine: a distance, large when the vectors differ.",
            lambda a, b: 1 - _cosine(a, b, _norm(a) * _norm(b)),
            "Which value means 'the same direction': 0 or 1?",
        ),
        Mistake(
            "wrong-norm",
            "You measured the length as the sum of the absolute entries; here it is the root of the sum of squares.",
            lambda a, b: _cosine(a, b, np.abs(a).sum() * np.abs(b).sum()),
            "By Pythagoras, how long is [3, 4]?",
        ),
        Mistake(
            "wrong-norm",
            "You divided by the sum of the lengths; divide by their product.",
            lambda a, b: _cosine(a, b, _norm(a) + _norm(b)),
            "a . b = |a| |b| cos: what has to go to the other side?",
        ),
        Mistake(
            "centred-first",
            "You took the mean away first: that is a correlation, not a cosine.",
            lambda a, b: _cosine(a - a.mean(), b - b.mean(), _norm(a - a.mean()) * _norm(b - b.mean())),
            "Use the vectors as they are.",
        ),
        Mistake(
            "epsilon-too-large",
            "You added a small number to the lengths so that they are never 0; it shows in short vectors.",
            lambda a, b: np.sum(a * b) / (_norm(a) * _norm(b) + 1e-8),
            "Ask whether the length is 0 instead of moving it.",
        ),
    ),
)
