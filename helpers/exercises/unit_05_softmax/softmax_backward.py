"""Exercise `softmax_backward`: how the gradient goes back through softmax."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_05_softmax.softmax_backward_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, one row and two, random batches in both widths, a saturated row, square."""
    yield Case(
        "weights [0.5, 0.5] and grad [1, 0]", {"weights": np.array([0.5, 0.5]), "grad": np.array([1.0, 0.0])}
    )
    one_row = {"weights": np.array([0.5, 0.25, 0.25]), "grad": np.array([4.0, 0.0, -4.0])}
    yield Case("weights [0.5, 0.25, 0.25] and grad [4, 0, -4]", one_row)
    weights = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]])
    grad = np.array([[4.0, 0.0, -4.0], [0.0, 10.0, 20.0]])
    yield Case("2 x 3 weights with simple numbers", {"weights": weights, "grad": grad})
    for width in (np.float64, np.float32):
        b, n, m = draw.sizes(3)
        says = f"weights of shape ({b}, {n}, {m}) in {width.__name__}"
        yield Case(
            says,
            {"weights": _weights(draw, b, n, m).astype(width), "grad": draw.normal(b, n, m, dtype=width)},
        )
    one_hot = np.array([[0.0, 1.0, 0.0]])
    yield Case("a saturated row [0, 1, 0]", {"weights": one_hot, "grad": draw.normal(1, 3)})
    yield Case(
        "the same gradient everywhere", {"weights": _weights(draw, 2, 3), "grad": np.full((2, 3), 7.0)}
    )
    yield Case("weights of shape (3, 3)", {"weights": _weights(draw, 3, 3), "grad": draw.normal(3, 3)})


def _weights(draw: Draw, *shape: int) -> np.ndarray:
    powers = np.exp(draw.normal(*shape))
    return powers / powers.sum(-1, keepdims=True)


def oracle(weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
    """Autograd through `torch.softmax` at logits that give these weights."""
    logits = torch.from_numpy(weights.astype(np.float64)).log().clamp(min=-1e4).requires_grad_()
    torch.softmax(logits, dim=-1).backward(torch.from_numpy(grad.astype(np.float64)))
    return logits.grad.numpy().astype(weights.dtype)


EXERCISE = Exercise(
    name="softmax_backward",
    cases=cases,
    oracle=oracle,
    hints=(
        "Raise all scores of a row alike, and no weight changes. So what must the gradients of a row sum to?",
        "Each entry gets its weight times (its own gradient minus an average). Which average?",
        "The average is the sum of weights times gradients of the row, with `keepdims=True`.",
    ),
    mistakes=MISTAKES,
)
