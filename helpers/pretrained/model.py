"""What the encoder is made of, and the way through its layers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

State = Mapping[str, Any]
HEADS, EPSILON = 12, 1e-12


@dataclass(frozen=True, repr=False)
class Model:
    """A model that is loaded; `begin`, `after_attention` and `pool` are those of `encoder.py`.

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

    def tokens(self, sentence: str) -> list[str]:
        """The tokens of one sentence, with the two that the model puts round it."""
        return self.tokenizer.encode(sentence).tokens

    def through(
        self,
        x: Any,
        real: Any,
        layer_weights: Callable[[State, int], Mapping[str, Any]],
        attention: Callable[..., tuple[Any, Any]],
        first: int = 0,
    ) -> tuple[list[Any], list[Any]]:
        """The tokens as they enter the layers from `first` on and leave the last, and all weights."""
        xs, maps = [x], []
        for layer in range(first, self.layers):
            found = layer_weights(self.state, layer)
            output, weights = attention(xs[-1], found, HEADS, real[:, None, None, :])
            xs.append(self.after_attention(layer, xs[-1], output))
            maps.append(weights)
        return xs, maps

    def after_attention(self, layer: int, x: Any, output: Any) -> Any:
        """What a layer does around its attention."""
        raise NotImplementedError


def padded(rows: Sequence[Sequence[int]]) -> tuple[list[list[int]], list[list[bool]]]:
    """Numbers of tokens filled up to the longest row, and which of them are real."""
    longest = max(map(len, rows))
    ids = [[*row, *[0] * (longest - len(row))] for row in rows]
    return ids, [[place < len(row) for place in range(longest)] for row in rows]


def inputs(state: State, ids: Any) -> Any:
    """Each token's own vector, plus one for its place, plus one for the first of two texts."""
    words = state["embeddings.word_embeddings.weight"][ids]
    places = state["embeddings.position_embeddings.weight"][: ids.shape[1]]
    return words + places + state["embeddings.token_type_embeddings.weight"][0]
