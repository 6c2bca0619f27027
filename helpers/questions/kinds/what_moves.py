"""What happens to the result if this number grows?"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.exercises import find
from helpers.questions.draw import rng_of, shuffled
from helpers.questions.kinds.made_by import given
from helpers.questions.question import Question, Table
from helpers.questions.scenes import whole

NAME = "what_moves"
Args = dict[str, Any]
Change = Callable[[Args, np.random.Generator], tuple[str, Args]]


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(CHANGES)


def question(exercise: str, seed: int) -> Question | None:
    """One question; `None` where no draw makes exactly one of the choices true."""
    rng, record = rng_of(NAME, exercise, seed), find(exercise)
    scene, changes, states = CHANGES[exercise]
    for _ in range(30):
        args = scene(rng)
        says, changed = changes[int(rng.integers(len(changes)))](args, rng)
        before, after = (record.oracle(*one.values()) for one in (args, changed))
        texts = states(args)
        true = [place for place, (_, holds) in enumerate(texts) if holds(before, after)]
        if len(true) != 1:
            continue
        choices, at = shuffled(rng, [text for text, _ in texts], true[0])
        names = record.parts or ("the result",)
        pairs = [one if isinstance(one, tuple) else (one,) for one in (before, after)]
        drawn = [
            Table(
                np.asarray(value), f"{name} {when}", record.axes.get(name if record.parts else "", ("", ""))
            )
            for when, values in zip(("before", "after"), pairs, strict=True)
            for name, value in zip(names, values, strict=True)
        ]
        return Question(
            NAME,
            exercise,
            seed,
            f"In a call of `{exercise}` {says}. What does that change?",
            tuple(choices),
            at,
            f"{texts[true[0]][0][0].upper()}{texts[true[0]][0][1:]}.",
            given(record, args),
            tuple(drawn),
        )
    return None


def _same(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, atol=1e-6, equal_nan=True))


def _attention_states(args: Args) -> list[tuple[str, Callable[[Any, Any], bool]]]:
    def rows(before: Any, after: Any) -> np.ndarray:
        return ~np.isclose(before[1], after[1], atol=1e-6).all(axis=-1)

    return [
        ("nothing", lambda b, a: _same(b[0], a[0]) and _same(b[1], a[1])),
        ("some outputs, and no weight", lambda b, a: _same(b[1], a[1]) and not _same(b[0], a[0])),
        ("the weights of one query only", lambda b, a: int(rows(b, a).sum()) == 1),
        ("the weights of several queries", lambda b, a: int(rows(b, a).sum()) > 1),
    ]


def _with(args: Args, **new: Any) -> Args:
    return {**args, **new}


def _row(args: Args, name: str, rng: np.random.Generator, word: str) -> tuple[str, Args]:
    place = int(rng.integers(len(args[name])))
    array = args[name].copy()
    array[place] *= 2
    return f"all numbers of {word} {place} are doubled", _with(args, **{name: array})


def _attention(rng: np.random.Generator) -> Args:
    args = {"Q": whole(rng, 3, 4, low=0, high=2), "K": whole(rng, 3, 4, low=0, high=2)}
    args["V"] = whole(rng, 3, 2, low=1, high=6)
    allowed = np.tril(np.ones((3, 3), bool))
    return args | ({"allowed": allowed} if rng.random() < 0.6 else {})


_IN_ATTENTION: tuple[Change, ...] = (
    lambda a, rng: _row(a, "Q", rng, "query"),
    lambda a, rng: _row(a, "K", rng, "key"),
    lambda a, rng: _row(a, "V", rng, "value"),
    lambda a, rng: ("the same vector, [1, 1, 1, 1], is added to every key", _with(a, K=a["K"] + 1)),
    lambda a, rng: ("the same vector, [1, 1, 1, 1], is added to every query", _with(a, Q=a["Q"] + 1)),
    lambda a, rng: ("the values are all doubled", _with(a, V=2 * a["V"])),
)


def _ratio_states(args: Args) -> list[tuple[str, Callable[[Any, Any], bool]]]:
    def times(factor: float) -> Callable[[Any, Any], bool]:
        return lambda b, a: _same(factor * np.asarray(b), a) and not _same(b, 0)

    return [
        ("nothing: every number of the result stays", times(1)),
        ("every number of the result is doubled", times(2)),
        ("every number of the result becomes four times as large", times(4)),
        ("every number of the result is multiplied by the root of 2", times(2**0.5)),
    ]


def _twice(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, array], axis=-1)


def _ratios(one: str, other: str) -> tuple[Change, ...]:
    return (
        lambda a, rng: (f"all numbers of `{one}` are doubled", _with(a, **{one: 2 * a[one]})),
        lambda a, rng: (f"all numbers of `{other}` are doubled", _with(a, **{other: 2 * a[other]})),
        lambda a, rng: (
            f"all numbers of `{one}` and of `{other}` are doubled",
            _with(a, **{one: 2 * a[one], other: 2 * a[other]}),
        ),
        lambda a, rng: (
            f"each vector of `{one}` and of `{other}` is written twice, one behind the other, which makes it "
            "twice as wide",
            _with(a, **{one: _twice(a[one]), other: _twice(a[other])}),
        ),
    )


def _vectors(rng: np.random.Generator) -> Args:
    return {"a": whole(rng, 2, low=1, high=4), "b": whole(rng, 2, low=1, high=4)}


def _matrices(rng: np.random.Generator) -> Args:
    return {"Q": whole(rng, 2, 2, low=0, high=3), "K": whole(rng, 3, 2, low=0, high=4)}


def _weight_states(name: str) -> Callable[[Args], list[tuple[str, Callable[[Any, Any], bool]]]]:
    def states(args: Args) -> list[tuple[str, Callable[[Any, Any], bool]]]:
        top = int(np.argmax(args[name]))
        return [
            ("nothing: all weights stay", _same),
            ("the largest weight grows, the smallest shrinks", lambda b, a: a[top] > b[top] + 1e-6),
            ("the largest weight shrinks, the smallest grows", lambda b, a: a[top] < b[top] - 1e-6),
            ("all weights grow", lambda b, a: bool((a > b + 1e-6).all())),
        ]

    return states


def _row_of(rng: np.random.Generator) -> Args:
    return {"x": whole(rng, 4, low=-2, high=4)}


def _heated(rng: np.random.Generator) -> Args:
    return {"x": whole(rng, 4, low=-2, high=4), "temperature": float(rng.choice([1.0, 2.0]))}


_IN_SOFTMAX: tuple[Change, ...] = (
    lambda a, rng: ("100 is added to every number of `x`", _with(a, x=a["x"] + 100)),
    lambda a, rng: ("all numbers of `x` are doubled", _with(a, x=2 * a["x"])),
    lambda a, rng: ("all numbers of `x` are halved", _with(a, x=a["x"] / 2)),
    lambda a, rng: (
        "the largest number of `x` is taken away from all of them",
        _with(a, x=a["x"] - a["x"].max()),
    ),
)
_HEATS: tuple[Change, ...] = (
    lambda a, rng: ("the temperature is doubled", _with(a, temperature=2 * a["temperature"])),
    lambda a, rng: ("the temperature is halved", _with(a, temperature=a["temperature"] / 2)),
    lambda a, rng: (
        "`x` and the temperature are both doubled",
        _with(a, x=2 * a["x"], temperature=2 * a["temperature"]),
    ),
)

CHANGES: Mapping[str, tuple[Any, tuple[Change, ...], Any]] = {
    "dot": (_vectors, _ratios("a", "b"), _ratio_states),
    "cosine_similarity": (_vectors, _ratios("a", "b"), _ratio_states),
    "attention_scores": (_matrices, _ratios("Q", "K"), _ratio_states),
    "scaled_scores": (_matrices, _ratios("Q", "K"), _ratio_states),
    "softmax": (_row_of, _IN_SOFTMAX, _weight_states("x")),
    "softmax_with_temperature": (_heated, (*_IN_SOFTMAX, *_HEATS), _weight_states("x")),
    "attention": (_attention, _IN_ATTENTION, _attention_states),
}
"""By exercise: its scene, what may be changed in it, and what that may change: the choices."""
