"""Which of four arrays did this mistake make?"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.beside.probe import observe_known
from helpers.exercises import find
from helpers.exercises.base import Exercise, Mistake
from helpers.questions.draw import rng_of, shuffled
from helpers.questions.question import Question, Shown, Table, looks
from helpers.questions.scenes import CAUSES, CLEAR, PART, SCENES, SHOWN
from helpers.questions.surface import surface
from helpers.verdict.wording import clause

NAME = "made_by"
TRIES = 30
"""Draws until four results look different."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(CAUSES)


def question(exercise: str, seed: int) -> Question | None:
    """One question; `None` where no draw tells enough mistakes apart."""
    rng, record = rng_of(NAME, exercise, seed), find(exercise)
    found = lineup(exercise, rng, CAUSES[exercise])
    if found is None:
        return None
    args, right, chosen = found
    tables = [chosen[0][1], *(table for _, table in chosen[1:3]), right]  # the right one is to be known, too
    choices, place = shuffled(rng, tables, 0)
    of = [next((mistake for mistake, table in chosen if table is one), None) for one in choices]
    return Question(
        NAME,
        exercise,
        seed,
        f"A check said of somebody's `{exercise}`: “{clause(chosen[0][0].says)}” "
        f"Which of these did that function return{rounded(right)}?",
        tuple(choices),
        place,
        _why(of, place),
        given(record, args),
    )


def lineup(
    exercise: str, rng: np.random.Generator, meant: tuple[str, ...] = ()
) -> tuple[dict[str, Any], Table, list[tuple[Mistake, Table]]] | None:
    """A call, its right result, and four mistakes with what they return; the first is the one that is meant.

    At least two of the others look like it at first sight, so that only knowing what was done tells.

    Args:
        exercise: its name.
        rng: what is drawn with.
        meant: the ids of which the first is one; any where there are none.
    """
    record = find(exercise)
    for _ in range(TRIES):
        args = SCENES[exercise](rng)
        right = _table(record, _part(record, record.oracle(*args.values())))
        others = list(_wrong(record, args, right))
        if not others:
            continue
        order = [others[i] for i in rng.permutation(len(others))]
        order.sort(key=lambda pair: bool(meant) and pair[0].id not in meant)
        if meant and order[0][0].id not in meant:
            continue
        look = surface(order[0][1].array, right.array)
        alike = [pair for pair in order[1:] if surface(pair[1].array, right.array) == look]
        rest = [pair for pair in order[1:] if pair not in alike]
        chosen = list(_different([order[0], *alike, *rest]))[:4]
        if len(chosen) == 4 and sum(surface(one.array, right.array) == look for _, one in chosen) >= 3:
            return args, right, chosen
    return None


def beside(right: Table) -> Table:
    """The right result, to compare with."""
    return Table(right.array, f"{right.name or 'the result'}, if right", right.axes)


def _why(of: list[Mistake | None], place: int) -> str:
    rest = [
        f"{letter}: {clause(one.says) if one else 'this is the right result.'}"
        for letter, one in zip("abcd", of, strict=True)
        if one is not of[place]
    ]
    return f"What was done in the others: {' '.join(rest)}"


def _part(record: Exercise, result: Any) -> Any:
    return result[record.parts.index(PART[record.name])] if isinstance(result, tuple) else result


def _table(record: Exercise, result: Any) -> Table:
    axes = record.axes.get(PART.get(record.name, ""), ("row", "column"))
    return Table(np.asarray(result), PART.get(record.name, ""), axes)


def _wrong(record: Exercise, args: dict[str, Any], right: Table) -> Iterator[tuple[Mistake, Table]]:
    """Each clear mistake with what it returns, where all programs of its sentence return the same."""
    made: dict[str, tuple[Mistake, Table] | None] = {}
    sentences = {clause(one.says) for one in record.mistakes if one.id in CLEAR[record.name]}
    for mistake in record.mistakes:
        says = clause(mistake.says)
        if says not in sentences:
            continue
        table = _returned(record, mistake, args)
        known = made.get(says)
        if table is None or not _of_one_kind(table.array, right.array):
            made[says] = None
        elif says not in made:
            made[says] = (mistake, table)
        elif known is not None and looks(known[1]) != looks(table):
            made[says] = None
    for pair in made.values():
        if pair is not None and looks(pair[1]) != looks(right):
            yield pair


def _of_one_kind(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and one.dtype.kind == other.dtype.kind


def _returned(record: Exercise, mistake: Mistake, args: dict[str, Any]) -> Table | None:
    with np.errstate(all="ignore"):
        seen = observe_known(record, mistake.answer, args)
    value = seen.get("value", {})
    if value.get("kind") == "tuple":
        items = value["items"]
        value = items[record.parts.index(PART[record.name])] if len(items) == len(record.parts) else {}
    array = value.get("array")
    return None if array is None or seen["changed"] else _table(record, array)


def _different(order: list[tuple[Mistake, Table]]) -> Iterator[tuple[Mistake, Table]]:
    """Those of other mistakes and other looks than the ones before."""
    ids, seen = set(), set()
    for mistake, table in order:
        if mistake.id not in ids and looks(table) not in seen:
            ids.add(mistake.id)
            seen.add(looks(table))
            yield mistake, table


def rounded(table: Table) -> str:
    """A note where numbers are shown with fewer digits than they have."""
    array = table.array
    whole = array.dtype.kind != "f" or np.allclose(array, array.round(2), atol=1e-9, equal_nan=True)
    return "" if whole else " (rounded)"


def given(record: Exercise, args: dict[str, Any]) -> tuple[Shown, ...]:
    """The arguments of a call: arrays as tables, the rest in a sentence."""
    shown = {name: args[name] for name in SHOWN.get(record.name, args) if name in args}
    plain = [f"`{name} = {value}`" for name, value in shown.items() if not isinstance(value, np.ndarray)]
    tables = [Table(value, name) for name, value in shown.items() if isinstance(value, np.ndarray)]
    return (*tables, *([f"With {' and '.join(plain)}."] if plain else []))
