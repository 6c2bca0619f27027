"""The encoder around the attention: tokens, embeddings, residuals, layer norms, feed-forward, pooling.

Only the attention is left open: the learner's own runs in every layer.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from helpers.pretrained.files import TOKENIZER, WEIGHTS
from helpers.pretrained.model import EPSILON, HEADS, Model, State, inputs, padded

LONGEST = 256
"""Tokens that are read of a text, as the model's own configuration says."""


class Encoder(Model):
    """A model that is loaded, in PyTorch."""

    def __repr__(self) -> str:
        return f"all-MiniLM-L6-v2: {self.layers} layers, {HEADS} heads, {len(self.state)} tensors"

    # What `reading.py` asks of a model

    def begin(self, rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens by their numbers as they enter the first layer, `(B, n, 384)`, and which are real."""
        ids, real = map(torch.tensor, padded(rows))
        return embed(self.state, ids), real

    through = torch.no_grad()(Model.through)

    def after_attention(self, layer: int, x: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
        """See `after_attention`."""
        return after_attention(self.state, layer, x, output)

    def pool(self, x: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
        """See `pool`."""
        return pool(x, real)

    @property
    def right(self) -> Any:
        """Where right answers of the unit lie, by their names."""
        from helpers import reference

        return reference


def opened(folder: Path) -> Encoder:
    """The encoder in a folder with its two files."""
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    # the file itself says 128 tokens, always filled up; the model was made to read 256, as many as are needed
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()
    state = {name: one for name, one in load_file(folder / WEIGHTS).items() if one.is_floating_point()}
    return Encoder(state, tokenizer)


def batch(model: Encoder, sentences: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """Numbers of the tokens `(B, n)`, and which of them are real, also `(B, n)`."""
    encoded = model.tokenizer.encode_batch(list(sentences))
    ids = torch.tensor([one.ids for one in encoded])
    return ids, torch.tensor([one.attention_mask for one in encoded]).bool()


@torch.no_grad()
def encode(
    model: Encoder,
    sentences: Sequence[str],
    layer_weights: Callable[[State, int], Mapping[str, torch.Tensor]],
    attention: Callable[..., tuple[torch.Tensor, torch.Tensor]],
) -> tuple[torch.Tensor, torch.Tensor]:
    """Sentence embeddings, and the attention weights of all layers.

    Args:
        model: the encoder.
        sentences: B texts.
        layer_weights: picks the weights of a layer, as the exercise of that name.
        attention: as the exercise `bert_attention`.

    Returns:
        Embeddings `(B, 384)` of length 1, and weights `(layers, B, h, n, n)`.
    """
    ids, real = batch(model, sentences)
    xs, maps = model.through(embed(model.state, ids), real, layer_weights, attention)
    return pool(xs[-1], real), torch.stack(maps)


def embed(state: State, ids: torch.Tensor) -> torch.Tensor:
    """Each token's own vector, plus one for its place, plus one for the first of two texts; normed."""
    return _norm(state, "embeddings", inputs(state, ids))


def after_attention(state: State, layer: int, x: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
    """What a layer does around its attention: add and norm, feed forward, add and norm."""
    start = f"encoder.layer.{layer}"
    x = _norm(state, f"{start}.attention.output", x + output)
    wide = F.gelu(_linear(state, f"{start}.intermediate.dense", x))
    return _norm(state, f"{start}.output", x + _linear(state, f"{start}.output.dense", wide))


def pool(x: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    """The mean over the real tokens, brought to length 1."""
    kept = real[..., None].to(x.dtype)
    return F.normalize((x * kept).sum(1) / kept.sum(1), dim=-1)


def _linear(state: State, name: str, x: torch.Tensor) -> torch.Tensor:
    return F.linear(x, state[f"{name}.weight"], state[f"{name}.bias"])


def _norm(state: State, name: str, x: torch.Tensor) -> torch.Tensor:
    weight, bias = state[f"{name}.LayerNorm.weight"], state[f"{name}.LayerNorm.bias"]
    return F.layer_norm(x, x.shape[-1:], weight, bias, EPSILON)
