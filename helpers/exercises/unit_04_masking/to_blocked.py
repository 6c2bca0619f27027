"""Exercise `to_blocked`: the convention of `nn.MultiheadAttention`."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.beside.pytorch import pytorch
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference, difference
from helpers.exercises.unit_04_masking.to_blocked_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, more keys than queries, blocked rows, a causal mask, one row, batch axes, all and nothing allowed."""
    yield Case(
        "allowed = [[True, False], [True, True]]", {"allowed": np.array([[True, False], [True, True]])}
    )
    n_q, n_k, b = draw.sizes(3)
    yield Case(f"a random mask of shape ({n_q}, {n_k})", {"allowed": draw.mask(n_q, n_k)})
    yield Case(
        "a mask with a row that may look nowhere", {"allowed": np.array([[False] * 3, [True, False, True]])}
    )
    yield Case("a causal mask of shape (5, 5)", {"allowed": np.tril(np.ones((5, 5), bool))})
    yield Case(f"a mask of one row, (1, {n_k + 1})", {"allowed": draw.mask(1, n_k + 1)})
    yield Case("a mask that allows everything", {"allowed": np.ones((2, 3), bool)})
    yield Case(f"a mask with batch axes, ({b}, 1, {n_q}, {n_k})", {"allowed": draw.mask(b, 1, n_q, n_k)})


def looked_at(blocked: np.ndarray) -> np.ndarray:
    """Which keys `nn.MultiheadAttention` looks at when it is given this `attn_mask (n_q, n_k)`.

    In a browser there is no layer to ask, and what PyTorch says of it stands for it.
    """
    if not pytorch():
        return ~blocked
    n_q, n_k = blocked.shape
    torch.manual_seed(0)
    layer = nn.MultiheadAttention(4, 1, batch_first=True).eval()
    with torch.no_grad():
        _, weights = layer(
            torch.randn(1, n_q, 4), keys := torch.randn(1, n_k, 4), keys, attn_mask=torch.from_numpy(blocked)
        )
    return (weights[0] > 0).numpy()


def judge(right: np.ndarray, args: Mapping[str, Any], got: Any) -> Difference | None:
    """Type and shape first; then give the mask to `nn.MultiheadAttention` and see where it looks."""
    allowed = args["allowed"]
    wrong = difference(right, got)
    if wrong and wrong.got is None:
        return wrong
    blocked = got["array"]
    n_k = allowed.shape[-1]
    fewer = (
        (),
        allowed.shape[:-1],
        allowed.shape[1:],
        (*allowed.shape[:-1], 1),
        (*allowed.shape[:-2], 1, n_k),
    )
    if blocked.size < allowed.size and blocked.shape in fewer:
        says = f"{wrong.says}, but each pair of query and key keeps a value of its own"
        hint = "Which step makes one out of many: `any`, `all`, `not`?"
        return Difference(says, wrong.expected, wrong.got, "reduced-to-one-value", hint)
    if blocked.dtype != bool or blocked.shape != allowed.shape:
        return wrong
    seen = np.array([looked_at(one) for one in blocked.reshape(-1, *allowed.shape[-2:])]).reshape(
        allowed.shape
    )
    if np.array_equal(seen, allowed):
        return None
    where = tuple(int(i) for i in np.argwhere(seen != allowed)[0])
    does, may = ("looks at", "is not") if seen[where] else ("does not look at", "is")
    says = f"given your mask, nn.MultiheadAttention {does} {list(where)}, which {may} allowed"
    return Difference(says, right, blocked)


EXERCISE = Exercise(
    name="to_blocked",
    cases=cases,
    oracle=lambda allowed: ~allowed,
    judge=judge,
    whole_answer=("numpy.logical_not", "numpy.invert", "torch.logical_not"),
    hints=(
        "What does True mean in `allowed`, and what in `nn.MultiheadAttention`?",
        "Every True becomes False and every False becomes True.",
        "NumPy has an operator for it, written in front of the array: `~`.",
    ),
    mistakes=MISTAKES,
)
