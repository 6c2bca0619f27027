"""Exercise `masked_softmax`: weights over the allowed keys, and nothing for a blocked row."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with every broadcast, a blocked row, huge scores, a score of 0, square."""
    by_hand = np.log(np.array([[1.0, 3.0, 4.0], [2.0, 1.0, 5.0]]))
    allowed = np.array([[True, True, False], [True, False, True]])
    yield Case("2 x 3 scores with one key hidden in each row", {"scores": by_hand, "allowed": allowed})
    for width in (np.float64, np.float32):
        b, h, n_q, n_k = draw.sizes(4)
        scores = draw.normal(b, h, n_q, n_k, dtype=width, scale=2)
        says = f"scores of shape {scores.shape} in {width.__name__}"
        yield Case(f"{says}, a mask for each pair", {"scores": scores, "allowed": draw.mask(n_q, n_k)})
        yield Case(
            f"{says}, a mask of shape ({b}, 1, 1, {n_k})",
            {"scores": scores, "allowed": draw.mask(b, 1, 1, n_k)},
        )
        yield Case(f"{says}, a mask of shape ({n_k},)", {"scores": scores, "allowed": draw.mask(n_k)})
    blocked = np.array([[True, True, False], [False, False, False]])
    yield Case("a row with no allowed key", {"scores": draw.normal(2, 3), "allowed": blocked})
    each = draw.mask(5, 2, 3)
    each[0, 0] = each[3, 1] = False
    yield Case(
        "a batch in which some rows have no allowed key", {"scores": draw.normal(5, 2, 3), "allowed": each}
    )
    yield Case("everything allowed", {"scores": draw.normal(2, 3), "allowed": np.ones((2, 3), bool)})
    huge = np.array([[1e4, 1e4 - 1, -1e4], [-1e4, -1e4 + 1, 1e4], [-2e4, 1e4, -2e4 + 1]])
    hidden = np.array([[True, True, False], [True, True, False], [True, False, True]])
    yield Case("scores of +-10000", {"scores": huge, "allowed": hidden})
    square = np.tril(np.ones((3, 3), bool))
    yield Case("square scores and a causal mask", {"scores": draw.normal(3, 3), "allowed": square})


def _softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _right(scores: np.ndarray, allowed: np.ndarray, axis: int = -1, hidden: float = -np.inf) -> np.ndarray:
    """Right but for the axis or the score of hidden keys."""
    masked = np.where(allowed, scores, hidden)
    largest = masked.max(axis=axis, keepdims=True)
    powers = np.exp(masked - np.where(np.isfinite(largest), largest, 0))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _rows_of(weights: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The weights, with 0 in blocked rows."""
    return np.where(np.any(allowed, axis=-1, keepdims=True), weights, 0)


def _without_max(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    powers = np.exp(scores) * allowed
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _in_place(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    scores[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return _right(scores, allowed)


def in_torch_masked(scores: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
    """`torch.softmax` over masked scores, with 0 where PyTorch says NaN: a row with no allowed key."""
    return torch.softmax(scores.masked_fill(~allowed, float("-inf")), dim=-1).nan_to_num(nan=0.0)


EXERCISE = Exercise(
    name="masked_softmax",
    cases=cases,
    oracle=in_torch(in_torch_masked),
    whole_answer=("torch.softmax", "torch.nn.functional.softmax"),
    hints=(
        "Hidden keys should get weight 0. Which score gives an exponential of 0?",
        "`softmax` of scores with -inf is nearly it. What goes wrong when a whole row is -inf?",
        "Divide only where the sum is not 0, and take away a maximum only where it is finite; blocked rows stay 0.",
    ),
    mistakes=(
        Mistake(
            "blocked-row-nan",
            "A row with no allowed key becomes NaN: 0 divided by 0, or infinity minus infinity.",
            lambda scores, allowed: _softmax(np.where(allowed, scores, -np.inf)),
            "What should a query get that may look at nobody?",
        ),
        Mistake(
            "blocked-row-uniform",
            "A row with no allowed key gets equal weights; it should get none at all.",
            lambda scores, allowed: _softmax(np.where(allowed, scores, -1e9)),
            "With -1e9 everywhere, all scores are equal again. What should such a row be?",
        ),
        Mistake(
            "mask-inverted",
            "You gave the weight to the hidden keys: True means 'may look'.",
            lambda scores, allowed: _right(scores, ~allowed),
            "Which keys should end with weight 0?",
        ),
        Mistake(
            "mask-multiplied",
            "Hidden keys got a score of 0, or nearly 0 such as -1e-9; e^0 is 1, so they still get weight.",
            lambda scores, allowed: _softmax(scores * allowed),
            "Which score has the exponential 0?",
        ),
        Mistake(
            "mask-after-softmax",
            "You hid the keys after the softmax, so the weights of a row no longer sum to 1.",
            lambda scores, allowed: _softmax(scores) * allowed,
            "Hide the scores before the softmax.",
        ),
        Mistake(
            "mask-ignored",
            "The mask does nothing: hidden keys keep their weight.",
            lambda scores, allowed: _softmax(scores),
            "What happens to `allowed` in your code? Is the masked array the one you go on with?",
        ),
        Mistake(
            "mask-added",
            "You added the mask to the scores: True counts as 1, and nothing is hidden.",
            lambda scores, allowed: _softmax(scores + allowed),
            "Which entries should change, and to what?",
        ),
        Mistake(
            "softmax-over-queries",
            "Your weights sum to 1 down the columns; each row should.",
            lambda scores, allowed: _right(scores, allowed, axis=-2),
            "Each query shares out 1 among its keys: which axis are the keys?",
        ),
        Mistake(
            "no-max-subtraction",
            "Your exponentials overflow for large scores.",
            _without_max,
            "Take the largest allowed score of the row away first.",
        ),
        Mistake(
            "zero-as-sentinel",
            "You hid every score that is 0; a real score may be 0.",
            lambda scores, allowed: _right(scores, (scores != 0) & allowed),
            "Use the mask, not the scores.",
        ),
        Mistake(
            "input-changed",
            "You wrote into the caller's scores.",
            _in_place,
            "Copy first, or let `np.where` make a new array.",
        ),
        Mistake(
            "max-over-blocked",
            "Your maximum comes from a hidden score; the allowed exponentials can all become 0.",
            lambda scores, allowed: (lambda e, t: e / np.where(t == 0, 1, t))(
                e := np.exp(scores - scores.max(-1, keepdims=True)) * allowed, e.sum(-1, keepdims=True)
            ),
            "Mask before you look for the maximum.",
        ),
    ),
)
