"""How known mistakes are written: a sentence, a hint, and the wrong programs they are said of.

    ROWS = rows(
        "no-max-subtraction: Your exponentials overflow: e^1000 is infinite.",
        "What can you take away from all numbers of a row?",
        {"shift": nothing},
        {"shift": nothing, "after": np.nan_to_num},
        "no-max-subtraction: You cut large numbers off: cut off they are equal, and so are their weights.",
        {"numbers": lambda x: np.clip(x, -50, 50), "shift": nothing},
    )

The word before the first colon is the mistake's id; a sentence without a hint has the hint above it.  A
program is one of these:

- a dict: the steps of the right answer that are replaced;
- `paired(...)`: such steps of a common mistake, which is also looked for together with a second one;
- a function, or anything else: the whole wrong answer.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from helpers.exercises.base import Mistake, replaceable

Make = Callable[..., Any]


class Paired(dict):
    """Steps that may be wrong together with others; every pair takes time, so this is for common mistakes."""


def paired(**steps: Any) -> Paired:
    """Wrong steps by name, which are also tried in pairs."""
    return Paired(steps)


@dataclass(frozen=True)
class Row:
    """One known mistake, before it is known which exercise it belongs to.

    Attributes:
        id: as in `Mistake`.
        says: as in `Mistake`; may hold words in braces that each exercise gives.
        hint: as in `Mistake`; the same.
        program: what is wrong, in one of the three forms above.
    """

    id: str
    says: str
    hint: str
    program: Any


def rows(*parts: Any) -> tuple[Row, ...]:
    """Rows from a flat list: "id: sentence", hint, programs, and so on.

    Raises:
        ValueError: where a program has no sentence with an id, or no hint.
    """
    made: list[Row] = []
    text = hint = ""
    fresh = False  # whether `text` still waits for its hint, or its first program
    for part in parts:
        if not isinstance(part, str):
            id, colon, says = text.partition(": ")
            if not colon or not hint:
                raise ValueError(
                    f'expected "id: sentence" and a hint before a program; got {text!r}, {hint!r}'
                )
            made.append(Row(id, says, hint, part))
            fresh = False
        elif fresh:
            hint = part
        else:
            text, fresh = part, True
    return tuple(made)


def without(table: Iterable[Row], *ids: str) -> tuple[Row, ...]:
    """A table without the mistakes of these ids, which the exercise has rows of its own for, or none."""
    return tuple(row for row in table if row.id not in ids)


def only(table: Iterable[Row], *ids: str) -> tuple[Row, ...]:
    """The mistakes of these ids, and no others."""
    return tuple(row for row in table if row.id in ids)


def alone(table: Iterable[Row]) -> tuple[Row, ...]:
    """A table without pairs, for an exercise in which they are not common."""
    return tuple(replace(r, program=dict(r.program)) if isinstance(r.program, Paired) else r for r in table)


def in_step(step: str, table: Iterable[Row], *, pairs: bool = False) -> tuple[Row, ...]:
    """Changes of one array, each put in as a wrong version of a step of the right answer.

    Args:
        step: its name; the step is called with the array first.
        table: rows whose programs take an array and return the wrong one.
        pairs: whether they are also tried together with a second mistake.
    """

    def put(change: Callable[[Any], Any]) -> dict[str, Any]:
        steps = {step: lambda array, *others: change(array)}
        return Paired(steps) if pairs else steps

    return tuple(replace(row, program=put(row.program)) for row in table)


def said(table: Iterable[Row], says: Mapping[str, str]) -> tuple[Row, ...]:
    """A table with other sentences, by id: where the general one is too general for an exercise."""
    return tuple(replace(row, says=says.get(row.id, row.says)) for row in table)


def also(table: Iterable[Row], *, pairs: bool = True, **steps: Any) -> tuple[Row, ...]:
    """A table whose programs have more steps replaced; tried in pairs as before, or not at all."""
    more = tuple(replace(row, program=type(row.program)(row.program | steps)) for row in table)
    return more if pairs else alone(more)


def as_in(table: Iterable[Row], start: str) -> tuple[str, str]:
    """The "id: sentence" and the hint of a row in another table, to be said of other programs.

    Args:
        table: rows of another exercise, or of a family.
        start: how "id: sentence" begins.

    Raises:
        ValueError: where it is not the beginning of exactly one sentence.
    """
    found = {
        (f"{row.id}: {row.says}", row.hint) for row in table if f"{row.id}: {row.says}".startswith(start)
    }
    if len(found) != 1:
        raise ValueError(f"expected the beginning of one sentence of the table; {len(found)} begin {start!r}")
    return found.pop()


def filled(text: str, hint: str, programs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Parts of `rows` that say one sentence with another word in place of its `{}` for each program."""
    return tuple(
        part for word, program in programs.items() for part in (text.replace("{}", word), hint, program)
    )


def reworded(table: Iterable[Row], old: str, new: str) -> tuple[Row, ...]:
    """A table with another word in its sentences: "a head" in place of "a query"."""
    return tuple(replace(row, says=row.says.replace(old, new)) for row in table)


def mistakes(make: Make, *table: Row, **words: str) -> tuple[Mistake, ...]:
    """The known mistakes of an exercise.

    Args:
        make: `make(**steps)` builds a right answer, or a wrong one where steps are replaced.
        table: the rows.
        words: what stands in the sentences for words in braces, such as `numbers="scores"`.
    """
    both = replaceable(make)
    return tuple(
        Mistake(
            row.id,
            _worded(row.says, words),
            _answer(make, both, row.program),
            _worded(row.hint, words),
            frozenset(row.program) if isinstance(row.program, dict) else frozenset(),
        )
        for row in table
    )


def _answer(make: Make, both: Make, program: Any) -> Any:
    if isinstance(program, Paired):
        return both(**program)
    return make(**program) if isinstance(program, dict) else program


def _worded(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text
