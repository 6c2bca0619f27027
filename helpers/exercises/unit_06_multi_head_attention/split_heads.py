"""Exercise `split_heads`: cut the width into heads, keep tokens together."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake, MustRaise, replaceable
from helpers.oracle import tensor
from helpers.probes.split_heads import probe


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


def refuse(d_model: int, h: int) -> None:
    """The error the exercise asks for where a width cannot be cut evenly."""
    if d_model % h:
        raise ValueError(f"d_model = {d_model} cannot be cut into {h} heads")


def cut(X: np.ndarray, h: int) -> np.ndarray:
    """The last axis in two, `(B, n, h, d_head)`; channels that do not fit are lost."""
    d_head = X.shape[-1] // h
    return X[..., : h * d_head].reshape(*X.shape[:2], h, d_head)


@replaceable
def variant(
    *,
    check: Callable[[int, int], None] = refuse,
    deal: Callable[[np.ndarray, int], Any] = lambda X, h: cut(X, h).transpose(0, 2, 1, 3),
) -> Callable[..., Any]:
    """Splitting with a wrong check of the width, or wrong heads, or both."""

    def answer(X: np.ndarray, num_heads: int) -> Any:
        check(X.shape[-1], num_heads)
        return deal(X, num_heads)

    return answer


def _assertion(d_model: int, h: int) -> None:
    assert d_model % h == 0


def _silent_reshape(X: np.ndarray, h: int) -> np.ndarray:
    return X.reshape(*X.shape[:2], h, -1).transpose(0, 2, 1, 3)


def _padded(X: np.ndarray, h: int) -> np.ndarray:
    return variant()(np.pad(X, ((0, 0), (0, 0), (0, -X.shape[-1] % h))), h)


def _tokens_cut(X: np.ndarray, h: int) -> np.ndarray:
    B, n, d_model = X.shape
    return X.reshape(B, h, n // h, d_model)


def _first_slice(X: np.ndarray, h: int) -> np.ndarray:
    return np.stack([cut(X, h)[:, :, 0]] * h, axis=1)


def _by_width(X: np.ndarray, h: int) -> np.ndarray:
    """Heads of width h."""
    return X.reshape(*X.shape[:2], -1, h).transpose(0, 2, 1, 3)


EXERCISE = Exercise(
    name="split_heads",
    cases=cases,
    oracle=oracle,
    probe=probe,
    axes={"": ("token", "channel")},
    hints=(
        "Which numbers of token [0 1 2 3] go to head 0 when there are two heads?",
        "First cut only the last axis in two: (B, n, h, d_head). Then bring the heads before the tokens.",
        "`reshape(B, n, h, d_head)`, then swap axes 1 and 2; before that, raise ValueError naming both numbers.",
    ),
    mistakes=(
        Mistake(
            "heads-split-by-reshape",
            "You reshaped straight to (B, h, n, d_head): that deals out tokens to the heads, not channels.",
            variant(deal=lambda X, h: X.reshape(X.shape[0], h, X.shape[1], -1)),
            "Head 0 of token 1 should hold the first channels of token 1.",
        ),
        Mistake(
            "heads-split-by-reshape",
            "You reshaped before you swapped: the first reshape deals out tokens to the heads, not channels.",
            variant(deal=lambda X, h: X.reshape(X.shape[0], h, -1, X.shape[1]).swapaxes(2, 3)),
            "Leave the batch and the tokens as they are; only the last axis is to be cut.",
        ),
        Mistake(
            "heads-interleaved",
            "You gave every h-th channel to a head; a head takes consecutive channels.",
            variant(deal=lambda X, h: X.reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2)),
            "In which order do d_head and h stand in your reshape?",
        ),
        Mistake(
            "no-transpose",
            "The heads still stand after the tokens: (B, n, h, d_head).",
            variant(deal=cut),
            "Which two axes have to change places?",
        ),
        Mistake(
            "arguments-swapped",
            "You took num_heads for the width of a head: you cut into d_model / h heads of width h.",
            variant(deal=_by_width),
            "How many heads should there be, and how wide is each?",
        ),
        Mistake(
            "wrong-head-axis",
            "The heads stand before the batch: the result should be (B, h, n, d_head).",
            variant(deal=lambda X, h: cut(X, h).transpose(2, 0, 1, 3)),
            "The batch stays in front.",
        ),
        Mistake(
            "wrong-head-axis",
            "Tokens and channels have changed places: the result should be (B, h, n, d_head).",
            variant(deal=lambda X, h: cut(X, h).transpose(0, 2, 3, 1)),
            "Which two axes have to change places?",
        ),
        Mistake(
            "wrong-head-axis",
            "Heads and channels have changed places: the result should be (B, h, n, d_head).",
            variant(deal=lambda X, h: cut(X, h).transpose(0, 3, 1, 2)),
            "Which two axes have to change places?",
        ),
        Mistake(
            "wrong-head-axis",
            "You cut the tokens into heads; cut the channels.",
            variant(deal=_tokens_cut),
            "Which axis of X is d_model wide?",
        ),
        Mistake(
            "reversed-all-axes",
            "`.T` turns round all four axes; only tokens and heads should change places.",
            variant(deal=lambda X, h: cut(X, h).T),
            "Which function swaps two axes and leaves the others?",
        ),
        Mistake(
            "batch-folded-into-heads",
            "Batch and heads share one axis: the result should be (B, h, n, d_head).",
            variant(
                deal=lambda X, h: cut(X, h).transpose(0, 2, 1, 3).reshape(-1, X.shape[1], X.shape[2] // h)
            ),
            "The result has four axes.",
        ),
        Mistake(
            "heads-out-of-order",
            "The heads stand in reverse order.",
            variant(deal=lambda X, h: cut(X, h).transpose(0, 2, 1, 3)[:, ::-1]),
            "Which channels belong to head 0?",
        ),
        Mistake(
            "heads-share-weights",
            "Every head holds the same channels, the first ones.",
            variant(deal=_first_slice),
            "Does the head's number appear in your slice?",
        ),
        Mistake(
            "first-head-only",
            "You returned the first head alone.",
            variant(deal=lambda X, h: cut(X, h)[:, :, 0]),
            "Is your `return` inside a loop?",
        ),
        Mistake(
            "overwritten-instead-of-collected",
            "You returned the last head alone.",
            variant(deal=lambda X, h: cut(X, h)[:, :, -1]),
            "Are the heads before it kept anywhere?",
        ),
        Mistake(
            "fixed-number-of-heads",
            "You always cut into two heads.",
            variant(deal=lambda X, h: _silent_reshape(X, 2)),
            "Where does num_heads come in?",
        ),
        Mistake(
            "heads-ignored",
            "You added an axis of one head and did not cut anything.",
            variant(deal=lambda X, h: X[:, None]),
            "Where does num_heads come in?",
        ),
        Mistake(
            "no-value-error",
            "A width that cannot be cut evenly passes in silence, and channels get lost.",
            variant(check=lambda d_model, h: None),
            "What should happen when d_model % num_heads is not 0?",
        ),
        Mistake(
            "no-value-error",
            "A width that cannot be cut evenly passes in silence, and zeros fill it up.",
            _padded,
            "What should happen when d_model % num_heads is not 0?",
        ),
        Mistake(
            "error-without-numbers",
            "NumPy's own error does not say which two numbers do not fit; raise your own.",
            variant(check=lambda d_model, h: None, deal=_silent_reshape),
            "The message should name d_model and num_heads.",
        ),
        Mistake(
            "no-value-error",
            "You raise AssertionError; the exercise asks for ValueError with both numbers in it.",
            variant(check=_assertion),
            '`raise ValueError(f"...")`',
        ),
    ),
)
