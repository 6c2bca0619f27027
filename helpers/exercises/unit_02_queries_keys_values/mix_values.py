"""Exercise `mix_values`: each output is a weighted sum of value rows."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, one-hot rows, rows that do not sum to 1, random, a batch, square."""
    V = np.array([[10.0, 0.0, 1.0], [0.0, 10.0, 1.0]])
    yield Case("weights [[0.6, 0.4]] and two values", {"weights": np.array([[0.6, 0.4]]), "V": V})
    yield Case("one-hot weights", {"weights": np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), "V": V})
    yield Case("rows that do not sum to 1", {"weights": np.array([[5.0, 2.0], [0.0, 0.0]]), "V": V})
    for width in (np.float64, np.float32):
        n_q, n_k, d_v, b = draw.sizes(4)
        sizes = f"n_q = {n_q}, n_k = {n_k}, d_v = {d_v}, {width.__name__}"
        weights, V = draw.rng.random((b, n_q, n_k)).astype(width), draw.normal(b, n_k, d_v, dtype=width)
        yield Case(f"random weights ({sizes})", {"weights": weights[0], "V": V[0]})
        yield Case(f"a batch of {b} ({sizes})", {"weights": weights, "V": V})
    heads = {"weights": draw.normal(b, 2, n_q, n_k), "V": draw.normal(b, 2, n_k, d_v)}
    yield Case(f"two batch axes ({b}, 2)", heads)
    yield Case("square weights and values (3, 3)", {"weights": draw.normal(3, 3), "V": draw.normal(3, 3)})


def _renormalised(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    total = weights.sum(-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ V


def _softmaxed(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    powers = np.exp(weights)
    return powers / powers.sum(-1, keepdims=True) @ V


EXERCISE = Exercise(
    name="mix_values",
    cases=cases,
    oracle=in_torch(torch.matmul),
    hints=(
        "With the weights [0.6, 0.4], how much of each value goes into the output?",
        "Output i is `weights[i, 0] * V[0] + weights[i, 1] * V[1] + ...`: a sum over the keys.",
        "That sum over the keys is what a matrix product does: weights first.",
    ),
    mistakes=(
        Mistake(
            "renormalised",
            "You divided the weights by their sum; use them as they come.",
            _renormalised,
            "Which of your lines changes the weights?",
        ),
        Mistake(
            "softmax-too-early",
            "You applied softmax to the weights; use them as they come.",
            _softmaxed,
            "Which of your lines changes the weights?",
        ),
        Mistake(
            "weights-transposed",
            "You used the weights transposed: row i must hold the weights of query i.",
            lambda weights, V: np.swapaxes(weights, -2, -1) @ V,
            "Which axis of the weights runs over the keys?",
        ),
        Mistake(
            "mean-instead-of-sum",
            "You averaged over the keys; add the weighted values.",
            lambda weights, V: weights @ V / V.shape[-2],
            "The weights already say how much; is there another division?",
        ),
        Mistake(
            "weights-ignored",
            "You averaged the values whatever the weights say.",
            lambda weights, V: np.broadcast_to(V.mean(-2, keepdims=True), (*weights.shape[:-1], V.shape[-1])),
            "Do the weights appear in your code?",
        ),
        Mistake(
            "hard-lookup",
            "You took only the value with the largest weight; mix all of them.",
            lambda weights, V: np.take_along_axis(V, weights.argmax(-1)[..., None], axis=-2),
            "With the weights [0.6, 0.4], should the second value count?",
        ),
        Mistake(
            "no-sum",
            "You multiplied entry by entry; a mixture needs the matrix product.",
            lambda weights, V: weights * V,
            "Which operator is the matrix product: `*` or `@`?",
        ),
        Mistake(
            "factors-swapped",
            "You wrote V first. With tokens as rows, the weights come first.",
            lambda weights, V: V @ weights,
            "Write the shapes under the two factors: the inner ones must agree.",
        ),
    ),
)
