"""Exercise `induction_score`: how much a head looks after the last occurrence of a token."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.beside.probes.induction_score import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_07_train_a_transformer.induction_score_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, the smallest and the largest period, one head, one sequence, all sizes equal."""
    by_hand = np.array(
        [[0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]]
    )
    yield Case("4 tokens that repeat with period 2, one head", {"weights": by_hand[None, None], "period": 2})
    b, h, n, period = (*draw.sizes(2), 9, 4)
    for width in (np.float64, np.float32):
        yield _case(draw, b, h, n, period, width)
    yield _case(draw, 2, 3, 12, 5)
    yield _case(draw, 3, 2, 13, 3, causal=False)
    yield _case(draw, 2, 3, 7, 1)
    yield _case(draw, 2, 3, 7, 6)
    yield _case(draw, 1, 1, 2, 1)
    yield _case(draw, 5, 1, 8, 3)
    yield _case(draw, 1, 5, 8, 5)
    yield _case(draw, 4, 4, 4, 2)


def _case(
    draw: Draw, b: int, h: int, n: int, period: int, width: type = np.float64, *, causal: bool = True
) -> Case:
    scores = draw.normal(b, h, n, n, scale=1.5)
    if causal:
        scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    weights = torch.softmax(torch.from_numpy(scores), -1).numpy().astype(width)
    says = f"B = {b}, {h} heads, {n} tokens, period {period}, {width.__name__}{'' if causal else ', no mask'}"
    return Case(says, {"weights": weights, "period": period})


def _oracle(weights: torch.Tensor, period: int) -> torch.Tensor:
    """The diagonal that far below the main one; its first entry belongs to t = period - 1."""
    return weights.diagonal(1 - period, -2, -1)[..., 1:].mean((0, 2))


EXERCISE = Exercise(
    name="induction_score",
    cases=cases,
    oracle=in_torch(_oracle),
    probe=probe,
    tensors=True,
    hints=(
        "The tokens are A B C A B C. Position 3 holds A again: at which position stands the token that came after the first A?",
        "Take the weight from position t to position t - period + 1, for t = period, ..., n - 1. Keep the heads apart.",
        "`t = torch.arange(period, n)`; then `weights[:, :, t, t - period + 1]` has shape (B, h, n - period), and the mean goes over axes 0 and 2.",
    ),
    mistakes=MISTAKES,
)
