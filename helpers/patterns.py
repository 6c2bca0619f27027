"""Which calls are right and which are wrong: what a mistake that no program explains gives away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from helpers.exercises.base import Case

KEPT_HINT = "Which name in your code outlives the call: a global, a default argument, an attribute?"


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
    """

    holds: Callable[[Case], bool]
    wrong: str = ""
    right: str = ""
    wrong_id: str | None = None
    right_id: str | None = None
    hint: str = ""


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


def _narrow(case: Case) -> bool:
    return any(array.dtype == np.float32 for array in _arrays(case))


PATTERNS = (
    Pattern(
        lambda case: case.again,
        wrong="The same call gives another result the second time: something is kept between calls.",
        wrong_id="state-between-calls",
        hint=KEPT_HINT,
    ),
    *(
        Pattern(
            lambda case, axes=axes: _axes(case) == axes,
            right=f"It is right only for arrays with {axes} {'axis' if axes == 1 else 'axes'}.",
            right_id="fixed-number-of-axes",
            hint="Count axes from the end (-1, -2), so that any number may stand in front.",
        )
        for axes in (1, 2, 3, 4)
    ),
    Pattern(
        _square,
        right="It is right only where all sizes are equal: somewhere one size is taken for another.",
        right_id="square-only",
        hint="Take each size from the array it belongs to, and write the shapes beside your lines.",
    ),
    Pattern(
        _narrow,
        wrong="It is wrong only for float32.",
        right="It is right only for float32.",
        hint="Does your code create an array of a fixed type?",
    ),
    Pattern(_blocked, wrong="It is wrong only where some query may look at no key at all."),
    Pattern(
        _large,
        wrong="It is wrong only for large numbers.",
        hint="Follow the largest number through your code: does it overflow, or is it cut off?",
    ),
    Pattern(
        lambda case: _mask(case) is not None,
        wrong="It is wrong only with a mask.",
        right="It is right only with a mask.",
        hint="Follow `allowed` through your code.",
    ),
)


def pattern(cases: Sequence[Case], wrong: Sequence[int]) -> tuple[str, str | None, str] | None:
    """What sets the wrong calls apart from the right ones: a sentence, the mistake's id or `None`, a hint.

    Args:
        cases: the calls that were made.
        wrong: the numbers of those that are wrong.

    Returns:
        `None` when no kind of call alone is wrong, or alone is right.
    """
    bad = set(wrong)
    for one in PATTERNS:
        of_kind = {number for number, case in enumerate(cases) if one.holds(case)}
        once = {
            number for number in of_kind if not cases[number].again
        }  # one call proves nothing of the rest
        rest = set(range(len(cases))) - of_kind
        if one.wrong and bad <= of_kind and rest and 3 * len(bad) >= len(of_kind):
            return one.wrong, one.wrong_id, one.hint
        if one.right and bad == rest and once:
            return one.right, one.right_id, one.hint
    return None
