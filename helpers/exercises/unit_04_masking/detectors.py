"""Leak detectors that the known mistakes of `leaks_future` are made of: a right one, of which steps are replaced."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np


@lru_cache(maxsize=100)
def random_tokens(n: int, d: int) -> np.ndarray:
    """Random tokens, always the same: nobody writes into them."""
    tokens = np.random.default_rng(0).standard_normal((n, d))
    tokens.flags.writeable = False
    return tokens


def differ(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays differ by more than rounding."""
    return not (np.abs(one - other) <= 1e-10).all()


def loosely(one: np.ndarray, other: np.ndarray, atol: float = 1e-8) -> bool:
    """As `not np.allclose(one, other)`, in a tenth of the time."""
    return not (np.abs(one - other) <= atol + 1e-5 * np.abs(other)).all()


def detector(
    *,
    tokens: Callable[[int], Iterable[Any]] = lambda n: range(1, n),
    part: Callable[[Any], Any] = lambda t: t,
    new: Callable[[np.ndarray, Any], Any] = lambda old, t: 0.5 - 1.5 * old,
    rows: Callable[[Any], Any] = lambda t: slice(0, t),
    differ: Callable[[np.ndarray, np.ndarray], Any] = differ,
    join: Callable[[Iterable[bool]], Any] = any,
    start: Callable[[int, int], np.ndarray] = random_tokens,
    alone: bool | None = None,
) -> Callable[[Any, int, int], Any]:
    """A detector with one or more of its steps replaced by a wrong one.

    Args:
        tokens: the rounds of its loop.
        part: what it changes in a round.
        new: the new numbers of that part.
        rows: the outputs it compares.
        differ: how it compares them.
        join: what it makes of the answers of all rounds.
        start: the tokens it begins with.
        alone: what it says of a single token, if that is an exception.
    """

    def answer(attend: Any, n: int, d: int) -> Any:
        if n == 1 and alone is not None:
            return alone
        X = start(n, d)
        before = attend(X)

        def changes(t: Any) -> bool:
            Y = X.copy()
            Y[part(t)] = new(Y[part(t)], t)
            return bool(differ(before[rows(t)], attend(Y)[rows(t)]))

        return join(changes(t) for t in tokens(n))

    return answer


def last(n: int) -> range:
    """The last token alone."""
    return range(max(n - 1, 1), n)


def same_array(attend: Any, n: int, d: int) -> bool:
    """Compares two outputs of one array, as `Y = X` makes no copy."""
    X = random_tokens(n, d).copy()
    for t in range(1, n):
        Y = X
        Y[t:] += 1.0
        if loosely(attend(X)[:t], attend(Y)[:t]):
            return True
    return False


def entry_by_entry(**steps: Any) -> Callable[[Any, int, int], Any]:
    """Loops over `d` outputs, though there are more or less of them."""

    def answer(attend: Any, n: int, d: int) -> Any:
        def by_entry(one: np.ndarray, other: np.ndarray) -> bool:
            return any(abs(one[i, j] - other[i, j]) > 1e-9 for i in range(len(one)) for j in range(d))

        return detector(differ=by_entry, **steps)(attend, n, d)

    return answer


def first_outputs(**steps: Any) -> Callable[[Any, int, int], Any]:
    """Compares `d` outputs, though there are more or less of them."""
    return lambda attend, n, d: detector(rows=lambda t: (slice(0, t), slice(0, d)), **steps)(attend, n, d)
