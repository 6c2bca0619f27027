"""How a likeness is found between a right result and a learner's, and where it could not show.

Each takes the right array, the learner's and the arguments of the call.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.arrays import kinds
from helpers.exercises.compare import tolerance
from helpers.exercises.wrong.generic import standard_rows

Args = Mapping[str, Any]
Array = np.ndarray
Found = tuple | bool | None
Find = Callable[[Array, Array, Args], Found]
Silent = Callable[[Array, Array, Args, Found], bool]


def close(one: Array, other: Array) -> bool:
    """Whether two arrays are equal but for rounding."""
    if one.shape != other.shape:
        return False
    return bool(np.allclose(one, other, *tolerance(other), equal_nan=True))


def _numbers(right: Array, got: Array) -> bool:
    return right.dtype.kind != "b" and got.dtype.kind != "b"


def whole_numbers(right: Array, got: Array) -> bool:
    """Whether digits may have been lost: what is 0 everywhere, but for rounding, tells nothing."""
    return _numbers(right, got) and bool((np.abs(got) > 1e-6).any())


def floats(*arrays: Array) -> bool:
    """Whether arrays hold floats and have one shape."""
    return all(one.dtype.kind == "f" and one.shape == arrays[0].shape for one in arrays)


def batch(right: Array, got: Array) -> bool:
    """Whether there is more than one sequence."""
    return right.ndim > 2 and right.shape[0] > 1


def last_sequence(right: Array) -> Array:
    """The last matrix of a batch."""
    return right.reshape(-1, *right.shape[-2:])[-1]


def matrix(right: Array, got: Array) -> bool:
    """Whether there is more than one row."""
    return right.ndim > 1 and right.shape[-2] > 1


@dataclass(frozen=True)
class Look:
    """How a likeness is found, where it could not show, and whether it must say the same of every call."""

    find: Find
    silent: Silent
    exact: bool = False


def look(find: Find, silent: Callable[[Array], bool] = lambda right: False) -> Look:
    """A likeness that could not show where the right result itself looks so, nor where `silent` says so."""
    return Look(find, lambda right, got, args, found: silent(right) or bool(find(right, right, args)))


def made_by(*makes: Callable[[Array], Array], fits: Callable[[Array, Array], bool] = _numbers) -> Look:
    """Whether the learner's result is what one of `makes` does to the right one, where `fits` holds."""
    return look(
        lambda right, got, args: fits(right, got) and any(close(got, make(right)) for make in makes),
        lambda right: not fits(right, right),
    )


def same_numbers(right: Array, got: Array) -> bool:
    """Whether the same numbers stand in both, wherever they stand."""
    return close(np.sort(got, None), np.sort(right, None))


def in_order(right: Array, got: Array, least: int = 2) -> bool:
    """Whether the same numbers come in the same order, whatever the shapes."""
    return least <= right.size == got.size and close(got.ravel(), right.ravel())


def axis_left(right: Array, got: Array, args: Args) -> Found:
    """An axis of size 1 too many."""
    same_sizes = [n for n in got.shape if n > 1] == [n for n in right.shape if n > 1]
    return (got.shape,) if got.ndim > right.ndim and same_sizes and in_order(right, got, 0) else None


def axis_gone(right: Array, got: Array, args: Args) -> bool:
    """An axis of size 1 too few."""
    same_sizes = [n for n in got.shape if n > 1] == [n for n in right.shape if n > 1]
    return got.ndim < right.ndim and same_sizes and in_order(right, got)


def axes_swapped(right: Array, got: Array, args: Args) -> Found:
    """The order in which the right axes stand."""
    axes = range(right.ndim if right.ndim == got.ndim < 6 else 0)
    orders = itertools.islice(itertools.permutations(axes), 1, None)  # the first is the right one
    return next(((order,) for order in orders if close(got, right.transpose(order))), None)


def _by_axis(right: Array, got: Array) -> Iterator[tuple[int, Array, Array]]:
    """Each axis, and both arrays with this axis in front; nothing where they have not as many."""
    for axis in range(right.ndim if right.ndim == got.ndim else 0):
        yield axis, right.swapaxes(0, axis), got.swapaxes(0, axis)


def last_missing(right: Array, got: Array, args: Args) -> Found:
    """Where an end of an axis is missing, or 0."""
    ends = (("last", slice(None, -1), slice(-1, None)), ("first", slice(1, None), slice(None, 1)))
    for axis, whole, mine in _by_axis(right, got):
        for place, keep, rest in ends if len(whole) > 1 else ():
            if close(mine, whole[keep]):
                return place, axis, "missing"
            if _left_at_zero(mine, whole, rest) and close(mine[keep], whole[keep]):
                return place, axis, "left at zero"
    return None


def _left_at_zero(mine: Array, whole: Array, rest: Any) -> bool:
    return mine.shape == whole.shape and not mine[rest].any() and bool(whole[rest].any())


def frame_at_zero(right: Array, got: Array, args: Args) -> Found:
    """The last row and column, or the first, as loops make it that all miss one round."""
    if right.ndim < 2 or right.shape != got.shape or not right.any():
        return None
    for place, kept in (("last", slice(None, -1)), ("first", slice(1, None))):
        inner = np.zeros_like(right)
        inner[..., kept, kept] = right[..., kept, kept]
        if inner.any() and close(got, inner) and not close(got, right):
            return (place,)
    return None


def along(shows: Callable[[Array, Array], bool], least: int) -> Look:
    """The first axis along which arrays show something, this axis in front; in shorter ones it cannot."""
    return look(
        lambda right, got, args: next(((i,) for i, a, b in _by_axis(right, got) if shows(a, b)), None),
        lambda right: min(right.shape, default=0) < least,
    )


def first_right(right: Array, got: Array, args: Args) -> Found:
    """The first sequence right, and all others not."""
    if not batch(right, got) or right.shape != got.shape:
        return None
    return close(got[0], right[0]) and not any(close(got[i], right[i]) for i in range(1, len(right)))


def not_summed(right: Array, got: Array, args: Args) -> Found:
    """An array that is right once it is added up along an axis."""
    if got.ndim != right.ndim + 1 or got.dtype.kind == "b" or right.dtype.kind != "f":
        return None
    return any(close(got.sum(axis), right) for axis in range(got.ndim) if got.shape[axis] > 1)


def summed_away(right: Array, got: Array, args: Args) -> Found:
    """The axis along which the right result was added up."""
    if got.ndim != right.ndim - 1 or got.ndim < 1 or right.dtype.kind != "f":
        return None
    axes = (axis for axis in range(right.ndim) if right.shape[axis] > 1)
    return next(((axis,) for axis in axes if close(got, right.sum(axis))), None)


def one_number(right: Array, got: Array, args: Args) -> Found:
    """Which single number of the right result this is."""
    if right.size < 2 or got.size != 1 or right.dtype.kind != "f":
        return None
    number = np.asarray(got, float).ravel()
    kinds = {"the sum": right.sum(), "the mean": right.mean(), "the largest": right.max()}
    return next(((name,) for name, value in kinds.items() if close(number, np.asarray([value]))), None)


def _arrays(args: Args) -> dict[str, Array]:
    return {name: value for name, value in args.items() if isinstance(value, np.ndarray)}


def with_input(fits: Callable[[Array, Array, Array], bool]) -> Look:
    """The first input of which something holds beside the right result and the learner's."""
    return look(
        lambda right, got, args: next(
            ((name,) for name, value in _arrays(args).items() if fits(right, got, value)), None
        )
    )


def rows_of(least: int, right: Array) -> bool:
    """Whether there are rows of so many numbers."""
    return right.dtype.kind == "f" and right.ndim > 0 and right.shape[-1] >= least


def normalised(right: Array, got: Array, args: Args) -> Found:
    """Each row brought to mean 0 and spread 1."""
    if got.shape != right.shape or not rows_of(2, right):
        return None
    near, same = (np.allclose(got, one, rtol=1e-3, atol=1e-3) for one in (standard_rows(right), right))
    return near and not same


def _factor(right: Array, got: Array) -> float | None:
    """The one number by which the right result is multiplied; 0 and -1 have names of their own."""
    if got.shape != right.shape or right.dtype.kind != "f" or got.dtype.kind not in "fiu" or right.size < 3:
        return None
    largest = np.unravel_index(np.abs(right).argmax(), right.shape)
    if not np.isfinite(right).all() or not np.isfinite(got).all() or abs(right[largest]) < 1e-6:
        return None
    factor = float(got[largest] / right[largest])
    several = kinds(np.abs(right)) > 2
    return factor if several and factor not in (0.0, -1.0) and close(got, factor * right) else None


def _ratio(right: Array, got: Array) -> float | None:
    """The same of two single numbers: it tells something where it comes back in every call."""
    if right.dtype.kind != "f" or got.ndim or got.dtype.kind not in "fiu" or abs(right) < 1e-6:
        return None
    factor = float(got / right)
    return factor if np.isfinite(factor) and factor not in (0.0, -1.0) else None


def held(right: Array, got: Array, args: Args) -> Found:
    """The number below which nothing is, or above which, where the right result goes on."""
    if not floats(right, got) or kinds(got) < 3 or not np.isfinite([right, got]).all():
        return None
    for end, low, high in (("below", got.min(), None), ("above", None, got.max())):
        held = right.clip(low, high)
        beyond = ~np.isclose(held, right, *tolerance(right))
        if beyond.any() and not beyond.all() and close(got, held):
            return (end, float(held[beyond][0]))
    return None


def within_the_bound(right: Array, got: Array, args: Args, found: Found) -> bool:
    """Whether no number of the right result lies beyond the bound that was found elsewhere."""
    end, bound = found
    held = right.clip(bound, None) if end == "below" else right.clip(None, bound)
    return close(held, right)


def plain_factor(right: Array, got: Array, args: Args) -> Found:
    """The one number by which the right result is multiplied, also a single one; none that is told as 1."""
    factor = _factor(right, got) if right.ndim else _ratio(right, got)
    return (factor,) if factor and f"{factor:.4g}" != "1" else None


POWERS = {-1: "divided by", 1: "multiplied by", -0.5: "divided by the square root of"}
POWERS |= {0.5: "multiplied by the square root of"}


def _power(factor: float | None, sizes: Iterable[int], powers: Iterable[float]) -> Found:
    """What power of which size a factor is."""
    tried = ((size, power) for size in sorted(sizes) for power in powers if size > 1 and factor)
    near = (pair for pair in tried if np.isclose(factor, float(pair[0]) ** pair[1], rtol=1e-4))
    return next(((POWERS[power], size) for size, power in near), None)


def _sizes(args: Args, last: int = 0) -> set[int]:
    """The sizes of the inputs, or the last ones of each, and numbers that may be sizes."""
    numbers = {n for n in args.values() if isinstance(n, int) and not isinstance(n, bool) and not last}
    return numbers.union(*(a.shape[-last:] for a in _arrays(args).values()))


def scaled(powers: Iterable[float], last: int = 0) -> Look:
    """Whether the result is multiplied with one of these powers of a size; with the size 1 it cannot show."""

    def silent(right: Array, got: Array, args: Args, found: Found) -> bool:
        power = next(power for power, says in POWERS.items() if says == found[0])
        return any(close(got, right * float(n) ** power) for n in _sizes(args, last) if n > 0)

    return Look(lambda right, got, args: _power(_factor(right, got), _sizes(args, last), powers), silent)


def near(right: Array, got: Array, args: Args) -> Found:
    """A single number made of single numbers, off by more than rounding and less than a quarter."""
    if right.ndim or not floats(right, got) or _arrays(args) or not right:
        return None
    return 1e-5 < abs(got / right - 1) < 0.25


BY_COLUMNS: tuple[Callable[[Array], Array], ...] = (
    lambda r: r.ravel(order="F").reshape(r.shape),
    lambda r: r.ravel().reshape(r.shape, order="F"),
    lambda r: r.reshape(-1, r.shape[-1]).reshape(r.shape, order="F"),
)


def last_cannot_miss(right: Array) -> bool:
    """Whether along some axis there is one entry only, or an end with nothing but zeros."""
    ends = ((len(one), one[:1].any(), one[-1:].any()) for _, one, _ in _by_axis(right, right))
    return right.ndim == 0 or any(size < 2 or not first or not last for size, first, last in ends)


def few_rows(right: Array) -> bool:
    """Whether there are no rows that mean 0 and spread 1 would change."""
    return not rows_of(2, right) or np.allclose(standard_rows(right), right, rtol=1e-3, atol=1e-3)
