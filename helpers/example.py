"""The one small example of the course: "I saw a saw", in numbers one can check with a pencil.

Each token is four numbers: two for the word and two for the position.  The weights are small
integers; units 02 to 06 all use them.  With two heads, the first half of a query and key compares
positions (it looks for the previous token), the second half compares words.

Every look gives a new array: whoever writes into one changes nobody else's.
"""

import sys
from types import ModuleType
from typing import Any

import numpy as np

TOKENS = ("I", "saw", "a", "saw")
TAGS = ("N", "V", "DET", "N")

WORD: dict[str, np.ndarray]
"""Two numbers for each word."""

WORDS: np.ndarray
"""The words of the sentence, `(4, 2)`: the two "saw" are the same."""

POSITIONS: np.ndarray
"""Where each token stands, `(4, 2)`: a quarter turn of a circle from one position to the next."""

X: np.ndarray
"""The sentence, `(4, 4)`: one row a token."""

W_Q: np.ndarray
"""Queries, `(4, 4)`: twice the position a quarter turn back, then the word."""

W_K: np.ndarray
"""Keys, `(4, 4)`: the position, then the word."""

W_V: np.ndarray
"""Values, `(4, 4)`: twice the word, then word and position mixed."""

W_O: np.ndarray
"""The last projection, `(4, 4)`, used in unit 06."""

MAPS: dict[str, np.ndarray]
"""Four tables of attention weights of the sentence, `(4, 4)` each, by letter; exercise 5.8 is about them."""

_WORD = {"I": (1.0, 0.0), "saw": (0.0, 1.0), "a": (1.0, 1.0)}
_WORDS = tuple(_WORD[token] for token in TOKENS)
_POSITIONS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_NUMBERS: dict[str, Any] = {
    "WORDS": _WORDS,
    "POSITIONS": _POSITIONS,
    "X": tuple(word + position for word, position in zip(_WORDS, _POSITIONS, strict=True)),
    "W_Q": ((0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0, -2.0, 0.0, 0.0), (2.0, 0.0, 0.0, 0.0)),
    "W_K": ((0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)),
    "W_V": ((2.0, 0.0, 0.0, 1.0), (0.0, 2.0, 1.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)),
    "W_O": ((1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 1.0, 0.0), (0.0, 1.0, 1.0, 0.0), (1.0, 0.0, 0.0, -1.0)),
}
_NAMES = ("TOKENS", "TAGS", "WORD", *_NUMBERS, "MAPS")


def _maps() -> dict[str, np.ndarray]:
    """Without a mask, masked too late, causal and cold, causal."""
    X, W_q, W_k = (np.array(_NUMBERS[name]) for name in ("X", "W_Q", "W_K"))
    scores, past = (X @ W_q) @ (X @ W_k).T / 2, np.tri(4, dtype=bool)
    hidden = np.where(past, scores, -np.inf)
    plain, cold, causal = (
        powers / powers.sum(axis=1, keepdims=True) for powers in map(np.exp, (scores, 4 * hidden, hidden))
    )
    return {"A": plain, "B": plain * past, "C": cold, "D": causal}


def __getattr__(name: str) -> Any:
    """New arrays on each access (PEP 562)."""
    if name == "WORD":
        return {word: np.array(numbers) for word, numbers in _WORD.items()}
    if name == "MAPS":
        return _maps()
    if name in _NUMBERS:
        return np.array(_NUMBERS[name])
    raise AttributeError(f"module 'helpers.example' has no attribute {name!r}; it has {', '.join(_NAMES)}")


def __dir__() -> list[str]:
    return sorted(_NAMES)


class _Fixed(ModuleType):
    """A module whose names cannot be set: `example.X *= 2` would change X for every later cell."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _NAMES:
            raise AttributeError(f"example.{name} stays as it is: give your own array another name")
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Fixed
