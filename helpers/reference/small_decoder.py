"""A small decoder that can write with a cache and without, to see what the cache saves (unit 09)."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from helpers.reference.unit_09_efficient_attention import KVCache, causal_mask_with_cache, rotary

HEADS = 2


class SmallDecoder(nn.Module):
    """Layers of causal attention and feed-forward, not trained: what it writes means nothing.

    Positions are rotations (`rotary`), so that a text may be as long as it likes.
    """

    def __init__(self, vocab: int = 50, d_model: int = 64, layers: int = 2) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, d_model)
        self.layers = nn.ModuleList(_Layer(d_model) for _ in range(layers))
        self.unembed = nn.Linear(d_model, vocab, bias=False)

    def forward(self, tokens: torch.Tensor, caches: Sequence[Any] | None = None) -> torch.Tensor:
        """Logits `(B, n, vocab)` of `tokens (B, n)`, which follow those in the caches, one a layer."""
        x = self.embed(tokens)
        for layer, cache in zip(self.layers, caches or [None] * len(self.layers), strict=True):
            x = layer(x, cache)
        return self.unembed(x)


class _Layer(nn.Module):
    """Pre-norm attention and a feed-forward layer, each added to what comes in."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model)
        )

    def forward(self, x: torch.Tensor, cache: Any) -> torch.Tensor:
        parts = self.qkv(self.norm_1(x)).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts)
        before = 0 if cache is None else len(cache)
        places = torch.arange(before, before + x.shape[1])
        q, k = rotary(q, places), rotary(k, places)
        if cache is not None:
            k, v = cache.append(k, v)
        allowed = causal_mask_with_cache(q.shape[2], k.shape[2])
        scores = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
        heads = torch.softmax(scores, dim=-1) @ v
        x = x + self.out(heads.transpose(1, 2).flatten(2))
        return x + self.feed_forward(self.norm_2(x))


@torch.no_grad()
def write(
    model: SmallDecoder, tokens: torch.Tensor, num_new: int, make_cache: Callable[[], Any] | None = KVCache
) -> torch.Tensor:
    """The tokens `(B, n)` and `num_new` more, each the likeliest; `make_cache=None` keeps nothing."""
    caches = [make_cache() for _ in model.layers] if make_cache else None
    new = tokens
    for _ in range(num_new):
        logits = model(new if caches else tokens, caches)[:, -1]
        new = logits.argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, new], dim=1)
    return tokens
