"""Exercise `best_match`: a hard look-up, the key with the largest dot product."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, a tie, a long key that a cosine would miss, only negative dot products, random."""
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


def _last(scores: np.ndarray) -> int:
    return len(scores) - 1 - int(np.argmax(scores[::-1]))


EXERCISE = Exercise(
    name="best_match",
    cases=cases,
    oracle=in_torch(_first_largest),
    hints=(
        "How do you get all dot products of the query with the keys at once?",
        "You need the place of the largest number, not the number itself.",
        "`np.argmax` gives the place of the largest entry, and the first one on a tie.",
    ),
    mistakes=(
        Mistake(
            "returns-value-instead-of-index",
            "You returned the largest dot product itself; the exercise asks for the index of its key.",
            lambda query, keys: np.max(keys @ query),
            "Which row of keys is it?",
        ),
        Mistake(
            "returns-value-instead-of-index",
            "You returned the key itself; the exercise asks for its index.",
            lambda query, keys: keys[np.argmax(keys @ query)],
            "Return the number of the row.",
        ),
        Mistake(
            "argmin",
            "You picked the key with the smallest dot product.",
            lambda query, keys: int(np.argmin(keys @ query)),
            "Does a good match have a large or a small dot product?",
        ),
        Mistake(
            "last-on-tie",
            "On a tie you return the last of the best keys; the exercise asks for the first.",
            lambda query, keys: _last(keys @ query),
            "Does your comparison use `>=` where `>` is meant?",
        ),
        Mistake(
            "cosine-instead-of-dot",
            "You matched by the cosine. With the dot product a longer key can win.",
            lambda query, keys: int(np.argmax((keys @ query) / np.sqrt((keys**2).sum(axis=1)))),
            "Do you divide by the length of the keys?",
        ),
        Mistake(
            "lost-sign",
            "You ignored the sign: a key that points the other way is the worst match, not the best.",
            lambda query, keys: int(np.argmax(np.abs(keys @ query))),
            "Is -5 a better match than 3?",
        ),
        Mistake(
            "starts-at-zero",
            "Your best score starts at 0, so keys with negative dot products can never win.",
            lambda query, keys: int(np.argmax(keys @ query)) if (keys @ query).max() > 0 else 0,
            "What should the first key be compared with?",
        ),
        Mistake(
            "euclidean-distance",
            "You picked the nearest key by distance; the exercise asks for the largest dot product.",
            lambda query, keys: int(np.argmin(((keys - query) ** 2).sum(axis=1))),
            "Which operation compares the query with a key here?",
        ),
        Mistake(
            "query-not-used",
            "You picked the longest key, whatever the query asks.",
            lambda query, keys: int(np.argmax((keys**2).sum(axis=1))),
            "Does the query appear in your code?",
        ),
        Mistake(
            "off-by-one",
            "You counted from 1; Python counts rows from 0.",
            lambda query, keys: int(np.argmax(keys @ query)) + 1,
            "Which index has the first key?",
        ),
    ),
)
