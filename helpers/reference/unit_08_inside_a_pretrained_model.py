"""Reference answers of unit 08: attention inside BERT.

Devlin et al. (2019), section 3, whose attention is that of Vaswani et al. (2017), section 3.2.2.
"""

from collections.abc import Mapping

import torch

PARTS = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}
"""What the state dict of a BERT calls the four projections of an attention."""


def layer_weights(state: Mapping[str, torch.Tensor], layer: int) -> dict[str, torch.Tensor]:
    """The attention weights of one layer of a BERT, each weight `(in, out)`.

    Returns a dict with `W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o`.  `torch.nn.Linear` stores `(out, in)`.
    """
    ending = f"encoder.layer.{layer}.attention.self.query.weight"
    start = next(name for name in state if name.endswith(ending)).removesuffix("self.query.weight")
    weights = {f"W_{x}": state[f"{start}{part}.weight"].T for x, part in PARTS.items()}
    return weights | {f"b_{x}": state[f"{start}{part}.bias"] for x, part in PARTS.items()}


def bert_attention(
    x: torch.Tensor, weights: Mapping[str, torch.Tensor], num_heads: int, allowed: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Multi-head self-attention of `x (B, n, d_model)` with the weights of one layer, biases included.

    Returns `(output (B, n, d_model), weights (B, h, n, n))`, the output after `W_o` and `b_o`.  A query with
    no allowed key gets weights 0.  As `torch.nn.functional.scaled_dot_product_attention` between projections.
    """
    Q, K, V = (
        (x @ weights[f"W_{part}"] + weights[f"b_{part}"]).unflatten(-1, (num_heads, -1)).transpose(1, 2)
        for part in "qkv"
    )
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    attention = torch.softmax(scores.masked_fill(~allowed, torch.finfo(scores.dtype).min), dim=-1)
    attention = attention.masked_fill(~allowed, 0)
    merged = (attention @ V).transpose(1, 2).flatten(2)
    return merged @ weights["W_o"] + weights["b_o"], attention


def previous_token_heads(weights: torch.Tensor, threshold: float) -> list[tuple[int, int]]:
    """The heads of `weights (layers, h, n, n)` whose mean weight on the token before exceeds `threshold`.

    Returns pairs `(layer, head)` in order: the mean of `torch.diagonal(weights, -1)`, tokens 1 to n - 1.
    """
    mean = weights.diagonal(-1, 2, 3).mean(-1)
    return [(layer, head) for layer, head in (mean > threshold).nonzero().tolist()]


def silence_head(
    weights: Mapping[str, torch.Tensor], head: int, num_heads: int, mean: torch.Tensor | None = None
) -> dict[str, torch.Tensor]:
    """Weights with which `bert_attention` computes as if `head` gave 0, or `mean (d_head,)`, for every token.

    `weights` is a dict of `layer_weights` and stays as it is.  What a head gives passes through its own rows
    of `W_o`, and what is the same for every token is a bias.
    """
    d_head = weights["W_o"].shape[0] // num_heads
    rows = slice(head * d_head, (head + 1) * d_head)
    W_o, b_o = weights["W_o"].clone(), weights["b_o"]
    if mean is not None:
        b_o = b_o + mean @ W_o[rows]
    W_o[rows] = 0
    return {**weights, "W_o": W_o, "b_o": b_o}
