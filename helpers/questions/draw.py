"""What all kinds of questions draw with."""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np


def rng_of(kind: str, exercise: str, seed: int) -> np.random.Generator:
    """The random numbers of one question: the same in every run and on every machine."""
    return np.random.default_rng([zlib.crc32(f"{kind}/{exercise}".encode()), seed])


def shuffled(rng: np.random.Generator, choices: Sequence[Any], right: int) -> tuple[list[Any], int]:
    """Choices in another order, and where the right one stands now."""
    order = [int(i) for i in rng.permutation(len(choices))]
    return [choices[i] for i in order], order.index(right)


def in_turn(things: Sequence[Any], seed: int) -> Any:
    """One of several: seeds that follow each other give them all before one comes again."""
    order = np.random.default_rng(0).permutation(len(things))
    return things[int(order[seed % len(things)])]
