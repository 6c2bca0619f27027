"""What people get wrong in `split_heads`: the same function with a wrong check of the width, or wrong heads."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.rows import mistakes, paired, rows

Array = np.ndarray


def refuse(d_model: int, h: int) -> None:
    """The error the exercise asks for where a width cannot be cut evenly."""
    if d_model % h:
        raise ValueError(f"d_model = {d_model} cannot be cut into {h} heads")


def cut(X: Array, h: int) -> Array:
    """The last axis in two, `(B, n, h, d_head)`; channels that do not fit are lost."""
    d_head = X.shape[-1] // h
    return X[..., : h * d_head].reshape(*X.shape[:2], h, d_head)


def variant(
    *,
    check: Callable[[int, int], None] = refuse,
    deal: Callable[[Array, int], Any] = lambda X, h: cut(X, h).transpose(0, 2, 1, 3),
) -> Callable[..., Any]:
    """Splitting with a wrong check of the width, or wrong heads, or both."""

    def answer(X: Array, num_heads: int) -> Any:
        check(X.shape[-1], num_heads)
        return deal(X, num_heads)

    return answer


def _assertion(d_model: int, h: int) -> None:
    assert d_model % h == 0


def _reshaped(X: Array, h: int) -> Array:
    return X.reshape(*X.shape[:2], h, -1).transpose(0, 2, 1, 3)


def _reshaped_to_width(X: Array, h: int) -> Array:
    return X.reshape(*X.shape[:2], h, X.shape[-1] // h).transpose(0, 2, 1, 3)


MISTAKES = mistakes(
    variant,
    *rows(
        "heads-split-by-reshape: You reshaped straight to (B, h, n, d_head): that deals out tokens to the heads, not channels.",
        "Head 0 of token 1 should hold the first channels of token 1.",
        paired(deal=lambda X, h: X.reshape(X.shape[0], h, X.shape[1], -1)),
        "heads-split-by-reshape: You reshaped before you swapped: the first reshape deals out tokens to the heads, not channels.",
        "Leave the batch and the tokens as they are; only the last axis is to be cut.",
        paired(deal=lambda X, h: X.reshape(X.shape[0], h, -1, X.shape[1]).swapaxes(2, 3)),
        "heads-interleaved: You gave every h-th channel to a head; a head takes consecutive channels.",
        "Which channels of a token should head 0 get? Cut into h pieces of d_head channels, in this order.",
        paired(deal=lambda X, h: X.reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2)),
        "off-by-one: Your heads overlap: head i begins at channel i, where it should begin at i * d_head.",
        "Where does head 1 begin?",
        paired(deal=lambda X, h: np.stack([X[..., i : i + X.shape[-1] // h] for i in range(h)], axis=1)),
        "no-transpose: The heads still stand after the tokens: (B, n, h, d_head).",
        "Which two axes have to change places?",
        paired(deal=cut),
        "wrong-head-axis: Tokens and channels have changed places: the result should be (B, h, n, d_head).",
        paired(deal=lambda X, h: cut(X, h).transpose(0, 2, 3, 1)),
        "wrong-head-axis: Heads and channels have changed places: the result should be (B, h, n, d_head).",
        paired(deal=lambda X, h: cut(X, h).transpose(0, 3, 1, 2)),
        "arguments-swapped: You took num_heads for the width of a head: you cut into d_model / h heads of width h.",
        "How many heads should there be, and how wide is each?",
        paired(deal=lambda X, h: X.reshape(*X.shape[:2], -1, h).transpose(0, 2, 1, 3)),
        "wrong-head-axis: The heads stand before the batch: the result should be (B, h, n, d_head).",
        "The batch stays in front.",
        paired(deal=lambda X, h: cut(X, h).transpose(2, 0, 1, 3)),
        "wrong-head-axis: You cut the tokens into heads; cut the channels.",
        "Which axis of X is d_model wide?",
        paired(deal=lambda X, h: X.reshape(len(X), h, X.shape[1] // h, X.shape[2])),
        "reversed-all-axes: You turned round all four axes, as `.T` does; only tokens and heads should change places.",
        "Which function swaps two axes and leaves the others?",
        paired(deal=lambda X, h: cut(X, h).T),
        "batch-folded-into-heads: Batch and heads share one axis: the result should be (B, h, n, d_head).",
        "The result has four axes.",
        paired(deal=lambda X, h: cut(X, h).transpose(0, 2, 1, 3).reshape(-1, X.shape[1], X.shape[2] // h)),
        "heads-out-of-order: The heads stand in reverse order.",
        "Which channels belong to head 0?",
        paired(deal=lambda X, h: cut(X, h).transpose(0, 2, 1, 3)[:, ::-1]),
        "heads-share-weights: Every head holds the same channels, the first ones.",
        "Does the head's number appear in your slice?",
        paired(deal=lambda X, h: np.stack([cut(X, h)[:, :, 0]] * h, axis=1)),
        "first-head-only: You returned the first head alone.",
        "Is your `return` inside a loop?",
        paired(deal=lambda X, h: cut(X, h)[:, :, 0]),
        "overwritten-instead-of-collected: You returned the last head alone.",
        "Are the heads before it kept anywhere?",
        paired(deal=lambda X, h: cut(X, h)[:, :, -1]),
        "fixed-number-of-heads: You always cut into two heads.",
        "Where does num_heads come in?",
        paired(deal=lambda X, h: _reshaped(X, 2)),
        "fixed-number-of-heads: You always cut two heads of width 2, as in the text.",
        {"deal": lambda X, h: np.stack([X[:, :, :2], X[:, :, 2:4]], axis=1)},
        "arguments-swapped: Your slices are num_heads wide; a head is d_model / num_heads wide.",
        "How wide is a head of a token with 6 channels when there are two heads?",
        {"deal": lambda X, h: np.stack([X[:, :, i * h : (i + 1) * h] for i in range(h)], axis=1)},
        "heads-ignored: You added an axis of one head and did not cut anything.",
        "Where does num_heads come in?",
        paired(deal=lambda X, h: X[:, None]),
        "no-value-error: A width that cannot be cut evenly passes in silence, and channels get lost.",
        "What should happen when d_model % num_heads is not 0?",
        paired(check=lambda d_model, h: None),
        "no-value-error: A width that cannot be cut evenly passes in silence, and zeros fill it up.",
        lambda X, h: variant()(np.pad(X, ((0, 0), (0, 0), (0, -X.shape[-1] % h))), h),
        "error-without-numbers: You leave the error to NumPy, which does not say which two numbers do not fit; raise your own.",
        "The message should name d_model and num_heads.",
        paired(check=lambda d_model, h: None, deal=_reshaped),
        {"check": lambda d_model, h: None, "deal": _reshaped_to_width},
        "no-value-error: You raise AssertionError; the exercise asks for ValueError with both numbers in it.",
        '`raise ValueError(f"...")`',
        paired(check=_assertion),
    ),
)
