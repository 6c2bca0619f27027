"""Exercise `softmax_with_temperature`: sharper or flatter."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_05_softmax.alone import alone, judge
from helpers.exercises.unit_05_softmax.softmax_with_temperature_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, temperature 1, small and large ones, random batches."""
    yield Case("x = [0, ln 4] and temperature 2", {"x": np.log([1.0, 4.0]), "temperature": 2.0})
    by_hand = np.log([[1.0, 4.0, 9.0], [16.0, 1.0, 1.0]])
    yield Case("x = [[0, ln 4, ln 9], [ln 16, 0, 0]] and temperature 2", {"x": by_hand, "temperature": 2.0})
    yield Case("temperature 1", {"x": draw.normal(3), "temperature": 1.0})
    # e^-12 and e^-10 are small and not 0: neither a one-hot row nor a temperature raised to 0.01 will do
    cold = np.array([[1.0, 1.012, 1.002], [-3.0, -2.988, -2.998]])
    yield Case("temperature 0.001", {"x": cold, "temperature": 1e-3})
    for x in ([0.0, 2.0, 2.001], [0.0, 0.0, 0.0, 1.0]):
        says = f"x = [{', '.join(f'{value:g}' for value in x)}] and temperature 0.001"
        yield Case(says, {"x": np.array(x), "temperature": 1e-3})
    yield Case("temperature 1000", {"x": np.array([[10.0, -20.0, 5.0]]), "temperature": 1e3})
    yield Case("temperature 0.05", {"x": np.array([0.3, 0.31, 0.2]), "temperature": 0.05})
    # here exponentials overflow even as long doubles
    yield Case("x = [20, 20.001] and temperature 0.001", {"x": np.array([20.0, 20.001]), "temperature": 1e-3})
    yield Case("x = [0, 10000] and temperature 5000", {"x": np.array([0.0, 1e4]), "temperature": 5e3})
    for width in (np.float64, np.float32):
        b, n, m = draw.sizes(3)
        temperature = float(draw.rng.uniform(0.3, 3))
        x = draw.normal(b, n, m, dtype=width)
        says = f"x of shape ({b}, {n}, {m}) in {width.__name__} and temperature {temperature:.2f}"
        yield Case(says, {"x": x, "temperature": temperature})
    yield Case("x of shape (3, 3) and temperature 0.5", {"x": draw.normal(3, 3), "temperature": 0.5})
    # what is added to the temperature shows beside it: 1e-9 as much as 0.001 does
    yield Case(
        "x = [0, 0.000003] and temperature 0.000001", {"x": np.array([0.0, 3e-6]), "temperature": 1e-6}
    )
    yield alone(temperature=2.0)


EXERCISE = Exercise(
    name="softmax_with_temperature",
    cases=cases,
    oracle=in_torch(lambda x, temperature: torch.softmax(x / temperature, dim=-1)),
    judge=judge,
    hints=(
        "Should a high temperature make the differences between the numbers larger or smaller?",
        "Change x before the softmax, not the weights after it.",
        "Divide x by the temperature, then use `softmax`.",
    ),
    mistakes=MISTAKES,
)
