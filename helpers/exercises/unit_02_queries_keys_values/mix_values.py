"""Exercise `mix_values`: each output is a weighted sum of value rows."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_02_queries_keys_values.mix_values_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, one-hot rows, rows that do not sum to 1, odd weights, random, a batch, square ones."""
    V = np.array([[10.0, 0.0, 1.0], [0.0, 10.0, 1.0]])
    yield Case("weights [[0.6, 0.4]] and two values", {"weights": np.array([[0.6, 0.4]]), "V": V})
    yield Case("one-hot weights", {"weights": np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), "V": V})
    yield Case("rows that do not sum to 1", {"weights": np.array([[5.0, 2.0], [0.0, 0.0]]), "V": V})
    odd = np.array([[-1.0, 2.0], [0.0004, 0.004], [0.03, 0.15]])
    yield Case("negative and small weights", {"weights": odd, "V": V})
    yield Case("five queries, four keys of width 4", {"weights": draw.normal(5, 4), "V": draw.normal(4, 4)})
    for width in (np.float64, np.float32):
        n_q, n_k, d_v, b = draw.sizes(4)
        sizes = f"n_q = {n_q}, n_k = {n_k}, d_v = {d_v}, {width.__name__}"
        weights, V = draw.rng.random((b, n_q, n_k)).astype(width), draw.normal(b, n_k, d_v, dtype=width)
        yield Case(f"random weights ({sizes})", {"weights": weights[0], "V": V[0]})
        yield Case(f"a batch of {b} ({sizes})", {"weights": weights, "V": V})
    heads = {"weights": draw.normal(b, 2, n_q, n_k), "V": draw.normal(b, 2, n_k, d_v)}
    yield Case(f"two batch axes ({b}, 2)", heads)
    yield Case("square weights and values (3, 3)", {"weights": draw.normal(3, 3), "V": draw.normal(3, 3)})
    cube = {"weights": draw.normal(3, 3, 3), "V": draw.normal(3, 3, 3)}
    yield Case("a batch of 3 with weights and values of shape (3, 3, 3)", cube)


EXERCISE = Exercise(
    name="mix_values",
    cases=cases,
    oracle=in_torch(torch.matmul),
    axes={"": ("query", "feature")},
    woven=Woven({"": "output"}, "output"),
    hints=(
        "With the weights [0.6, 0.4], how much of each value goes into the output?",
        "Output i is `weights[i, 0] * V[0] + weights[i, 1] * V[1] + ...`: a sum over the keys.",
        "That sum over the keys is what a matrix product does: weights first. `@` does it for all axes in front.",
    ),
    mistakes=MISTAKES,
)
