"""A tagger and a decoder: the same blocks, another mask, another layer at the end."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from helpers.reference import TransformerBlock, causal_mask_with_cache

Block = Callable[[int, int, int], nn.Module]
"""Makes a block, as `TransformerBlock(d_model, num_heads, d_ff)` does."""


class Tagger(nn.Module):
    """A tag for every word.

    Args:
        looks_around: `False` lets each word look at itself alone, so that nothing moves between the words.
        block: makes a block.
    """

    def __init__(
        self,
        words: int,
        tags: int,
        n: int,
        d_model: int = 32,
        *,
        looks_around: bool = True,
        block: Block = TransformerBlock,
    ) -> None:
        super().__init__()
        self.word = nn.Embedding(words, d_model)
        self.position = nn.Embedding(n, d_model)
        self.blocks = nn.ModuleList(block(d_model, 2, 64) for _ in range(2))
        self.norm = nn.LayerNorm(d_model)
        self.tag = nn.Linear(d_model, tags)
        self.looks_around = looks_around

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits `(B, n, tags)` for `tokens (B, n)`."""
        n = tokens.shape[1]
        allowed = None if self.looks_around else torch.eye(n, dtype=torch.bool)
        x = self.word(tokens) + self.position.weight[:n]
        for block in self.blocks:
            x = block(x, allowed)
        return self.tag(self.norm(x))


class Decoder(nn.Module):
    """The next token, from all before it: two blocks under a causal mask.

    Args:
        vocab: how many different tokens there are.
        n: how many tokens a text may have.
        block: makes a block.
    """

    def __init__(
        self, vocab: int, n: int, d_model: int = 32, num_heads: int = 2, block: Block = TransformerBlock
    ) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(n, d_model)
        self.blocks = nn.ModuleList(block(d_model, num_heads, 64) for _ in range(2))
        self.norm = nn.LayerNorm(d_model)
        self.next = nn.Linear(d_model, vocab)

    def forward(self, tokens: torch.Tensor, caches: Sequence[Any] | None = None) -> torch.Tensor:
        """Logits `(B, n, vocab)` for `tokens (B, n)`, which follow those in the caches, one a block."""
        if caches is not None:
            return self._after(tokens, caches)
        x, allowed = self._start(tokens)
        for block in self.blocks:
            x = block(x, allowed)
        return self.next(self.norm(x))

    def _after(self, tokens: torch.Tensor, caches: Sequence[Any]) -> torch.Tensor:
        before = len(caches[0])
        x = self.token(tokens) + self.position.weight[before : before + tokens.shape[1]]
        for block, cache in zip(self.blocks, caches, strict=True):
            x = x + _attended(block.attention, block.norm_1(x), cache)
            x = x + block.feed_forward(block.norm_2(x))
        return self.next(self.norm(x))

    @torch.no_grad()
    def weights(self, tokens: torch.Tensor) -> torch.Tensor:
        """What every head looks at: `(layers, B, h, n, n)`."""
        x, allowed = self._start(tokens)
        found = []
        for block in self.blocks:
            normed = block.norm_1(x)
            found.append(block.attention(normed, normed, normed, allowed)[1])
            x = block(x, allowed)
        return torch.stack(found)

    def _start(self, tokens: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        n = tokens.shape[1]
        return self.token(tokens) + self.position.weight[:n], torch.ones(n, n, dtype=torch.bool).tril()


def _attended(attention: nn.Module, x: torch.Tensor, cache: Any) -> torch.Tensor:
    """Attention of new tokens `x (B, new, d_model)` over all tokens so far."""
    h = attention.num_heads
    q, k, v = (
        layer(x).unflatten(-1, (h, -1)).transpose(1, 2)
        for layer in (attention.W_q, attention.W_k, attention.W_v)
    )
    K, V = cache.append(k, v)
    allowed = causal_mask_with_cache(q.shape[2], K.shape[2])
    return attention.W_o(F.scaled_dot_product_attention(q, K, V, allowed).transpose(1, 2).flatten(2))
