"""What is kept of the model here: one sentence, all its attention weights, and one head's insides.

`python -m tools.dog_sentence` makes the file anew from the model.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("dog_sentence.npz")
SENTENCE = "The dog ate the food because it was hungry."
HEAD = (0, 2)
"""Layer and head whose queries, keys and values are kept."""


@dataclass(frozen=True)
class Kept:
    """The kept numbers.

    Attributes:
        tokens: the tokens of the sentence.
        weights: attention weights of all heads, `(layers, h, n, n)`.
        head: layer and head of the next three.
        Q: its queries, `(n, d_head)`.
        K: its keys.
        V: its values.
        source: model, revision and licence.
    """

    tokens: list[str]
    weights: np.ndarray
    head: tuple[int, int]
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    source: str


def dog_sentence() -> Kept:
    """What all-MiniLM-L6-v2 does with "The dog ate the food because it was hungry."."""
    with np.load(FILE, allow_pickle=False) as found:
        # kept in steps of 1/65535: the rows are made to sum to 1 again
        weights = found["weights"].astype(np.float64)
        weights /= weights.sum(-1, keepdims=True)
        Q, K, V = (found[name].astype(np.float64) for name in "QKV")
        layer, head = found["head"].tolist()
        return Kept(found["tokens"].tolist(), weights, (layer, head), Q, K, V, str(found["source"]))
