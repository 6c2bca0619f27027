"""What people get wrong in `measure_score_std`: the same measurement with one step replaced."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable
from helpers.exercises.steps import softmax

Draw = Callable[[np.random.Generator, int, int], tuple[np.ndarray, np.ndarray]]


def _two(one: Callable[[np.random.Generator, tuple[int, int]], np.ndarray]) -> Draw:
    """Q and then K, drawn in the same way."""
    return lambda rng, n, d_k: (one(rng, (n, d_k)), one(rng, (n, d_k)))


def _scaled(factor: Callable[[int], float], shift: float = 0.0) -> Draw:
    """Normal numbers with another spread, or around another mean."""
    return lambda rng, n, d_k: tuple(rng.normal(shift, factor(d_k), (2, n, d_k)))


NORMAL = _two(lambda rng, shape: rng.standard_normal(shape))


def variant(
    *,
    draw: Draw = NORMAL,
    scores: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda Q, K: Q @ K.T,
    before: Callable[[np.ndarray], np.ndarray] = lambda S: S,
    spread: Callable[[np.ndarray], Any] = np.std,
    after: Callable[[Any, int, int], Any] = lambda value, n, d_k: value,
) -> Callable[..., Any]:
    """A measurement with one or more of its steps replaced by a wrong one."""

    def answer(n: int, d_k: int, rng: np.random.Generator) -> Any:
        return after(spread(before(scores(*draw(rng, n, d_k)))), n, d_k)

    return answer


combining = replaceable(variant)
"""For the commonest mistakes only: a measurement is slow, and every pair costs some."""


def _pair_by_pair(n: int, d_k: int, rng: np.random.Generator) -> float:
    """One query and one key at a time, and one score of each pair."""
    return np.std([rng.standard_normal(d_k) @ rng.standard_normal(d_k) for _ in range(n)])


def _fresh_for_each_score(n: int, d_k: int, rng: np.random.Generator) -> float:
    return np.std([rng.standard_normal(d_k) @ rng.standard_normal(d_k) for _ in range(n * n)])


def _uncentred(S: np.ndarray) -> float:
    return np.sqrt((S**2).mean())


def _row_spreads(S: np.ndarray) -> np.ndarray:
    return np.atleast_2d(S).std(axis=1)


SUBTLE = (
    Mistake(
        "wrong-std-axis",
        "You averaged the spreads of the rows; take the spread of all scores together.",
        variant(spread=lambda S: _row_spreads(S).mean()),
        "Does your `.std` have an axis?",
    ),
    Mistake(
        "wrong-std-axis",
        "You averaged the spreads of the columns; take the spread of all scores together.",
        variant(spread=lambda S: _row_spreads(S.T).mean()),
        "Does your `.std` have an axis?",
    ),
    Mistake(
        "mean-not-subtracted",
        "You took the root of the mean square: without taking the mean away first, that is not the standard deviation.",
        variant(spread=_uncentred),
        "What does a standard deviation measure the distances from?",
    ),
    Mistake(
        "uniform-draws",
        "You drew uniform numbers around 0; the exercise asks for normal ones.",
        variant(draw=_two(lambda rng, shape: rng.uniform(-math.sqrt(3), math.sqrt(3), shape))),
        "Which method of `rng` draws standard normal numbers?",
    ),
    Mistake(
        "not-normal-draws",
        "You drew only the numbers -1 and 1; the exercise asks for normal ones.",
        variant(draw=_two(lambda rng, shape: rng.choice([-1.0, 1.0], shape))),
        "Which method of `rng` draws standard normal numbers?",
    ),
    Mistake(
        "not-normal-draws",
        "You drew Laplace numbers; the exercise asks for normal ones.",
        variant(draw=_two(lambda rng, shape: rng.laplace(0, math.sqrt(0.5), shape))),
        "Which method of `rng` draws standard normal numbers?",
    ),
    Mistake(
        "rows-paired",
        "You measured n scores, one for each new pair of a query and a key; every query should meet every key.",
        _pair_by_pair,
        "How many scores are there for n queries and n keys?",
    ),
    Mistake(
        "only-one-drawn",
        "One of the two matrices is not random: its entries are all equal.",
        variant(scores=lambda Q, K: Q @ np.ones_like(K).T),
        "Which two arrays do you have to draw?",
    ),
    Mistake(
        "measures-inputs",
        "You computed the spread from those of Q and K by a formula; measure the scores themselves.",
        variant(
            scores=lambda Q, K: (Q, K),
            spread=lambda both: both[0].std() * both[1].std() * math.sqrt(both[0].shape[1]),
        ),
        "Of which matrix should the spread be taken?",
    ),
    Mistake(
        "measures-inputs",
        "You computed the spread from that of Q by a formula; measure the scores themselves.",
        variant(scores=lambda Q, K: Q, spread=lambda Q: Q.std() * math.sqrt(Q.shape[1])),
        "Of which matrix should the spread be taken?",
    ),
    Mistake(
        "one-matrix-twice",
        "You used Q for the keys too; then every query meets itself.",
        combining(scores=lambda Q, K: Q @ Q.T),
        "Draw K on its own.",
    ),
    Mistake(
        "new-vectors-for-every-score",
        "You drew a new query and a new key for every score; n queries should meet the same n keys.",
        _fresh_for_each_score,
        "Draw Q and K once, before any loop.",
    ),
)
"""Their results lie so near the right ones that few measurements cannot tell them apart."""

MISTAKES = (
    Mistake(
        "formula-instead-of-measurement",
        "You returned a formula. Here you measure; whether the formula fits is the next question.",
        lambda n, d_k, rng: math.sqrt(d_k),
        "Does your answer draw any random number?",
    ),
    Mistake(
        "variance-instead-of-std",
        "You returned the variance; the standard deviation is its square root.",
        combining(spread=np.var),
        "For d_k = 456 the result should be near 21, not near 456.",
    ),
    Mistake(
        "extra-square-root",
        "You took the root of the standard deviation, which is a root already.",
        variant(after=lambda value, n, d_k: np.sqrt(value)),
        "For d_k = 456 the result should be near 21, not near 4.6.",
    ),
    Mistake(
        "mean-instead-of-std",
        "You returned the mean of the scores; it is near 0, however far they spread.",
        variant(spread=np.mean),
        "Which function measures a spread?",
    ),
    Mistake(
        "mean-instead-of-std",
        "You returned the mean size of the scores; the exercise asks for their standard deviation.",
        variant(spread=lambda S: np.abs(S).mean()),
        "Which function measures a spread?",
    ),
    Mistake(
        "max-for-std",
        "You returned the distance from the smallest to the largest score; the exercise asks for the standard deviation.",
        variant(spread=np.ptp),
        "Which function measures a spread?",
    ),
    Mistake(
        "scaled-too-early",
        "You divided by sqrt(d_k) already; measure the raw scores.",
        combining(after=lambda value, n, d_k: value / math.sqrt(d_k)),
        "Leave the division for later.",
    ),
    Mistake(
        "scaled-by-d_k",
        "You divided by d_k; measure the raw scores.",
        variant(after=lambda value, n, d_k: value / d_k),
        "Leave the division for later. Does a `mean` stand where a sum belongs?",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided by the root of n; measure the raw scores.",
        variant(after=lambda value, n, d_k: value / math.sqrt(n)),
        "The standard deviation is taken as it is.",
    ),
    Mistake(
        "scaled-by-n",
        "You divided by n; measure the raw scores.",
        variant(after=lambda value, n, d_k: value / n),
        "The standard deviation is taken as it is.",
    ),
    Mistake(
        "truncates-to-int",
        "You cut the result off to a whole number.",
        variant(after=lambda value, n, d_k: int(value)),
        "Look for `int`, `round` or `//`.",
    ),
    Mistake(
        "truncates-to-int",
        "You cut the scores off to whole numbers before measuring.",
        variant(before=np.trunc),
        "Look for `int` or an array made for whole numbers.",
    ),
    Mistake(
        "lost-sign",
        "You dropped the minus signs of the scores; half of their spread lies below 0.",
        combining(before=np.abs),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "softmax-too-early",
        "You measured the weights after a softmax, not the scores.",
        variant(before=softmax),
        "Measure the raw scores.",
    ),
    Mistake(
        "only-first-row",
        "You measured only the scores of the first query.",
        variant(before=lambda S: S[:1]),
        "How many scores are there for n queries and n keys?",
    ),
    Mistake(
        "measures-inputs",
        "You measured the entries of Q, not the scores.",
        variant(scores=lambda Q, K: Q),
        "Of which matrix should the spread be taken?",
    ),
    Mistake(
        "measures-inputs",
        "You measured the entries of Q and K, not the scores.",
        variant(scores=lambda Q, K: np.concatenate([Q, K])),
        "Of which matrix should the spread be taken?",
    ),
    Mistake(
        "measures-inputs",
        "You multiplied the spreads of Q and K; measure the scores themselves.",
        variant(scores=lambda Q, K: (Q, K), spread=lambda both: both[0].std() * both[1].std()),
        "Of which matrix should the spread be taken?",
    ),
    Mistake(
        "no-sum",
        "You multiplied Q and K entry by entry: these are single products, and a score is the sum of d_k of them.",
        variant(scores=lambda Q, K: Q * K),
        "Which operator multiplies matrices?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You added Q and K; scores are dot products.",
        variant(scores=lambda Q, K: Q + K),
        "Which operator multiplies matrices?",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You measured cosines; the scores keep the lengths of queries and keys.",
        variant(
            scores=lambda Q, K: (
                (Q / np.linalg.norm(Q, axis=1, keepdims=True))
                @ (K / np.linalg.norm(K, axis=1, keepdims=True)).T
            )
        ),
        "Measure the raw scores.",
    ),
    Mistake(
        "columns-as-tokens",
        "You multiplied Q transposed with K, which sums over the tokens.",
        combining(scores=lambda Q, K: Q.T @ K),
        "The score matrix has shape (n, n).",
    ),
    Mistake(
        "arguments-swapped",
        "You drew Q and K with d_k rows of width n; they have n rows of width d_k.",
        variant(draw=_two(lambda rng, shape: rng.standard_normal(shape[::-1]))),
        "The score matrix has shape (n, n).",
    ),
    Mistake(
        "rows-paired",
        "You measured only scores of query i with key i.",
        combining(scores=lambda Q, K: (Q * K).sum(axis=1)),
        "How many scores are there for n queries and n keys?",
    ),
    Mistake(
        "rows-paired",
        "You measured only scores of query i with key i, and averaged their products instead of adding them.",
        variant(scores=lambda Q, K: (Q * K).mean(axis=1)),
        "How many scores are there for n queries and n keys?",
    ),
    Mistake(
        "uniform-draws",
        "You drew uniform numbers from 0 to 1; the exercise asks for normal ones with mean 0 and spread 1.",
        combining(draw=_two(lambda rng, shape: rng.random(shape))),
        "Which method of `rng` draws standard normal numbers?",
    ),
    Mistake(
        "not-normal-draws",
        "Your draws are normal around 1; the exercise asks for mean 0 and spread 1.",
        variant(draw=_scaled(lambda d_k: 1.0, shift=1.0)),
        "Which method of `rng` draws standard normal numbers?",
    ),
    *SUBTLE,
)
