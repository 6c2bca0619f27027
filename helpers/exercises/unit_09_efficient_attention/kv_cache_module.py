"""Exercise `KVCache`: keys and values of all tokens so far."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.kv_cache_module import PLACES, probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_09_efficient_attention.kv_cache_module_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """Two tokens by hand, tokens that come again, one by one, in chunks, at once, both widths, equal sizes, thousands of tokens."""
    by_hand = {"K": np.array([[[[1.0], [2.0]]]]), "V": np.array([[[[3.0], [4.0]]]])}
    yield Case("one head of width 1, two tokens, one by one", {**by_hand, "chunks": np.array([1, 1])})
    again = {"K": np.array([[[[1.0], [2.0], [2.0], [1.0]]]]), "V": np.array([[[[3.0], [4.0], [4.0], [3.0]]]])}
    yield Case("tokens that come again, one by one", {**again, "chunks": np.array([1, 1, 1, 1])})
    others = {"K": again["K"], "V": np.array([[[[3.0], [4.0], [5.0], [6.0]]]])}
    yield Case("keys that come again with other values", {**others, "chunks": np.array([1, 1, 1, 1])})
    for width in (np.float64, np.float32):
        b, h, n, d = draw.sizes(4)
        yield _case(draw, (b, h, d), [1] * n, width)
    b, h, n, d = draw.sizes(4)
    yield _case(draw, (b, h, d), [n, 1, 2, n + 1], np.float64)
    yield _case(draw, (b, h, d), [n], np.float64)
    yield _case(draw, (3, 3, 3), [3, 3, 3], np.float64)
    yield _case(draw, (1, 1, 1), [1500, 1, 3000], np.float64)


def _case(draw: Draw, sizes: tuple[int, int, int], chunks: Sequence[int], width: type) -> Case:
    b, h, d = sizes
    args = {name: draw.normal(b, h, sum(chunks), d, dtype=width) for name in PLACES}
    says = f"B = {b}, h = {h}, d = {d}, {width.__name__}, chunks of {', '.join(map(str, chunks))}"
    return Case(says, {**args, "chunks": np.array(chunks)})


def oracle(K: np.ndarray, V: np.ndarray, chunks: np.ndarray) -> dict[str, Any]:
    """Every result is a piece of the keys and values that came in, from the first token on."""
    right: dict[str, Any] = {"len() of an empty cache": 0}
    ends = np.cumsum(chunks).tolist()
    whole = {name: torch.from_numpy(array) for name, array in zip(PLACES, (K, V), strict=True)}
    appends = ["the first append", *(f"append {i}" for i in range(2, len(ends) + 1))]
    for append, end in zip(appends, ends, strict=True):
        now = {f"{name} after {append}": one.narrow(2, 0, end).numpy() for name, one in whole.items()}
        right[append] = {**now, f"len() after {append}": end}
    second = {f"{name} of a second cache": (1 - one).numpy() for name, one in whole.items()}
    right["beside"] = {**second, "len() of the second cache": ends[-1]}
    return right


EXERCISE = Exercise(
    name="KVCache",
    cases=cases,
    oracle=oracle,
    probe=probe,
    tensors=True,
    hints=(
        "What must a cache remember between two calls, and what before the first?",
        "Keep K and V on `self`. Each append makes longer tensors out of the old ones and the new chunk.",
        "`torch.cat([self.K, k], dim=2)` puts the new tokens behind the old ones; the first chunk has nothing before it.",
    ),
    mistakes=MISTAKES,
)
