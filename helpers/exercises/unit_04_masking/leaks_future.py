"""Exercise `leaks_future`: the learner writes a detector, and it meets hidden attentions."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake, ProbeError
from helpers.exercises.unit_04_masking.hidden_attentions import LEAKS, build


def cases(draw: Draw) -> Iterator[Case]:
    """Every kind of attention, with random sizes; then a single token and two tokens."""
    for kind in LEAKS:
        n, d = draw.sizes(2)
        yield _case(kind, n + 3, d, draw)
    yield _case("no mask", 1, 3, draw)
    yield _case("no mask", 2, 3, draw)
    yield _case("causal", 2, 1, draw)


def _case(kind: str, n: int, d: int, draw: Draw) -> Case:
    seed = int(draw.rng.integers(10**6))
    return Case(
        f"a hidden attention over {n} tokens of width {d} ({kind})",
        {"kind": kind, "n": n, "d": d, "seed": seed},
    )


def probe(answer: Any, args: Mapping[str, Any]) -> Any:
    """Build the hidden attention beside the learner's code and ask the detector."""
    if not callable(answer):
        raise ProbeError(f"it should be a function; it is {type(answer).__name__}")
    return answer(build(**args), args["n"], args["d"])


def oracle(kind: str, n: int, d: int, seed: int) -> np.bool_:
    """What is known of each kind; alone, a token has no future."""
    return np.bool_(LEAKS[kind] and n > 1)


def _detector(change: Callable[[np.ndarray, int], None], rows: Callable[[int], slice], tokens: Any) -> Any:
    """A detector that changes some tokens in some way and compares some rows."""

    def answer(attend: Any, n: int, d: int) -> bool:
        X = np.random.default_rng(0).standard_normal((n, d))
        before = attend(X)
        for token in tokens(n):
            changed = X.copy()
            change(changed, token)
            if np.abs(attend(changed)[rows(token)] - before[rows(token)]).max(initial=0) > 1e-9:
                return True
        return False

    return answer


def _all(X: np.ndarray, token: int) -> None:
    X[token] += 1.0


def _first_feature(X: np.ndarray, token: int) -> None:
    X[token, 0] += 1.0


EXERCISE = Exercise(
    name="leaks_future",
    cases=cases,
    oracle=oracle,
    probe=probe,
    hints=(
        "If you change token 5, which outputs must stay as they are?",
        "Change one token at a time and compare every earlier row of the output, entry by entry.",
        "For each token from 1 on: copy X, put random numbers into that row, attend again, compare rows before it.",
    ),
    mistakes=(
        Mistake(
            "always-true",
            "Your detector accuses every attention, causal ones too.",
            lambda attend, n, d: True,
            "What should it say about an attention that looks only back?",
        ),
        Mistake(
            "always-false",
            "Your detector never finds a leak.",
            lambda attend, n, d: False,
            "What do you compare, and when does it differ?",
        ),
        Mistake(
            "only-last-token",
            "You change only the last token; a leak can come from any later one.",
            _detector(_all, lambda t: slice(0, t), lambda n: [n - 1] if n > 1 else []),
            "Which tokens can leak into row 0?",
        ),
        Mistake(
            "only-first-row",
            "You compare only the first output; every row before the changed token must stay.",
            _detector(_all, lambda t: slice(0, 1), lambda n: range(1, n)),
            "Which rows come before token t?",
        ),
        Mistake(
            "only-the-row-before",
            "You compare only the row just before the changed token; all earlier rows must stay.",
            _detector(_all, lambda t: slice(t - 1, t), lambda n: range(1, n)),
            "Which rows come before token t?",
        ),
        Mistake(
            "only-the-second-token",
            "You change only one token; a leak can come from any later one.",
            _detector(_all, lambda t: slice(0, t), lambda n: [1] if n > 1 else []),
            "Which tokens can leak into row 0?",
        ),
        Mistake(
            "one-feature-only",
            "You change one feature only; a leak can hide in any of them.",
            _detector(_first_feature, lambda t: slice(0, t), lambda n: range(1, n)),
            "How many entries does a token have?",
        ),
        Mistake(
            "own-row-compared",
            "You compare the changed token's own row too; it may change, of course.",
            _detector(_all, lambda t: slice(0, t + 1), lambda n: range(1, n)),
            "Where should the slice end: before token t or after it?",
        ),
        Mistake(
            "past-and-future-swapped",
            "You look whether later outputs change with an earlier token; that is allowed.",
            _detector(_all, lambda t: slice(t + 1, None), lambda n: range(n - 1)),
            "Which rows must stay when token t changes: those before or after it?",
        ),
    ),
)
