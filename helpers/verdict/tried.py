"""What a check has tried, in a line: counted in the calls that it made, so that it cannot say too much."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from helpers.exercises.base import Case, Exercise, MustRaise
from helpers.offered import blanks

LARGE = 1000
"""From here on a number is worth telling."""

RANGES = 3
"""So many of the plain numbers among the arguments are told."""


def tried(exercise: Exercise, cases: Sequence[Case], rights: Iterable[Any] = ()) -> str:
    """How many calls a check made and of which kinds, or `""` where that says nothing.

    Args:
        exercise: its record; of a test that meets suspects, the verdict says it all.
        cases: the calls.
        rights: the right result of each.
    """
    if exercise.lineup or not any(case.args for case in cases):
        return ""
    if exercise.handed_a_function:
        kinds = {case.args["kind"] for case in cases}
        return f"Tried on {len(cases)} functions of {len(kinds)} kinds."
    refused = ["sizes that must be refused"] if any(isinstance(one, MustRaise) for one in rights) else []
    told = ", ".join([*_of_arrays(cases), *_of_numbers(cases, blanks().get(exercise.name, "")), *refused])
    return f"Tried on {len(cases)} inputs{': ' if told else ''}{told}."


def _of_arrays(cases: Sequence[Case]) -> Iterator[str]:
    arrays = [array for case in cases for array in _arrays(case.args)]
    floats = [array for array in arrays if array.dtype.kind == "f"]
    widths = sorted({array.dtype.name for array in floats})
    if len(widths) > 1:
        yield " and ".join(widths)
    yield from _of_axes(cases)
    finite = [np.abs(array[np.isfinite(array)]).max(initial=0) for array in floats]
    if max(finite, default=0) >= LARGE:
        yield f"numbers of up to {_written(max(finite))}"
    if any(np.isneginf(array).any() for array in floats):
        yield "−∞"
    masks = [array for array in arrays if array.dtype.kind == "b"]
    if masks:
        yield "masks"
    if any(array.ndim and not array.any(axis=-1).all() for array in masks):
        yield "rows with nothing allowed"
    if any(array.ndim > 1 and min(array.shape) == max(array.shape) > 1 for array in _firsts(cases)):
        yield "square arrays"
    if any(name.startswith("upstream") for case in cases for name in case.args):
        yield "gradients"


def _of_axes(cases: Sequence[Case]) -> Iterator[str]:
    axes = [one.ndim for one in _firsts(cases)]
    if axes and max(axes) > min(axes):
        yield f"{min(axes)} to {max(axes)} axes"


def _firsts(cases: Sequence[Case]) -> list[np.ndarray]:
    """The first argument of each call, where it is an array."""
    firsts = [next(iter(case.args.values()), None) for case in cases]
    return [one for one in firsts if isinstance(one, np.ndarray)]


def _of_numbers(cases: Sequence[Case], blank: str) -> Iterator[str]:
    """From where to where plain numbers go; a name that the answer's cell does not have says nothing."""
    words, found = set(re.findall(r"\w+", blank)), {}
    for case in cases:
        for name, value in case.args.items():
            if isinstance(value, int | float) and not isinstance(value, bool) and name in words:
                found.setdefault(name, []).append(value)
    ranges = [(name, min(given), max(given)) for name, given in found.items() if min(given) < max(given)]
    for name, low, high in ranges[:RANGES]:
        yield f"`{name}` from {_written(low)} to {_written(high)}"


def _arrays(args: Mapping[str, Any]) -> Iterator[np.ndarray]:
    for value in args.values():
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, Mapping):
            yield from _arrays(value)


def _written(number: float) -> str:
    """A number with its thousands apart, and no more than three digits behind the point."""
    if abs(number) >= 1e9:
        return f"{number:.0e}".replace("e+", "e")
    whole = number == int(number) or abs(number) >= LARGE
    text = f"{number:,.0f}" if whole else np.format_float_positional(float(f"{number:.3g}"), trim="-")
    return text.replace("-", "−")
