"""Which stage of the course a line's array is: by its numbers, never by its name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from helpers.arrays import kinds
from helpers.beside.tracing import Recording

Key = tuple[int, int, int, int, str, int]
"""Function, line, call, turn, name, and place in a tuple."""

TRANSPOSED, RESHAPED, LIST = "transposed", "another shape", "a list"

_WIDE, _NARROW = 1e-11, 4e-6
"""How far float64 and narrower numbers may be off by rounding, as a part of the largest."""

_ROUND = 1e-3
"""A single number no further than this from a quarter is too common to be told as a stage."""


def add_stages(
    recording: Recording,
    stages: Mapping[str, np.ndarray],
    given: Mapping[str, Any],
    elsewhere: Mapping[Any, set[str]] | None = None,
) -> None:
    """Write into a recording which of its values are stages.

    Args:
        recording: each value that is a stage gets `stage`, its place among `stages`, and `form` where it is
            that transposed or in another shape.
        stages: by name, in order.  One that equals an input or another one, or says little, is told only
            of lines that make it in another call too.
        given: the arguments of the call.
        elsewhere: which lines make which stages in a call that tells all of them apart.  A line that ran
            there as well has to make the same stage in both.
    """
    names = list(stages)
    telling = [name for name in names if _tells(stages[name], stages, name, given)]
    recording.data["stages"] = names
    for key, what in keyed(recording.data):
        if "at" not in what:
            continue
        found = recording.arrays[what.pop("at")]
        there = None if elsewhere is None else elsewhere.get(key, elsewhere.get(_line(key)))
        may = telling if there is None else [name for name in names if name in there]
        name, how = _first(stages, may, found)
        if name:
            form = LIST if what["kind"] == "list" else how
            what |= {"stage": names.index(name)} | ({"form": form} if form else {})


def _first(stages: Mapping[str, np.ndarray], names: Iterable[str], found: np.ndarray) -> tuple[str, str]:
    """The first of some stages that an array is, and in which form."""
    for name in names:
        how = _is(stages[name], found)
        if how is not None:
            return name, how
    return "", ""


def _line(key: Key) -> tuple[int, int, str, int]:
    """Where a value is made, whatever turn and call it is."""
    of, line, _, _, name, place = key
    return of, line, name, place


def lines_of(recording: Recording) -> dict[Any, set[str]]:
    """Which lines make which stages, if any, in a recording that has its stages: each time, and at all."""
    names, found = recording.data["stages"], {}
    for key, what in keyed(recording.data):
        stage = {names[what["stage"]]} if "stage" in what else set()
        found[key] = stage
        found.setdefault(_line(key), set()).update(stage)
    return found


def all_tell(stages: Mapping[str, np.ndarray], given: Mapping[str, Any]) -> bool:
    """Whether every stage of a call can be told from the others and from what came in."""
    return all(_tells(one, stages, name, given) for name, one in stages.items())


def keyed(data: Mapping[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """All values that lines made or returned, each with where it was made."""
    for step in data["steps"]:
        where = (step["of"], step["line"], step["call"], step["turn"])
        made = [(one["name"], one["what"]) for one in step["makes"]]
        made += [("", step["returns"])] if "returns" in step else []
        for name, what in made:
            yield (*where, name, 0), what
            for place, item in enumerate(what.get("items", ()), start=1):
                yield (*where, name, place), item


def _tells(stage: np.ndarray, stages: Mapping[str, np.ndarray], name: str, given: Mapping[str, Any]) -> bool:
    """Whether being equal to a stage says something: it is no round number, constant, input or other stage.

    A mask is told where both values stand in it.
    """
    if stage.dtype.kind not in "bf" or stage.size == 0:
        return False
    finite = stage[np.isfinite(stage)]
    if stage.size == 1 and not (finite.size and abs(finite * 4 - np.rint(finite * 4)).min() > _ROUND):
        return False
    if stage.size > 1 and kinds(finite) < 2:
        return False
    arrays = [one for one in given.values() if isinstance(one, np.ndarray)]
    others = [one for other, one in stages.items() if other != name]
    return not any(_is(one, stage) is not None for one in (*arrays, *others))


def _is(stage: np.ndarray, found: np.ndarray) -> str | None:
    """In which form an array is a stage: `""` as it stands, transposed, another shape; `None` for no stage.

    In another shape it has more or fewer axes of one entry.
    """
    if found.dtype.kind not in "biuf" or (stage.dtype.kind == "b") != (found.dtype.kind == "b"):
        return None
    if stage.shape == found.shape and _equal(stage, found):
        return ""
    if stage.ndim == found.ndim >= 2:
        other = np.swapaxes(stage, -1, -2)
        if other.shape == found.shape and _equal(other, found):
            return TRANSPOSED
    a, b = np.squeeze(stage), np.squeeze(found)
    if a.shape == b.shape and a.ndim and _equal(a, b):
        return RESHAPED
    return None


def _equal(stage: np.ndarray, found: np.ndarray) -> bool:
    """Whether two arrays are the same but for rounding: nearer than checks ask, since near is not equal."""
    if stage.dtype.kind == "b":
        return bool((stage == found).all())
    narrow = min(one.dtype.itemsize for one in (stage, found) if one.dtype.kind == "f") < 8
    rounding = _NARROW if narrow else _WIDE
    largest = np.abs(stage[np.isfinite(stage)]).max(initial=0)
    if found.size and abs(found.item(0) - stage.item(0)) > 2 * rounding * largest:  # so do most, if not nan
        return False
    return bool(np.isclose(found, stage, rounding, rounding * largest, equal_nan=True).all())
