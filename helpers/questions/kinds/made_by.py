"""Which of four arrays did this mistake make?"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.beside.probe import observe_known
from helpers.exercises import find
from helpers.exercises.base import Exercise, Mistake
from helpers.questions.draw import rng_of, shuffled
from helpers.questions.question import Question, Shown, Table, looks
from helpers.questions.scenes import CLEAR, PART, SCENES
from helpers.verdict.wording import clause

NAME = "made_by"
TRIES = 30
"""Draws until four results look different."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(SCENES)


def question(exercise: str, seed: int) -> Question | None:
    """One question; `None` where no draw tells enough mistakes apart."""
    rng, record = rng_of(NAME, exercise, seed), find(exercise)
    for _ in range(TRIES):
        args = SCENES[exercise](rng)
        right = _table(record, _part(record, record.oracle(*args.values())))
        others = list(_wrong(record, args, right))
        if len({mistake.id for mistake, _ in others}) < 4:
            continue
        order = [others[i] for i in rng.permutation(len(others))]
        chosen = list(_different(order))[:4]
        if len(chosen) < 4:
            continue
        meant = chosen[0]
        choices, place = shuffled(rng, [table for _, table in chosen], 0)
        of = [next(mistake for mistake, table in chosen if table is one) for one in choices]
        return Question(
            NAME,
            exercise,
            seed,
            f"A check said of somebody's `{exercise}`: “{meant[0].says}” Which of these did it return?",
            tuple(choices),
            place,
            _why(of, place),
            (*given(record, args), Table(right.array, "the right result", right.axes)),
        )
    return None


def _why(of: list[Mistake], place: int) -> str:
    letters = "ABCD"
    rest = [f"{letters[i]}: {clause(one.says)}" for i, one in enumerate(of) if i != place]
    return f"It is {letters[place]}. What was done in the others: {' '.join(rest)}"


def _part(record: Exercise, result: Any) -> Any:
    return result[record.parts.index(PART[record.name])] if isinstance(result, tuple) else result


def _table(record: Exercise, result: Any) -> Table:
    axes = record.axes.get(PART.get(record.name, ""), ("row", "column"))
    return Table(np.asarray(result), PART.get(record.name, ""), axes)


def _wrong(record: Exercise, args: dict[str, Any], right: Table) -> Iterator[tuple[Mistake, Table]]:
    """Each clear mistake with what it returns, where all programs of its sentence return the same."""
    made: dict[str, tuple[Mistake, Table] | None] = {}
    sentences = {mistake.says for mistake in record.mistakes if mistake.id in CLEAR[record.name]}
    for mistake in record.mistakes:
        if mistake.says not in sentences:
            continue
        table = _returned(record, mistake, args)
        if (
            table is None
            or table.array.shape != right.array.shape
            or table.array.dtype.kind != right.array.dtype.kind
        ):
            made[mistake.says] = None
        elif mistake.says not in made:
            made[mistake.says] = (mistake, table)
        elif made[mistake.says] is not None and looks(made[mistake.says][1]) != looks(table):
            made[mistake.says] = None
    for pair in made.values():
        if pair is not None and looks(pair[1]) != looks(right):
            yield pair


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


def given(record: Exercise, args: dict[str, Any]) -> tuple[Shown, ...]:
    """The arguments of a call: arrays as tables, the rest in a sentence."""
    plain = [f"`{name} = {value}`" for name, value in args.items() if not isinstance(value, np.ndarray)]
    tables = [Table(value, name) for name, value in args.items() if isinstance(value, np.ndarray)]
    return (*tables, *([f"With {' and '.join(plain)}."] if plain else []))
