"""Exercise `measure_score_std`: how far raw scores spread, measured."""

import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.measure_score_std import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference
from helpers.exercises.unit_03_scaling.measure_score_std_mistakes import MISTAKES, SUBTLE, variant
from helpers.text import number


def cases(draw: Draw) -> Iterator[Case]:
    """Few measurements that show most mistakes, many small ones for the rest, and the published size."""
    n, d_k = draw.sizes(2)
    for sizes, repeats in (
        ((n + 18, d_k + 2), 16),
        ((2, 1), 80),  # so small that formulas do not hold
        ((20, 3), 200),  # the scatter shows whether the draws are normal
        ((123, 456), 2),
    ):
        seed = int(draw.rng.integers(10**6))
        says = f"n = {sizes[0]} and d_k = {sizes[1]}, {'twice' if repeats == 2 else f'{repeats} times'}"
        yield Case(says, {"n": sizes[0], "d_k": sizes[1], "seed": seed, "repeats": repeats})


@functools.cache
def simulate(n: int, d_k: int, repeats: int) -> np.ndarray:
    """Our own measurements, to know what is usual and how far they scatter."""
    rng = np.random.default_rng(n * 1000 + d_k)
    Q, K = rng.standard_normal((2, repeats, n, d_k))
    return (Q @ K.swapaxes(-2, -1)).std(axis=(-2, -1))


def judge(_right: None, args: Mapping[str, Any], got: Any) -> Difference | None:
    """Compare the mean and the scatter of the measurements with our own."""
    measured, again, drawn = (got["items"][part]["array"] for part in ("measured", "again", "drawn"))
    if not np.isfinite(measured).all():
        wrong = measured[~np.isfinite(measured)][0]
        return Difference(f"the result should be a finite number; it is {wrong}")
    if again != measured[0]:
        return _not_repeated(drawn)
    if (measured == measured[0]).all():
        return _constant(measured[0], drawn)
    if got["items"]["kept"]["array"]:
        says = "the same generator gives the same value a second time, though it has gone on meanwhile"
        return Difference(
            says, misconception="state-between-calls", hint="Which name in your code outlives the call?"
        )
    if (measured == np.round(measured, 6)).all():
        says = f"your results are rounded, such as {measured[0]:g}; return all digits"
        return Difference(says, misconception="truncates-to-int", hint="Look for `round`, `int` or `//`.")
    return _known(args, measured) or _unusual(args, measured, drawn)


def _not_repeated(drawn: np.ndarray) -> Difference:
    says = "the same generator state should give the same value"
    if drawn.min() < 2 or drawn[0] == drawn[-1] == 2:
        says += "; does every random number come from `rng`?"
        hint = "Search your code for `np.random`, `torch.randn`, `default_rng` and `random`."
        return Difference(says, misconception="rng-ignored", hint=hint)
    return Difference(
        says, misconception="state-between-calls", hint="Which name in your code outlives the call?"
    )


def _constant(value: float, drawn: np.ndarray) -> Difference:
    says = f"every generator gives {number(value)}; a measurement changes from draw to draw"
    if drawn[0] > drawn[-1]:
        says += ". Your code draws once and then keeps the result"
        hint = "Which name in your code outlives the call: a global, a default argument?"
        return Difference(says, misconception="state-between-calls", hint=hint)
    written = value == np.round(value, 6) or np.isclose(value**2, np.round(value**2), rtol=0, atol=1e-9)
    if drawn[0] or written:  # a measured number has more digits, and is no square root of a whole one
        hint = "Does your result depend on the numbers you draw?"
        return Difference(says, misconception="formula-instead-of-measurement", hint=hint)
    says += ". Nothing is drawn from `rng`"
    return Difference(
        says, misconception="rng-reseeded", hint="Use the generator you are given, and make none of your own."
    )


def _known(args: Mapping[str, Any], measured: np.ndarray) -> Difference | None:
    """Wrong programs that would need many measurements to show: their very numbers give them away."""
    if len(measured) > 50 or args["n"] > 50:
        return None
    for mistake in SUBTLE:
        factor = _factor(args, measured, mistake.answer)
        if factor:
            exact = math.isclose(factor, 1, rel_tol=1e-6)
            says = "these are the results of another measurement" if exact else mistake.says
            return Difference(says, misconception=mistake.id, hint=mistake.hint)
    return None


def _factor(args: Mapping[str, Any], measured: np.ndarray, answer: Any) -> float | None:
    """The one number by which a program's results have to be multiplied, or `None`."""
    few = min(6, len(measured))
    ratios = measured[:few] / probe(answer, {**args, "repeats": few})["measured"]
    return float(ratios[0]) if np.allclose(ratios, ratios[0], rtol=1e-9, atol=0) else None


SCATTER = (  # fewer repeats than, n less than: least and most
    (20, math.inf, 0.0, math.inf),  # so few repeats tell nothing of a scatter
    (50, math.inf, 0.45, 1.9),
    (math.inf, 3, 0.45, 2.2),  # the spread of four scores scatters more itself
    (math.inf, math.inf, 0.76, 1.33),
)
"""The scatter of right answers as a part of the usual one; the first row that fits counts."""


def _unusual(args: Mapping[str, Any], measured: np.ndarray, drawn: np.ndarray) -> Difference | None:
    """Whether mean or scatter lie where those of right answers do not, in millions of checks."""
    n, d_k, repeats = args["n"], args["d_k"], len(measured)
    usual = simulate(n, d_k, 12 if n > 50 else 800 if repeats < 50 else 4000)
    corrected = usual * math.sqrt(n * n / (n * n - 1))  # a standard deviation may also divide by n * n - 1
    if not any(_usual_mean(measured, them) for them in (usual, corrected)):
        means = f"{number(measured.mean())}; expected about {number(usual.mean())}"
        factor = _factor(args, measured, variant())
        if factor:
            says = f"your results are the right ones times {number(factor)}"
            hint = "Are your draws standard normal, and do you divide or multiply the scores by anything?"
            return Difference(says, misconception="constant-factor", hint=hint)
        return Difference(
            f"the mean of your results is {means}", **(_formula(args, measured, usual) or _why(drawn))
        )
    ratio = measured.std() / usual.std()
    least, most = next(bounds for fewer, less, *bounds in SCATTER if repeats < fewer and n < less)
    if least < ratio < most:
        return None
    spreads = f"{number(measured.std())} around their mean; expected {number(usual.std())}"
    return Difference(f"your results scatter by {spreads}", **_why(drawn, ratio))


_PUBLISHED = "for n = 123 and d_k = 456, as in the text. Do these numbers stand in your code?"


def _usual_mean(measured: np.ndarray, usual: np.ndarray) -> bool:
    margin = 6 * usual.std() / math.sqrt(len(measured)) + 0.01 * usual.mean()
    return abs(measured.mean() - usual.mean()) < margin


def _formula(args: Mapping[str, Any], measured: np.ndarray, usual: np.ndarray) -> dict[str, str] | None:
    """What else of the scores has the mean and the scatter of these results, as far as this many draws can tell."""
    published = simulate(123, 456, 12)
    found = {
        "variance-instead-of-std": (usual**2, "What lies between a variance and a standard deviation?"),
        "scaled-too-early": (
            usual / math.sqrt(args["d_k"]),
            "Does each score add up d_k products? Do you measure it before it is scaled?",
        ),
        "mean-instead-of-std": (usual * math.sqrt(2 / math.pi), "A spread is a root of a mean of squares."),
        "fixed-size": (published, f"That is the spread {_PUBLISHED}"),
        "fixed-size+variance-instead-of-std": (published**2, f"That is the variance {_PUBLISHED}"),
    }
    fitting = [
        name
        for name, (values, _) in found.items()
        if _usual_mean(measured, values) and 0.3 < measured.std() / values.std() < 3
    ]
    if args["n"] < 10 or len(fitting) != 1:
        return None
    return {"misconception": fitting[0], "hint": found[fitting[0]][1]}


def _why(drawn: np.ndarray, scatter: float = 1.0) -> dict[str, str]:
    """What the amount of draws gives away."""
    if drawn.min() == 1:
        hint = "You draw fewer numbers than Q alone has entries. Measure the scores; do not compute their spread."
        return {"misconception": "formula-instead-of-measurement", "hint": hint}
    if drawn[0] == 3 and scatter < 1:
        hint = "You draw more numbers than Q and K have entries. Draw each of them once."
        return {"misconception": "averaged-measurements", "hint": hint}
    return {"hint": "Are your draws normal, with mean 0 and spread 1? Do all scores enter the result?"}


def oracle(*_: Any) -> None:
    """There is no one right value: see `judge`."""


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
    mistakes=MISTAKES,
)
