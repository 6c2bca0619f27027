"""Exercise `best_match`: a hard look-up, the key with the largest dot product."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_01_dot_product.best_match_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, a tie, a long key that a cosine would miss, an equal key, only negative dot products, close and closer ones, random.

    Large and very low dot products are those whose exponentials are infinite, and 0.

    The ties of 4, 17, 100 and 300 keys are those that NumPy's sorts get wrong, where equal scores lose their
    order: with AVX2 or AVX-512 the first, without them the others, as short arrays keep their order there.
    """
    keys = np.array([[0.0, 1.0], [2.0, 2.0], [3.0, 0.0]])
    yield Case("query = [1, 2] and three keys", {"query": np.array([1.0, 2.0]), "keys": keys})
    tie = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])
    yield Case("a tie between keys 1, 2 and 3", {"query": np.array([1.0, 1.0]), "keys": tie})
    long = np.array([[1.0, 1.0], [5.0, 1.0]])
    yield Case("a long key that points less well", {"query": np.array([1.0, 1.0]), "keys": long})
    below = np.array([[-2.0, 0.0], [-1.0, 0.0], [-3.0, 0.0]])
    yield Case("dot products that are all negative", {"query": np.array([1.0, 5.0]), "keys": below})
    close = np.array([[0.2, 0.1], [0.4, 0.1], [0.9, -0.5]])
    yield Case("dot products that differ by less than 1", {"query": np.array([1.0, 1.0]), "keys": close})
    first = np.array([[2.0, 1.0], [1.0, 2.0], [3.0, -3.0]])
    yield Case("three keys of which the first is the best", {"query": np.array([2.0, 1.0]), "keys": first})
    down = np.array([[-3.0, 1.0], [2.0, 0.0], [4.0, 1.0], [4.5, 1.0]])
    yield Case("query = [1, -3] and four keys", {"query": np.array([1.0, -3.0]), "keys": down})
    two_ties = np.array([[-1.0, -1.0], [-2.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])
    yield Case("a tie between keys 2 and 3", {"query": np.array([1.0, 1.0]), "keys": two_ties})
    large = np.array([[1.0, 0.0], [3.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    yield Case("dot products of 1000 to 3000", {"query": np.array([1000.0, 1.0]), "keys": large})
    yield Case("11 equal keys", {"query": np.array([1.0, 2.0]), "keys": np.ones((11, 2))})
    near = np.array([[1.0, 2.0], [1.0 + 1e-10, 0.0], [1.0 - 1e-10, 4.0]])
    yield Case("dot products that differ in the tenth digit", {"query": np.array([1.0, 0.0]), "keys": near})
    equal = np.array([[-1.0, 0.0], [1.0, 1.0], [5.0, 1.0]])
    yield Case("a key that equals the query", {"query": np.array([1.0, 1.0]), "keys": equal})
    low = np.array([[0.0, 1.0], [40.0, 1.0], [10.0, 1.0], [20.0, 1.0]])
    yield Case("dot products of -800 to -760", {"query": np.array([1.0, -800.0]), "keys": low})
    # far below the numbers that a search for the largest may start at
    far = np.array([[3e15, 3e15], [1e15, 0.0], [2e15, 4e15]])
    yield Case("dot products far below 0, of -3e30 to -1e30", {"query": np.array([-1e15, 0.0]), "keys": far})
    for n, first in ((17, 1), (100, 50), (300, 1)):
        tied = {
            "query": np.array([1.0, 2.0]),
            "keys": np.repeat([[0.0, 1.0], [1.0, 1.0]], [first, n - first], 0),
        }
        yield Case(f"a tie between all keys from {first} to {n - 1}", tied)
    for width in (np.float64, np.float32):
        n, d = draw.sizes(2)
        query, keys = draw.normal(d, dtype=width), draw.normal(n, d, dtype=width)
        yield Case(f"{n} random keys of width {d} in {width.__name__}", {"query": query, "keys": keys})
    whole = draw.rng.integers(-2, 3, (7, 3)).astype(float)
    yield Case("keys of small whole numbers", {"query": np.array([1.0, -1.0, 1.0]), "keys": whole})
    yield Case("one key", {"query": draw.normal(3), "keys": draw.normal(1, 3)})


def _first_largest(query: torch.Tensor, keys: torch.Tensor) -> int:
    """`torch.argmax` does not promise the first of equal entries, so it gets the tie as a mask."""
    scores = keys @ query
    return int(torch.argmax((scores == scores.max()).int()))


EXERCISE = Exercise(
    name="best_match",
    cases=cases,
    oracle=in_torch(_first_largest),
    hints=(
        "How do you get all dot products of the query with the keys at once?",
        "You need the place of the largest number, not the number itself.",
        "`np.argmax` gives the place of the largest entry, and the first one on a tie.",
    ),
    mistakes=MISTAKES,
)
