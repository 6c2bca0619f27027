"""Text in which only a look back helps: a block of tokens drawn at random, and the same block once more."""

import torch


def repeated(batch: int, period: int, vocab: int, generator: torch.Generator) -> torch.Tensor:
    """`(batch, 2 * period)` tokens: `period` different ones in random order, twice."""
    block = torch.rand(batch, vocab, generator=generator).argsort(dim=1)[:, :period]
    return torch.cat([block, block], dim=1)
