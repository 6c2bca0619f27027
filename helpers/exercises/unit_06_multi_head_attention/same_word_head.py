"""Exercise `same_word_head`: design a head that looks at the tokens with the same word."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.same_word_head import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_06_multi_head_attention.same_word_head_causes import WITHIN, cause
from helpers.exercises.unit_06_multi_head_attention.same_word_head_mistakes import MISTAKES
from helpers.text import number

ROUNDING = 1e-9

TURNED = (
    "arguments-swapped",
    "Your function takes (n, num_words), and it is called with (num_words, n).",
    "Compare the names in your `def` with those in the task: their order counts.",
)


def cases(draw: Draw) -> Iterator[Case]:
    """Sentences by hand, then of drawn sizes with more words than places and fewer, as many, and a long one.

    The sentence in the middle is the same when it is moved on by three words, so that no call is made with an
    earlier one's sizes and other words: matrices may be kept by their sizes.
    """
    yield _sentence(4, [0, 1, 1, 2, 1, 3])
    yield _sentence(2, [0, 1, 0, 1])
    yield _sentence(4, [3, 0, 3])
    yield _sentence(2, [1, 1, 1, 1])
    yield _sentence(2, [0, 1, 1, 1, 1, 1])
    yield _sentence(1, [0, 0, 0])
    yield _sentence(3, [2])
    yield _sentence(5, [1, 4, 2, 1, 4, 2])
    few, many = sorted(draw.sizes(2))
    few, many = few + 1, many + 2  # never nine rows, as many as the matrices of the notebook have
    for num_words, n in ((few, many), (many, few)):
        for _ in range(2):
            yield _sentence(num_words, _with_many_words(draw, num_words, n))
    size = max(draw.sizes(2))
    yield _sentence(size, draw.rng.permutation(size))
    long = draw.rng.integers(LONG[0] - 1, size=LONG[1])
    long[int(draw.rng.integers(LONG[1]))] = LONG[0] - 1  # a word that stands once has most others against it
    yield _sentence(LONG[0], long)


LONG = (20, 40)
"""How many words and tokens a long sentence has."""

FEW = 8
"""So many words of a sentence are written out."""


def _with_many_words(draw: Draw, num_words: int, n: int) -> np.ndarray:
    """A sentence in which no word comes again before the others were there."""
    rounds = [draw.rng.permutation(num_words) for _ in range(-(-n // num_words))]
    return draw.rng.permutation(np.concatenate(rounds)[:n])


def _sentence(num_words: int, words: Sequence[int]) -> Case:
    words = np.array(words, dtype=np.int64)
    written = f"the sentence {words.tolist()}"
    if len(words) > FEW:
        written = f"a sentence of {len(words)} tokens"
    args = {"num_words": num_words, "n": len(words), "words": words}
    return Case(f"{written} (num_words = {num_words}, n = {len(words)})", args)


def _shares(_num_words: int, _n: int, words: torch.Tensor) -> torch.Tensor:
    """Of a token's weights, the tokens with its word get equal ones, all others none."""
    same = (words[:, None] == words).double()
    return same / same.sum(-1, keepdim=True)


oracle = in_torch(_shares)


def judge(right: np.ndarray, args: Mapping[str, Any], got: Mapping[str, Any]) -> Difference | None:
    """Compare the weights with equal shares; of the wrong ones point at the one furthest off.

    Where they are right, every word at every place is tried once more, with each other word all around it.
    """
    weights, scores = (got["items"][part]["array"] for part in ("weights", "scores"))
    words, off = args["words"], np.abs(weights - right)
    found, did, hint = cause(args["num_words"], args["n"], scores) or (None, "", None)
    if bool(got["items"]["turned"]["array"]):
        found, did, hint = TURNED
    if (off <= WITHIN + ROUNDING).all():
        says = _alone(args["num_words"], args["n"], scores)
        return Difference(says, misconception=found, hint=hint, cause=did) if says else None
    # of those that are off alike the first, whichever way the last digits are rounded
    i, j = (int(place) for place in np.unravel_index(off.round(9).argmax(), off.shape))
    gives, wanted = number(np.round(weights[i, j], 4)), number(right[i, j])
    says = f"token {i} (word {words[i]}) gives {gives} to {_other(words, i, j)}; expected {wanted}"
    says += _if_near(off[i, j])
    if found == "too-flat":
        left = number(np.round(weights[i][words != words[i]].sum(), 2))
        says = f"token {i} leaves a share of {left} on other words; expected about 0"
    return Difference(says, right, np.round(weights, 4), found, hint, "`weights`", did, WITHIN)


def _if_near(off: float) -> str:
    """How far a weight may be off, where that matters."""
    return f", to within {WITHIN}" if off < 2 * WITHIN else ""


def _alone(num_words: int, n: int, scores: np.ndarray) -> str:
    """Who gives itself too little in a sentence that has its word once, and one other word everywhere else."""
    w = num_words
    if w < 2 or n < 2 or not np.isfinite(scores).all():
        return ""
    with np.errstate(all="ignore"):
        by_words = scores[:w, None, :w] + scores[None, w:, :w]  # (word, place, other word)
        by_places = scores[:w, None, w:] + scores[None, w:, w:]  # (word, place, other place)
        own = np.einsum("wiw->wi", by_words) + np.einsum("wii->wi", by_places)
        others = by_words[..., None] + by_places[:, :, None]
        powers = np.exp(others - own[..., None, None])
    np.einsum("wivi->wiv", powers)[:] = 0
    np.einsum("wiwj->wij", powers)[:] = 0
    weights = 1 / (1 + powers.sum(axis=-1))
    if weights.min() >= 1 - WITHIN - ROUNDING:
        return ""
    word, place, other = (int(one) for one in np.unravel_index(weights.round(9).argmin(), weights.shape))
    gives = number(np.round(weights.min(), 4))
    return (
        f"this one is right, but with word {word} at place {place} and word {other} everywhere else token {place} "
        f"gives {gives} to itself; expected 1{_if_near(1 - weights.min())}"
    )


def _other(words: np.ndarray, i: int, j: int) -> str:
    """To whom token i gives a weight."""
    if i == j:
        return "itself"
    return f"token {j}, which has {'the same word' if words[i] == words[j] else f'word {words[j]}'}"


EXERCISE = Exercise(
    name="same_word_head",
    cases=cases,
    oracle=oracle,
    probe=probe,
    judge=judge,
    axes={"weights": ("query", "key")},
    hints=(
        "Which rows of `W_q` and `W_k` meet the word of a token, which its place, and which of them should count?",
        "Rows of zeros keep the places out. Give each word a row that has a large dot product with itself and a small one with the others.",
        "Put `np.eye(num_words)` on top of n rows of zeros and make it many times larger, so that equal words win clearly. It serves as `W_q` and as `W_k`.",
    ),
    mistakes=MISTAKES,
)
