"""Exercise `split_heads`: cut the width into heads, keep tokens together."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake, MustRaise
from helpers.oracle import tensor


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, as many heads as the batch or the tokens, a width that does not fit."""
    yield Case(
        "one sequence of two tokens [0 1 2 3] and [4 5 6 7], two heads",
        {"X": np.arange(8.0).reshape(1, 2, 4), "num_heads": 2},
    )
    for width in (np.float64, np.float32):
        b, n, h, d_head = draw.sizes(4)
        X = draw.normal(b, n, h * d_head, dtype=width)
        yield Case(f"X of shape {X.shape} in {width.__name__}, {h} heads", {"X": X, "num_heads": h})
    yield Case("one head", {"X": draw.normal(2, 3, 5), "num_heads": 1})
    yield Case("X of shape (3, 3, 9), 3 heads", {"X": draw.normal(3, 3, 9), "num_heads": 3})
    yield Case("heads of width 1", {"X": draw.normal(2, 5, 3), "num_heads": 3})
    yield Case("d_model = 17 and 3 heads, which do not fit", {"X": draw.normal(2, 5, 17), "num_heads": 3})


def oracle(X: np.ndarray, num_heads: int) -> np.ndarray | MustRaise:
    """`unflatten` and `transpose` in PyTorch; an error where the width cannot be cut evenly."""
    if X.shape[-1] % num_heads:
        return MustRaise("ValueError", (str(X.shape[-1]), str(num_heads)))
    return tensor(X).unflatten(-1, (num_heads, -1)).transpose(1, 2).numpy().astype(X.dtype)


def cut(X: np.ndarray, num_heads: int) -> tuple[int, int, int, int]:
    """The sizes `(B, n, h, d_head)`, or the error the exercise asks for."""
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model = {d_model} cannot be cut into {num_heads} heads")
    return B, n, num_heads, d_model // num_heads


def _by_reshape(X: np.ndarray, num_heads: int) -> np.ndarray:
    B, n, h, d_head = cut(X, num_heads)
    return X.reshape(B, h, n, d_head)


def _interleaved(X: np.ndarray, num_heads: int) -> np.ndarray:
    B, n, h, d_head = cut(X, num_heads)
    return X.reshape(B, n, d_head, h).transpose(0, 3, 1, 2)


def _not_turned(X: np.ndarray, num_heads: int) -> np.ndarray:
    return X.reshape(cut(X, num_heads))


def _no_error(X: np.ndarray, num_heads: int) -> np.ndarray:
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    return X[..., : num_heads * d_head].reshape(B, n, num_heads, d_head).transpose(0, 2, 1, 3)


def _numpys_error(X: np.ndarray, num_heads: int) -> np.ndarray:
    return X.reshape(*X.shape[:2], num_heads, -1).transpose(0, 2, 1, 3)


def _assertion(X: np.ndarray, num_heads: int) -> np.ndarray:
    assert X.shape[-1] % num_heads == 0
    return _no_error(X, num_heads)


def _heads_first(X: np.ndarray, num_heads: int) -> np.ndarray:
    return X.reshape(cut(X, num_heads)).transpose(2, 0, 1, 3)


def _features_before_tokens(X: np.ndarray, num_heads: int) -> np.ndarray:
    return X.reshape(cut(X, num_heads)).transpose(0, 2, 3, 1)


EXERCISE = Exercise(
    name="split_heads",
    cases=cases,
    oracle=oracle,
    hints=(
        "Which numbers of token [0 1 2 3] go to head 0 when there are two heads?",
        "First cut only the last axis in two: (B, n, h, d_head). Then bring the heads before the tokens.",
        "`reshape(B, n, h, d_head)`, then swap axes 1 and 2; before that, raise ValueError naming both numbers.",
    ),
    mistakes=(
        Mistake(
            "heads-split-by-reshape",
            "You reshaped straight to (B, h, n, d_head): that deals out tokens to the heads, not channels.",
            _by_reshape,
            "Head 0 of token 1 should hold the first channels of token 1.",
        ),
        Mistake(
            "heads-interleaved",
            "You gave every h-th channel to a head; a head takes consecutive channels.",
            _interleaved,
            "In which order do d_head and h stand in your reshape?",
        ),
        Mistake(
            "no-transpose",
            "The heads still stand after the tokens: (B, n, h, d_head).",
            _not_turned,
            "Which two axes have to change places?",
        ),
        Mistake(
            "no-value-error",
            "A width that cannot be cut evenly passes in silence, and channels get lost.",
            _no_error,
            "What should happen when d_model % num_heads is not 0?",
        ),
        Mistake(
            "error-without-numbers",
            "NumPy's own error does not say which two numbers do not fit; raise your own.",
            _numpys_error,
            "The message should name d_model and num_heads.",
        ),
        Mistake(
            "no-value-error",
            "You raise AssertionError; the exercise asks for ValueError with both numbers in it.",
            _assertion,
            '`raise ValueError(f"...")`',
        ),
        Mistake(
            "wrong-head-axis",
            "The heads stand before the batch: the result should be (B, h, n, d_head).",
            _heads_first,
            "The batch stays in front.",
        ),
        Mistake(
            "wrong-head-axis",
            "Tokens and channels have changed places: the result should be (B, h, n, d_head).",
            _features_before_tokens,
            "Which two axes have to change places?",
        ),
    ),
)
