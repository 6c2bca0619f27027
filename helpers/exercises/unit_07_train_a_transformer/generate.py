"""Exercise `generate`: a decoder writes, one token after the other."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.beside.probes.generate import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_07_train_a_transformer.generate_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """A model that counts, random ones that look at all tokens so far, or at all they are handed; few tokens and none."""
    yield Case(
        "a model of 3 words that counts 0 1 2 0 1 2, and the prompt [0 1]",
        {"tokens": np.array([[0, 1]]), "num_new": 4, "follow": _counting(), "both_ways": False},
    )
    b, n, vocab = draw.sizes(3)
    for width in (np.float64, np.float32):
        yield _case(draw, b, n, vocab + 3, n + 4, width)
    yield _case(draw, 3, 4, 9, 1)
    yield _case(draw, 2, 3, 8, 12)
    yield _case(draw, 3, 1, 7, 6)
    yield _case(draw, 1, 5, 11, 7)
    yield _case(draw, 2, 5, 7, 0)
    yield _case(draw, 4, 4, 4, 4)
    yield _case(draw, 1, 1, 5, 3)
    for b, n, vocab, num_new in ((2, 3, 8, 6), (3, 2, 9, 4)):
        yield _case(draw, b, n, vocab, num_new, both_ways=True)


def _counting() -> np.ndarray:
    """After 0 comes 1, after 1 comes 2, after 2 comes 0; tokens further back add nothing."""
    follow = np.zeros((64, 3, 3))
    follow[0] = [[-2.0, 1.0, -1.0], [-1.0, -2.0, 1.0], [1.0, -1.0, -2.0]]
    return follow


def _case(
    draw: Draw,
    b: int,
    n: int,
    vocab: int,
    num_new: int,
    width: type = np.float64,
    *,
    both_ways: bool = False,
) -> Case:
    follow = draw.normal(3, vocab, vocab, dtype=width)
    tokens = draw.rng.integers(0, vocab, (b, n))
    says = f"B = {b}, a prompt of {n}, {num_new} new, {vocab} words, {width.__name__}"
    if both_ways:
        says = f"a model that looks at all tokens it is handed ({says})"
    return Case(says, {"tokens": tokens, "num_new": num_new, "follow": follow, "both_ways": both_ways})


def oracle(tokens: np.ndarray, num_new: int, follow: np.ndarray, both_ways: bool) -> np.ndarray:
    """Word by word, and each sum by itself; behind the last token there is nothing that a model could look at."""
    rows: list[list[int]] = tokens.tolist()
    table = follow.astype(np.float64)
    for row in rows:
        for _ in range(num_new):
            back: Any = enumerate(reversed(row))
            row.append(int(sum(table[s % len(table), token] for s, token in back).argmax()))
    return np.array(rows)


EXERCISE = Exercise(
    name="generate",
    cases=cases,
    oracle=oracle,
    probe=probe,
    tensors=True,
    axes={"": ("sequence", "position")},
    hints=(
        "The model gives logits for every position. Which position predicts the token that is not there yet?",
        "Repeat num_new times: call the model on all tokens so far, take the largest logit of the last position, put its token after the others.",
        "`model(tokens)[:, -1].argmax(-1, keepdim=True)` has shape (B, 1); `torch.cat([tokens, new], dim=1)` puts it at the end.",
    ),
    mistakes=MISTAKES,
)
