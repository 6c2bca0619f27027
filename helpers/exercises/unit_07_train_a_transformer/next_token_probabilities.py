"""Exercise `next_token_probabilities`: from logits to what a decoder draws its next token by."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.next_token_probabilities import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference, difference
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_07_train_a_transformer.next_token_probabilities_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random in both widths with and without top_k, rows far apart, large and hidden logits, cold."""
    by_hand = np.log([[1.0, 4.0, 9.0], [16.0, 1.0, 4.0]])
    yield Case("logits = [[0, ln 4, ln 9], [ln 16, 0, ln 4]]", {"logits": by_hand})
    yield Case("the same logits, temperature 2", {"logits": by_hand, "temperature": 2.0})
    yield Case("the same logits, top_k = 2", {"logits": by_hand, "temperature": 1.0, "top_k": 2})
    yield Case("the same logits, top_k = 1", {"logits": by_hand, "temperature": 0.5, "top_k": 1})
    for width in (np.float64, np.float32):
        yield _case(draw, width, top_k=None)
        yield _case(draw, width, top_k=3)
    below = draw.normal(3, 6, scale=0.8) + np.array([[-9.0], [7.0], [-2.0]])
    yield Case("rows far apart, 3 of 6 tokens, top_k = 4", _args(below, 1.5, 4))
    yield Case("4 of 4 tokens, top_k = 2", _args(draw.normal(4, 4), 0.8, 2))
    yield Case("one row of 5, top_k = 5", _args(draw.normal(1, 5), 1.2, 5))
    yield Case("5 tokens, top_k = 9", _args(draw.normal(2, 5), 0.7, 9))
    hidden = draw.normal(3, 6)
    hidden[[0, 1, 1, 2], [2, 0, 5, 3]] = -np.inf
    yield Case("logits of which some are -inf", _args(hidden, 1.3, None))
    yield Case("logits of which some are -inf, top_k = 2", _args(hidden, 1.3, 2))
    large = np.array([[1000.0, 1001.0, 0.0, 999.5], [-1000.0, 3.0, 2.0, 4.5]])
    yield Case("logits near 1000", {"logits": large})
    yield Case("logits near -20000, top_k = 3", _args(large[::-1] - 20000, 1.0, 3))
    yield Case("2 rows of 70 tokens", {"logits": draw.normal(2, 70)})
    # all but the largest weight of a row are far above 0 here even as the 1000th power of what they are at 1
    cold = np.array([[5.0, 5.003, -4.0], [0.002, -7.0, 0.0]])
    yield Case("temperature 0.001", {"logits": cold, "temperature": 1e-3})
    yield Case("temperature 1000", {"logits": np.array([[10.0, -20.0, 5.0]]), "temperature": 1e3})


def _args(logits: np.ndarray, temperature: float, top_k: int | None) -> dict[str, Any]:
    return {"logits": logits, "temperature": temperature, "top_k": top_k}


def _case(draw: Draw, width: type, top_k: int | None) -> Case:
    b, vocab = draw.sizes(2)
    vocab += 4
    low = draw.rng.random() < 0.5
    temperature = round(float(draw.rng.uniform(*((0.3, 0.8) if low else (1.3, 3.0)))), 2)
    says = f"B = {b}, {vocab} tokens, {width.__name__}, temperature {temperature:g}, top_k = {top_k}"
    return Case(says, _args(draw.normal(b, vocab, dtype=width, scale=1.5), temperature, top_k))


def _oracle(logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None) -> torch.Tensor:
    """The k largest are put where they come from; everywhere else is -inf."""
    best = logits.topk(min(top_k or logits.shape[-1], logits.shape[-1]))
    kept = torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)
    return torch.softmax(kept / temperature, dim=-1)


def judge(right: np.ndarray, args: Mapping[str, Any], got: Any) -> Difference | None:
    """The difference from the oracle; whole numbers, one for each row, are tokens and no probabilities."""
    found = difference(right, got, tensors=True)
    array = got.get("array")
    rows = len(right)
    if found and got["kind"] == "tensor" and array.dtype.kind == "i" and array.shape in ((rows,), (rows, 1)):
        hint = "Which shape has a probability for every token? Nothing is chosen or drawn yet."
        return Difference(found.says, found.expected, found.got, "returns-token", hint)
    return found


EXERCISE = Exercise(
    name="next_token_probabilities",
    cases=cases,
    oracle=in_torch(_oracle),
    judge=judge,
    probe=probe,
    tensors=True,
    axes={"": ("sequence", "token")},
    hints=(
        "At a low temperature the likeliest token should win nearly always. Where must the temperature come in for that?",
        "With top_k, the other tokens need a logit that leaves them nothing: what has the exponential 0? Rows differ.",
        "`torch.topk` gives the k largest logits of each row; whatever is below the least of them becomes -inf before the softmax. Mind a top_k above vocab.",
    ),
    mistakes=MISTAKES,
)
