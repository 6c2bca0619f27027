"""Exercise `softmax_backward`: how the gradient goes back through softmax."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random batches in both widths, a saturated row, square."""
    yield Case(
        "weights [0.5, 0.5] and grad [1, 0]", {"weights": np.array([0.5, 0.5]), "grad": np.array([1.0, 0.0])}
    )
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


def _total(x: np.ndarray, axis: int | None = -1) -> np.ndarray:
    return x.sum(axis=axis, keepdims=True)


EXERCISE = Exercise(
    name="softmax_backward",
    cases=cases,
    oracle=oracle,
    hints=(
        "Raising one score takes weight from all the others of its row. What must the gradients of a row sum to?",
        "Each entry gets its weight times (its own gradient minus an average). Which average?",
        "The average is the sum of weights times gradients of the row, with `keepdims=True`.",
    ),
    mistakes=(
        Mistake(
            "diagonal-only",
            "You treated each weight alone, w * (1 - w): every score also changes the weights of the others.",
            lambda weights, grad: grad * weights * (1 - weights),
            "The gradients of a row sum to 0. Do yours?",
        ),
        Mistake(
            "diagonal-only",
            "You left out the term for the division by the sum.",
            lambda weights, grad: weights * grad,
            "The gradients of a row sum to 0. Do yours?",
        ),
        Mistake(
            "weights-factor-forgotten",
            "You took the average away but did not multiply by the weights.",
            lambda weights, grad: grad - _total(weights * grad),
            "How strong can the gradient of an entry with weight 0 be?",
        ),
        Mistake(
            "sum-not-weighted",
            "You took away the plain mean of the gradients; the average is weighted by the weights.",
            lambda weights, grad: weights * (grad - grad.mean(-1, keepdims=True)),
            "Which entries count more in the average?",
        ),
        Mistake(
            "sum-not-weighted",
            "You took away the sum of the gradients; it should be weighted by the weights.",
            lambda weights, grad: weights * (grad - _total(grad)),
            "What multiplies each gradient inside the sum?",
        ),
        Mistake(
            "softmax-over-everything",
            "Your average runs over the whole array; each row has its own.",
            lambda weights, grad: weights * (grad - _total(weights * grad, axis=None)),
            "Which axis does your sum get?",
        ),
        Mistake(
            "softmax-over-queries",
            "Your average runs down the columns; it should run along the row.",
            lambda weights, grad: weights * (grad - _total(weights * grad, axis=0)),
            "Which axis did the softmax run along?",
        ),
        Mistake(
            "sign-flipped",
            "All signs are flipped.",
            lambda weights, grad: weights * (_total(weights * grad) - grad),
            "Which is taken from which: the average from the gradient, or the other way round?",
        ),
        Mistake(
            "returns-input",
            "You returned the gradient as it came; softmax changes it.",
            lambda weights, grad: grad.copy(),
            "Do the weights appear in your code?",
        ),
        Mistake(
            "softmax-again",
            "You applied softmax to the weights; they are its output already.",
            lambda weights, grad: (lambda w: w * (grad - _total(w * grad)))(
                np.exp(weights) / _total(np.exp(weights))
            ),
            "What is `weights`: the input of the softmax or its output?",
        ),
    ),
)
