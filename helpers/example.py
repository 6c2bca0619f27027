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
"""Four tables of attention weights of the sentence, `(4, 4)` each, by letter; one is wrong (`faulty_map`)."""

MASKS: dict[str, np.ndarray]
"""Four masks for three real tokens and two of padding, `(5, 5)` each; under one, padding is heard."""

CUTS: dict[str, np.ndarray]
"""Three tokens of width 4 cut for two heads in four ways, `(2, 3, 2)` each; one cannot be right."""

ODD_ONE = {
    "MASKS": ("C", "queries hidden, not keys"),
    "CUTS": ("B", "tokens share a row"),
    "SILENT": ("C", "equal scores are not 0 weight"),
}
"""Which of four is the wrong one, and why: masks in unit 04, cuts in 06, silenced heads in 08."""

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
_NAMES = ("TOKENS", "TAGS", "WORD", *_NUMBERS, "MAPS", "MASKS", "CUTS", "ODD_ONE")


def _maps() -> dict[str, np.ndarray]:
    """Without a mask and warm, causal and cold, queries and keys swapped, causal."""
    X, W_q, W_k = (np.array(_NUMBERS[name]) for name in ("X", "W_Q", "W_K"))
    scores = (X @ W_q) @ (X @ W_k).T / 2
    hidden, swapped = (np.where(np.tri(4, dtype=bool), one, -np.inf) for one in (scores, scores.T))
    powers = map(np.exp, (scores / 2, 4 * hidden, swapped, hidden))
    return dict(zip("ABCD", (one / one.sum(axis=1, keepdims=True) for one in powers), strict=True))


def _masks() -> dict[str, np.ndarray]:
    """Padded keys hidden, causal alone, padded queries silenced, causal with padded queries silenced."""
    real, past = np.arange(5) < 3, np.tri(5, dtype=bool)
    keys, queries = np.tile(real, (5, 1)), np.tile(real[:, None], (1, 5))
    return {"A": keys, "B": past, "C": queries, "D": past & queries}


def _cuts() -> dict[str, np.ndarray]:
    """Every second column, columns of two tokens in a row, halves the other way round, halves."""
    X = 10 * np.arange(3)[:, None] + np.arange(4)
    return {
        "A": np.stack([X[:, ::2], X[:, 1::2]]),
        "B": X.T.reshape(2, 3, 2),
        "C": np.stack([X[:, 2:], X[:, :2]]),
        "D": np.stack([X[:, :2], X[:, 2:]]),
    }


_MADE = {"MAPS": _maps, "MASKS": _masks, "CUTS": _cuts}


def __getattr__(name: str) -> Any:
    """New arrays on each access (PEP 562)."""
    if name == "WORD":
        return {word: np.array(numbers) for word, numbers in _WORD.items()}
    if name in _MADE:
        return _MADE[name]()
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
