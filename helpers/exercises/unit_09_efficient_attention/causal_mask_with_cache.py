"""Exercise `causal_mask_with_cache`: the last tokens look at all of them."""

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_09_efficient_attention.causal_mask_with_cache_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """Two new tokens after one, a single one, nothing cached, one token, random sizes."""
    few, many = sorted(draw.sizes(2))
    sizes = ((2, 3), (1, 4), (3, 3), (1, 1), (few, many), (few + 1, many + 4), (3, 70))
    for n_q, n_k in sizes:
        yield Case(f"n_q = {n_q}, n_k = {n_k}", {"n_q": n_q, "n_k": n_k})


def oracle(n_q: int, n_k: int) -> np.ndarray:
    """PyTorch's own mask, read off SDPA: equal scores give weight to every key that is allowed."""
    from torch.nn.attention.bias import causal_lower_right  # it imports a compiler, for two seconds

    nothing = torch.zeros(n_q, 1), torch.zeros(n_k, 1)
    weights = F.scaled_dot_product_attention(
        *(one[None, None] for one in (*nothing, torch.eye(n_k))), attn_mask=causal_lower_right(n_q, n_k)
    )
    return (weights[0, 0] > 0).numpy()


EXERCISE = Exercise(
    name="causal_mask_with_cache",
    cases=cases,
    oracle=oracle,
    tensors=True,
    axes={"": ("query", "key")},
    hints=(
        "The queries are the last n_q tokens. At which position does the first of them stand?",
        "Query i stands at position n_k - n_q + i. It may look at every key up to there.",
        "Compare `torch.arange(n_k)` with the positions of the queries in a column, by `<=`.",
    ),
    mistakes=MISTAKES,
)
