"""Which shape comes out?"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.beside.probe import observe_known
from helpers.exercises import find
from helpers.exercises.base import Case, Exercise, draw_cases
from helpers.questions.draw import rng_of, shuffled
from helpers.questions.question import Question
from helpers.verdict.parts import results

NAME = "which_shape"
ASKED = (
    *("similarity_matrix", "project", "attention_scores", "mix_values", "first_attention", "scaled_scores"),
    *("attention", "split_heads", "merge_heads", "sum_of_heads", "multi_head_attention"),
    *("MultiHeadAttention", "bert_attention", "online_attention"),
)
ENOUGH = 40
"""So many programs of mistakes tell the commonest shapes, and a question is there at once."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return ASKED


def question(exercise: str, seed: int) -> Question | None:
    """One question, about a random call of the exercise's check; `None` where too few shapes differ."""
    rng, record = rng_of(NAME, exercise, seed), find(exercise)
    cases = [case for case in draw_cases(record, seed) if _is_random(case)]
    for place in rng.permutation(len(cases)):
        case = cases[place]
        right = _shapes(record, record.oracle(*case.args.values()))
        if not right:
            continue
        part = int(rng.integers(len(right)))
        came_in = {one.shape for one in case.args.values() if isinstance(one, np.ndarray)}
        wrong = [one for one in dict.fromkeys(_wrong(record, case, part, right[part])) if one != right[part]]
        if len(wrong) < 3 or right[part] in came_in:  # a shape that is there to be read asks nothing
            continue
        few = [wrong[i] for i in sorted(rng.permutation(min(len(wrong), 5))[:3])]
        choices, at = shuffled(rng, [right[part], *few], 0)
        name = record.parts[part] if record.parts else ""
        what = f"shape of its `{name}`" if len(right) > 1 else "shape"
        return Question(
            NAME,
            exercise,
            seed,
            f"`{exercise}` is called with {_call(case)}. Which {what} comes out?",
            tuple(f"`{_written(one)}`" for one in choices),
            at,
            f"{_written(right[part])}. {_axes(record, name, len(right[part]))}".strip(),
        )
    return None


def _is_random(case: Case) -> bool:
    """Whether the sizes that are told tell the axes apart."""
    sizes = [size for one in case.args.values() if isinstance(one, np.ndarray) for size in one.shape]
    telling = min(sizes, default=1) > 1 and len(set(sizes)) > 2 and case.args.get("num_heads") != 1
    return telling and not case.again and not case.renewed


def _shapes(record: Exercise, right: Any) -> list[tuple[int, ...]]:
    if isinstance(right, dict):
        right = right.get("results", ())
    parts = right if isinstance(right, tuple) else (right,)
    found = [one.shape for one in parts if isinstance(one, np.ndarray) and one.ndim > 1]
    return found if len(found) == max(1, len(record.parts)) else []


def _wrong(record: Exercise, case: Case, part: int, right: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Shapes that somebody believes: those of the commonest mistakes, an axis of another argument, a turn."""
    arrays = [one.shape for one in case.args.values() if isinstance(one, np.ndarray) and one.ndim > 1]
    axes = [
        (*right[:at], size, *right[at + 1 :])
        for at, sizes in ((len(right) + back, {one[back] for one in arrays}) for back in (-1, -2))
        for size in sorted(sizes - {right[at]})
    ]
    known = {*right, *(one for one in case.args.values() if type(one) is int), *sum(arrays, ())}
    common = [shape for shape, _ in Counter(_made(record, case, part, right)).most_common(3)]
    common = [shape for shape in common if known.issuperset(shape)]
    turned = [_exchanged(right, -1, -2)] if len(right) == 2 or part else []  # an output's are never turned
    merged = [(*right[:-3], right[-3] * right[-2], right[-1])] if len(right) > 3 else []
    heads = [_exchanged(right, 1, 2), (right[0], *right[2:]), *merged] if len(right) == 4 else []
    own = sorted(dict.fromkeys([*common, *axes, *heads, *turned]), key=lambda one: len(one) != len(right))
    yield from (one for one in own if one not in arrays or one in common)
    yield from arrays


def _exchanged(shape: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    turned = list(shape)
    turned[one], turned[other] = shape[other], shape[one]
    return tuple(turned)


def _made(record: Exercise, case: Case, part: int, right: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for mistake in record.mistakes[:: 1 + len(record.mistakes) // ENOUGH]:
        with np.errstate(all="ignore"):
            seen = observe_known(record, mistake.answer, case.args)
        if "value" in seen:
            pairs = results(record.oracle(*case.args.values()), seen["value"])
            array = pairs[part][1].get("array") if len(pairs) > part else None
            if array is not None and array.shape != right and array.ndim:
                yield array.shape


def _call(case: Case) -> str:
    told = []
    for name, value in case.args.items():
        hidden = name == "allowed" or name.startswith("b_") or {".", " "} & set(name)
        if isinstance(value, np.ndarray) and not hidden:
            told.append(f"`{name}` {_written(value.shape)}")
        elif isinstance(value, int | float):
            told.append(f"`{name} = {value}`")
    return ", ".join(told)


def _written(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"


def _axes(record: Exercise, name: str, count: int) -> str:
    axes = record.axes.get(name) or record.axes.get("")
    if not axes or count < 2:
        return ""
    return f"The last two axes are {axes[0]} and {axes[1]}."
