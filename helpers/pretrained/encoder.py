"""The encoder around the attention: tokens, embeddings, residuals, layer norms, feed-forward, pooling.

Only the attention is left open: the learner's own runs in every layer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from helpers.pretrained.files import TOKENIZER, WEIGHTS

State = Mapping[str, torch.Tensor]
HEADS = 12
LONGEST = 256
"""Tokens that are read of a text, as the model's own configuration says."""

EPSILON = 1e-12


@dataclass(frozen=True, repr=False)
class Encoder:
    """A model that is loaded.

    Attributes:
        state: its weights by name, as PyTorch saves them.
        tokenizer: cuts texts into tokens.
        meant: embeddings of the sentences that others are compared with, `(B, 384)`, once they are known.
    """

    state: State
    tokenizer: Any
    meant: list[Any] = field(default_factory=list)

    @property
    def layers(self) -> int:
        """How many layers it has."""
        return 1 + max(int(name.split(".")[2]) for name in self.state if name.startswith("encoder.layer."))

    def __repr__(self) -> str:
        return f"all-MiniLM-L6-v2: {self.layers} layers, {HEADS} heads, {len(self.state)} tensors"

    def tokens(self, sentence: str) -> list[str]:
        """The tokens of one sentence, with the two that the model puts round it."""
        return self.tokenizer.encode(sentence).tokens

    # What `reading.py` asks of a model, in PyTorch or in NumPy

    advice = ""

    def begin(self, rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens by their numbers as they enter the first layer, `(B, n, 384)`, and which are real."""
        longest = max(map(len, rows))
        ids = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])
        real = torch.arange(longest) < torch.tensor([len(row) for row in rows])[:, None]
        return embed(self.state, ids), real

    def through(self, *given: Any) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        """See `through`."""
        return through(self, *given)

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
    xs, maps = through(model, embed(model.state, ids), real, layer_weights, attention)
    return pool(xs[-1], real), torch.stack(maps)


@torch.no_grad()
def through(
    model: Encoder,
    x: torch.Tensor,
    real: torch.Tensor,
    layer_weights: Callable[[State, int], Mapping[str, torch.Tensor]],
    attention: Callable[..., tuple[torch.Tensor, torch.Tensor]],
    first: int = 0,
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """The tokens as they enter the layers from `first` on and leave the last, and all weights."""
    xs, maps = [x], []
    for layer in range(first, model.layers):
        output, weights = attention(xs[-1], layer_weights(model.state, layer), HEADS, real[:, None, None, :])
        xs.append(after_attention(model.state, layer, xs[-1], output))
        maps.append(weights)
    return xs, maps


def embed(state: State, ids: torch.Tensor) -> torch.Tensor:
    """Each token's own vector, plus one for its place, plus one for the first of two texts; normed."""
    words = state["embeddings.word_embeddings.weight"][ids]
    places = state["embeddings.position_embeddings.weight"][: ids.shape[1]]
    return _norm(state, "embeddings", words + places + state["embeddings.token_type_embeddings.weight"][0])


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
