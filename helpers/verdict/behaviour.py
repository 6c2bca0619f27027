"""A wrong answer's behaviour as a short id: where two are equal it is most likely one mistake.

It is made of what the answer comes to on one fixed draw: of each wrong call its kind of outcome, of arrays
their shape, their kind of numbers and how far they lie from the right ones. Of these distances two sums are
rounded, so coarsely that the last bits of a machine, a library or a browser hardly ever change an id.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from helpers.exercises.base import Case, Exercise
from helpers.named_mistakes import LENGTH, LETTERS
from helpers.verdict.judge import examine, right_result

SEED, SIZES = 0, "visible"
"""The draw on which behaviours are compared: the one of a class that is graded."""

WHOLE, ALMOST, LARGEST = 2.0**53, 1e-6, 1e300
"""Up to here whole numbers are exact; so near to one a number is one; farther away nothing is measured."""

_ASIDE = 0.3819660112501051
"""Rounding starts here and not at 0, so that halves, thirds and whole numbers lie on no edge."""

_GOLDEN = (math.sqrt(5) - 1) / 2, math.sqrt(2) - 1
"""Multiples of these, without their whole parts, weigh the entries of a sum: each place counts otherwise."""


def behaviour(exercise: Exercise, cases: Sequence[Case], seen: Sequence[Mapping[str, Any]]) -> str:
    """The id of what a wrong answer does, `""` where it is right, or is none, or is a test.

    Args:
        exercise: its record.
        cases: those of the draw, see `SEED`.
        seen: what the probe saw of them.
    """
    if exercise.enough or exercise.lineup or any(map(_says_nothing, seen)):
        return ""
    rights = [right_result(exercise, case) for case in cases[: len(seen)]]
    calls = zip(cases, rights, seen, strict=False)
    does = [examine(exercise, case, right, one) and _outcome(right, one) for case, right, one in calls]
    if not any(does):
        return ""
    digest = hashlib.blake2b(json.dumps(does).encode(), digest_size=8).digest()
    number, letters = int.from_bytes(digest, "big"), ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(LETTERS))
        letters += LETTERS[place]
    return letters


def _says_nothing(one: Mapping[str, Any]) -> bool:
    """Whether it is not answered, or a browser lacks what it asks for."""
    return "unanswered" in one or one.get("error", {}).get("type") == "NoPyTorch"


def _outcome(right: Any, one: Mapping[str, Any]) -> list[Any]:
    """What a wrong call comes to, as plain values."""
    if "too_slow" in one:
        return ["too slow"]
    if "unusable" in one:
        return ["unusable", one["unusable"]["misconception"], one["unusable"]["says"]]
    if "error" in one:
        return ["error", one["error"]["type"], _telling(one["error"])]
    return [sorted(one["changed"]), _value(right, one["value"])]


def _telling(error: Mapping[str, Any]) -> list[str]:
    """The sizes and names in an error's text: its words change from version to version of a library."""
    text = error["text"].split("\n")[0].partition(". Did you mean")[0]
    if error["type"] == "UnboundLocalError":  # a name of the learner's own
        return []
    return re.findall(r"(?<![\w.])\d+|'[^']*'", re.sub(r"0x[0-9a-fA-F]+|[\w.<>]+\(\)", "", text))


def _value(right: Any, got: Mapping[str, Any]) -> Any:
    """A described result, measured from the right one where the two are built alike."""
    if "array" in got:
        return [got["kind"], *_array(right, got["array"])]
    if "items" in got:
        items = got["items"]
        places = items if isinstance(items, dict) else range(len(items))
        return [got["kind"], [[place, _value(_part(right, place), items[place])] for place in places]]
    return [got["kind"], got.get("text", "")]


def _part(right: Any, place: Any) -> Any:
    try:
        return right[place] if isinstance(right, tuple | dict) else None
    except (LookupError, TypeError):
        return None


def _array(right: Any, got: np.ndarray) -> list[Any]:
    """Shape, kind of numbers, where they are not finite, and what they are: exact only where they are whole.

    Of a number's width only that it is too narrow counts: wider ones are right, and a browser's integers
    are narrower.
    """
    right = np.asarray(right) if isinstance(right, np.ndarray | np.generic | int | float) else np.zeros(())
    sorts = {"b": "truth values", "c": "complex"}
    form = [list(got.shape), sorts.get(got.dtype.kind, "numbers")]
    if right.dtype.kind == got.dtype.kind == "f" and got.itemsize < right.itemsize:
        form.append("narrow")
    if got.dtype.kind == "c":
        got = np.stack([got.real, got.imag], -1)
    narrow = np.float32 in (got.dtype, right.dtype)
    wide = got.astype(np.float64)
    if (
        right.dtype.kind in "biu"
        and (np.abs(wide) < WHOLE).all()
        and np.allclose(wide, np.rint(wide), 0, ALMOST)
    ):
        return [*form, hashlib.sha256(np.rint(wide).astype(np.int64).tobytes()).hexdigest()]
    if right.dtype.kind not in "biuf" or right.shape != got.shape:
        right = np.zeros(got.shape)
    odd = np.where(np.isfinite(wide), 0, np.where(np.isnan(wide), 1, np.where(wide > 0, 2, 3)))
    return [*form, "".join(map(str, odd.ravel())) if odd.any() else "", _distance(right, wide, narrow)]


def _distance(right: np.ndarray, got: np.ndarray, narrow: bool) -> list[int] | str:
    """How far finite entries lie from the right ones: a logarithm and two weighted sums, rounded."""
    right, got = right.astype(np.float64).ravel(), got.ravel()
    right = np.where(np.isfinite(right), right, 0.0)
    with np.errstate(all="ignore"):
        apart = np.clip(np.where(np.isfinite(got), got - right, 0.0), -LARGEST, LARGEST)
    largest = float(np.abs(apart).max(initial=0.0))
    scale = max(1.0, float(np.abs(right).max(initial=0.0)))
    step, noise = (0.05, 1e-6) if narrow else (0.01, 1e-12)
    if largest <= 377 * noise * scale:  # too near to be told from rounding
        return "near"
    places = np.arange(1, apart.size + 1)
    weights = (0.5 + places * golden % 1.0 for golden in _GOLDEN)
    sums = [float(np.sum(apart / largest * weight) / math.sqrt(apart.size)) for weight in weights]
    return [math.floor(number / step + _ASIDE) for number in (math.log(largest), *sums)]
