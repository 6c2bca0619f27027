"""Reference answers of unit 07: the transformer block, and what is needed to train and to read a decoder."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from helpers.reference.unit_06_multi_head_attention import MultiHeadAttention


class TransformerBlock(nn.Module):
    """Attention, then two layers for each token alone, each with a norm before it and a way around it.

    As `torch.nn.TransformerEncoderLayer(norm_first=True, activation="gelu", dropout=0, batch_first=True)`;
    the order of the norm is that of Xiong et al. (2020), figure 1 b.
    """

    def __init__(self, d_model: int, num_heads: int, d_ff: int) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x: torch.Tensor, allowed: torch.Tensor | None = None) -> torch.Tensor:
        """Work on `x (B, n, d_model)` and return the same shape; `allowed` broadcasts to `(B, h, n, n)`."""
        normed = self.norm_1(x)
        x = x + self.attention(normed, normed, normed, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy of position t of `logits (B, n, vocab)` predicting `tokens[:, t + 1]`: a scalar.

    As `torch.nn.functional.cross_entropy` over the `B * (n - 1)` predictions; the last position
    has nothing to predict.
    """
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def generate(
    model: Callable[[torch.Tensor], torch.Tensor], tokens: torch.Tensor, num_new: int
) -> torch.Tensor:
    """Continue `tokens (B, n)` with the likeliest next token, `num_new` times: `(B, n + num_new)`.

    `model(tokens)` gives logits `(B, n, vocab)`, and sees all tokens so far each time.
    """
    with torch.no_grad():
        for _ in range(num_new):
            likeliest = model(tokens)[:, -1].argmax(-1, keepdim=True)
            tokens = torch.cat([tokens, likeliest], dim=1)
    return tokens


def induction_score(weights: torch.Tensor, period: int) -> torch.Tensor:
    """How much each head looks at the token behind the last occurrence of the current one: `(h,)`.

    `weights (B, h, n, n)` come from tokens that repeat every `period` places.  The score is the mean weight
    from position t to t - period + 1, over the batch and all t >= period (Olsson et al., 2022).
    """
    t = torch.arange(period, weights.shape[-1])
    return weights[:, :, t, t - period + 1].mean(dim=(0, 2))


def sinusoidal_positions(n: int, d: int, base: float = 10000.0) -> torch.Tensor:
    """A vector for each of `n` places, `(n, d)`: sines in the even columns, cosines in the odd; `d` is even.

    Columns 2i and 2i + 1 turn by `base ** (-2 i / d)` a place (Vaswani et al., 2017, section 3.5).
    """
    speeds = base ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(n)[:, None] * speeds
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def training_step(model: nn.Module, optimizer: torch.optim.Optimizer, tokens: torch.Tensor) -> float:
    """One step of training on `tokens (B, n)`; returns the loss before the step, a Python float.

    `model(tokens)` gives logits `(B, n, vocab)`, and `optimizer` is one of `torch.optim` over its parameters.
    Gradients of earlier steps do not count.  Whether the model trains or is evaluated stays as it was.
    """
    loss = next_token_loss(model(tokens), tokens)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def next_token_probabilities(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None
) -> torch.Tensor:
    """How likely each token comes next: `(B, vocab)` from `logits (B, vocab)`, rows sum to 1.

    As `torch.softmax(logits / temperature, -1)`; with `top_k` only the k largest logits of a row keep a share
    (Fan et al., 2018, section 5.4).
    """
    if top_k is not None and top_k < logits.shape[-1]:
        least = logits.topk(top_k).values[:, -1:]
        logits = logits.masked_fill(logits < least, -torch.inf)
    return torch.softmax(logits / temperature, dim=-1)
