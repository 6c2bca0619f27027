"""What people get wrong in `leaks_future`: the same detector with one step replaced."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from helpers.exercises.unit_04_masking.detectors import (
    detector,
    differ,
    entry_by_entry,
    first_outputs,
    last,
    loosely,
    same_array,
)
from helpers.exercises.wrong.rows import Row, mistakes, paired, rows

_FROM = {"part": lambda t: slice(t, None)}
_UNTIL = {"part": lambda t: slice(0, t)}
_STRICT = {"differ": lambda one, other: np.abs(one - other).max(initial=0) > 1e-12}
_ALL = {"rows": lambda t: slice(None)}
_EITHER = ({}, _FROM)
_COMPARE = (differ, loosely)


@lru_cache(maxsize=100)
def _noise(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(1).standard_normal(shape)


def _in_both_tolerances(table: Iterable[Row]) -> Iterator[Row]:
    """Each program also with `np.allclose`, as many write it: what else is wrong with it comes first."""
    for row in table:
        yield row
        if isinstance(row.program, dict) and "differ" not in row.program:
            yield replace(row, program=type(row.program)(row.program | {"differ": loosely}))


MISTAKES = mistakes(
    detector,
    *_in_both_tolerances(
        rows(
            "always-true: Your detector accuses every attention, causal ones too.",
            "What should it say about an attention that looks only back?",
            lambda attend, n, d: True,
            "always-true: Your detector accuses every attention of more than one token, causal ones too.",
            lambda attend, n, d: n > 1,
            "always-false: Your detector never finds a leak.",
            "What do you compare, and when does it differ?",
            lambda attend, n, d: False,
            "nothing-changed: You compare outputs for the same input, so they never differ.",
            "Which token differs between the two inputs that you compare?",
            {"new": lambda old, t: old},
            "nothing-changed: Your detector never finds a leak, though your inputs change. Perhaps both outputs belong to the same array: `Y = X` makes no copy.",
            "What is in `X` at the moment when you attend to it?",
            same_array,
            "only-last-token: You change only the last token; a leak can come from any later one.",
            "Which tokens can leak into row 0?",
            {"tokens": last},
            "only-middle: You change the token in the middle alone; a leak can come from any later one.",
            {"tokens": lambda n: [n // 2], "alone": False},
            "one-random-token: You change token 2 alone; a leak can come from any later one.",
            {"tokens": lambda n: range(2, min(3, n))},
            "only-middle: You change the second half and compare the first; a leak may stay within a half.",
            "Could token 1 leak into row 0, and would you see it?",
            {"tokens": lambda n: [n // 2], "alone": False, **_FROM},
            "off-by-one: You never change token 1 alone: your loop begins too late.",
            {"tokens": lambda n: range(2, n)},
            {"tokens": lambda n: range(2, n), **_FROM},
            "off-by-one: You never change the last token: your loop ends too early.",
            "What is the last number in your `range`?",
            {"tokens": lambda n: range(1, n - 1)},
            "off-by-one: Your loop ends too early: what only the last round would show stays unseen.",
            {"tokens": lambda n: range(1, n - 1), **_FROM},
            "overwritten-instead-of-collected: You change every token, but only the last one decides: each round overwrites what the earlier ones found.",
            "What becomes of a leak that you found in an earlier round?",
            {"join": lambda found: [False, *found][-1]},
            {"join": lambda found: [False, *found][-1], **_FROM},
            "overwritten-instead-of-collected: Your very last comparison decides alone, of the last token with the row before it: each one overwrites what the earlier ones found.",
            *(
                {"join": lambda found: [False, *found][-1], "rows": lambda t: slice(t - 1, t), **also}
                for also in ({}, _STRICT)
            ),
            "returned-inside-loop: Token 1 decides alone: you change no other, or you return in the first round of your loop.",
            "How far is your `return` indented, and which tokens have been changed by then?",
            {"join": lambda found: next(iter(found), False)},
            "only-first-row: You compare only the first output; every row before the changed token must stay.",
            "Which rows come before token t?",
            {"rows": lambda t: slice(0, 1)},
            "only-the-row-before: You compare only the row just before the changed token; all earlier rows must stay.",
            {"rows": lambda t: slice(t - 1, t)},
            "off-by-one: You leave out the row just before the changed token: a leak of one step stays unseen.",
            {"rows": lambda t: slice(0, max(t - 1, 0))},
            "off-by-one: You leave out row 0: what leaks into the first row stays unseen.",
            {"rows": lambda t: slice(1, t)},
            "one-feature-only: You change one feature only; a leak can hide in any of them.",
            "How many entries does a token have?",
            {"part": lambda t: (slice(t, None), 0), "new": lambda old, t: old + 1},
            "one-feature-only: You compare the first feature of the outputs only; a leak can hide in any of them.",
            "How many entries does an output have?",
            {"rows": lambda t: (slice(0, t), 0)},
            "one-feature-only: You compare the last feature of the outputs only; a leak can hide in any of them.",
            {"rows": lambda t: (slice(0, t), -1)},
            "square-only: You look at d outputs of each token, but there may be more of them, or fewer.",
            "How wide is the output? Take it from its shape.",
            entry_by_entry(),
            entry_by_entry(**_FROM),
            "square-only: You look at the first d outputs of each token, but there may be more of them.",
            *(first_outputs(**also) for also in _EITHER),
            *(first_outputs(differ=loosely, **also) for also in _EITHER),
            "own-row-compared: You compare the changed token's own row too; it may change, of course.",
            "Where should the slice end: before token t or after it?",
            paired(rows=lambda t: slice(0, t + 1)),
            "own-row-compared: You compare the changed token's own row too, also of token 0; it may change, of course.",
            paired(tokens=range, rows=lambda t: slice(0, t + 1)),
            "own-row-compared: You compare the row of the changed token; it may change, of course.",
            "Which rows must stay as they are?",
            {"rows": lambda t: slice(t, t + 1)},
            "own-row-compared: You compare all rows; the changed token's own row and later ones may change, of course.",
            paired(**_ALL),
            "own-row-compared: You compare all rows, and change token 0 as well; a token's own row and later ones may change, of course.",
            {"tokens": range, **_ALL},
            "own-row-compared: You change the last token and compare all rows, its own too; it may change, of course.",
            paired(tokens=last, **_ALL),
            paired(tokens=lambda n: [n - 1], **_ALL),
            *(
                {"tokens": last, "differ": lambda one, other, by=by: by(one.sum(), other.sum()), **_ALL}
                for by in _COMPARE
            ),
            "past-and-future-swapped: You look whether later outputs change with an earlier token; that is allowed.",
            "Which rows must stay when token t changes: those before or after it?",
            *({"rows": lambda t: slice(t + 1, None), **also} for also in _EITHER),
            *(
                {"tokens": lambda n: range(n - 1), "rows": lambda t: slice(t + 1, None), **also}
                for also in _EITHER
            ),
            {"rows": lambda t: slice(t, None), **_UNTIL},
            {"rows": lambda t: slice(t, t + 1), **_UNTIL},
            "past-and-future-swapped: You compare the changed token's own and later outputs; those may change.",
            paired(rows=lambda t: slice(t, None)),
            "past-and-future-swapped: You look whether token 0 changes later outputs; that is allowed.",
            {"tokens": lambda n: [0], "rows": lambda t: slice(1, None)},
            "past-and-future-swapped: You change the earlier tokens and compare their own rows; those may change.",
            _UNTIL,
            "result-inverted: Yes and no have changed places: your detector says True where nothing leaks.",
            "What should it say about an attention without a mask?",
            *(paired(join=lambda found: not any(found), **also) for also in _EITHER),
            *({"join": lambda found: not any(found), "alone": False, **also} for also in _EITHER),
            "result-inverted: Your detector says True as soon as some token does not leak; it should when some token does.",
            "What does `np.allclose` say when nothing has changed?",
            {"join": lambda found: not all(found)},
            "result-inverted: Your detector says True as soon as one change stays without effect; it should when one has an effect.",
            {"join": lambda found: not all(found), **_FROM},
            "all-instead-of-any: You accuse an attention only when every token leaks; one is enough.",
            "How many rows, or tokens, must leak before an attention leaks?",
            *({"join": all, **also} for also in _EITHER),
            *({"join": all, "alone": False, **also} for also in _EITHER),
            "all-instead-of-any: You accuse an attention only when all the outputs that you compare have changed; one is enough.",
            *({"differ": lambda one, other: (one != other).all(), **also} for also in _EITHER),
            *(
                {"differ": lambda one, other: (abs(one - other) > 1e-8 + 1e-5 * abs(other)).all(), **also}
                for also in _EITHER
            ),
            "change-too-small: Your change is so small that a faint leak drowns in the tolerance of your comparison.",
            "Put quite other numbers into a token: the larger the change, the clearer the leak.",
            *(
                {
                    "new": lambda old, t, by=by, all_=all_: old + by * (1 if all_ else _noise(old.shape)),
                    "differ": differ,
                    **_FROM,
                }
                for by, differ in (
                    (1e-5, lambda one, other: loosely(one, other, 1e-5)),
                    (1e-3, loosely),
                    (1e-9, loosely),
                    (1e-12, loosely),
                )
                for all_ in (True, False)
            ),
            "tolerance-too-wide: You overlook a leak of less than 1e-8: your comparison lets too much pass, or averages it away.",
            "A causal attention is exact up to 1e-12. `np.allclose` lets 1e-8 pass, and by its `rtol` 1e-5 of each number besides.",
            *({"differ": loosely, **also} for also in _EITHER),
            "tolerance-too-wide: You overlook a faint leak: your tolerance is too wide, or an average drowns it.",
            "A causal attention is exact but for rounding: how large may a difference be?",
            *(
                {"differ": lambda a, b, by=by: abs(a - b).max(initial=0) > by, **_FROM}
                for by in (1e-4, 1e-2, 10, 1e3)
            ),
            "exact-comparison: You take rounding for a leak: differences of 1e-13 mean nothing.",
            "How large is a difference that comes from rounding alone?",
            {"differ": lambda one, other: (one != other).any()},
            "compares-sums: You compare sums or means: what grows in one place and shrinks in another stays unseen.",
            "Compare entry by entry: two outputs are equal only when all their entries are.",
            {"differ": lambda one, other: differ(one.sum(0), other.sum(0))},
            *({"differ": lambda one, other: differ(one.sum(), other.sum()), **also} for also in _EITHER),
            *({"differ": lambda one, other: differ(one.sum(1), other.sum(1)), **also} for also in _EITHER),
            "compares-sums: You compare lengths: an output that turns without growing stays unseen.",
            {"differ": lambda one, other: differ((one**2).sum(1) ** 0.5, (other**2).sum(1) ** 0.5)},
            "lost-sign: You compare a difference without its absolute value, so changes in one direction stay unseen.",
            "Which sign can a difference have?",
            *(
                {
                    "tokens": lambda n, signs=signs: [
                        (t, sign) for t in range(1, n) for sign in (signs[1:] if t > 1 else signs[:1])
                    ],
                    "part": lambda step: step[0],
                    "new": lambda old, step: old + step[1] * (1.0 + np.arange(len(old))),
                    "rows": lambda step: slice(0, step[0]),
                    "differ": lambda one, other: (other - one).max() > 1e-9,
                }
                for signs in ((1, 1), (1, -1), (1, 1, -1), (-1, 1), (-1, -1), (-1, 1, -1))
            ),
            "blind-change: You put the later tokens in another order; an attention that sees all of them does not notice.",
            "Put new numbers into a token instead of moving tokens about.",
            {"new": lambda old, t: old[::-1], **_FROM},
            {"new": lambda old, t: np.roll(old, 1, axis=0), **_FROM},
            "blind-change: All your tokens but the changed ones are zeros: their scores are 0 whatever the others are, so what leaks through the scores stays unseen.",
            "Put numbers other than 0 into the tokens that you leave as they are, too.",
            *(
                {"start": lambda n, d: np.zeros((n, d)), "new": new, **also}
                for new in (lambda old, t: _noise(old.shape), lambda old, t: 1.0)
                for also in _EITHER
            ),
            "blind-change: Each change adds the same to all features: a normalisation takes that back, and the leak with it.",
            "Put new random numbers into the token, another one for each feature.",
            *(paired(new=lambda old, t: old + 1, **also) for also in _EITHER),
            *({"start": lambda n, d: np.ones((n, d)), "new": lambda old, t: 2.0, **also} for also in _EITHER),
            "blind-change: Each change multiplies all features by the same: a normalisation takes that back, and the leak with it.",
            *({"new": lambda old, t: 2 * old, **also} for also in _EITHER),
            "blind-change: You turn the signs of a token: an attention to which only the sizes of the numbers count does not notice.",
            *({"new": lambda old, t: -old, **also} for also in _EITHER),
            "blind-change: Your tokens are ones and zeros on a diagonal: some features are never tried.",
            "Which features of a later token do you never change?",
            {"start": np.eye, "new": lambda old, t: 0, **_FROM},
            "nan-probe: You send NaN through, but 0 times NaN is NaN: a hidden token that counts times 0 seems to leak.",
            "Choose finite numbers for the change.",
            {"new": lambda old, t: np.nan, "differ": lambda one, other: np.isnan(other).any(), **_FROM},
            "columns-as-tokens: You change columns, the features of all tokens; tokens are rows.",
            "Which axis of X runs over the tokens?",
            {"part": lambda t: (slice(None), t)},
            {"part": lambda t: (slice(None), slice(t, None))},
            "different-inputs: Rows that you changed in one round are still changed in the next: later rounds compare them too.",
            "How do you get the tokens back as they were? `Y = X` makes no copy.",
            {"part": lambda t: slice(1, t + 1)},
            "different-inputs: Your two inputs differ in every token, so outputs differ in any attention.",
            "Which rows of the two inputs must be equal, so that comparing an output makes sense?",
            {"tokens": last, "part": lambda t: slice(None)},
            {"tokens": lambda n: [n], "part": lambda t: slice(None), **_ALL},
            "single-token-sequence: You accuse a single token of leaking; it has no future.",
            "Which later token could change the output of a single one?",
            {"alone": True},
        )
    ),
)
