"""What people get wrong in `measure_score_std`: the same measurement with one step replaced."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.generic import softmax, unit_rows
from helpers.exercises.wrong.rows import mistakes, paired, rows

Array = np.ndarray


def variant(
    *,
    entries: Callable[[np.random.Generator, tuple[int, int]], Array] = np.random.Generator.standard_normal,
    scores: Callable[[Array, Array], Any] = lambda Q, K: Q @ K.T,
    before: Callable[[Any], Any] = lambda S: S,
    spread: Callable[[Any], Any] = np.std,
    after: Callable[[Any, int, int], Any] = lambda value, n, d_k: value,
) -> Callable[..., Any]:
    """A measurement with one or more of its steps replaced by a wrong one."""

    def answer(n: int, d_k: int, rng: np.random.Generator) -> Any:
        Q, K = entries(rng, (n, d_k)), entries(rng, (n, d_k))
        return after(spread(before(scores(Q, K))), n, d_k)

    return answer


def _pair_by_pair(count: Callable[[int], int]) -> Callable[..., float]:
    """One query and one key at a time, and one score of each pair."""
    return lambda n, d_k, rng: np.std(
        [rng.standard_normal(d_k) @ rng.standard_normal(d_k) for _ in range(count(n))]
    )


_HOW_MANY = "How many scores are there for n queries and n keys?"
_NORMAL = "Which method of `rng` draws standard normal numbers?"
_OF_WHICH = "Of which matrix should the spread be taken?"

# their results lie so near the right ones that few measurements cannot tell them apart
_SUBTLE = rows(
    "wrong-std-axis: You averaged the spreads of the rows; take the spread of all scores together.",
    "Does what measures the spread get an axis?",
    {"spread": lambda S: S.std(axis=1).mean()},
    "wrong-std-axis: You averaged the spreads of the columns; take the spread of all scores together.",
    {"spread": lambda S: S.std(axis=0).mean()},
    "mean-not-subtracted: You took the root of the mean square: without taking the mean away first, that is not the standard deviation.",
    "What does a standard deviation measure the distances from?",
    {"spread": lambda S: np.sqrt((S**2).mean())},
    "uniform-draws: You drew uniform numbers around 0; the exercise asks for normal ones.",
    _NORMAL,
    {"entries": lambda rng, shape: rng.uniform(-math.sqrt(3), math.sqrt(3), shape)},
    "not-normal-draws: You drew only the numbers -1 and 1; the exercise asks for normal ones.",
    {"entries": lambda rng, shape: rng.choice([-1.0, 1.0], shape)},
    "not-normal-draws: You drew Laplace numbers; the exercise asks for normal ones.",
    {"entries": lambda rng, shape: rng.laplace(0, math.sqrt(0.5), shape)},
    "not-normal-draws: Your draws are cut off at -2 and 2; normal numbers go on.",
    "Use the numbers as `rng` gives them.",
    {"entries": lambda rng, shape: rng.standard_normal(shape).clip(-2, 2)},
    "rows-paired: You measured n scores, one for each new pair of a query and a key; every query should meet every key.",
    _HOW_MANY,
    _pair_by_pair(lambda n: n),
    "only-one-drawn: One of the two matrices is not random: its entries are all equal.",
    "Which two arrays do you have to draw?",
    {"scores": lambda Q, K: Q @ np.ones_like(K).T},
    "measures-inputs: You computed the spread from those of Q and K by a formula; measure the scores themselves.",
    _OF_WHICH,
    {"scores": lambda Q, K: Q.std() * K.std() * math.sqrt(Q.shape[1]), "spread": float},
    "measures-inputs: You computed the spread from that of Q by a formula; measure the scores themselves.",
    {"scores": lambda Q, K: Q.std() * math.sqrt(Q.shape[1]), "spread": float},
    "one-matrix-twice: You used Q for the keys too; then every query meets itself.",
    "Draw K on its own.",
    paired(scores=lambda Q, K: Q @ Q.T),
    "new-vectors-for-every-score: You drew a new query and a new key for every score; n queries should meet the same n keys.",
    "Draw Q and K once, before any loop.",
    _pair_by_pair(lambda n: n * n),
)

# pairs for the commonest only: a measurement is slow
MISTAKES = mistakes(
    variant,
    *rows(
        "formula-instead-of-measurement: You returned a formula. Here you measure; whether the formula fits is the next question.",
        "Does your answer draw any random number?",
        lambda n, d_k, rng: math.sqrt(d_k),
        "variance-instead-of-std: You returned the variance; the standard deviation is its square root.",
        "For d_k = 456 the result should be near 21, not near 456.",
        paired(spread=np.var),
        "extra-square-root: You took the root of the standard deviation, which is a root already.",
        "For d_k = 456 the result should be near 21, not near 4.6.",
        {"after": lambda value, n, d_k: np.sqrt(value)},
        "mean-instead-of-std: You returned the mean of the scores; it is near 0, however far they spread.",
        "Which function measures a spread?",
        {"spread": np.mean},
        "mean-instead-of-std: You returned the mean size of the scores; the exercise asks for their standard deviation.",
        {"spread": lambda S: np.abs(S).mean()},
        "max-for-std: You returned the distance from the smallest to the largest score; the exercise asks for the standard deviation.",
        {"spread": np.ptp},
        "scaled-too-early: You divided by sqrt(d_k) already; measure the raw scores.",
        "Leave the division for later.",
        paired(after=lambda value, n, d_k: value / math.sqrt(d_k)),
        "scaled-by-d_k: You divided by d_k; measure the raw scores.",
        "Leave the division for later. Does a `mean` stand where a sum belongs?",
        {"after": lambda value, n, d_k: value / d_k},
        "scaled-by-sqrt-n: You divided by the root of n; measure the raw scores.",
        "The standard deviation is taken as it is.",
        {"after": lambda value, n, d_k: value / math.sqrt(n)},
        "scaled-by-n: You divided by n; measure the raw scores.",
        {"after": lambda value, n, d_k: value / n},
        "truncates-to-int: You cut the result off to a whole number.",
        "Look for `int`, `round`, `//` or an array made for whole numbers.",
        {"after": lambda value, n, d_k: int(value)},
        "truncates-to-int: You cut the scores off to whole numbers before measuring.",
        {"before": np.trunc},
        "lost-sign: You dropped the minus signs of the scores; half of their spread lies below 0.",
        "Where in your code does a minus sign get lost?",
        paired(before=np.abs),
        "softmax-too-early: You measured the weights after a softmax, not the scores.",
        "Measure the raw scores.",
        {"before": softmax},
        "cosine-instead-of-dot: You measured cosines; the scores keep the lengths of queries and keys.",
        {"scores": lambda Q, K: unit_rows(Q) @ unit_rows(K).T},
        "measures-inputs: You measured the entries of Q, not the scores.",
        _OF_WHICH,
        {"scores": lambda Q, K: Q},
        "measures-inputs: You measured the entries of Q and K, not the scores.",
        {"scores": lambda Q, K: np.concatenate([Q, K])},
        "measures-inputs: You multiplied the spreads of Q and K; measure the scores themselves.",
        {"scores": lambda Q, K: Q.std() * K.std(), "spread": float},
        "no-sum: You multiplied Q and K entry by entry: these are single products, and a score is the sum of d_k of them.",
        "Which operator multiplies matrices?",
        paired(scores=lambda Q, K: Q * K),
        "added-instead-of-multiplied: You added Q and K; scores are dot products.",
        {"scores": lambda Q, K: Q + K},
        "columns-as-tokens: You multiplied Q transposed with K, which sums over the tokens.",
        "The score matrix has shape (n, n).",
        paired(scores=lambda Q, K: Q.T @ K),
        "arguments-swapped: You drew Q and K with d_k rows of width n; they have n rows of width d_k.",
        {"entries": lambda rng, shape: rng.standard_normal(shape[::-1])},
        "only-first-row: You measured only the scores of the first query.",
        _HOW_MANY,
        {"before": lambda S: S[:1]},
        "rows-paired: You measured only scores of query i with key i.",
        paired(scores=lambda Q, K: (Q * K).sum(axis=1)),
        "rows-paired: You measured only scores of query i with key i, and averaged their products instead of adding them.",
        {"scores": lambda Q, K: (Q * K).mean(axis=1)},
        "uniform-draws: You drew uniform numbers from 0 to 1; the exercise asks for normal ones with mean 0 and spread 1.",
        _NORMAL,
        paired(entries=lambda rng, shape: rng.random(shape)),
        "not-normal-draws: Your draws are normal around 1; the exercise asks for mean 0 and spread 1.",
        {"entries": lambda rng, shape: rng.normal(1.0, 1.0, shape)},
    ),
    *_SUBTLE,
)
SUBTLE = MISTAKES[-len(_SUBTLE) :]
