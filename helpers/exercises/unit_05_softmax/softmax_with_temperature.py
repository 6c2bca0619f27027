"""Exercise `softmax_with_temperature`: sharper or flatter."""

from collections.abc import Callable, Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, temperature 1, small and large ones, random batches."""
    yield Case("x = [0, ln 4] and temperature 2", {"x": np.log([1.0, 4.0]), "temperature": 2.0})
    yield Case("temperature 1", {"x": draw.normal(3), "temperature": 1.0})
    yield Case(
        "temperature 0.001", {"x": np.array([[1.0, 2.0, 1.5], [-3.0, -1.0, -2.0]]), "temperature": 1e-3}
    )
    yield Case("temperature 1000", {"x": np.array([[10.0, -20.0, 5.0]]), "temperature": 1e3})
    yield Case("temperature 0.05", {"x": np.array([0.3, 0.31, 0.2]), "temperature": 0.05})
    yield Case("x = [0, 10000] and temperature 5000", {"x": np.array([0.0, 1e4]), "temperature": 5e3})
    for width in (np.float64, np.float32):
        b, n, m = draw.sizes(3)
        temperature = float(draw.rng.uniform(0.3, 3))
        x = draw.normal(b, n, m, dtype=width)
        says = f"x of shape ({b}, {n}, {m}) in {width.__name__} and temperature {temperature:.2f}"
        yield Case(says, {"x": x, "temperature": temperature})
    yield Case("x of shape (3, 3) and temperature 0.5", {"x": draw.normal(3, 3), "temperature": 0.5})


def _softmax(x: np.ndarray, axis: int | None = -1) -> np.ndarray:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _naive(x: np.ndarray, temperature: float) -> np.ndarray:
    powers = np.exp(x / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def _on(change: Callable[[np.ndarray, float], np.ndarray]) -> Callable[..., np.ndarray]:
    return lambda x, temperature: _softmax(change(x, temperature))


EXERCISE = Exercise(
    name="softmax_with_temperature",
    cases=cases,
    oracle=in_torch(lambda x, temperature: torch.softmax(x / temperature, dim=-1)),
    hints=(
        "Should a high temperature make the differences between the numbers larger or smaller?",
        "Change x before the softmax, not the weights after it.",
        "Divide x by the temperature, then use `softmax`.",
    ),
    mistakes=(
        Mistake(
            "scaled-up",
            "You multiplied by the temperature; a high temperature then sharpens instead of flattening.",
            _on(lambda x, t: x * t),
            "At temperature 1000, should the weights be equal or one-hot?",
        ),
        Mistake(
            "temperature-ignored",
            "The temperature does nothing.",
            _on(lambda x, t: x),
            "Where does `temperature` appear in your code?",
        ),
        Mistake(
            "temperature-after-softmax",
            "You divided the weights; they then no longer sum to 1.",
            lambda x, temperature: _softmax(x) / temperature,
            "Divide x, before the exponentials.",
        ),
        Mistake(
            "no-max-subtraction",
            "Your exponentials overflow: a small temperature makes large numbers.",
            _naive,
            "Use your own `softmax`; it knows how to deal with large numbers.",
        ),
        Mistake(
            "scaled-by-sqrt-temperature",
            "You divided by the square root of the temperature.",
            _on(lambda x, t: x / np.sqrt(t)),
            "The temperature itself divides the numbers.",
        ),
        Mistake(
            "softmax-over-queries",
            "Your weights sum to 1 along the first axis; use the last one.",
            lambda x, temperature: _softmax(x / temperature, axis=0),
            "Which axis does the softmax get?",
        ),
        Mistake(
            "softmax-over-everything",
            "Your weights sum to 1 over the whole array; each row should.",
            lambda x, temperature: _softmax(x / temperature, axis=None),
            "Which axis does the softmax get?",
        ),
        Mistake(
            "temperature-squared",
            "You divided by the temperature twice.",
            _on(lambda x, t: x / t**2),
            "Divide once.",
        ),
    ),
)
