"""Why a head does not find the same word: read off what words and places add to its scores.

A score of a query with word w at place i and a key with word v at place j is a sum of four numbers: word with
word, word with place, place with word, place with place.  What is the same for all keys changes no weight, so
only the differences within a row of each of the four tables count.
"""

import itertools
import re
from collections.abc import Iterator

import numpy as np

Array = np.ndarray

_ROWS = "Which rows of both matrices meet the word of a token, and which its place?"
_PLACES = "What should a place add to a query and to a key?"
_CODES = "Does every word have a row of its own, unlike all others, in both matrices?"

CAUSES = {
    "all-scores-alike": (
        "All scores of a token are alike, so every token gets the same weight.",
        "Which entries of both matrices make a score larger for equal words?",
    ),
    "too-flat": (
        "Equal words score highest, but not by enough.",
        "A larger factor makes all scores larger: does yours do for many words and places?",
    ),
    "sign-flipped": (
        "Equal words score lowest, so each token looks at other words.",
        "Where does a minus sign come in?",
    ),
    "words-not-told-apart": (
        "Some word scores as high with another one as with itself, so the two are not told apart.",
        _CODES,
    ),
    "words-not-told-apart/no code": (
        "Some word scores the same with all words, with itself too, so it is not told apart from them.",
        "Does every word, also the first and the last, have a row that is not zeros?",
    ),
    "words-not-told-apart/other rows": (
        "Some word scores as high with another one as with itself, so the two are not told apart.",
        "Their rows differ, but is the dot product of a word's two rows larger than with any other word?",
    ),
    "one-word-for-all": (
        "Whatever its own word is, a token scores highest with one and the same word.",
        "A dot product grows with the numbers in it: is a larger number more alike?",
    ),
    "one-word-for-all/some alike": (
        "Words either score all words alike, or score highest with one and the same word.",
        "A dot product grows with the numbers in it: is a larger number more alike?",
    ),
    "another-word": (
        "Some word scores higher with another word than with itself.",
        "Compare the rows of one word in `W_q` and in `W_k`.",
    ),
    "longer-row-wins": (
        "Some word scores higher with another word than with itself.",
        "A dot product grows with the length of the rows as well: are the rows of your words equally long?",
    ),
    "places-instead-of-words": (
        "Your scores depend on the places alone: the words have no say.",
        _ROWS,
    ),
    "neighbours-instead-of-words": (
        "Your scores depend on the places alone: each token looks a fixed number of places away.",
        _ROWS,
    ),
    "parts-swapped": (
        "Your matrices read the last num_words numbers of a token as its word; they are the first.",
        _ROWS,
    ),
    "arguments-swapped": (
        "Your matrices read the first n numbers of a token as its word; there are num_words of them.",
        "Which of `num_words` and `n` says how many rows belong to words?",
    ),
    "words-against-places": (
        "One matrix reads the words and the other the places, so no word is compared with a word.",
        _ROWS,
    ),
    "places-left-in": (
        "The places have a say in your scores, so equal words do not get equal shares.",
        _PLACES,
    ),
    "itself-left-out": (
        "Your scores are lowered where a token meets itself; its own word counts too.",
        _PLACES,
    ),
    "first-occurrence-only": (
        "The places have a say in your scores: of equal words the earliest gets most.",
        _PLACES,
    ),
    "last-occurrence-only": (
        "The places have a say in your scores: of equal words the latest gets most.",
        _PLACES,
    ),
}
"""What is said, and what to look at, by the mistake's id; behind a slash, where one id has several causes."""

QUIET = 0.05
"""Where scores of a row differ by no more, by themselves they change a weight of a half by about 0.01."""

BY_CHANCE = 3
"""Of so few words each may score highest, or lowest, with itself by chance."""

WITHIN = 0.05
"""So far a weight may lie from its share."""


def cause(num_words: int, n: int, scores: Array) -> tuple[str, str, str] | None:
    """The mistake that the scores prove, or two at once, as id, sentence and hint; `None` when unsure.

    Args:
        num_words: how many words there are.
        n: how many places.
        scores: `(num_words + n, num_words + n)`, as the probe returns them.
    """
    if not np.isfinite(scores).all():
        return None
    with np.errstate(all="ignore"):  # differences of huge scores
        ids = list(_Head(num_words, n, scores).mistakes())
    if not ids:
        return None
    says, hints = zip(*(CAUSES[id_] for id_ in ids), strict=True)
    told = says[0] if len(ids) == 1 else _both(*says)
    return "+".join(id_.split("/")[0] for id_ in ids), told, " ".join(hints)


def _both(*says: str) -> str:
    """Two mistakes, each without what follows from it; a "but" belongs to what it is."""
    one, other = (f"{re.split('[:;] |, so ', text)[0].rstrip('.')}." for text in says)
    return f"Two mistakes at once. First: {one} Second: {other}"


class _Head:
    """The four tables of a head, and which of them count.

    Args:
        num_words: how many words there are.
        n: how many places.
        scores: all four tables, words before places.
    """

    def __init__(self, num_words: int, n: int, scores: Array) -> None:
        w = num_words
        self.num_words, self.n, self.all = w, n, scores
        self.words, self.places = scores[:w, :w], scores[w:, w:]
        self.word_to_place, self.place_to_word = scores[:w, w:], scores[w:, :w]
        tables = {
            "words": self.words,
            "word to place": self.word_to_place,
            "place to word": self.place_to_word,
            "places": self.places,
        }
        spreads = {name: float(np.ptp(table, axis=1).max()) for name, table in tables.items()}
        self.loudest = max(spreads.values())
        self.loud = {name for name, spread in spreads.items() if spread > QUIET * min(1.0, self.loudest)}
        self.rounding = 1e-6 * self.loudest

    def mistakes(self) -> Iterator[str]:
        """The keys in `CAUSES` of one mistake, or of two."""
        if self.loudest <= 1e-12 * np.abs(self.all).max():
            yield "all-scores-alike"
        elif read := self._read_at_other_rows():
            yield read
        elif self.loud == {"words"}:
            yield from self._of_words()
        elif self.loud == {"places"}:
            yield self._of_places()
        elif self.loud <= {"places", "word to place"} and _same_rows(self.word_to_place, self.rounding):
            yield "places-instead-of-words"
        elif self.loud in ({"word to place"}, {"place to word"}):
            (name,) = self.loud
            table = self.word_to_place if name == "word to place" else self.place_to_word
            if not _same_rows(table, self.rounding):
                yield "words-against-places"
        elif self.num_words > BY_CHANCE and self._own_best(self.words):
            yield self._of_places_beside_words()
            if self._too_flat():
                yield "too-flat"

    def _own_best(self, table: Array) -> bool:
        """Whether each row is highest on the diagonal, and there alone."""
        return _lead(table) > self.rounding

    def _too_flat(self) -> bool:
        """Whether words alone would leave too much to the others, in a sentence in which a word stands once."""
        left = (self.n - 1) * np.exp(-_lead(self.words))
        return left / (1 + left) > WITHIN

    def _read_at_other_rows(self) -> str | None:
        """Whether as many rows as there are words, or places, stand for words and begin elsewhere."""
        w, n = self.num_words, self.n
        if w == n or min(w, n) < 2:
            return None
        rest = self.all.copy()
        rest[n:, n:] = 0
        if not np.abs(rest).max() > self.rounding and self._own_best(self.all[n:, n:]):
            return "parts-swapped"
        rest = self.all.copy()
        rest[:n, :n] = 0
        if n > w and not np.abs(rest).max() > self.rounding and self._own_best(self.all[:n, :n]):
            return "arguments-swapped"
        return None

    def _of_words(self) -> Iterator[str]:
        """Where nothing but words counts."""
        own = np.diagonal(self.words)
        others = _others(self.words)
        best, least = others.max(axis=1), others.min(axis=1)
        if (own - best > self.rounding).all():
            yield "too-flat"
        elif (own - best > -self.rounding).all():
            yield self._not_told_apart()
        elif self.num_words > BY_CHANCE and (own - least < -self.rounding).all():
            yield "sign-flipped"
        elif self.num_words > BY_CHANCE:
            favourites = [_favourite(row, self.rounding) for row in self.words]
            wanted = [
                one for one, row in zip(favourites, self.words, strict=True) if np.ptp(row) > self.rounding
            ]
            if len(wanted) > 1 and len(set(wanted)) == 1 and wanted[0] is not None:
                yield "one-word-for-all" if len(wanted) == self.num_words else "one-word-for-all/some alike"
            else:
                yield "longer-row-wins" if self._of_one_code() else "another-word"

    def _not_told_apart(self) -> str:
        """Why a word scores as high with another one as with itself."""
        if (np.abs(self.words).max(axis=1) <= self.rounding).any():
            return "words-not-told-apart/no code"
        near = self.rounding
        for one, other in itertools.combinations(range(self.num_words), 2):
            as_query, as_key = self.words[one] - self.words[other], self.words[:, one] - self.words[:, other]
            if np.abs(as_query).max() <= near or np.abs(as_key).max() <= near:
                return "words-not-told-apart"
        return "words-not-told-apart/other rows"

    def _of_one_code(self) -> bool:
        """Whether the scores of words can come from the same rows in both matrices, as lengths and angles do."""
        even = np.abs(self.words - self.words.T).max() <= self.rounding
        return even and np.linalg.eigvalsh(self.words).min() >= -self.rounding

    def _of_places(self) -> str:
        """Where nothing but places counts."""
        favourites = [_favourite(row, self.rounding) for row in self.places]
        steps = {one - place for place, one in enumerate(favourites) if one is not None}
        for step in steps - {0}:
            inside = [place for place in range(self.n) if 0 <= place + step < self.n]
            if len(inside) > 2 and all(favourites[place] == place + step for place in inside):
                return "neighbours-instead-of-words"
        return "places-instead-of-words"

    def _of_places_beside_words(self) -> str:
        """Where equal words score highest, and places count too."""
        if self.loud == {"words", "places"} and self.n > 2:
            own, others = np.diagonal(self.places), _others(self.places)
            if np.ptp(others, axis=1).max() <= self.rounding and (own < others.min(axis=1)).all():
                return "itself-left-out"
        tables = (self.word_to_place, self.places)
        if "place to word" not in self.loud and all(_same_rows(one, self.rounding) for one in tables):
            steps = np.diff(sum(one[0] for one in tables))
            if (steps < -self.rounding).all():
                return "first-occurrence-only"
            if (steps > self.rounding).all():
                return "last-occurrence-only"
        return "places-left-in"


def _others(table: Array) -> Array:
    """A square table without its diagonal."""
    size = len(table)
    return table[~np.eye(size, dtype=bool)].reshape(size, size - 1)


def _lead(table: Array) -> float:
    """By how much the diagonal is ahead of the rest of its row, in the row in which it is least."""
    if len(table) < 2:
        return np.inf
    return float((np.diagonal(table) - _others(table).max(axis=1)).min())


def _favourite(row: Array, rounding: float) -> int | None:
    """Where the one highest score of a row stands; `None` where there are several."""
    best = int(row.argmax())
    return best if (row > row[best] - rounding).sum() == 1 else None


def _same_rows(table: Array, rounding: float) -> bool:
    """Whether the differences within a row are the same in all of them."""
    differences = table - table[:, :1]
    return bool(np.ptp(differences, axis=0).max() <= rounding)
