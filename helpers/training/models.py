"""A tagger and a decoder: the same blocks, another mask, another layer at the end."""

import torch
from torch import nn

from helpers.reference import TransformerBlock


class Tagger(nn.Module):
    """A tag for every word.

    Args:
        looks_around: `False` lets each word look at itself alone, so that nothing moves between the words.
    """

    def __init__(
        self, words: int, tags: int, n: int, d_model: int = 32, *, looks_around: bool = True
    ) -> None:
        super().__init__()
        self.word = nn.Embedding(words, d_model)
        self.position = nn.Embedding(n, d_model)
        self.blocks = nn.ModuleList(TransformerBlock(d_model, num_heads=2, d_ff=64) for _ in range(2))
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
    """The next token, from all before it: two blocks under a causal mask."""

    def __init__(self, vocab: int, n: int, d_model: int = 32, num_heads: int = 2) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(n, d_model)
        self.blocks = nn.ModuleList(TransformerBlock(d_model, num_heads, d_ff=64) for _ in range(2))
        self.norm = nn.LayerNorm(d_model)
        self.next = nn.Linear(d_model, vocab)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits `(B, n, vocab)` for `tokens (B, n)`."""
        x, allowed = self._start(tokens)
        for block in self.blocks:
            x = block(x, allowed)
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
