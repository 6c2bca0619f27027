"""Exercise `combined_mask`: causal, and not padding."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, an empty sequence, random, as many sequences as tokens, one token."""
    yield Case("lengths = [3, 2] and n = 3", {"lengths": np.array([3, 2]), "n": 3})
    yield Case("lengths = [0, 4, 1] and n = 4", {"lengths": np.array([0, 4, 1]), "n": 4})
    b, n = draw.sizes(2)
    yield Case(f"{b} random lengths and n = {n}", {"lengths": draw.rng.integers(1, n + 1, b), "n": n})
    yield Case("lengths = [1, 3, 2] and n = 3", {"lengths": np.array([1, 3, 2]), "n": 3})
    yield Case("lengths = [1] and n = 1", {"lengths": np.array([1]), "n": 1})


def _padding(lengths: np.ndarray, n: int) -> np.ndarray:
    return np.arange(n) < lengths[:, None]


def _causal(n: int) -> np.ndarray:
    return np.tril(np.ones((n, n), bool))


EXERCISE = Exercise(
    name="combined_mask",
    cases=cases,
    oracle=in_torch(
        lambda lengths, n: (
            torch.ones(n, n, dtype=torch.bool).tril() & (torch.arange(n) < lengths[:, None])[:, None, None, :]
        )
    ),
    hints=(
        "You have a mask of shape (n, n) and one of shape (B, n). Which axes do they share?",
        "The padding belongs to the keys, the last axis. Which axes of length 1 must come before it?",
        "`padding[:, None, None, :]` has shape (B, 1, 1, n); join it with the causal mask by `&`.",
    ),
    mistakes=(
        Mistake(
            "padding-on-queries",
            "You hid the rows of padded queries. What must be hidden are padded keys, the columns.",
            lambda lengths, n: _causal(n) & _padding(lengths, n)[:, None, :, None],
            "Which axis of the mask runs over the keys?",
        ),
        Mistake(
            "no-head-axis",
            "The axis for the heads is missing, so the mask cannot broadcast against (B, h, n, n).",
            lambda lengths, n: _causal(n) & _padding(lengths, n)[:, None, :],
            "The shape should be (B, 1, n, n).",
        ),
        Mistake(
            "or-instead-of-and",
            "You allowed a key when either mask allows it; both must.",
            lambda lengths, n: _causal(n) | _padding(lengths, n)[:, None, None, :],
            "Should a padded token in the past be seen?",
        ),
        Mistake(
            "causal-forgotten",
            "The future is in sight: the causal part is missing.",
            lambda lengths, n: np.broadcast_to(
                _padding(lengths, n)[:, None, None, :], (len(lengths), 1, n, n)
            ),
            "Which of the two masks does not appear in your code?",
        ),
        Mistake(
            "lengths-ignored",
            "Padded keys are in sight: the lengths do not matter in your mask.",
            lambda lengths, n: np.broadcast_to(_causal(n), (len(lengths), 1, n, n)),
            "Which of the two masks does not appear in your code?",
        ),
        Mistake(
            "transposed-mask",
            "Your triangle is the wrong way round: each token sees the future and not the past.",
            lambda lengths, n: _causal(n).T & _padding(lengths, n)[:, None, None, :],
            "Row i is query i. Which columns may row 0 see?",
        ),
        Mistake(
            "mask-inverted",
            "True and False have changed places: here True means 'may look'.",
            lambda lengths, n: ~(_causal(n) & _padding(lengths, n)[:, None, None, :]),
            "What is `mask[0, 0, 0, 0]` for a sequence that is not empty?",
        ),
        Mistake(
            "diagonal-hidden",
            "You hid the diagonal: a real token may look at itself.",
            lambda lengths, n: _causal(n) & ~np.eye(n, dtype=bool) & _padding(lengths, n)[:, None, None, :],
            "Should the comparison be `<` or `<=`?",
        ),
        Mistake(
            "off-by-one",
            "One padding token too many counts as real.",
            lambda lengths, n: _causal(n) & (np.arange(n) <= lengths[:, None])[:, None, None, :],
            "For length 1, only key 0 is real.",
        ),
        Mistake(
            "mask-not-bool",
            "You returned numbers; the mask should be True and False.",
            lambda lengths, n: _causal(n) * 1.0 * _padding(lengths, n)[:, None, None, :],
            "Join boolean masks with `&`, not with `*` and numbers.",
        ),
    ),
)
