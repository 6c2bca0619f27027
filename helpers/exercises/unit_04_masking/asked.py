"""What a leak detector asked of a hidden attention, and whether that is enough to say that nothing leaks."""

from typing import Any

import numpy as np

from helpers.beside.probes.base import ProbeError, refuse
from helpers.exercises.unit_04_masking.hidden_attentions import Attend

FEW_TOKENS = 4
"""Up to so many tokens a detector that draws small whole numbers may leave one as it was, by chance."""

UNDONE = {
    "added": "adds one number to all features of a token",
    "multiplied": "multiplies all features of a token by one number",
    "both": "multiplies all features by one number and adds one to all",
}
"""Ways to change a token that a normalisation takes back."""

OTHERWISE = "otherwise"
"""All others; they show a leak."""

UNDONE_HINT = "A normalisation takes that back, and the leak with it: put new random numbers into the token."


class Asked:
    """A hidden attention that notes with which inputs it is called.

    Args:
        attend: the attention.
        n: how many tokens it takes.
        d: how wide they are.
    """

    def __init__(self, attend: Attend, n: int, d: int) -> None:
        self._attend, self._n, self._d = attend, n, d
        self._first: bytes | None = None
        self._rows: list[bytes] = []
        self._differ = False
        self._only_moved = True
        # the smallest and largest of each entry, over the inputs with the same token 0
        self._low: dict[bytes, np.ndarray] = {}
        self._starts: dict[bytes, np.ndarray] = {}
        self._ways: set[str] = set()
        self._high: dict[bytes, np.ndarray] = {}

    def attend(self, X: Any, *more: Any) -> np.ndarray:
        """The outputs for `X (n, d)`.

        Raises:
            ProbeError: when `X` has another shape, or is not the only argument.
        """
        refuse(more)
        X = np.array(X, dtype=np.float64)
        if X.shape != (self._n, self._d):
            self._refuse(X.shape)
        whole = X.tobytes()
        if self._first is None:
            self._first = whole
            self._rows = self._sorted(whole)
        self._differ |= whole != self._first
        self._only_moved = self._only_moved and self._sorted(whole) == self._rows
        start = whole[: 8 * self._d]
        self._low[start] = np.minimum(self._low.get(start, X), X)
        self._high[start] = np.maximum(self._high.get(start, X), X)
        if OTHERWISE not in self._ways:  # then no normalisation takes all back, whatever else is changed
            self._ways |= _ways(self._starts.setdefault(start, X), X)
        return self._attend(X)

    def _sorted(self, whole: bytes) -> list[bytes]:
        width = 8 * self._d
        return sorted(whole[start : start + width] for start in range(0, len(whole), width))

    def _refuse(self, shape: tuple[int, ...]) -> None:
        n, d = self._n, self._d
        misconception = None
        if shape == (d, n):
            misconception = "arguments-swapped"
        elif self._first is not None and len(shape) == 2 and shape[0] < n and shape[1] == d:
            misconception = "future-cut-off"
        elif len(shape) == 2:
            misconception = "arguments-ignored"
        raise ProbeError(
            f"attend takes (n, d) = ({n}, {d}) here; it was called with an array of shape {shape}",
            misconception,
            "Keep all n tokens: change the later ones instead of leaving them out."
            if misconception == "future-cut-off"
            else "Where do you use `n`, and where `d`?",
        )

    def enough_for_no(self) -> None:
        """Raise when the calls cannot show that nothing leaks.

        Raises:
            ProbeError: when a later token, or a feature, was never changed while token 0 stayed.
        """
        if self._n <= FEW_TOKENS:
            return
        if self._first is None:
            raise ProbeError(
                "it answered False without calling attend",
                "always-false",
                "What do you compare, and when does it differ?",
            )
        if not self._differ:
            raise ProbeError(
                "it answered False, but every call of attend had the same input",
                "nothing-changed",
                "Which token differs between the two inputs that you compare?",
            )
        if self._only_moved:
            raise ProbeError(
                "it answered False, but all its inputs hold the same tokens in another order",
                "blind-change",
                "An attention that sees all later tokens does not notice their order: put new numbers into them.",
            )
        changed = np.zeros((self._n, self._d), bool)
        largest = 0.0
        with np.errstate(all="ignore"):
            for start, low in self._low.items():
                changed |= low != self._high[start]
                largest = max(largest, float(np.nan_to_num(self._high[start] - low, nan=np.inf).max()))
        self._tokens(changed.any(axis=1))
        self._features(changed.any(axis=0))
        if largest <= 1e-8:
            raise ProbeError(
                "it answered False, but it never changed a number by more than 1e-8: rounding is about as large",
                "change-too-small",
                "Put quite other numbers into a token: the larger the change, the clearer the leak.",
            )

    def more_than_undone(self) -> None:
        """Raise when all changes of tokens are such that a normalisation takes them back.

        Raises:
            ProbeError: when each adds one number to all features, or multiplies all by one, or does both.
        """
        if not self._ways or not self._ways <= UNDONE.keys():
            return
        how = (
            UNDONE[self._ways.pop()]
            if len(self._ways) == 1
            else "adds to all features alike, or multiplies them"
        )
        raise ProbeError(f"it answered False, but each change {how}", "blind-change", UNDONE_HINT)

    def _tokens(self, changed: np.ndarray) -> None:
        n = self._n
        tokens = [t for t in range(1, n) if changed[t]]
        missing = [t for t in range(1, n) if not changed[t]]
        if not missing:
            return
        misconception, hint = None, "Each token from 1 to n - 1 may leak into the rows before it."
        if not tokens:
            misconception = "different-inputs"
            says = "no two of its inputs have token 0 in common and differ later"
        else:
            says = f"token {missing[0]} was never changed while token 0 stayed"
        if tokens == [n - 1]:
            misconception = "only-last-token"
        elif tokens == [1]:
            misconception = "returned-inside-loop"
            hint = "Does your function answer before the other tokens have their turn: how far is each `return` indented?"
        elif len(tokens) == 1:
            misconception = "one-random-token"
        elif missing in ([1], [n - 1]):
            misconception = "off-by-one"
        elif tokens == list(range(tokens[0], n)):
            misconception = "only-middle"
        raise ProbeError(
            f"it answered False, but {says} (changed: {tokens or 'none'})",
            misconception,
            hint,
        )

    def _features(self, changed: np.ndarray) -> None:
        if changed.all():
            return
        missing = int(np.argmin(changed))
        one = int(changed.sum()) == 1
        raise ProbeError(
            f"it answered False, but feature {missing} of a later token was never changed",
            "one-feature-only" if one else "blind-change",
            "A token has d features; any of them may leak.",
        )


def _ways(old: np.ndarray, new: np.ndarray) -> set[str]:
    """How tokens were changed, as the keys of `UNDONE`, or `OTHERWISE`."""
    rows = (old != new).any(axis=1)
    if not rows.any():
        return set()
    with np.errstate(all="ignore"):
        return {_way(*two) for two in zip(old[rows], new[rows], strict=True)}


def _way(old: np.ndarray, new: np.ndarray) -> str:
    if _equal(new - new.mean(), old - old.mean()):
        return "added"
    by = new @ old / (old @ old)
    if by > 0 and _equal(new, by * old):
        return "multiplied"
    flat, other = old - old.mean(), new - new.mean()
    by = flat @ other / (flat @ flat)
    # two numbers become any two greater ones in this way
    return "both" if by > 0 and len(old) > 2 and _equal(other, by * flat) else OTHERWISE


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.abs(one - other).max() <= 1e-9 * np.abs(other).max(initial=1e-3))
