"""Which stage of the course a line's array is: by its numbers, never by its name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from helpers.beside.tracing import Recording
from helpers.exercises.compare import agree

Key = tuple[int, int, int, int, str, int]
"""Function, line, call, turn, name, and place in a tuple."""

_ROUND = 1e-3
"""A single number no further than this from a quarter is too common to be told as a stage."""


def add_stages(
    recording: Recording,
    stages: Mapping[str, np.ndarray],
    given: Mapping[str, Any],
    elsewhere: Mapping[Key, str] | None = None,
) -> None:
    """Write into a recording which of its values are stages.

    Args:
        recording: each value that is a stage gets `stage`, its place among `stages`, and `turned` where it is
            that stage transposed.
        stages: by name, in order.  One that equals an input or an earlier one, or says little, is told only
            of lines that make it in another call too; any other value with its numbers gets `unsure`.
        given: the arguments of the call.
        elsewhere: which lines make which stage in a call that tells all of them apart.
    """
    names = list(stages)
    telling = [name for name in names if _tells(stages[name], stages, name, given)]
    untold = [name for name in names if name not in telling]
    recording.data["stages"] = names
    for key, what in keyed(recording.data):
        if "at" not in what:
            continue
        found = recording.arrays[what.pop("at")]
        likely = [elsewhere[key]] if elsewhere and elsewhere.get(key) in untold else []
        name, turned = _first(stages, (*likely, *telling), found)
        if name:
            what |= {"stage": names.index(name)} | ({"turned": True} if turned else {})
        elif _first(stages, untold, found)[0]:
            what["unsure"] = True


def _first(stages: Mapping[str, np.ndarray], names: Iterable[str], found: np.ndarray) -> tuple[str, bool]:
    """The first of some stages that an array is, and whether it is that transposed."""
    for name in names:
        turned = _is(stages[name], found)
        if turned is not None:
            return name, turned
    return "", False


def lines_of(recording: Recording) -> dict[Key, str]:
    """Which line makes which stage, in a recording that has its stages."""
    names = recording.data["stages"]
    return {key: names[what["stage"]] for key, what in keyed(recording.data) if "stage" in what}


def all_tell(stages: Mapping[str, np.ndarray], given: Mapping[str, Any]) -> bool:
    """Whether every stage of a call can be told from the others and from what came in."""
    return all(_tells(one, stages, name, given) for name, one in stages.items())


def keyed(data: Mapping[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """All values that lines made or returned, each with where it was made."""
    for step in data["steps"]:
        where = (step["of"], step["line"], step["call"], step["turn"])
        made = [(one["name"], one["what"]) for one in step["makes"]]
        made += [("", step[key]) for key in ("returns",) if key in step]
        for name, what in made:
            yield (*where, name, 0), what
            for place, item in enumerate(what.get("items", ()), start=1):
                yield (*where, name, place), item


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
