"""The same encoder made of PyTorch's own layers, to compare with: no attention of ours runs in it."""

from collections.abc import Sequence

import torch
from torch import nn

from helpers.pretrained.encoder import EPSILON, HEADS, Encoder, State, batch, embed, pool

SAME = {
    "self_attn.out_proj": "attention.output.dense",
    "linear1": "intermediate.dense",
    "linear2": "output.dense",
    "norm1": "attention.output.LayerNorm",
    "norm2": "output.LayerNorm",
}
"""PyTorch's name for a part of a layer, and BERT's."""


@torch.no_grad()
def in_pytorch(model: Encoder, sentences: Sequence[str]) -> torch.Tensor:
    """Sentence embeddings `(B, 384)` by `nn.TransformerEncoderLayer` with the same weights."""
    ids, real = batch(model, sentences)
    x = embed(model.state, ids)
    for number in range(model.layers):
        x = layer(model.state, number)(x, src_key_padding_mask=~real)
    return pool(x, real)


def layer(state: State, number: int) -> nn.TransformerEncoderLayer:
    """One layer, with its weights."""
    start = f"encoder.layer.{number}"
    wide, width = state[f"{start}.intermediate.dense.weight"].shape
    made = nn.TransformerEncoderLayer(
        width, HEADS, wide, activation="gelu", layer_norm_eps=EPSILON, batch_first=True
    )
    parts = [f"{start}.attention.self.{name}" for name in ("query", "key", "value")]
    given = {
        f"{mine}.{kind}": state[f"{start}.{bert}.{kind}"] for mine, bert in SAME.items() for kind in KINDS
    }
    given |= {
        f"self_attn.in_proj_{kind}": torch.cat([state[f"{part}.{kind}"] for part in parts]) for kind in KINDS
    }
    made.load_state_dict(given)
    return made.eval()


KINDS = ("weight", "bias")
