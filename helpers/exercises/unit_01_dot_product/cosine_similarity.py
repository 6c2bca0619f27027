"""Exercise `cosine_similarity`: the dot product with the lengths divided out."""

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_01_dot_product.cosine_similarity_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, same direction, opposite, nothing in common, all zeros, random, huge and tiny."""
    yield Case("a = [3, 0] and b = [2, 2]", {"a": np.array([3.0, 0.0]), "b": np.array([2.0, 2.0])})
    yield Case(
        "two vectors in one direction", {"a": np.array([1.0, 2.0, 2.0]), "b": np.array([3.0, 6.0, 6.0])}
    )
    yield Case("two opposite vectors", {"a": np.array([1.0, -2.0]), "b": np.array([-3.0, 6.0])})
    a, b = np.array([1.0, -1.0, 0.0]), np.array([2.0, 0.0, -2.0])
    yield Case("vectors whose entries sum to 0", {"a": a, "b": b})
    for width in (np.float64, np.float32):
        (d,) = draw.sizes(1)
        a, b = draw.normal(d, dtype=width), draw.normal(d, dtype=width, scale=4)
        yield Case(f"random vectors of length {d} in {width.__name__}", {"a": a, "b": b})
    yield Case("a = [0, 0, 0], a vector of zeros", {"a": np.zeros(3), "b": np.array([1.0, 2.0, 3.0])})
    yield Case("b = [0, 0], a vector of zeros", {"a": np.array([1.0, -1.0]), "b": np.zeros(2)})
    yield Case("two vectors of zeros", {"a": np.zeros(2), "b": np.zeros(2)})
    a, b = np.array([3.0, 4.0, 0.0]), np.array([4.0, 3.0, 0.0])
    yield Case("very short vectors, 0.0000001 times [3, 4, 0] and [4, 3, 0]", {"a": 1e-7 * a, "b": 1e-7 * b})
    # whole, so that a dot product is the same in whatever order it is added up
    a, b = draw.rng.integers(1, 10, (2, 5)) * draw.rng.choice([-1e6, 1e6], (2, 5))
    yield Case("very long vectors", {"a": a, "b": b})


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
    mistakes=MISTAKES,
)
