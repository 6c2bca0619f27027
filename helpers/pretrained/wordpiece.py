"""BERT's tokens without the library `tokenizers`, which no browser has: WordPiece for text without capitals.

A text is cleaned, cut at spaces and punctuation, and each word into the longest pieces that the model knows.
Tests compare it with the library.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LETTERS = 100
"""A longer word is unknown as a whole."""

_SPECIAL = re.compile(
    r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])"
)  # these stand for themselves where somebody types them
_CHINESE = re.compile(
    "[\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f]"
)
_LEFT_OUT = ("Cc", "Cf", "Co", "Cs")
_SPACE = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_ASCII = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True)
class Encoded:
    """A text in tokens: their texts and numbers, and 1 for each that is no padding, 0 for padding."""

    tokens: list[str]
    ids: list[int]
    attention_mask: list[int]


class WordPiece:
    """A tokenizer.

    Args:
        pieces: all pieces, in the order of their numbers.
        longest: tokens that are read of a text, with the two round it.
    """

    def __init__(self, pieces: Sequence[str], longest: int) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._longest = longest

    def encode(self, text: str) -> Encoded:
        """The tokens of a text, as many as are read."""
        found = [
            piece
            for at, part in enumerate(_SPECIAL.split(text))
            for piece in ([part] if at % 2 else self._pieces(part))
        ]
        tokens = ["[CLS]", *found[: self._longest - 2], "[SEP]"]
        return Encoded(tokens, [self._numbers[token] for token in tokens], [1] * len(tokens))

    def encode_batch(self, texts: Sequence[str]) -> list[Encoded]:
        """The tokens of several texts, filled up to the longest."""
        found = [self.encode(text) for text in texts]
        longest = max(len(one.ids) for one in found)
        return [self._filled(one, longest - len(one.ids)) for one in found]

    def _filled(self, one: Encoded, more: int) -> Encoded:
        padding = self._numbers["[PAD]"]
        ids = [*one.ids, *[padding] * more]
        return Encoded([*one.tokens, *["[PAD]"] * more], ids, [*one.attention_mask, *[0] * more])

    def _pieces(self, text: str) -> Iterator[str]:
        for word in words(text):
            yield from self._cut(word)

    def _cut(self, word: str) -> list[str]:
        found: list[str] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = f"{'##' if start else ''}{word[start:end]}"
                if piece in self._numbers:
                    break
            else:
                return ["[UNK]"]
            found.append(piece)
            start = end
        return found if len(word) <= LETTERS else ["[UNK]"]


def words(text: str) -> list[str]:
    """Words and punctuation of a text, without capitals and accents."""
    clean = "".join(one for one in text if not _left_out(one))
    parts = unicodedata.normalize("NFD", _CHINESE.sub(r" \g<0> ", clean))
    # one by one: a final sigma stays the usual one
    low = "".join(one.lower() for one in parts if unicodedata.category(one) != "Mn")
    return [word for part in _SPACE.split(low) for word in _at_punctuation(part)]


def _left_out(one: str) -> bool:
    return one in "\0\ufffd" or (one not in "\t\n\r" and unicodedata.category(one) in _LEFT_OUT)


def _at_punctuation(part: str) -> list[str]:
    found = [""]
    for one in part:
        if one in _ASCII or unicodedata.category(one).startswith("P"):
            found += [one, ""]
        else:
            found[-1] += one
    return [word for word in found if word]
