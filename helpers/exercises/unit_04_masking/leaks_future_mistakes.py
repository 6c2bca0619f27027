"""What people get wrong in `leaks_future`: the same detector with one step replaced."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake

Detector = Callable[[Any, int, int], Any]
Change = Callable[[np.ndarray, int], None]


def _token(Y: np.ndarray, t: int) -> None:
    Y[t] = 0.5 - 1.5 * Y[t]


def _from_token(Y: np.ndarray, t: int) -> None:
    Y[t:] = 0.5 - 1.5 * Y[t:]


def _until_token(Y: np.ndarray, t: int) -> None:
    Y[:t] = 0.5 - 1.5 * Y[:t]


def _up_or_down(Y: np.ndarray, step: tuple[int, int]) -> None:
    token, sign = step
    Y[token] += sign * (1.0 + np.arange(Y.shape[1]))


def _by(step: float) -> Change:
    def change(Y: np.ndarray, t: int) -> None:
        Y[t:] += step

    return change


def _first_feature(Y: np.ndarray, t: int) -> None:
    Y[t:, 0] += 1.0


def _columns(Y: np.ndarray, t: int) -> None:
    Y[:, t:] = 0.5 - 1.5 * Y[:, t:]


def _backwards(Y: np.ndarray, t: int) -> None:
    Y[t:] = Y[t:][::-1].copy()


def _rolled(Y: np.ndarray, t: int) -> None:
    Y[t:] = np.roll(Y[t:], 1, axis=0)


def _everything(Y: np.ndarray, t: int) -> None:
    Y[:] = 0.5 - 1.5 * Y


@lru_cache(maxsize=100)
def _random(n: int, d: int) -> np.ndarray:
    """Random tokens, always the same: nobody writes into them."""
    tokens = np.random.default_rng(0).standard_normal((n, d))
    tokens.flags.writeable = False
    return tokens


def _zeros(n: int, d: int) -> np.ndarray:
    return np.zeros((n, d))


def _differ(one: np.ndarray, other: np.ndarray, atol: float = 1e-8) -> bool:
    """As `not np.allclose(one, other)`, in a tenth of the time."""
    return not (np.abs(one - other) <= atol + 1e-5 * np.abs(other)).all()


def _differ_everywhere(one: np.ndarray, other: np.ndarray) -> bool:
    return (np.abs(one - other) > 1e-8 + 1e-5 * np.abs(other)).all()


def _beyond(tolerance: float) -> Callable[[np.ndarray, np.ndarray], bool]:
    return lambda one, other: bool(np.abs(one - other).max(initial=0) > tolerance)


def detector(
    *,
    tokens: Callable[[int], Iterable[int]] = lambda n: range(1, n),
    change: Change = _token,
    rows: Callable[[int], Any] = lambda t: slice(0, t),
    differ: Callable[[np.ndarray, np.ndarray], Any] = _differ,
    join: Callable[[Iterable[bool]], Any] = any,
    start: Callable[[int, int], np.ndarray] = _random,
    alone: bool | None = None,
) -> Detector:
    """A detector with one or more of its steps replaced by a wrong one; `alone` is what it says of one token."""

    def answer(attend: Any, n: int, d: int) -> Any:
        if n == 1 and alone is not None:
            return alone
        X = start(n, d)
        before = attend(X)

        def changes(t: int) -> bool:
            Y = X.copy()
            change(Y, t)
            return bool(differ(before[rows(t)], attend(Y)[rows(t)]))

        return join(changes(t) for t in tokens(n))

    return answer


def _same_array(attend: Any, n: int, d: int) -> bool:
    """`Y = X` makes no copy."""
    X = _random(n, d).copy()
    for t in range(1, n):
        Y = X
        Y[t:] += 1.0
        if _differ(attend(X)[:t], attend(Y)[:t]):
            return True
    return False


def _last_of(found: Iterable[bool]) -> bool:
    leak = False
    for leak in found:  # noqa: B007
        pass
    return leak


def _first_of(found: Iterable[bool]) -> bool:
    return next(iter(found), False)


def _none_of(found: Iterable[bool]) -> bool:
    return not any(found)


def _some_alike(found: Iterable[bool]) -> bool:
    return any(not one for one in found)


def _entry_by_entry(attend: Any, n: int, d: int) -> bool:
    """Loops over `d` outputs, though there are more or less of them."""
    X = _random(n, d).copy()
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        _token(Y, t)
        after = attend(Y)
        for i in range(t):
            for j in range(d):
                if abs(after[i, j] - before[i, j]) > 1e-9:
                    return True
    return False


def _nan(attend: Any, n: int, d: int) -> bool:
    X = _random(n, d).copy()
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = np.nan
        if np.isnan(attend(Y)[:t]).any():
            return True
    return False


def _last(n: int) -> list[int]:
    return [n - 1] if n > 1 else []


def _some(*tokens: int) -> Callable[[int], list[int]]:
    return lambda n: [t for t in tokens if t < n]


_ROWS = "Which rows come before token t?"
_LATER = "Which tokens can leak into row 0?"
_COMPARE = "Compare entry by entry: two outputs are equal only when all their entries are."
_TWO = "Which rows of the two inputs must be equal, so that comparing an output makes sense?"
_ANY = "How many rows, or tokens, must leak before an attention leaks?"
_ALONE = "Which later token could change the output of a single one?"
_FORWARD = "Which rows must stay when token t changes: those before or after it?"

MISTAKES = (
    Mistake(
        "always-true",
        "Your detector accuses every attention, causal ones too.",
        lambda attend, n, d: True,
        "What should it say about an attention that looks only back?",
    ),
    Mistake(
        "always-true",
        "Your detector accuses every attention of more than one token, causal ones too.",
        lambda attend, n, d: n > 1,
        "What should it say about an attention that looks only back?",
    ),
    Mistake(
        "always-false",
        "Your detector never finds a leak.",
        lambda attend, n, d: False,
        "What do you compare, and when does it differ?",
    ),
    Mistake(
        "nothing-changed",
        "You compare outputs for the same input, so they never differ.",
        lambda attend, n, d: _differ(attend(np.ones((n, d))), attend(np.ones((n, d)))),
        "Which token differs between the two inputs that you compare?",
    ),
    Mistake(
        "nothing-changed",
        "Your detector never finds a leak, though your inputs change. Perhaps both outputs belong to the same array: `Y = X` makes no copy.",
        _same_array,
        "What is in `X` at the moment when you attend to it?",
    ),
    Mistake(
        "only-last-token",
        "You change only the last token; a leak can come from any later one.",
        detector(tokens=_last),
        _LATER,
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "You change every token, but only the last one decides: each round overwrites what the earlier ones found.",
        detector(join=_last_of),
        "What becomes of a leak that you found in an earlier round?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "You change every token, but only the last round decides: it overwrites what the earlier ones found.",
        detector(join=_last_of, change=_from_token),
        "What becomes of a leak that you found in an earlier round?",
    ),
    Mistake(
        "returned-inside-loop",
        "Token 1 decides alone: you change no other, or you return in the first round of your loop.",
        detector(join=_first_of),
        "How far is your `return` indented, and which tokens have been changed by then?",
    ),
    Mistake(
        "only-first-row",
        "You compare only the first output; every row before the changed token must stay.",
        detector(rows=lambda t: slice(0, 1)),
        _ROWS,
    ),
    Mistake(
        "only-the-row-before",
        "You compare only the row just before the changed token; all earlier rows must stay.",
        detector(rows=lambda t: slice(t - 1, t)),
        _ROWS,
    ),
    Mistake(
        "only-middle",
        "You change the second half and compare the first; a leak may stay within a half.",
        detector(tokens=lambda n: [n // 2], change=_from_token, alone=False),
        "Could token 1 leak into row 0, and would you see it?",
    ),
    Mistake(
        "only-middle",
        "You change the token in the middle alone; a leak can come from any later one.",
        detector(tokens=lambda n: [n // 2], alone=False),
        _LATER,
    ),
    Mistake(
        "one-random-token",
        "You change token 2 alone; a leak can come from any later one.",
        detector(tokens=_some(2)),
        _LATER,
    ),
    Mistake(
        "off-by-one",
        "You never change token 1 alone: your loop begins too late.",
        detector(tokens=lambda n: range(2, n)),
        "Could token 1 leak into row 0, and would you see it?",
    ),
    Mistake(
        "off-by-one",
        "Your loop begins too late: what only token 1 or row 0 shows stays unseen.",
        detector(tokens=lambda n: range(2, n), change=_from_token),
        "Could token 1 leak into row 0, and would you see it?",
    ),
    Mistake(
        "off-by-one",
        "You never change the last token: your loop ends too early.",
        detector(tokens=lambda n: range(1, n - 1)),
        "What is the last number in your `range`?",
    ),
    Mistake(
        "off-by-one",
        "Your loop ends too early: what only the last round would show stays unseen.",
        detector(tokens=lambda n: range(1, n - 1), change=_from_token),
        "What is the last number in your `range`?",
    ),
    Mistake(
        "off-by-one",
        "You leave out the row just before the changed token: a leak of one step stays unseen.",
        detector(rows=lambda t: slice(0, max(t - 1, 0))),
        _ROWS,
    ),
    Mistake(
        "off-by-one",
        "You leave out row 0: what leaks into the first row stays unseen.",
        detector(rows=lambda t: slice(1, t)),
        _ROWS,
    ),
    Mistake(
        "one-feature-only",
        "You change one feature only; a leak can hide in any of them.",
        detector(change=_first_feature),
        "How many entries does a token have?",
    ),
    Mistake(
        "one-feature-only",
        "You compare the first feature of the outputs only; a leak can hide in any of them.",
        detector(rows=lambda t: (slice(0, t), 0)),
        "How many entries does an output have?",
    ),
    Mistake(
        "one-feature-only",
        "You compare the last feature of the outputs only; a leak can hide in any of them.",
        detector(rows=lambda t: (slice(0, t), -1)),
        "How many entries does an output have?",
    ),
    Mistake(
        "square-only",
        "You look at d outputs of each token, but there may be more of them, or fewer.",
        _entry_by_entry,
        "How wide is the output? Take it from its shape.",
    ),
    Mistake(
        "square-only",
        "You look at the first d outputs of each token, but there may be more of them.",
        lambda attend, n, d: detector(rows=lambda t: (slice(0, t), slice(0, d)))(attend, n, d),
        "How wide is the output? Take it from its shape.",
    ),
    Mistake(
        "own-row-compared",
        "You compare the changed token's own row too; it may change, of course.",
        detector(rows=lambda t: slice(0, t + 1)),
        "Where should the slice end: before token t or after it?",
    ),
    Mistake(
        "own-row-compared",
        "You compare the row of the changed token; it may change, of course.",
        detector(rows=lambda t: slice(t, t + 1)),
        "Which rows must stay as they are?",
    ),
    Mistake(
        "own-row-compared",
        "You compare the changed token's own row too, for token 0 as well; a token's own row may change, of course.",
        detector(tokens=range, rows=lambda t: slice(0, t + 1)),
        "Where should the slice end: before token t or after it?",
    ),
    Mistake(
        "own-row-compared",
        "You compare all rows; the changed token's own row and later ones may change, of course.",
        detector(rows=lambda t: slice(None)),
        "Which rows must stay as they are?",
    ),
    Mistake(
        "own-row-compared",
        "You compare all rows, and change token 0 as well; a token's own row and later ones may change, of course.",
        detector(tokens=range, rows=lambda t: slice(None)),
        "Which rows must stay as they are?",
    ),
    Mistake(
        "own-row-compared",
        "You change the last token and compare all rows, its own too; it may change, of course.",
        detector(tokens=_last, rows=lambda t: slice(None)),
        "Which rows must stay as they are?",
    ),
    *(
        Mistake(
            "past-and-future-swapped",
            "You look whether later outputs change with an earlier token; that is allowed.",
            detector(tokens=tokens, change=change, rows=lambda t: slice(t + 1, None)),
            _FORWARD,
        )
        for tokens in (lambda n: range(n - 1), lambda n: range(1, n))
        for change in (_token, _from_token)
    ),
    Mistake(
        "past-and-future-swapped",
        "You look whether later outputs change with earlier tokens; that is allowed.",
        detector(change=_until_token, rows=lambda t: slice(t, None)),
        _FORWARD,
    ),
    Mistake(
        "past-and-future-swapped",
        "You change the earlier tokens and compare the row after them; that one may change.",
        detector(change=_until_token, rows=lambda t: slice(t, t + 1)),
        _FORWARD,
    ),
    Mistake(
        "past-and-future-swapped",
        "You look whether a token changes its own and later outputs; that is allowed.",
        detector(rows=lambda t: slice(t, None)),
        _FORWARD,
    ),
    Mistake(
        "past-and-future-swapped",
        "You look whether token 0 changes later outputs; that is allowed.",
        detector(tokens=lambda n: [0], rows=lambda t: slice(1, None)),
        _FORWARD,
    ),
    Mistake(
        "past-and-future-swapped",
        "You change the earlier tokens and compare their own rows; those may change.",
        detector(change=_until_token),
        _FORWARD,
    ),
    *(
        Mistake(
            "result-inverted",
            "Yes and no have changed places: your detector says True where nothing leaks.",
            detector(join=_none_of, change=change, alone=alone),
            "What should it say about an attention without a mask?",
        )
        for change in (_token, _from_token)
        for alone in (None, False)
    ),
    Mistake(
        "result-inverted",
        "Your detector says True as soon as some token does not leak; it should when some token does.",
        detector(join=_some_alike),
        "What does `np.allclose` say when nothing has changed?",
    ),
    Mistake(
        "result-inverted",
        "Your detector says True as soon as one change stays without effect; it should when one has an effect.",
        detector(join=_some_alike, change=_from_token),
        "What does `np.allclose` say when nothing has changed?",
    ),
    *(
        Mistake(
            "all-instead-of-any",
            "You accuse an attention only when every token leaks; one is enough.",
            detector(join=all, change=change, alone=alone),
            _ANY,
        )
        for change in (_token, _from_token)
        for alone in (None, False)
    ),
    *(
        Mistake(
            "all-instead-of-any",
            "You accuse an attention only when all the outputs that you compare have changed; one is enough.",
            detector(change=change, differ=differ),
            _ANY,
        )
        for change in (_token, _from_token)
        for differ in (_differ_everywhere, lambda one, other: (one != other).all())
    ),
    *(
        Mistake(
            "change-too-small",
            "Your change is so small that a faint leak drowns in the tolerance of your comparison.",
            detector(change=_by(step), differ=lambda one, other, atol=atol: _differ(one, other, atol)),
            "Put quite other numbers into a token: the larger the change, the clearer the leak.",
        )
        for step, atol in ((1e-3, 1e-8), (1e-5, 1e-5), (1e-9, 1e-8), (1e-12, 1e-8))
    ),
    *(
        Mistake(
            "tolerance-too-wide",
            "You overlook a faint leak: your tolerance is too wide, or an average drowns it.",
            detector(change=_from_token, differ=_beyond(tolerance)),
            "A causal attention is exact but for rounding: how large may a difference be?",
        )
        for tolerance in (1e-4, 1e-2, 10.0, 1000.0)
    ),
    Mistake(
        "exact-comparison",
        "You take rounding for a leak: differences of 1e-13 mean nothing.",
        detector(differ=lambda one, other: (one != other).any()),
        "How large is a difference that comes from rounding alone?",
    ),
    *(
        Mistake(
            "compares-sums",
            "You compare sums or means: what grows in one place and shrinks in another stays unseen.",
            detector(
                change=change, differ=lambda one, other, axis=axis: _differ(one.sum(axis), other.sum(axis))
            ),
            _COMPARE,
        )
        for change, axis in ((_token, None), (_token, 0), (_token, 1), (_from_token, None), (_from_token, 1))
    ),
    Mistake(
        "compares-sums",
        "You compare lengths: an output that turns without growing stays unseen.",
        detector(
            differ=lambda one, other: _differ(np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1))
        ),
        _COMPARE,
    ),
    *(
        Mistake(
            "lost-sign",
            "You compare a difference without its absolute value, so changes in one direction stay unseen.",
            detector(
                tokens=lambda n, first=first, later=later: [
                    (t, sign) for t in range(1, n) for sign in (later if t > 1 else first)
                ],
                change=_up_or_down,
                rows=lambda step: slice(0, step[0]),
                differ=lambda one, other: (other - one).max() > 1e-9,
            ),
            "Which sign can a difference have?",
        )
        for first in ((1,), (-1,))
        for later in ((1,), (-1,), (1, -1))
    ),
    *(
        Mistake(
            "blind-change",
            "You put the later tokens in another order; an attention that sees all of them does not notice.",
            detector(change=change),
            "Put new numbers into a token instead of moving tokens about.",
        )
        for change in (_backwards, _rolled)
    ),
    *(
        Mistake(
            "blind-change",
            "All your tokens but the changed ones are zeros: their scores are 0 whatever the others are, so what leaks "
            "through the scores stays unseen.",
            detector(start=_zeros, change=change),
            "Put numbers other than 0 into the tokens that you leave as they are, too.",
        )
        for change in (_token, _from_token)
    ),
    Mistake(
        "blind-change",
        "Your tokens are ones and zeros on a diagonal: some features are never tried.",
        detector(start=lambda n, d: np.eye(n, d), change=lambda Y, t: Y[t:].fill(0)),
        "Which features of a later token do you never change?",
    ),
    Mistake(
        "nan-probe",
        "You send NaN through, but 0 times NaN is NaN: a hidden token that counts times 0 seems to leak.",
        _nan,
        "Choose finite numbers for the change.",
    ),
    Mistake(
        "columns-as-tokens",
        "You change columns, the features of all tokens; tokens are rows.",
        detector(change=_columns),
        "Which axis of X runs over the tokens?",
    ),
    Mistake(
        "different-inputs",
        "Your two inputs differ in every token, so outputs differ in any attention.",
        detector(tokens=_last, change=_everything),
        _TWO,
    ),
    Mistake(
        "different-inputs",
        "Your two inputs differ in every token, so outputs differ in any attention.",
        detector(tokens=lambda n: [n], change=_everything, rows=lambda t: slice(None)),
        _TWO,
    ),
    Mistake(
        "single-token-sequence",
        "You accuse a single token of leaking; it has no future.",
        detector(alone=True),
        _ALONE,
    ),
)
