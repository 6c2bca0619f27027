"""Exercise `leaks_future`: the learner writes a detector, and it meets hidden attentions."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from helpers.beside.probe import describe, explain
from helpers.beside.probes.base import ProbeError
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_04_masking.asked import Asked
from helpers.exercises.unit_04_masking.hidden_attentions import (
    CAUSAL,
    KINDS,
    LARGER,
    SMALLER,
    WITHOUT_LEVEL_AND_SCALE,
    build,
    leaks,
)
from helpers.exercises.unit_04_masking.leaks_future_mistakes import MISTAKES
from helpers.exercises.unit_04_masking.riddles import RIDDLES

TWICE = "causal, before and after a leaking one"


def cases(draw: Draw) -> Iterator[Case]:
    """Every kind of attention, with random sizes; then three tokens, and two.

    First come those that say most about a detector: a causal attention of many tokens, by what is asked of it,
    those that a comparison in one direction alone, or a change that a normalisation undoes, is blind to, and
    a single token.
    """
    yield _case(TWICE, 3, 2, draw)
    many = 3 + max(draw.sizes(2))
    for kind in ("causal", SMALLER, LARGER, WITHOUT_LEVEL_AND_SCALE):
        yield _case(kind, many, 3, draw)
    yield _case("causal", 1, 3, draw)
    same = 3 + min(draw.sizes(2))
    kinds = [*(kind for kind in KINDS if kind not in CAUSAL), *CAUSAL]
    for place in draw.rng.permutation(len(kinds)):  # who only counts the calls must not know what comes
        kind = kinds[place]
        n = 3 + min(draw.sizes(2))
        d = next(size for size in draw.sizes(2) if size > 2)
        if "faint" in kind:  # so wide that the sizes of faint leaks do not depend on luck
            d = 11
        if "makes" in kind:  # equal inputs to all of these: who finds one of them by luck misses another
            n, d = same, 3
        yield _case(kind, n, d, draw)
    yield _case("no mask", 4, 11, draw)
    yield _case("no mask", 3, 1, draw)
    yield _case("no mask", 2, 3, draw)
    yield _case("causal", 2, 1, draw)


def _case(kind: str, n: int, d: int, draw: Draw) -> Case:
    seed = int(draw.rng.integers(10**6))
    tokens = "1 token" if n == 1 else f"{n} tokens"
    return Case(
        f"a hidden attention over {tokens} of width {d} ({kind})",
        {"kind": kind, "n": n, "d": d, "seed": seed},
    )


def probe(answer: Any, args: Mapping[str, Any]) -> Any:
    """Build the hidden attention beside the learner's code, ask the detector, and note what it asks."""
    if not callable(answer):
        raise ProbeError(f"it should be a function; it is {type(answer).__name__}")
    if args["kind"] in (SMALLER, LARGER):
        return _in_both_directions(answer, args)
    if args["kind"] != TWICE:
        return _ask(answer, **args)
    first = _ask(answer, **{**args, "kind": "causal"})
    _ask(answer, **{**args, "kind": "no mask"})
    second = _ask(answer, **{**args, "kind": "causal"})
    if bool(first) != bool(second):
        raise ProbeError(
            f"of the same attention it said {bool(first)}, then met another one, and then said {bool(second)}",
            "state-between-calls",
            "Which name in your code outlives the call: a global, a default argument, an attribute?",
        )
    return second


def _in_both_directions(answer: Any, args: Mapping[str, Any]) -> Any:
    """What it says where all outputs shrink, or grow; who is right in the other direction alone loses a sign."""
    said = _ask(answer, **args)
    falls = args["kind"] == SMALLER
    if said or not _ask(answer, **{**args, "kind": LARGER if falls else SMALLER}):
        return said
    raise ProbeError(
        f"it said False where every output {'falls' if falls else 'grows'}, "
        f"and True where every output {'grows' if falls else 'falls'}",
        "lost-sign",
        "Which sign can a difference have?",
    )


def _ask(answer: Any, kind: str, n: int, d: int, seed: int) -> Any:
    attend = Asked(build(kind, n, d, seed), n, d)
    try:
        said = answer(attend.attend, n, d)
    except (ProbeError, NotImplementedError):
        raise
    except Exception as error:
        if n > 1:
            raise
        raise ProbeError(
            f"with a single token {explain('it', error)}",
            "single-token-sequence",
            "How often does your loop run for one token, and how many rows are left to compare?",
        ) from error
    if _is_yes_or_no(said) and not said:
        attend.enough_for_no()
        if kind == WITHOUT_LEVEL_AND_SCALE:
            attend.more_than_undone()
    return said


def _is_yes_or_no(said: Any) -> bool:
    """Texts, numbers and arrays are no answer; whatever else it may be is judged like any result."""
    seen = describe(said)
    array = seen.get("array")
    if seen["kind"] == "text":
        raise ProbeError(
            f"it should return True or False; it returned the text {seen['text']!r}",
            "returns-string",
            "`True` and `False` are written without quotes.",
        )
    if seen["kind"] == "array" and array is not None and array.size != 1:
        raise ProbeError(
            f"it should return one True or False; it returned an array of shape {array.shape}",
            "returns-per-row",
            "When one row leaks, the attention leaks: how do you join many answers into one?",
        )
    if seen["kind"] == "number" and array is not None and array.dtype.kind != "b":
        raise ProbeError(
            f"it should return True or False; it returned the number {array:.4g}",
            "returns-number",
            "From which difference on is it a leak?",
        )
    return seen["kind"] == "number"


def oracle(kind: str, n: int, d: int, seed: int) -> np.bool_:
    """What is known of each kind."""
    return np.bool_(kind != TWICE and leaks(kind, n))


EXERCISE = Exercise(
    name="leaks_future",
    cases=cases,
    oracle=oracle,
    probe=probe,
    handed_a_function=True,
    riddles=RIDDLES,
    hints=(
        "If you change token 5, which outputs must stay as they are?",
        "Change one token at a time, to random numbers, and compare every earlier row of the output, entry by entry.",
        "For each token from 1 on: copy X, put random numbers into that row, attend again, compare rows before it.",
    ),
    mistakes=MISTAKES,
)
