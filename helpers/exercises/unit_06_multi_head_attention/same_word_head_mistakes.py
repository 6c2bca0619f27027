"""What people get wrong in `same_word_head`: the same matrices with one step replaced.

These are known with their own numbers.  With any others, the causes are read off the scores.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.unit_06_multi_head_attention.same_word_head_causes import CAUSES
from helpers.exercises.wrong.rows import Row, mistakes, rows

Array = np.ndarray


def variant(
    *,
    words: Callable[[int, int], Array] = lambda num_words, n: 10 * np.eye(num_words),
    places: Callable[[int, int], Array] = lambda num_words, n: np.zeros((n, num_words)),
    stacked: Callable[[Array, Array], Array] = lambda words, places: np.vstack([words, places]),
    keys: Callable[[Array, int], Array] = lambda W_q, num_words: W_q,
    sizes: Callable[[int, int], tuple[int, int]] = lambda num_words, n: (num_words, n),
    result: Callable[[Array, Array], Any] = lambda W_q, W_k: (W_q, W_k),
) -> Callable[[int, int], Any]:
    """The right answer, with one or more of its steps replaced by a wrong one."""

    def answer(num_words: int, n: int) -> Any:
        num_words, n = sizes(num_words, n)
        W_q = stacked(words(num_words, n), places(num_words, n))
        return result(W_q, keys(W_q, num_words))

    return answer


def _wide(places: Callable[[int], Array]) -> dict[str, Any]:
    """Codes of words and of places in columns of their own."""
    return {
        "words": lambda num_words, n: 10 * np.eye(num_words, num_words + n),
        "places": lambda num_words, n: np.hstack([np.zeros((n, num_words)), 10 * places(n)]),
    }


def _only_places(places: Callable[[int], Array]) -> dict[str, Any]:
    return {
        "words": lambda num_words, n: np.zeros((num_words, n)),
        "places": lambda num_words, n: 10 * places(n),
    }


def _slope(by: float) -> dict[str, Any]:
    """A last column that is 1 in every query, and grows with the place in the keys."""

    def keys(W_q: Array, num_words: int) -> Array:
        W_k = W_q.copy()
        W_k[:num_words, -1] = 0
        W_k[num_words:, -1] = by * np.arange(len(W_q) - num_words)
        return W_k

    return {
        "words": lambda num_words, n: np.hstack([10 * np.eye(num_words), np.ones((num_words, 1))]),
        "places": lambda num_words, n: np.zeros((n, num_words + 1)),
        "keys": keys,
    }


def _less_itself(W_q: Array, num_words: int) -> Array:
    W_k = W_q.copy()
    W_k[num_words:] *= -1
    return W_k


def _key_places(W_q: Array, num_words: int) -> Array:
    W_k = np.zeros(W_q.shape)
    W_k[num_words:] = 10 * np.eye(len(W_q) - num_words, W_q.shape[1])
    return W_k


def _row(id_: str, *programs: Any) -> tuple[Row, ...]:
    says, hint = CAUSES[id_]
    return rows(f"{id_}: {says}", hint, *programs)


_FIXED = "What are num_words and n for the sentence in the cells above, and do they stand in your code?"

MISTAKES = mistakes(
    variant,
    *_row(
        "too-flat",
        *({"words": lambda num_words, n, c=c: c * np.eye(num_words)} for c in (1, 0.1, 2, 3)),
    ),
    *_row(
        "places-left-in",
        _wide(np.eye),
        {"places": lambda num_words, n: 10 * np.eye(n, num_words)},
    ),
    *_row("all-scores-alike", {"words": lambda num_words, n: np.zeros((num_words, num_words))}),
    *_row("places-instead-of-words", _only_places(np.eye)),
    *_row(
        "neighbours-instead-of-words", {**_only_places(np.eye), "keys": lambda W_q, w: np.roll(W_q, -1, 1)}
    ),
    *_row("parts-swapped", {"stacked": lambda words, places: np.vstack([places, words])}),
    *_row("arguments-swapped", {"sizes": lambda num_words, n: (n, num_words)}),
    *_row("words-against-places", {"keys": _key_places}),
    *_row("sign-flipped", {"keys": lambda W_q, num_words: -W_q}),
    *_row(
        "longer-row-wins",
        {
            "words": lambda num_words, n: np.stack(
                [np.arange(num_words) + 1, num_words - np.arange(num_words)], 1
            ),
            "places": lambda num_words, n: np.zeros((n, 2)),
        },
    ),
    *_row("another-word", {"keys": lambda W_q, num_words: np.roll(W_q, 1, axis=1)}),
    *_row(
        "one-word-for-all", {"words": lambda num_words, n: np.tile(np.arange(num_words), (num_words, 1)).T}
    ),
    *_row(
        "words-not-told-apart",
        {
            "words": lambda num_words, n: 10 * np.eye(num_words, num_words - 1 or 1),
            "places": lambda num_words, n: np.zeros((n, num_words - 1 or 1)),
        },
    ),
    *_row("itself-left-out", {**_wide(np.eye), "keys": _less_itself}),
    *_row("first-occurrence-only", _slope(-30)),
    *_row("last-occurrence-only", _slope(30)),
    *rows(
        "fixed-size: Your matrices have the sizes of one sentence, num_words = 3 and n = 6, whatever is asked for.",
        _FIXED,
        {"sizes": lambda num_words, n: (3, 6)},
        "fixed-size: Your matrices have rows for 3 words, whatever num_words is.",
        _FIXED,
        {"sizes": lambda num_words, n: (3, n)},
        "fixed-size: Your matrices have rows for 6 places, whatever n is.",
        _FIXED,
        {"sizes": lambda num_words, n: (num_words, 6)},
        "returns-none: Your function returns nothing (None).",
        "Every way through your function should end in a `return`.",
        {"result": lambda W_q, W_k: None},
    ),
)
