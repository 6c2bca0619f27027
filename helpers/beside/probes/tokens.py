"""What a model that a probe made takes for tokens: `(B, n)` whole numbers."""

from typing import Any

import torch

from helpers.beside.probes.base import ProbeError


def must_be_a_table(tokens: Any, hint: str) -> None:
    """Refuse what is no tensor with a batch axis and an axis of positions.

    Args:
        tokens: what the model was called with.
        hint: where an axis is missing.

    Raises:
        ProbeError: with what the model was called with.
    """
    if not isinstance(tokens, torch.Tensor):
        raise ProbeError(
            f"model takes a tensor of tokens (B, n); it was called with a {type(tokens).__name__}"
        )
    if tokens.ndim != 2:
        raise ProbeError(
            f"model takes tokens of shape (B, n); it was called with shape {tuple(tokens.shape)}",
            "model-gets-one-axis",
            hint,
        )


def must_be_whole(tokens: torch.Tensor, hint: str) -> None:
    """Refuse tokens that are no whole numbers; indexing would read some of them in another way.

    Raises:
        ProbeError: with their type.
    """
    if tokens.is_floating_point() or tokens.dtype == torch.bool:
        raise ProbeError(
            f"model takes whole numbers; it was called with {tokens.dtype}", "tokens-not-int", hint
        )
