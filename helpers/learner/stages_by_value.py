"""Which stage of the course a line's array is: by its numbers, never by its name."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from helpers.beside.tracing import Recording
from helpers.exercises.compare import agree

_ROUND = 1e-3
"""A single number no further than this from a quarter is too common to be told as a stage."""


def add_stages(recording: Recording, stages: Mapping[str, np.ndarray], given: Mapping[str, Any]) -> None:
    """Write into a recording which of its values are stages.

    Args:
        recording: each value that is a stage gets `stage`, its place among `stages`, and `turned` where it is
            that stage transposed.
        stages: by name, in order; those that equal an input or an earlier one, or say little, are not
            looked for, and stand in `untold`.
        given: the arguments of the call: what equals one of them is no stage.
    """
    telling = {name: one for name, one in stages.items() if _tells(one, stages, name, given)}
    recording.data["stages"] = list(stages)
    recording.data["untold"] = [name for name in stages if name not in telling]
    for what in _made(recording.data):
        if "at" not in what:
            continue
        found = recording.arrays[what.pop("at")]
        for name, stage in telling.items():
            turned = _is(stage, found)
            if turned is not None:
                what["stage"] = recording.data["stages"].index(name)
                if turned:
                    what["turned"] = True
                break


def _made(data: Mapping[str, Any]) -> Any:
    """All values that lines made or returned."""
    for step in data["steps"]:
        values = [made["what"] for made in step["makes"]] + [step[key] for key in ("returns",) if key in step]
        yield from chain(values, *(one.get("items", ()) for one in values))


def _tells(stage: np.ndarray, stages: Mapping[str, np.ndarray], name: str, given: Mapping[str, Any]) -> bool:
    """Whether being equal to a stage says something: it is no round number, constant, input or earlier stage.

    A mask is told where both values stand in it.
    """
    if stage.dtype.kind not in "bf" or stage.size == 0:
        return False
    finite = stage[np.isfinite(stage)]
    if stage.size == 1 and not (finite.size and abs(finite * 4 - np.rint(finite * 4)).min() > _ROUND):
        return False
    if stage.size > 1 and len(np.unique(finite)) < 2:
        return False
    arrays = [one for one in given.values() if isinstance(one, np.ndarray)]
    earlier = list(stages)[: list(stages).index(name)]
    return not any(_is(one, stage) is not None for one in (*arrays, *(stages[other] for other in earlier)))


def _is(stage: np.ndarray, found: np.ndarray) -> bool | None:
    """Whether an array is a stage: `False` as it stands, `True` transposed, `None` where it is not.

    Axes of one entry do not count.
    """
    if found.dtype.kind not in "biuf" or (stage.dtype.kind == "b") != (found.dtype.kind == "b"):
        return None
    a, b = np.squeeze(stage), np.squeeze(found)
    if a.shape == b.shape and _equal(a, b):
        return False
    if stage.dtype.kind == "f" and a.ndim >= 2 and b.ndim == a.ndim:
        other = np.swapaxes(b, -1, -2)
        if a.shape == other.shape and _equal(a, other):
            return True
    return None


def _equal(stage: np.ndarray, found: np.ndarray) -> bool:
    return bool(np.all(agree(stage, found, 0)))
