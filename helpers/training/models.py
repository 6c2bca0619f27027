"""A tagger and a decoder: the same blocks, another mask, another layer at the end."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from helpers.reference import TransformerBlock, causal_mask_with_cache, silence_head

Block = Callable[[int, int, int], nn.Module]
"""Makes a block, as `TransformerBlock(d_model, num_heads, d_ff)` does."""
Places = Callable[[int, int], torch.Tensor]
"""Gives the vectors of n places, `(n, d)`."""


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
        n: how many tokens a text may have, where the vectors of places are learned.
        layers: how many blocks.
        block: makes a block.
        places: gives the vectors of n places, `(n, d_model)`, as `sinusoidal_positions`; else learned.
    """

    def __init__(
        self,
        vocab: int,
        n: int,
        d_model: int = 32,
        num_heads: int = 2,
        block: Block = TransformerBlock,
        *,
        layers: int = 2,
        places: Places | None = None,
    ) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(n, d_model) if places is None else None
        self.places = places
        self.blocks = nn.ModuleList(block(d_model, num_heads, 64) for _ in range(layers))
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
        x = self.token(tokens) + self._of_places(before + tokens.shape[1])[before:]
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

    def _of_places(self, n: int) -> torch.Tensor:
        """A vector for each of n places, `(n, d_model)`."""
        if self.position is not None:
            return self.position.weight[:n]
        return self.places(n, self.token.embedding_dim)

    def _start(self, tokens: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        n = tokens.shape[1]
        return self.token(tokens) + self._of_places(n), torch.ones(n, n, dtype=torch.bool).tril()


class AfterPrompt(nn.Module):
    """A decoder that has read a prompt already: it gives logits for what follows alone.

    Args:
        model: gives logits `(B, n, vocab)`.
        prompt: tokens `(B, m)` that are read each time, and never predicted.
    """

    def __init__(self, model: nn.Module, prompt: torch.Tensor) -> None:
        super().__init__()
        self.model, self.prompt = model, prompt

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits `(B, n, vocab)` for `tokens (B, n)`."""
        return self.model(torch.cat([self.prompt, tokens], dim=1))[:, self.prompt.shape[1] :]


def silenced(model: Decoder, layer: int, head: int) -> Decoder:
    """A copy of a decoder in which one head writes nothing: its part of `W_o` is 0."""
    model = copy.deepcopy(model)
    attention = model.blocks[layer].attention
    found = {"W_o": attention.W_o.weight.T, "b_o": attention.W_o.bias}  # `nn.Linear` stores (out, in)
    with torch.no_grad():
        attention.W_o.weight.copy_(silence_head(found, head, attention.num_heads)["W_o"].T)
    return model


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
