"""Which calls are right and which are wrong: what a mistake that no program explains gives away."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from helpers.exercises.base import Case

KEPT_HINT = "Which name in your code outlives the call: a global, a default argument, an attribute?"


Found = tuple[str, str | None, str]
"""A sentence, the mistake's id or `None`, a hint."""


@dataclass(frozen=True)
class Pattern:
    """A kind of call that alone goes wrong, or alone goes right.

    Attributes:
        holds: whether a call is of this kind.
        wrong: said when these calls alone are wrong, or `""`.
        right: said when these calls alone are right, or `""`.
        wrong_id: id of the mistake in the first case, where there can be only one.
        right_id: the same in the second.
        hint: what to look at, or `""`.
        share: of the calls of this kind so many must be wrong, for `wrong` to be said.
    """

    holds: Callable[[Case], bool]
    wrong: str = ""
    right: str = ""
    wrong_id: str | None = None
    right_id: str | None = None
    hint: str = ""
    share: float = 1 / 3


def _arrays(case: Case) -> list[np.ndarray]:
    return [value for value in case.args.values() if isinstance(value, np.ndarray) and value.ndim]


def _axes(case: Case) -> int:
    return max((array.ndim for array in _arrays(case) if array.dtype.kind in "iuf"), default=0)


def _square(case: Case) -> bool:
    return len({size for array in _arrays(case) for size in array.shape}) == 1


def _mask(case: Case) -> np.ndarray | None:
    return next((array for array in _arrays(case) if array.dtype.kind == "b"), None)


def _blocked(case: Case) -> bool:
    mask = _mask(case)
    return mask is not None and bool((~mask).all(axis=-1).any())


def _large(case: Case) -> bool:
    floats = [array for array in _arrays(case) if array.dtype.kind == "f"]
    return any(np.abs(array[np.isfinite(array)]).max(initial=0) >= 100 for array in floats)


def narrow(case: Case) -> bool:
    """Whether a call has float32 inputs."""
    return any(getattr(value, "dtype", None) == np.float32 for value in case.args.values())


EXACT = (
    Pattern(
        lambda case: case.again,
        wrong="The same call gives another result the second time: something is kept between calls.",
        wrong_id="state-between-calls",
        hint=KEPT_HINT,
    ),
    *(
        Pattern(
            lambda case, axes=axes: _axes(case) == axes,
            right=f"Here only calls with {axes} {'axis' if axes == 1 else 'axes'} come out right.",
            right_id="fixed-number-of-axes",
            hint="Which line names a fixed number of axes, by numbers, letters or loops? Count from the end; "
            "in `einsum`, `...` stands for any others.",
        )
        for axes in (1, 2, 3, 4)
    ),
    Pattern(
        _square,
        right="Here only calls with sizes that are all equal come out right: one size is taken for another.",
        right_id="square-only",
        hint="Take each size from the array it belongs to, and write the shapes beside your lines.",
    ),
)
"""Asked before the sizes that are equal in some calls: these tell more."""

ROUGH = (
    Pattern(
        narrow,
        wrong="Here only calls in float32 come out wrong.",
        right="Here only calls in float32 come out right.",
        hint="Does your code make an array of a fixed type, subtract numbers that are nearly equal, "
        "or keep a layer where `.double()` does not find it?",
        share=2 / 3,  # in some exercises most calls are of this kind
    ),
    Pattern(_blocked, wrong="Here only calls in which some query may look at no key come out wrong."),
    Pattern(
        _large,
        wrong="Here only calls with large numbers come out wrong.",
        hint="Follow the largest number through your code: does it overflow, or is it cut off?",
    ),
    Pattern(
        lambda case: _mask(case) is not None,
        wrong="Here only calls with a mask come out wrong.",
        right="Here only calls with a mask come out right.",
        hint="Follow `allowed` through your code.",
    ),
)


_ROWS_AND_WIDTH = {-2: "the rows", -1: "the width"}
_FITS = (
    "What fits there by accident: a transpose too many, another array, a square mask that nobody asked for?"
)
_TAKEN = (
    "Where does one of these sizes stand for the other: in an array that you make, a new shape, a loop, a "
    "transpose too many?"
)


_OURS = ("chunks", "follow", "first_weights", "left", "steps")
"""What a check makes a model of, or cuts its calls by: a learner never sees it, and no sentence names it."""


def _sizes(case: Case) -> dict[str, int]:
    """The last two sizes of each array of numbers, and whole numbers, by what a learner calls them."""
    sizes = {
        f"{called if value.ndim > 1 else 'the entries'} of {name}": value.shape[axis]
        for name, value in case.args.items()
        if isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and name not in _OURS
        for axis, called in _ROWS_AND_WIDTH.items()
        if value.ndim >= -axis
    }
    numbers = {name: value for name, value in case.args.items() if type(value) is int}
    return sizes | {name: value for name, value in numbers.items() if name not in _OURS}


def _equal(one: str, other: str) -> str:
    width = "the width of "
    if one.startswith(width) and other.startswith(width):
        return f"{one.removeprefix(width)} and {other.removeprefix(width)} are equally wide"
    return f"{one} and {other} are equal in number"


def _two_equal_sizes(cases: Sequence[Case], bad: set[int]) -> Found | None:
    """The two sizes that are equal in all wrong calls and in no right one, or the other way round."""
    sizes = [_sizes(case) for case in cases]
    in_all = [name for name in sizes[0] if all(name in one for one in sizes)]
    # of sizes that are equal in every call one is enough
    named = list({tuple(one[name] for one in sizes): name for name in reversed(in_all)}.values())[::-1]
    found: list[Found] = []
    for a, b in itertools.combinations(named, 2):
        equal = {number for number, one in enumerate(sizes) if one[a] == one[b]}
        if len(equal) in (0, len(cases)):
            continue  # equal everywhere or nowhere: it sets nothing apart
        calls = f"Here only calls in which {_equal(a, b)} come out"
        if bad == equal:
            found.append((f"{calls} wrong.", None, _FITS))
        elif bad == set(range(len(cases))) - equal and len(_once(cases, equal)) > 1:
            found.append((f"{calls} right.", "square-only", _TAKEN))
    if len(found) < 2:
        return found[0] if found else None
    kind = found[0][0].rpartition(" ")[2]
    return f"Here only calls in which sizes are equal that may differ come out {kind}", *found[0][1:]


def _once(cases: Sequence[Case], numbers: set[int]) -> set[int]:
    """Without the call that is made again: one call proves nothing of the rest."""
    return {number for number in numbers if not cases[number].again}


def pattern(cases: Sequence[Case], wrong: Sequence[int]) -> Found | None:
    """What sets the wrong calls apart from the right ones: a sentence, the mistake's id or `None`, a hint.

    Args:
        cases: the calls that were made.
        wrong: the numbers of those that are wrong.

    Returns:
        `None` when no kind of call alone is wrong, or alone is right.
    """
    bad = set(wrong)
    return _first(EXACT, cases, bad) or _two_equal_sizes(cases, bad) or _first(ROUGH, cases, bad)


def _first(patterns: Sequence[Pattern], cases: Sequence[Case], bad: set[int]) -> Found | None:
    for one in patterns:
        of_kind = {number for number, case in enumerate(cases) if one.holds(case)}
        rest = set(range(len(cases))) - of_kind
        if one.wrong and bad <= of_kind and rest and len(bad) >= one.share * len(of_kind):
            return one.wrong, one.wrong_id, one.hint
        if one.right and bad == rest and _once(cases, of_kind):
            return one.right, one.right_id, one.hint
    return None
