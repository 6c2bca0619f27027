"""What a wrong result looks like beside the right one: turned, cut short, negated, multiplied.

A last resort after the known mistakes: it needs no program, only the two arrays.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.compare import tolerance

Args = Mapping[str, Any]


@dataclass(frozen=True)
class Resemblance:
    """One way in which a wrong result can come from the right one.

    Attributes:
        id: short name of the mistake.
        hint: what to look at.
        look: takes the right array, the learner's and the arguments of the call; returns what to say, or
            `None` where it does not fit.
        exact: whether it must say the same of every call, numbers included.
    """

    id: str
    hint: str
    look: Callable[[np.ndarray, np.ndarray, Args], str | None]
    exact: bool = False


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape:
        return False
    return bool(np.allclose(one, other, *tolerance(other), equal_nan=True))


def _same_size(right: np.ndarray, got: np.ndarray) -> bool:
    return right.size == got.size and right.size > 1


def _is(make: Callable[[np.ndarray], np.ndarray], says: str) -> Callable[..., str | None]:
    """Whether the learner's result is what `make` does to the right one."""

    def look(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
        if right.dtype.kind == "b" or got.dtype.kind == "b":
            return None
        return says if _close(got, make(right)) else None

    return look


def _keepdims(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    ones = got.ndim > right.ndim and got.size == right.size
    same_sizes = [n for n in got.shape if n > 1] == [n for n in right.shape if n > 1]
    if ones and same_sizes and _close(got.ravel(), right.ravel()):
        return f"The numbers are right, but your result has an axis too many: its shape is {got.shape}."
    return None


def _axis_lost(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.ndim < right.ndim and _same_size(right, got) and _close(got.ravel(), right.ravel()):
        return "The numbers are right and in order, but your result lacks axes: it is too flat."
    return None


def _axes_swapped(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.ndim != right.ndim or right.ndim > 5 or right.ndim < 2:
        return None
    for order in itertools.permutations(range(right.ndim)):
        if order != tuple(range(right.ndim)) and _close(got, right.transpose(order)):
            return f"The numbers are right, but the axes stand in another order: {order} of the right ones."
    return None


def _reshaped(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if _same_size(right, got) and got.shape != right.shape and _close(got.ravel(), right.ravel()):
        return "The numbers come in the right order, but in another shape."
    return None


def _last_missing(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    for axis in range(right.ndim):
        n = right.shape[axis]
        for place, keep in (("last", slice(0, n - 1)), ("first", slice(1, n))):
            index = (slice(None),) * axis + (keep,)
            if n > 1 and got.ndim == right.ndim and _close(got, right[index]):
                return f"The {place} entry along axis {axis} is missing."
            rest = (slice(None),) * axis + (slice(n - 1, n) if place == "last" else slice(0, 1),)
            zeros = got.shape == right.shape and n > 1 and not got[rest].any() and right[rest].any()
            if zeros and _close(got[index], right[index]):
                return f"The {place} entry along axis {axis} is left at zero."
    return None


def _first_of_batch(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if right.ndim < 3 or right.shape[0] < 2:
        return None
    if (
        _close(got, right[0])
        or _close(got, right[:1])
        or _close(got, np.broadcast_to(right[:1], right.shape))
    ):
        return "Only the first sequence of the batch counts in your result."
    return None


def _first_row(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if right.ndim < 2 or right.shape[-2] < 2:
        return None
    first = right[..., :1, :]
    return "Only the first row comes back." if _close(got, first) or _close(got, first[..., 0, :]) else None


def _diagonal(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if right.ndim < 2 or min(right.shape[-2:]) < 2:
        return None
    paired = np.diagonal(right, axis1=-2, axis2=-1)
    return "Row i is paired with row i only: your numbers are the diagonal." if _close(got, paired) else None


def _first_of_batch_right(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if right.ndim < 3 or right.shape != got.shape or right.shape[0] < 2:
        return None
    if _close(got[0], right[0]) and not any(_close(got[i], right[i]) for i in range(1, len(right))):
        return "Only the first sequence of the batch is right."
    return None


def _not_summed(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.ndim != right.ndim + 1 or got.dtype.kind == "b" or right.dtype.kind != "f":
        return None
    axes = [axis for axis in range(got.ndim) if got.shape[axis] > 1]
    if any(_close(got.sum(axis), right) for axis in axes):
        return "The last sum is missing: added up along one axis, your result would be right."
    return None


def _one_number(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if right.size < 2 or got.size != 1 or right.dtype.kind != "f":
        return None
    number = np.asarray(got, float).ravel()
    kinds = {"the sum": right.sum(), "the mean": right.mean(), "the largest": right.max()}
    name = next((name for name, value in kinds.items() if _close(number, np.asarray([value]))), None)
    return f"Your result is one number: {name} of all entries." if name else None


def _input_returned(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    for name, value in args.items():
        if isinstance(value, np.ndarray) and value.size > 1 and _close(got, value):
            return f"Your result is the input {name} as it came."
    return None


def _input_added(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.shape != right.shape or right.dtype.kind != "f" or got.dtype.kind != "f" or right.size < 2:
        return None
    for name, value in args.items():
        fits = isinstance(value, np.ndarray) and value.shape == right.shape and value.dtype.kind == "f"
        if fits and _close(got, right + value):
            return f"You added the input {name} to the result."
    return None


def _normalised(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.shape != right.shape or right.ndim < 1 or right.shape[-1] < 3 or right.dtype.kind != "f":
        return None
    spread = right.std(-1, keepdims=True)
    with np.errstate(all="ignore"):
        layer = (right - right.mean(-1, keepdims=True)) / np.sqrt(spread**2 + 1e-5)
    fits = np.allclose(got, layer, rtol=1e-3, atol=1e-3) and not np.allclose(got, right, rtol=1e-3, atol=1e-3)
    return "Your result is normalised: each row has mean 0 and spread 1." if fits else None


def _softmaxed(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.shape != right.shape or right.ndim < 1 or right.dtype.kind != "f" or right.shape[-1] < 2:
        return None
    if not np.isfinite(right).all():
        return None
    powers = np.exp(right - right.max(-1, keepdims=True))
    return (
        "You applied a softmax to the result."
        if _close(got, powers / powers.sum(-1, keepdims=True))
        else None
    )


def _constant_factor(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    factor = _factor(right, got)
    if factor is None:
        return None
    sizes = {size for value in args.values() if isinstance(value, np.ndarray) for size in value.shape}
    sizes |= {value for value in args.values() if isinstance(value, int) and not isinstance(value, bool)}
    for size in sorted(size for size in sizes if size > 1):
        roots = {1 / size: f"divided by {size}", size: f"multiplied by {size}"}
        roots |= {size**-0.5: f"divided by the square root of {size}"}
        roots |= {size**0.5: f"multiplied by the square root of {size}"}
        for value, says in roots.items():
            if np.isclose(factor, value, rtol=1e-4):
                return f"Your result is the right one {says}, which is a size of your inputs."
    return None


def _plain_factor(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    factor = _factor(right, got)
    return factor and f"Your result is the right one times {factor:.4g}, everywhere."


def _factor(right: np.ndarray, got: np.ndarray) -> float | None:
    if got.shape != right.shape or right.dtype.kind != "f" or got.dtype.kind not in "fiu" or right.size < 3:
        return None
    largest = np.unravel_index(np.abs(right).argmax(), right.shape)
    if not np.isfinite(right).all() or not np.isfinite(got).all() or abs(right[largest]) < 1e-6:
        return None
    factor = float(got[largest] / right[largest])
    several = np.unique(np.abs(right)).size > 2
    return factor if several and factor not in (0.0, -1.0) and _close(got, factor * right) else None


def _mean_for_sum(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    factor = _factor(right, got)
    widths = {value.shape[-1] for value in args.values() if isinstance(value, np.ndarray) and value.ndim}
    widths |= {value.shape[-2] for value in args.values() if isinstance(value, np.ndarray) and value.ndim > 1}
    found = factor and next((n for n in widths if n > 1 and np.isclose(factor, 1 / n, rtol=1e-4)), None)
    return (
        f"Your result is the right one divided by {found}: you took a mean instead of a sum."
        if found
        else None
    )


def _root_divided(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    factor = _factor(right, got)
    widths = {value.shape[-1] for value in args.values() if isinstance(value, np.ndarray) and value.ndim}
    found = factor and next((n for n in widths if n > 1 and np.isclose(factor, n**-0.5, rtol=1e-4)), None)
    return (
        f"Your result is the right one divided by the square root of {found}; here nothing is scaled."
        if found
        else None
    )


def _other_places(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.shape != right.shape or right.size < 4 or right.dtype.kind != "f" or got.dtype.kind != "f":
        return None
    if _close(np.sort(got.ravel()), np.sort(right.ravel())):
        return "The numbers are the right ones, but they stand in other places."
    return None


def _zeros(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    zero = got.shape == right.shape and got.size > 1 and not got.any()
    return "Your result is zero everywhere." if zero and right.any() else None


def _rolled(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.shape != right.shape or right.size < 3:
        return None
    for axis in range(right.ndim):
        for step in (1, -1):
            if right.shape[axis] > 2 and _close(got, np.roll(right, step, axis)):
                return (
                    f"Every entry stands one place too {'far' if step == 1 else 'early'} along axis {axis}."
                )
    return None


def _reversed(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.shape != right.shape or right.size < 2:
        return None
    for axis in range(right.ndim):
        if right.shape[axis] > 1 and _close(got, np.flip(right, axis)):
            return f"Your result runs backwards along axis {axis}."
    return None


def _too_many(right: np.ndarray, got: np.ndarray, args: Args) -> str | None:
    if got.ndim != right.ndim:
        return None
    for axis in range(right.ndim):
        n = right.shape[axis]
        if got.shape[axis] == n + 1:
            parts = [got[(slice(None),) * axis + (slice(a, a + n),)] for a in (0, 1)]
            if any(part.shape == right.shape and _close(part, right) for part in parts):
                return f"Your result has one entry too many along axis {axis}."
    return None


_NARROW = "You lose the digits after the point: "
RESEMBLANCES = (
    Resemblance("keepdims-left", "Which step keeps an axis of size 1?", _keepdims),
    Resemblance("shape-flattened", "Which step removes an axis?", _axis_lost),
    Resemblance(
        "sign-flipped", "Where does a minus sign come in?", _is(lambda r: -r, "Every sign is turned round.")
    ),
    Resemblance(
        "lost-sign",
        "Where could a minus sign get lost: `abs`, a square, a clip?",
        _is(np.abs, "The numbers are right, but the minus signs are lost."),
    ),
    Resemblance(
        "lost-sign",
        "Where could negative numbers get lost: `maximum`, `clip`, a comparison?",
        _is(lambda r: np.maximum(r, 0), "Your negative numbers became 0."),
    ),
    Resemblance(
        "truncates-to-int",
        "Look for `int`, `//`, `round` or an array made for integers.",
        _is(np.trunc, _NARROW + "each number is cut off to an integer."),
    ),
    Resemblance(
        "truncates-to-int",
        "Look for `//` or `floor`.",
        _is(np.floor, _NARROW + "each number is rounded down to an integer."),
    ),
    *(
        Resemblance(
            "truncates-to-int",
            "Look for `round`: results are compared with all their digits.",
            _is(lambda r, k=k: np.round(r, k), f"{_NARROW}each number is rounded to {k} digits."),
        )
        for k in range(5)
    ),
    Resemblance("returns-input", "Does what you computed reach the `return`?", _input_returned),
    Resemblance("weights-ignored", "Does what you computed reach the result?", _zeros),
    Resemblance(
        "first-batch-only", "Leave the leading axes alone: `[0]` and `[:1]` drop sequences.", _first_of_batch
    ),
    Resemblance("returned-inside-loop", "Where does your loop end: is a `return` inside it?", _first_row),
    Resemblance("rows-paired", "Every row of one array should meet every row of the other.", _diagonal),
    Resemblance("axes-out-of-order", "Write the shape behind each line of your code.", _axes_swapped),
    Resemblance("shape-flattened", "Which line changes the shape last?", _reshaped),
    Resemblance(
        "last-left-out", "Where does your loop or slice begin, and where does it end?", _last_missing
    ),
    Resemblance("off-by-one", "Count the entries: `range(n)` has n of them.", _too_many),
    Resemblance("off-by-one", "Check where your counting starts.", _rolled),
    Resemblance("wrong-order", "In which direction do you loop, or slice?", _reversed),
    Resemblance("no-sum", "Over which axis should be added up?", _not_summed),
    Resemblance("softmax-over-everything", "Which axis should remain?", _one_number),
    Resemblance("extra-residual", "Return the result alone.", _input_added),
    Resemblance("extra-layernorm", "Return the numbers as they are.", _normalised),
    Resemblance("softmax-too-early", "Return the numbers as they are.", _softmaxed),
    Resemblance(
        "extra-nonlinearity",
        "Return the numbers as they are.",
        _is(np.tanh, "You applied tanh to the result."),
    ),
    Resemblance("mean-instead-of-sum", "Look for `mean` or a division.", _mean_for_sum),
    Resemblance("scaled-too-early", "Look for a division by a square root.", _root_divided),
    Resemblance(
        "constant-factor",
        "Look for a factor or a divisor too many, or one that is missing.",
        _plain_factor,
        exact=True,
    ),
    Resemblance(
        "constant-factor",
        "Look for a factor or a divisor too many, or one that is missing.",
        _constant_factor,
    ),
    Resemblance("first-batch-only", "Which step drops the batch axis?", _first_of_batch_right),
    Resemblance("out-of-place", "Compare the shapes before and after each reshape or swap.", _other_places),
)
