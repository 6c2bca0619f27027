"""Exercise `measure_score_std`: how far raw scores spread, measured."""

import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from helpers.compare import Difference, number
from helpers.exercises.base import Case, Draw, Exercise, Mistake, ProbeError


def cases(draw: Draw) -> Iterator[Case]:
    """Many small measurements, some larger ones, and one of the published size."""
    n, d_k = draw.sizes(2)
    for says, sizes, repeats in (
        ("two queries and two keys of width 1, 400 times", (2, 1), 400),
        (f"n = {n + 6} and d_k = {d_k}, 40 times", (n + 6, d_k), 40),
        ("n = 123 and d_k = 456, twice", (123, 456), 2),
    ):
        yield Case(
            says, {"n": sizes[0], "d_k": sizes[1], "seed": int(draw.rng.integers(10**6)), "repeats": repeats}
        )


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Measurements from one generator after the other, and the first one again."""
    if not callable(answer):
        raise ProbeError(f"it should be a function; it is {type(answer).__name__}")
    seeds = range(args["seed"], args["seed"] + args["repeats"])
    first = answer(args["n"], args["d_k"], np.random.default_rng(args["seed"]))
    if not np.isscalar(first) and not (isinstance(first, np.ndarray) and first.ndim == 0):
        shape = f" of shape {tuple(first.shape)}" if hasattr(first, "shape") else ""
        raise ProbeError(f"the result should be a number; it is of type {type(first).__name__}{shape}")
    measured = [answer(args["n"], args["d_k"], np.random.default_rng(seed)) for seed in seeds]
    again = answer(args["n"], args["d_k"], np.random.default_rng(args["seed"]))
    return {"measured": np.array(measured, dtype=float), "again": np.array([first, again], dtype=float)}


@functools.cache
def simulate(n: int, d_k: int, repeats: int) -> np.ndarray:
    """Our own measurements, to know what is usual and how far they scatter."""
    rng = np.random.default_rng(n * 1000 + d_k)
    Q, K = rng.standard_normal((2, repeats, n, d_k))
    return (Q @ K.swapaxes(-2, -1)).std(axis=(-2, -1))


def judge(args: Mapping[str, Any], got: Any) -> Difference | None:
    """Compare the mean and the scatter of the measurements with our own."""
    measured, again = got["items"]["measured"]["array"], got["items"]["again"]["array"]
    if not np.isfinite(measured).all():
        return Difference(
            f"the result should be a finite number; it is {measured[~np.isfinite(measured)][0]}"
        )
    if again[0] != again[1] or again[0] != measured[0]:
        says = (
            "the same generator state should give the same value; does every random number come from `rng`?"
        )
        return Difference(says, misconception="own-randomness")
    if len(set(measured)) == 1:
        return Difference(
            f"every generator gives {number(measured[0])}; a measurement changes from draw to draw"
        )
    usual = simulate(args["n"], args["d_k"], 1500 if args["n"] < 50 else 12)
    scatter = usual.std()
    margin = 6 * scatter / math.sqrt(len(measured)) + 0.01 * usual.mean()
    if abs(measured.mean() - usual.mean()) > margin:
        means = f"{number(measured.mean())}; expected about {number(usual.mean())}"
        return Difference(f"the mean of your results is {means}")
    if len(measured) > 20 and not 0.5 < measured.std() / scatter < 1.8:
        spreads = f"{number(measured.std())} around their mean; expected {number(scatter)}"
        return Difference(f"your results scatter by {spreads}")
    return None


def oracle(*_: Any) -> None:
    """There is no one right value: see `judge`."""


def _measured(reduce: Any, draw: Any = None) -> Any:
    """A measurement with another last step, or with numbers drawn in another way."""
    draw = draw or (lambda rng, shape: rng.standard_normal(shape))

    def answer(n: int, d_k: int, rng: np.random.Generator) -> Any:
        Q, K = draw(rng, (n, d_k)), draw(rng, (n, d_k))
        return reduce(Q, K)

    return answer


def _score_std(Q: np.ndarray, K: np.ndarray) -> float:
    return (Q @ K.T).std()


EXERCISE = Exercise(
    name="measure_score_std",
    cases=cases,
    oracle=oracle,
    probe=probe,
    judge=judge,
    hints=(
        "Which two arrays do you have to draw, and of which shape?",
        "`rng.standard_normal((n, d_k))` draws one of them. Then take all scores at once.",
        "The result is the `.std()` of the whole matrix Q @ K.T.",
    ),
    mistakes=(
        Mistake(
            "formula-instead-of-measurement",
            "You returned a formula. Here you measure; whether the formula fits is the next question.",
            lambda n, d_k, rng: math.sqrt(d_k),
            "Does your answer draw any random number?",
        ),
        Mistake(
            "no-square-root",
            "You returned the variance; the standard deviation is its square root.",
            _measured(lambda Q, K: (Q @ K.T).var()),
            "For d_k = 456 the result should be near 21, not near 456.",
        ),
        Mistake(
            "scaled-too-early",
            "You divided by sqrt(d_k) already; measure the raw scores.",
            _measured(lambda Q, K: _score_std(Q, K) / math.sqrt(Q.shape[1])),
            "Leave the division for later.",
        ),
        Mistake(
            "measures-inputs",
            "You measured the entries of Q, not the scores.",
            _measured(lambda Q, K: Q.std()),
            "Of which matrix should the spread be taken?",
        ),
        Mistake(
            "columns-as-tokens",
            "You multiplied Q transposed with K, which sums over the tokens.",
            _measured(lambda Q, K: (Q.T @ K).std()),
            "The score matrix has shape (n, n).",
        ),
        Mistake(
            "only-the-diagonal",
            "You measured only scores of query i with key i.",
            _measured(lambda Q, K: (Q * K).sum(axis=1).std()),
            "How many scores are there for n queries and n keys?",
        ),
        Mistake(
            "one-matrix-twice",
            "You used Q for the keys too; then every query meets itself.",
            _measured(lambda Q, K: _score_std(Q, Q)),
            "Draw K on its own.",
        ),
        Mistake(
            "uniform-draws",
            "You drew uniform numbers; the exercise asks for normal ones with mean 0 and spread 1.",
            _measured(_score_std, lambda rng, shape: rng.random(shape)),
            "Which method of `rng` draws standard normal numbers?",
        ),
        Mistake(
            "rng-ignored",
            "You made a generator of your own, so every measurement is the same.",
            lambda n, d_k, rng: _score_std(*np.random.default_rng(0).standard_normal((2, n, d_k))),
            "Every random number should come from the generator you are given.",
        ),
        Mistake(
            "wrong-std-axis",
            "You averaged the spreads of the rows; take the spread of all scores together.",
            _measured(lambda Q, K: (Q @ K.T).std(axis=1).mean()),
            "Does your `.std` have an axis?",
        ),
    ),
)
