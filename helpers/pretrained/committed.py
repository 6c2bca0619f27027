"""What is kept of the model here: a few sentences, all heads on two of them, and one head's insides.

`python -m tools.dog_sentence` makes the files anew from the model.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("dog_sentence.npz")
SAW_FILE = Path(__file__).with_name("saw_sentence.npz")
SAW = "I saw a saw"
SENTENCE = "The dog ate the food because it was hungry."
OTHER = "The dog ate the food because it was delicious."
SENTENCES = (
    SENTENCE,
    "A hungry puppy finished its dinner.",
    "The cat chased the dog.",
    "The man paid his bill at the bank.",
    "We had a picnic on the bank of the river.",
    "She trains large language models.",
)
HEAD = (0, 2)
"""Layer and head whose queries, keys and values are kept."""

COMPARED = (
    "She noticed a strange hammer.",
    "I watched a film last night.",
    "He cut the wood with a sharp tool.",
    "The dog chased the cat.",
    "Bees and butterflies landed on the fruit.",
    "The bank raised its interest rates.",
    "We had a picnic by the river.",
    "My grandmother bakes bread.",
    "The train leaves at noon.",
    "The lawyer read the last wishes of the dead man.",
    "The violin is hard to play.",
    "He opened a tin of soup.",
)
"""Sentences that the meaning of another one is compared with."""

IT = 7
"""The place of "it" in both sentences."""

PLAIN = ("Q", "K", "V", "embeddings", "change", "change_by_mean")
STEPS = 1000
"""Weights are kept as whole numbers of this many."""


@dataclass(frozen=True, repr=False)
class Kept:
    """The kept numbers.

    Attributes:
        tokens: the tokens of the first sentence.
        weights: attention weights of all heads on it, `(layers, h, n, n)`.
        other: the weights of "it" in the sentence that ends in "delicious", `(layers, h, n)`.
        head: layer and head of the next three.
        Q: its queries, `(n, d_head)`.
        K: its keys.
        V: its values.
        sentences: B sentences.
        embeddings: their embeddings, `(B, 384)`.
        change: what silencing each head with 0 does to the similarity of the first two, `(layers, h)`.
        change_by_mean: the same, with the head's mean over the six sentences in place of 0.
        source: model, revision and licence.
    """

    tokens: list[str]
    weights: np.ndarray
    other: np.ndarray
    head: tuple[int, int]
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    sentences: list[str]
    embeddings: np.ndarray
    change: np.ndarray
    change_by_mean: np.ndarray
    source: str


def dog_sentence() -> Kept:
    """What all-MiniLM-L6-v2 does with the sentence of unit 06 about the dog, and with a few others."""
    with np.load(FILE, allow_pickle=False) as found:
        return Kept(
            tokens=found["tokens"].tolist(),
            weights=_rows(found["weights"]),
            other=_rows(found["other"]),
            head=tuple(found["head"].tolist()),
            sentences=list(SENTENCES),
            source=str(found["source"]),
            **{name: found[name].astype(np.float64) for name in PLAIN},
        )


@dataclass(frozen=True, repr=False)
class TwoWords:
    """What is kept of "I saw a saw".

    Attributes:
        tokens: its tokens.
        weights: attention weights of all heads, `(layers, h, n, n)`.
        similarities: cosine of the two words before the first layer and after each.
        change: by how much silencing each head with 0 changes the last one, `(layers, h)`.
        nearest: cosine and text of the sentences nearest in meaning.
    """

    tokens: list[str]
    weights: np.ndarray
    similarities: np.ndarray
    change: np.ndarray
    nearest: list[tuple[float, str]]


def saw_sentence() -> TwoWords:
    """What all-MiniLM-L6-v2 makes of the two words in "I saw a saw"."""
    with np.load(SAW_FILE, allow_pickle=False) as found:
        close = found["close"].astype(float)
        return TwoWords(
            found["tokens"].tolist(),
            _rows(found["weights"]),
            found["similarities"].astype(float),
            found["change"].astype(float),
            [(float(close[i]), COMPARED[i]) for i in np.argsort(-close, kind="stable")],
        )


def _rows(steps: np.ndarray) -> np.ndarray:
    """Weights whose rows sum to 1 again after they were kept in steps."""
    weights = steps.astype(np.float64)
    return weights / weights.sum(-1, keepdims=True)
