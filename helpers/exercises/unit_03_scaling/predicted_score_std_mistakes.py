"""What people get wrong in `predicted_score_std`: the formula with one of its parts replaced."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.rows import mistakes, paired, rows

Moments = tuple[float, float, float, float]
Term = Callable[[float, float, float, float], float]


def _none(mq: float, sq: float, mk: float, sk: float) -> float:
    return 0.0


def variant(
    *,
    inputs: Callable[[float, float, float, float], Moments] = lambda mq, sq, mk, sk: (mq, sq, mk, sk),
    spreads: Term = lambda mq, sq, mk, sk: (sq * sk) ** 2,
    from_q: Term = lambda mq, sq, mk, sk: (mq * sk) ** 2,
    from_k: Term = lambda mq, sq, mk, sk: (mk * sq) ** 2,
    extra: Term = _none,
    width: Callable[[float, int], float] = lambda variance, d_k: variance * d_k,
    root: Callable[[float], float] = np.sqrt,
    after: Callable[[float, int], Any] = lambda std, d_k: std,
) -> Callable[..., Any]:
    """The formula with one or more of its parts replaced by a wrong one."""

    def answer(d_k: int, mean_q: float, std_q: float, mean_k: float, std_k: float) -> Any:
        moments = tuple(map(np.float64, inputs(mean_q, std_q, mean_k, std_k)))
        variance = sum(term(*moments) for term in (spreads, from_q, from_k, extra))
        return after(root(width(variance, d_k)), d_k)

    return answer


def _whole(formula: Term) -> dict[str, Any]:
    """Another formula for the variance of one product."""
    return paired(spreads=formula, from_q=_none, from_k=_none)


def _simulated(draws: int) -> Callable[..., float]:
    def answer(d_k: int, mean_q: float, std_q: float, mean_k: float, std_k: float) -> float:
        rng = np.random.default_rng(0)
        q, k = rng.normal(mean_q, std_q, (draws, d_k)), rng.normal(mean_k, std_k, (draws, d_k))
        return (q * k).sum(axis=1).std()

    return answer


def _below_zero(variance: Callable[..., float]) -> list[Callable[..., float]]:
    """A variance that may come out negative, under each of the roots people take."""
    roots = (
        np.sqrt,
        math.sqrt,
        lambda value: float(value) ** 0.5,  # a complex number below zero
        lambda value: abs(value) ** 0.5,
        lambda value: max(value, 0) ** 0.5,
    )
    return [lambda *args, root=root: root(np.float64(variance(*args))) for root in roots]


MISTAKES = mistakes(
    variant,
    *rows(
        "means-forgotten: The means do not count in your result. A mean of one factor multiplies the spread of the other.",
        "If every query entry is exactly 3, what does a spread of 2 in the keys do to the product?",
        paired(from_q=_none, from_k=_none),
        "terms-crossed: You paired each mean with its own spread. It is the other factor's spread that a mean stretches.",
        "If every query entry is exactly 3, what makes the product vary?",
        paired(from_q=lambda mq, sq, mk, sk: (mq * sq) ** 2, from_k=lambda mq, sq, mk, sk: (mk * sk) ** 2),
        "one-term-forgotten: You counted the mean of the queries but not that of the keys.",
        "The formula should not change when queries and keys change places.",
        paired(from_k=_none),
        "one-term-forgotten: You counted the mean of the keys but not that of the queries.",
        paired(from_q=_none),
        "one-term-forgotten: You counted the terms with a mean, but not the product of the two spreads.",
        "With both means 0 the product still varies.",
        paired(spreads=_none),
        "relative-spreads: You added relative spreads, a rule that holds for small spreads only: the product of the two spreads is missing.",
        _whole(lambda mq, sq, mk, sk: (mq * mk) ** 2 * ((sq / mq) ** 2 + (sk / mk) ** 2)),
        "no-square-root: You returned the variance; the spread is its square root.",
        "For d_k = 64 and standard normal entries the result is 8.",
        paired(root=lambda variance: variance),
        "extra-square-root: You took the square root twice.",
        paired(root=lambda variance: variance**0.25),
        "no-square-root: You took the root of d_k alone; the variance of one product needs it too.",
        "Where do your brackets close?",
        paired(width=lambda variance, d_k: variance**2 * d_k),
        "scaled-by-d_k: You multiplied the spread by d_k. Variances add up, spreads do not.",
        "Should d_k stand inside the square root or outside?",
        paired(width=lambda variance, d_k: variance * d_k**2),
        "scaled-too-early: You gave the spread of one product; a dot product adds d_k of them.",
        "Where does d_k come in?",
        paired(width=lambda variance, d_k: variance),
        "mean-instead-of-sum: Your spread shrinks as d_k grows: that is the spread of a mean of the products, and a dot product adds them.",
        "Does a sum of more numbers vary more or less?",
        paired(after=lambda std, d_k: std / d_k),
        "off-by-one: You added up d_k - 1 products; a dot product has d_k of them.",
        "How many numbers does your `range` give?",
        paired(width=lambda variance, d_k: variance * (d_k - 1)),
        "operator-precedence: You multiplied only a part of the three terms by d_k; the brackets around their sum are missing.",
        "Which terms should d_k multiply?",
        *(
            lambda d, mq, sq, mk, sk, n=n: np.sqrt(np.power(d, n) @ np.square([sq * sk, mq * sk, mk * sq]))
            for n in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1])
        ),
        "operator-precedence: You returned half of the variance; the spread is its square root.",
        "If you wrote `** 1 / 2`: which goes first, the power or the division?",
        paired(root=lambda variance: variance / 2),
        "operator-precedence: You multiplied by half of d_k; it should be the square root of d_k.",
        paired(width=lambda variance, d_k: variance * d_k**2 / 4),
        "only-sqrt-d_k: You returned sqrt(d_k), which holds only for means 0 and spreads 1.",
        "What do the other four arguments change?",
        lambda d_k, mq, sq, mk, sk: math.sqrt(d_k),
        "only-sqrt-d_k: You returned d_k, which is the variance for means 0 and spreads 1.",
        lambda d_k, mq, sq, mk, sk: d_k,
        "arguments-ignored: You put in the published means and spreads, whatever the arguments say.",
        "Do you overwrite the arguments?",
        paired(inputs=lambda mq, sq, mk, sk: (1.56, 0.36, -0.34, 1.2)),
        "mean-not-subtracted: You took away the mean product without its square.",
        "E[x^2] - E[x]^2: which of the two is squared after the mean is taken?",
        *_below_zero(lambda d, mq, sq, mk, sk: d * ((mq**2 + sq**2) * (mk**2 + sk**2) - mq * mk)),
        "mean-not-subtracted: You took away the square of the mean product twice.",
        "Which form of the formula needs a subtraction?",
        *_below_zero(lambda d, mq, sq, mk, sk: d * ((mq**2 + sq**2) * (mk**2 + sk**2) - 2 * (mq * mk) ** 2)),
        "mean-not-subtracted: You took away the square of the mean of the whole dot product; what has to go is that of one product, d_k times.",
        "Start with one product, and multiply its variance by d_k at the end.",
        *_below_zero(lambda d, mq, sq, mk, sk: d * (mq**2 + sq**2) * (mk**2 + sk**2) - (d * mq * mk) ** 2),
        "mean-not-subtracted: You took away the square of the mean product once; it has to go once for each of the d_k products.",
        *_below_zero(lambda d, mq, sq, mk, sk: d * (mq**2 + sq**2) * (mk**2 + sk**2) - (mq * mk) ** 2),
        "means-not-squared: You did not square the means, and a negative mean then makes the variance smaller.",
        "If a factor is constant 3, by how much grows the variance: by 3 or by 9?",
        *_below_zero(lambda d, mq, sq, mk, sk: d * ((sq * sk) ** 2 + mq * sk**2 + mk * sq**2)),
        paired(from_q=lambda mq, sq, mk, sk: mq * sk**2, from_k=lambda mq, sq, mk, sk: mk * sq**2),
        "means-not-squared: You did not square the means.",
        "If a factor is constant 3, by how much grows the variance: by 3 or by 9?",
        paired(from_q=lambda mq, sq, mk, sk: abs(mq) * sk**2, from_k=lambda mq, sq, mk, sk: abs(mk) * sq**2),
        "std-for-variance: You used spreads where variances belong.",
        "The variance is the square of the standard deviation.",
        paired(inputs=lambda mq, sq, mk, sk: (mq, math.sqrt(sq), mk, math.sqrt(sk))),
        "std-for-variance: You squared the spreads once too often: each is squared once to become a variance.",
        paired(inputs=lambda mq, sq, mk, sk: (mq, sq**2, mk, sk**2)),
        "std-for-variance: You did not square the product of the spreads; the variance is the square of the spread.",
        paired(spreads=lambda mq, sq, mk, sk: sq * sk),
        "std-for-variance: You squared neither the means nor the spreads.",
        *_below_zero(lambda d, mq, sq, mk, sk: d * (sq * sk + mq * sk + mk * sq)),
        _whole(lambda mq, sq, mk, sk: sq * sk + abs(mq) * sk + abs(mk) * sq),
        "added-instead-of-multiplied: You added the two variances; that holds for a sum of two numbers, not for a product.",
        "Which operation joins a query entry and a key entry?",
        _whole(lambda mq, sq, mk, sk: sq**2 + sk**2),
        "added-instead-of-multiplied: You added the two spreads; a dot product multiplies the entries.",
        _whole(lambda mq, sq, mk, sk: (sq + sk) ** 2),
        "stds-added: You added spreads. For independent numbers the variances add up, the spreads do not.",
        "Square first, add, and take the root at the end.",
        _whole(lambda mq, sq, mk, sk: (sq * sk + abs(mq) * sk + abs(mk) * sq) ** 2),
        _whole(lambda mq, sq, mk, sk: (sq * sk + mq * sk + mk * sq) ** 2),
        *(
            lambda d, mq, sq, mk, sk, by=by: by(d) * (sq * sk + mq * sk + mk * sq)
            for by in (math.sqrt, float, lambda d: 1.0)
        ),
        *(
            lambda d, mq, sq, mk, sk, by=by: by(d) * (sq * sk + abs(mq) * sk + abs(mk) * sq)
            for by in (float, lambda d: 1.0)
        ),
        "mean-not-subtracted: You counted mean_q * mean_k too; it never varies, so its variance is 0.",
        "If nothing varies, the spread is 0.",
        paired(extra=lambda mq, sq, mk, sk: (mq * mk) ** 2),
        "mean-instead-of-std: You predicted the mean of a score; the exercise asks for its spread.",
        lambda d_k, mq, sq, mk, sk: d_k * mq * mk,
        "mean-for-spread: You put the means in as if they were spreads.",
        _whole(lambda mq, sq, mk, sk: (mq * mk) ** 2),
        "mean-added: You added the means to the spread: a mean moves numbers, it does not spread them.",
        _whole(lambda mq, sq, mk, sk: (sq * sk + mq * mk) ** 2),
        "mean-added: You added the product of the squared means. A constant product does not vary.",
        paired(from_q=_none, from_k=lambda mq, sq, mk, sk: (mq * mk) ** 2),
        "mean-added: You added the product of the means: a mean moves numbers, it does not spread them.",
        lambda d_k, mq, sq, mk, sk: np.sqrt(d_k) * (sq * sk + mq * mk),
        "extra-term: You added a mixed term with all four numbers, as for entries that depend on each other; these are independent.",
        "How many terms has the variance of one product of independent numbers?",
        paired(extra=lambda mq, sq, mk, sk: 2 * mq * mk * sq * sk),
        "arguments-swapped: You took means for spreads and spreads for means.",
        "In which order do the arguments come?",
        paired(inputs=lambda mq, sq, mk, sk: (sq, mq, sk, mk)),
        "arguments-swapped: You read the arguments as mean_q, mean_k, std_q, std_k; the queries' come first.",
        paired(inputs=lambda mq, sq, mk, sk: (mq, mk, sq, sk)),
        "one-matrix-twice: You used the queries' mean and spread for the keys too.",
        "Do all four numbers appear in your code?",
        paired(inputs=lambda mq, sq, mk, sk: (mq, sq, mq, sq)),
        "one-matrix-twice: You used the keys' mean and spread for the queries too.",
        paired(inputs=lambda mq, sq, mk, sk: (mk, sk, mk, sk)),
        "one-spread-only: You used the spread of the queries alone.",
        _whole(lambda mq, sq, mk, sk: sq**2),
        "one-spread-only: You used the spread of the keys alone.",
        _whole(lambda mq, sq, mk, sk: sk**2),
        "terms-doubled: You counted the product of the two spreads twice.",
        "With means 0 and spreads 1 the result is sqrt(d_k).",
        paired(spreads=lambda mq, sq, mk, sk: 2 * (sq * sk) ** 2),
        "truncates-to-int: You rounded the result down to a whole number.",
        "Look for `int`, `//` or `isqrt`.",
        paired(after=lambda std, d_k: math.floor(std)),
        "measured-with-too-few-draws: You measured random draws; the exercise asks for a formula, which has no scatter.",
        "Could the result be written down without drawing anything?",
        *map(_simulated, (10, 100, 1000)),
    ),
)
