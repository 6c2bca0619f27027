"""What a wrong result looks like beside the right one: turned, cut short, negated, multiplied.

A last resort after the known mistakes: it needs no program, only the two arrays.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.exercises.compare import tolerance
from helpers.exercises.wrong.generic import softmax, standard_rows
from helpers.exercises.wrong.rows import rows

Args = Mapping[str, Any]
Array = np.ndarray
Found = tuple | bool | None
Find = Callable[[Array, Array, Args], Found]


@dataclass(frozen=True)
class Resemblance:
    """One way in which a wrong result can come from the right one.

    Attributes:
        id: short name of the mistake.
        hint: what to look at.
        says: what the learner did, with a place in braces for each value that was found.
        find: takes the right array, the learner's and the arguments of the call; returns the values, `True`
            where there are none to tell, or nothing where it does not fit.
        exact: whether it must say the same of every call, numbers included.
    """

    id: str
    hint: str
    says: str
    find: Find
    exact: bool

    def look(self, right: Array, got: Array, args: Args) -> str | None:
        """What to say of one call, or `None` where it does not fit."""
        found = self.find(right, got, args)
        return self.says.format(*(found if isinstance(found, tuple) else ())) if found else None


def _close(one: Array, other: Array) -> bool:
    if one.shape != other.shape:
        return False
    return bool(np.allclose(one, other, *tolerance(other), equal_nan=True))


def _numbers(right: Array, got: Array) -> bool:
    return right.dtype.kind != "b" and got.dtype.kind != "b"


def _whole_numbers(right: Array, got: Array) -> bool:
    """Whether digits may have been lost: what is 0 everywhere, but for rounding, tells nothing."""
    return _numbers(right, got) and bool((np.abs(got) > 1e-6).any())


def _floats(*arrays: Array) -> bool:
    return all(one.dtype.kind == "f" and one.shape == arrays[0].shape for one in arrays)


def _batch(right: Array, got: Array) -> bool:
    return right.ndim > 2 and right.shape[0] > 1


def _last_sequence(right: Array) -> Array:
    return right.reshape(-1, *right.shape[-2:])[-1]


def _matrix(right: Array, got: Array) -> bool:
    return right.ndim > 1 and right.shape[-2] > 1


def _is(*makes: Callable[[Array], Array], fits: Callable[[Array, Array], bool] = _numbers) -> Find:
    """Whether the learner's result is what one of `makes` does to the right one, where `fits` holds."""
    return lambda right, got, args: fits(right, got) and any(_close(got, make(right)) for make in makes)


def _in_order(right: Array, got: Array, least: int = 2) -> bool:
    return least <= right.size == got.size and _close(got.ravel(), right.ravel())


def _axis_left(right: Array, got: Array, args: Args) -> Found:
    same_sizes = [n for n in got.shape if n > 1] == [n for n in right.shape if n > 1]
    return (got.shape,) if got.ndim > right.ndim and same_sizes and _in_order(right, got, 0) else None


def _axes_swapped(right: Array, got: Array, args: Args) -> Found:
    axes = range(right.ndim if right.ndim == got.ndim < 6 else 0)
    orders = itertools.islice(itertools.permutations(axes), 1, None)  # the first is the right one
    return next(((order,) for order in orders if _close(got, right.transpose(order))), None)


def _by_axis(right: Array, got: Array) -> Iterator[tuple[int, Array, Array]]:
    """Each axis, and both arrays with this axis in front; nothing where they have not as many."""
    for axis in range(right.ndim if right.ndim == got.ndim else 0):
        yield axis, right.swapaxes(0, axis), got.swapaxes(0, axis)


def _last_missing(right: Array, got: Array, args: Args) -> Found:
    ends = (("last", slice(None, -1), slice(-1, None)), ("first", slice(1, None), slice(None, 1)))
    for axis, whole, mine in _by_axis(right, got):
        for place, keep, rest in ends if len(whole) > 1 else ():
            if _close(mine, whole[keep]):
                return place, axis, "missing"
            if _left_at_zero(mine, whole, rest) and _close(mine[keep], whole[keep]):
                return place, axis, "left at zero"
    return None


def _left_at_zero(mine: Array, whole: Array, rest: Any) -> bool:
    return mine.shape == whole.shape and not mine[rest].any() and bool(whole[rest].any())


def _frame_at_zero(right: Array, got: Array, args: Args) -> Found:
    """The last row and column, or the first, as loops make it that all miss one round."""
    if right.ndim < 2 or right.shape != got.shape or not right.any():
        return None
    for place, kept in (("last", slice(None, -1)), ("first", slice(1, None))):
        inner = np.zeros_like(right)
        inner[..., kept, kept] = right[..., kept, kept]
        if inner.any() and _close(got, inner) and not _close(got, right):
            return (place,)
    return None


def _along(shows: Callable[[Array, Array], bool]) -> Find:
    """The first axis along which the arrays show something, this axis being in front."""
    return lambda right, got, args: next(((i,) for i, a, b in _by_axis(right, got) if shows(a, b)), None)


def _first_right(right: Array, got: Array, args: Args) -> Found:
    if not _batch(right, got) or right.shape != got.shape:
        return None
    return _close(got[0], right[0]) and not any(_close(got[i], right[i]) for i in range(1, len(right)))


def _not_summed(right: Array, got: Array, args: Args) -> Found:
    if got.ndim != right.ndim + 1 or got.dtype.kind == "b" or right.dtype.kind != "f":
        return None
    return any(_close(got.sum(axis), right) for axis in range(got.ndim) if got.shape[axis] > 1)


def _summed_away(right: Array, got: Array, args: Args) -> Found:
    if got.ndim != right.ndim - 1 or got.ndim < 1 or right.dtype.kind != "f":
        return None
    axes = (axis for axis in range(right.ndim) if right.shape[axis] > 1)
    return next(((axis,) for axis in axes if _close(got, right.sum(axis))), None)


def _one_number(right: Array, got: Array, args: Args) -> Found:
    if right.size < 2 or got.size != 1 or right.dtype.kind != "f":
        return None
    number = np.asarray(got, float).ravel()
    kinds = {"the sum": right.sum(), "the mean": right.mean(), "the largest": right.max()}
    return next(((name,) for name, value in kinds.items() if _close(number, np.asarray([value]))), None)


def _arrays(args: Args) -> dict[str, Array]:
    return {name: value for name, value in args.items() if isinstance(value, np.ndarray)}


def _input(fits: Callable[[Array, Array, Array], bool]) -> Find:
    """The first input of which something holds beside the right result and the learner's."""
    return lambda right, got, args: next(
        ((name,) for name, value in _arrays(args).items() if fits(right, got, value)), None
    )


def _rows_of(least: int, right: Array) -> bool:
    return right.dtype.kind == "f" and right.ndim > 0 and right.shape[-1] >= least


def _normalised(right: Array, got: Array, args: Args) -> Found:
    if got.shape != right.shape or not _rows_of(2, right):
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
    several = np.unique(np.abs(right)).size > 2
    return factor if several and factor not in (0.0, -1.0) and _close(got, factor * right) else None


def _ratio(right: Array, got: Array) -> float | None:
    """The same of two single numbers: it tells something where it comes back in every call."""
    if right.dtype.kind != "f" or got.ndim or got.dtype.kind not in "fiu" or abs(right) < 1e-6:
        return None
    factor = float(got / right)
    return factor if np.isfinite(factor) and factor not in (0.0, -1.0) else None


def _held(right: Array, got: Array, args: Args) -> Found:
    """The number below which nothing is, or above which, where the right result goes on."""
    if not _floats(right, got) or np.unique(got).size < 3 or not np.isfinite([right, got]).all():
        return None
    for end, low, high in (("below", got.min(), None), ("above", None, got.max())):
        held = right.clip(low, high)
        beyond = ~np.isclose(held, right, *tolerance(right))
        if beyond.any() and not beyond.all() and _close(got, held):
            return (end, float(held[beyond][0]))
    return None


def _plain_factor(right: Array, got: Array, args: Args) -> Found:
    factor = _factor(right, got) if right.ndim else _ratio(right, got)
    return factor and (factor,)


_POWERS = {-1: "divided by", 1: "multiplied by", -0.5: "divided by the square root of"}
_POWERS |= {0.5: "multiplied by the square root of"}


def _power(factor: float | None, sizes: Iterable[int], powers: Iterable[float]) -> Found:
    """What power of which size a factor is."""
    tried = ((size, power) for size in sorted(sizes) for power in powers if size > 1 and factor)
    near = (pair for pair in tried if np.isclose(factor, float(pair[0]) ** pair[1], rtol=1e-4))
    return next(((_POWERS[power], size) for size, power in near), None)


def _size(right: Array, got: Array, args: Args) -> Found:
    numbers = {n for n in args.values() if isinstance(n, int) and not isinstance(n, bool)}
    return _power(_factor(right, got), numbers.union(*(a.shape for a in _arrays(args).values())), _POWERS)


def _width(last: int, power: float) -> Find:
    """Whether the result is multiplied with this power of one of the last sizes of an input."""
    return lambda right, got, args: _power(
        _factor(right, got), {n for a in _arrays(args).values() for n in a.shape[-last:]}, [power]
    )


def _near(right: Array, got: Array, args: Args) -> Found:
    """A single number made of single numbers, off by more than rounding and less than a quarter."""
    if right.ndim or not _floats(right, got) or _arrays(args) or not right:
        return None
    return 1e-5 < abs(got / right - 1) < 0.25


_BY_COLUMNS: tuple[Callable[[Array], Array], ...] = (
    lambda r: r.ravel(order="F").reshape(r.shape),
    lambda r: r.ravel().reshape(r.shape, order="F"),
    lambda r: r.reshape(-1, r.shape[-1]).reshape(r.shape, order="F"),
)
_LOSE = "You lose the digits after the point: "
RESEMBLANCES = tuple(
    # a factor must be the same in every call, and numbers that are right be so in all
    Resemblance(
        row.id,
        row.hint,
        row.says,
        row.program,
        exact=row.program in (_plain_factor, _held) or row.id == "shape-flattened",
    )
    for row in rows(
        "keepdims-left: The numbers are right, but your result has an axis too many: its shape is {}.",
        "Which step keeps an axis of size 1?",
        _axis_left,
        "shape-flattened: The numbers are right and in order, but your result lacks axes: it is too flat.",
        "Which step removes an axis?",
        lambda right, got, args: got.ndim < right.ndim and _in_order(right, got),
        "sign-flipped: Every sign is turned round.",
        "Where does a minus sign come in?",
        _is(lambda r: -r),
        "lost-sign: The numbers are right, but the minus signs are lost.",
        "Where could a minus sign get lost: `abs`, a square, a clip?",
        _is(np.abs),
        "lost-sign: Your negative numbers became 0.",
        "Where could negative numbers get lost: `maximum`, `clip`, a comparison?",
        _is(lambda r: np.maximum(r, 0)),
        f"truncates-to-int: {_LOSE}each number is cut off to an integer.",
        "Look for `int`, `//`, `round` or an array made for integers.",
        _is(np.trunc, fits=_whole_numbers),
        f"truncates-to-int: {_LOSE}each number is rounded down to an integer.",
        "Look for `//` or `floor`.",
        _is(np.floor, fits=_whole_numbers),
        *(
            part
            for k in range(5)
            for part in (
                f"truncates-to-int: {_LOSE}each number is rounded to {k} digits.",
                "Look for `round`: results are compared with all their digits.",
                _is(lambda r, k=k: np.round(r, k), fits=_whole_numbers),
            )
        ),
        "returns-input: Your result is the input {} as it came.",
        "Does what you computed reach the `return`?",
        _input(lambda right, got, value: value.size > 1 and _close(got, value)),
        "first-batch-only: Only the first sequence of the batch counts in your result.",
        "Leave the leading axes alone: `[0]` and `[:1]` drop sequences.",
        _is(lambda r: r[0], lambda r: r[:1], lambda r: np.broadcast_to(r[:1], r.shape), fits=_batch),
        "overwritten-instead-of-collected: Every sequence of the batch has the result of the last one.",
        "Do your rounds all write into one array?",
        _is(lambda r: np.broadcast_to(_last_sequence(r), r.shape), fits=_batch),
        "returned-inside-loop: Only the first row comes back.",
        "Where does your loop end: is a `return` inside it?",
        _is(lambda r: r[..., :1, :], lambda r: r[..., 0, :], fits=_matrix),
        "rows-paired: Row i is paired with row i only: your numbers are the diagonal.",
        "Every row of one array should meet every row of the other.",
        _is(lambda r: np.diagonal(r, 0, -2, -1), fits=lambda r, got: _matrix(r, got) and r.shape[-1] > 1),
        "axes-out-of-order: The numbers are right, but the axes stand in another order: "
        "{} of the right ones.",
        "Write the shape behind each line of your code.",
        _axes_swapped,
        "shape-flattened: The numbers come in the right order, but in another shape.",
        "Which line changes the shape last?",
        lambda right, got, args: got.shape != right.shape and _in_order(right, got),
        "last-left-out: The {} entry along axis {} is {}.",
        "Where does your loop or slice begin, and where does it end?",
        _last_missing,
        "last-left-out: The {0} row and the {0} column are left at zero.",
        "Where do your loops begin, and where do they end?",
        _frame_at_zero,
        "off-by-one: Your result has one entry too many along axis {}.",
        "Count the entries: `range(n)` has n of them.",
        _along(lambda whole, mine: _close(mine[:-1], whole) or _close(mine[1:], whole)),
        "off-by-one: Every entry stands one place too far along axis {}.",
        "Check where your counting starts.",
        _along(lambda whole, mine: len(whole) > 2 and _close(mine, np.roll(whole, 1, 0))),
        "off-by-one: Every entry stands one place too early along axis {}.",
        _along(lambda whole, mine: len(whole) > 2 and _close(mine, np.roll(whole, -1, 0))),
        "wrong-order: Your result runs backwards along axis {}.",
        "In which direction do you loop, or slice?",
        _along(lambda whole, mine: len(whole) > 1 and _close(mine, whole[::-1])),
        "no-sum: The last sum is missing: added up along one axis, your result would be right.",
        "Over which axis should be added up?",
        _not_summed,
        "axis-summed: Your result is the right one added up along axis {}, which is gone.",
        "Where does that axis go: is there a sum too many, or a letter missing behind an arrow?",
        _summed_away,
        "softmax-over-everything: Your result is one number: {} of all entries.",
        "Which axis should remain?",
        _one_number,
        "extra-residual: You added the input {} to the result.",
        "Return the result alone.",
        _input(lambda r, got, value: _floats(r, got, value) and r.size > 1 and _close(got, r + value)),
        "extra-layernorm: Your result is normalised: each row has mean 0 and spread 1.",
        "Return the numbers as they are.",
        _normalised,
        "extra-residual: You added the input {} and normalised the sum: each row has mean 0 and spread 1.",
        "Which of these steps does the exercise ask for?",
        _input(lambda r, got, value: _floats(r, got, value) and bool(_normalised(r + value, got, {}))),
        "softmax-too-early: You applied a softmax to the result.",
        _is(softmax, fits=lambda right, got: _rows_of(2, right) and right.any() and np.isfinite(right).all()),
        "extra-nonlinearity: You applied tanh to the result.",
        _is(np.tanh),
        "clamped: No number of your result is {} {:.4g}, but right ones are.",
        "Where do you keep numbers from growing or falling: `clip`, `maximum`, `minimum`?",
        _held,
        "mean-instead-of-sum: Your result is the right one {} {}: you took a mean instead of a sum.",
        "Look for `mean` or a division.",
        _width(2, -1),
        "scaled-too-early: Your result is the right one {} {}; here nothing is scaled.",
        "Look for a division by a square root.",
        _width(1, -0.5),
        "constant-factor: Your result is the right one times {:.4g}, everywhere.",
        "Look for a factor or a divisor too many, or one that is missing.",
        _plain_factor,
        "constant-factor: Your result is the right one {} {}, which is a size of your inputs.",
        _size,
        "measured-with-too-few-draws: Your results are near the right ones, but not equal to them.",
        "Does your code draw random numbers? A formula has no scatter.",
        _near,
        "first-batch-only: Only the first sequence of the batch is right.",
        "Which step drops the batch axis?",
        _first_right,
        "out-of-place: The numbers are the right ones, but read by columns where rows should be read.",
        'Is there an `order="F"` in your code, or a transpose beside a `reshape`?',
        _is(*_BY_COLUMNS, fits=lambda right, got: _floats(right, got) and right.size > 3),
        "out-of-place: The numbers are the right ones, but they stand in other places.",
        "Compare the shapes before and after each reshape or swap.",
        lambda r, got, args: _floats(r, got) and r.size > 3 and _close(np.sort(got, None), np.sort(r, None)),
    )
)
