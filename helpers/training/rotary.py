"""Attention that turns queries and keys by their positions, in either layout (unit 09)."""

from collections.abc import Callable

import torch

from helpers.errors import BadArgument
from helpers.reference import MultiHeadAttention

LAYOUTS = ("halves", "neighbours")


def rotary_attention(
    rotary: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], layout: str = "halves"
) -> type[MultiHeadAttention]:
    """A `MultiHeadAttention` whose queries and keys are turned by `rotary` before they meet.

    Args:
        rotary: as the exercise of that name, which pairs `x[i]` with `x[i + d/2]`.
        layout: `"halves"` takes the pairs as they are, `"neighbours"` pairs `x[2i]` with `x[2i + 1]`.

    Raises:
        BadArgument: when there is no such layout.
    """
    if layout not in LAYOUTS:
        raise BadArgument(f"layout: expected one of {', '.join(LAYOUTS)}; got {layout!r}.")

    def turned(x: torch.Tensor) -> torch.Tensor:
        if layout == "neighbours":
            x = torch.cat([x[..., 0::2], x[..., 1::2]], dim=-1)
        return rotary(x, torch.arange(x.shape[-2]))

    class Rotary(MultiHeadAttention):
        def _projected(
            self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
        ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
            Q, K, V = super()._projected(query, key, value)
            return turned(Q), turned(K), V

    return Rotary


def no_places(n: int, d: int) -> torch.Tensor:
    """No vectors for places: zeros `(n, d)`."""
    return torch.zeros(n, d)
