"""`yours`: the learner's own answer, to run in the model; the reference answer until theirs is right."""

import sys
from collections.abc import Callable
from typing import Any

from helpers import reference
from helpers.beside.copies import copied
from helpers.beside.guard import guard
from helpers.beside.quiet import quiet
from helpers.beside.time_limit import time_limit

SECONDS = 5.0


def yours(name: str) -> Callable[..., Any]:
    """The notebook's function of that name where it gives what it should on a small call.

    A wrong one would stop somewhere inside the model, or give embeddings that mean nothing; then the
    reference answer takes its place, and a sentence says so.

    Args:
        name: `"layer_weights"`, `"bert_attention"` or `"previous_token_heads"`.
    """
    answer = sys._getframe(1).f_globals.get(name)
    if callable(answer) and _does_it(name, answer):
        print(f"{name}: yours runs.")
        return answer
    print(f"{name}: the reference answer runs until yours is right.")
    return getattr(reference, name)


def _does_it(name: str, answer: Callable[..., Any]) -> bool:
    args = _small_call(name)
    try:
        with guard(), quiet(), time_limit(SECONDS):
            return _same(answer(*copied(args)), getattr(reference, name)(*args))
    except KeyboardInterrupt:
        raise
    except BaseException:  # whatever it is, their check says more about it
        return False


def _small_call(name: str) -> list[Any]:
    import torch

    from helpers.pretrained.little import little_state

    state = little_state()
    dice = torch.Generator().manual_seed(1)
    allowed = torch.tensor([[True, True, True], [True, True, False]])[:, None, None]
    return {
        "layer_weights": [state, 1],
        "bert_attention": [
            torch.randn(2, 3, 4, generator=dice),
            reference.layer_weights(state, 0),
            2,
            allowed,
        ],
        "previous_token_heads": [torch.softmax(torch.randn(2, 3, 4, 4, generator=dice), -1), 0.25],
    }[name]


def _same(one: Any, other: Any) -> bool:
    """Whether two results are equal up to rounding."""
    if isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in other)
    if isinstance(other, tuple) and not isinstance(other[0], int):
        return len(one) == len(other) and all(map(_same, one, other))
    if hasattr(other, "shape"):
        return one.shape == other.shape and bool(abs(one - other).max() < 1e-4)
    return one == other
