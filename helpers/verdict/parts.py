"""The arrays of a result: which of them differ from the right ones, and what they are called."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from helpers.beside.probe import describe
from helpers.exercises.compare import same
from helpers.verdict.recognise import Attempt

Parts = Sequence[tuple[np.ndarray, np.ndarray]]


def results(right: Any, got: Mapping[str, Any]) -> list[tuple[Any, Mapping[str, Any]]]:
    """Each result, right one and described one; nothing where the two are not built alike."""
    if isinstance(right, dict):
        right, got = right.get("results"), (got.get("items") or {}).get("results", {})
    rights = right if isinstance(right, tuple) else (right,)
    gots = got.get("items", ()) if isinstance(right, tuple) else (got,)
    return [] if isinstance(gots, dict) or len(gots) != len(rights) else list(zip(rights, gots, strict=True))


def differs(right: Any, got: Mapping[str, Any]) -> bool:
    """Whether a described array is not the right one; what is no array of numbers does not count."""
    right = np.asarray(right)
    if "array" not in got or right.dtype.kind not in "biuf":
        return False
    return right.shape != got["array"].shape or not same(got, describe(right) | {"kind": got["kind"]})


def differing(attempt: Attempt, rights: Sequence[Any], case: int) -> Parts:
    """The arrays of one call that differ, right one and learner's."""
    seen = attempt.seen[case]
    return list(wrong_parts(rights[case], seen["value"])) if "value" in seen else []


def wrong_parts(right: Any, got: Mapping[str, Any]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The arrays that differ, right one and learner's."""
    for one, other in results(right, got):
        if differs(one, other):
            yield np.asarray(one), other["array"]
