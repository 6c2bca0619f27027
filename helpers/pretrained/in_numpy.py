"""The encoder of `encoder.py` in NumPy, for browsers, which have no PyTorch, with right answers of the unit.

It runs the model as the site packs it: matrices in whole numbers of a byte with a step for each row.
"""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType

import numpy as np

from helpers.browser import ELSEWHERE
from helpers.pretrained.model import EPSILON, HEADS, Model, State, inputs, padded

PARTS = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}


class NumpyEncoder(Model):
    """A model that is loaded, in NumPy; more words are fetched when they are asked for."""

    advice = f"The model runs on NumPy here: write yours with NumPy arrays, or {ELSEWHERE}."

    @property
    def right(self) -> ModuleType:
        """Where right answers of the unit lie, by their names."""
        import sys

        return sys.modules[__name__]

    def __repr__(self) -> str:
        return f"all-MiniLM-L6-v2 in NumPy: {self.layers} layers, {HEADS} heads, {len(self.state)} arrays"

    def begin(self, rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
        """Tokens by their numbers as they enter the first layer, `(B, n, 384)`, and which are real."""
        ids, real = map(np.array, padded(rows))
        return embed(self.state, ids), real

    def after_attention(self, layer: int, x: np.ndarray, output: np.ndarray) -> np.ndarray:
        """See `after_attention`."""
        return after_attention(self.state, layer, x, output)

    def pool(self, x: np.ndarray, real: np.ndarray) -> np.ndarray:
        """The mean over the real tokens, brought to length 1."""
        kept = real[..., None].astype(x.dtype)
        mean = (x * kept).sum(1) / kept.sum(1)
        return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


def encode(
    model: NumpyEncoder,
    sentences: Sequence[str],
    layer_weights: Callable[[State, int], Mapping[str, np.ndarray]],
    attention: Callable[..., tuple[np.ndarray, np.ndarray]],
) -> tuple[np.ndarray, np.ndarray]:
    """Sentence embeddings `(B, 384)`, and the attention weights of all layers, `(layers, B, h, n, n)`."""
    x, real = model.begin([model.tokenizer.encode(one).ids for one in sentences])
    xs, maps = model.through(x, real, layer_weights, attention)
    return model.pool(xs[-1], real), np.stack(maps)


def embed(state: State, ids: np.ndarray) -> np.ndarray:
    """Each token's own vector, plus one for its place, plus one for the first of two texts; normed."""
    return _norm(state, "embeddings", inputs(state, ids))


def after_attention(state: State, layer: int, x: np.ndarray, output: np.ndarray) -> np.ndarray:
    """What a layer does around its attention: add and norm, feed forward, add and norm."""
    start = f"encoder.layer.{layer}"
    x = _norm(state, f"{start}.attention.output", x + np.asarray(output, x.dtype))
    wide = _gelu(_linear(state, f"{start}.intermediate.dense", x))
    return _norm(state, f"{start}.output", x + _linear(state, f"{start}.output.dense", wide))


def _linear(state: State, name: str, x: np.ndarray) -> np.ndarray:
    return x @ state[f"{name}.weight"].T + state[f"{name}.bias"]


def _norm(state: State, name: str, x: np.ndarray) -> np.ndarray:
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(EPSILON))
    return x * state[f"{name}.LayerNorm.weight"] + state[f"{name}.LayerNorm.bias"]


def _gelu(x: np.ndarray) -> np.ndarray:
    """`x` times the share of a normal distribution below it.

    Abramowitz and Stegun, formula 7.1.26: within 1.5e-7.
    """
    z = abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    tail = np.float32(0.5) * series * np.exp(-z * z)
    return x * np.where(x < 0, tail, 1 - tail)


# Right answers of the unit, on arrays


def layer_weights(state: State, layer: int) -> dict[str, np.ndarray]:
    """As the exercise of that name."""
    start = f"encoder.layer.{layer}.attention."
    weights = {f"W_{x}": state[f"{start}{part}.weight"].T for x, part in PARTS.items()}
    return weights | {f"b_{x}": state[f"{start}{part}.bias"] for x, part in PARTS.items()}


def bert_attention(
    x: np.ndarray, weights: Mapping[str, np.ndarray], num_heads: int, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """As the exercise of that name."""
    B, n, _ = x.shape

    def project(letter: str) -> np.ndarray:
        made = x @ weights[f"W_{letter}"] + weights[f"b_{letter}"]
        return made.reshape(B, n, num_heads, -1).swapaxes(1, 2)

    Q, K, V = map(project, "qkv")
    scores = np.where(allowed, Q @ K.swapaxes(-2, -1) / np.float32(Q.shape[-1] ** 0.5), -np.inf)
    largest = scores.max(-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(largest), largest, 0))
    shares = powers / np.maximum(powers.sum(-1, keepdims=True), np.finfo(powers.dtype).tiny)
    merged = (shares @ V).swapaxes(1, 2).reshape(B, n, -1)
    return merged @ weights["W_o"] + weights["b_o"], shares


def silence_head(
    weights: Mapping[str, np.ndarray], head: int, num_heads: int, mean: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """As the exercise of that name."""
    d_head = weights["W_o"].shape[0] // num_heads
    rows = slice(head * d_head, (head + 1) * d_head)
    W_o, b_o = weights["W_o"].copy(), weights["b_o"]
    if mean is not None:
        b_o = b_o + mean @ W_o[rows]
    W_o[rows] = 0
    return {**weights, "W_o": W_o, "b_o": b_o}
