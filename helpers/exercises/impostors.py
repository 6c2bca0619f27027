"""Exercises in which a learner writes a test: impostors, which it should catch, and right answers, which it must not.

Impostors are known mistakes of another exercise, by id and the beginning of their sentence. Their numbers are
a ladder: the first are caught by the simplest inputs. What a learner reads of one that is still here is its
riddle, which begins after "Impostor 3": "is right on every square input."
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.beside.suspects import Suspect, answered
from helpers.beside.tested import outcome
from helpers.exercises import find
from helpers.exercises.base import Case, Draw, Exercise, Mistake

IMPOSTOR, RIGHT = "impostor", "right answer"

NEVER_CALLED = "It never calls the function that it is handed, and so catches no impostor."
FIRST = "Give it an input whose right result you know, and compare."

ENOUGH = 8
"""So many impostors are to be caught, of ten."""

Row = tuple[str, str]
"""The id and the start of a known mistake's sentence, as "id: sentence", and the riddle."""


@dataclass(frozen=True)
class Lineup:
    """Whom a test of one function meets.

    Attributes:
        of: the exercise whose known mistakes the impostors are.
        visible: impostors and their riddles.
        hidden: those that hidden tests use.
        right: right answers, by what is odd about them.
        little: calls as text, the smallest first; an impostor is unmasked by the first on which it is wrong.
        names: what else these calls may name.
        enough: how many impostors are to be caught.
    """

    of: str
    visible: tuple[Row, ...]
    hidden: tuple[Row, ...]
    right: Mapping[str, Callable[..., Any]]
    little: tuple[str, ...]
    names: Mapping[str, Any]
    enough: int

    def rows(self, hidden: bool) -> tuple[Row, ...]:
        """The impostors of a check, and their riddles."""
        return self.hidden if hidden else self.visible

    def mistake(self, number: int, hidden: bool) -> Mistake:
        """The known mistake that an impostor is; its number counts from 1."""
        start = self.rows(hidden)[number - 1][0]
        known = (one for one in find(self.of).mistakes if f"{one.id}: {one.says}".startswith(start))
        found = next(known, None)
        if found is None:
            raise LookupError(f"{self.of} has no known mistake that begins {start!r}")
        return found

    def riddle(self, number: int, hidden: bool) -> str:
        """What is told of one that is still here."""
        return self.rows(hidden)[number - 1][1]

    def suspect(self, kind: str, number: int, hidden: bool) -> Suspect:
        """A suspect as it is at the start."""
        return Suspect(answered(self.program(kind, number, hidden)))

    def program(self, kind: str, number: int, hidden: bool) -> Callable[..., Any]:
        """A program that takes its arguments as the right answers do, by place and by name."""
        right = [*self.right.values()]
        program = right[number - 1] if kind == RIGHT else self.mistake(number, hidden).answer
        return functools.partial(_called, program, inspect.signature(right[0]))

    def witness(self, number: int, hidden: bool = False) -> str:
        """The first of the little calls on which an impostor is wrong, or `""`."""
        wrong, right = self.program(IMPOSTOR, number, hidden), self.program(RIGHT, 1, hidden)
        return next((call for call in self.little if self.differ(call, wrong, right)), "")

    def differ(self, call: str, wrong: Callable, right: Callable) -> bool:
        """Whether two programs come to different things in a call written as text."""
        return not _alike(*(self._done(call, program) for program in (wrong, right)))

    def _done(self, call: str, program: Callable) -> Any:
        """Results and arguments of a call, after it; or nothing where it stops."""
        given: list[Any] = []

        def called(*args: Any, **named: Any) -> Any:
            given.extend(_array(one) for one in args)
            return program(*given, **named)

        try:
            with np.errstate(all="ignore"):
                return [eval(call, {"inf": np.inf, **self.names, self.of: called}), given]
        except Exception:
            return None


def _called(program: Callable[..., Any], signature: inspect.Signature, *args: Any, **named: Any) -> Any:
    """A call in which names, lists and whole numbers do not tell programs apart: no misconception is about them."""
    given = signature.bind(*args, **named)
    for name, value in given.arguments.items():
        masks = name == "allowed" and value is not None
        given.arguments[name] = np.asarray(_array(value), bool) if masks else _array(value)
    return program(*given.args)


def _array(value: Any) -> Any:
    """Lists as arrays, and whole numbers in arrays as floats; a float array is itself, and may be written into."""
    array = np.asarray(value) if isinstance(value, list | tuple) else value
    if isinstance(array, np.ndarray) and array.dtype.kind in "iu":
        return array.astype(np.float64)
    return array


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if one is None or other is None:
        return one is other
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-5, atol=1e-7, equal_nan=True)


def lineup(name: str, hints: tuple[str, ...], enough: int = ENOUGH, **more: Any) -> Exercise:
    """The record of an exercise whose answer is a test.

    Args:
        name: the test's name, such as `"test_softmax"`.
        hints: as in `Exercise`.
        enough: so many impostors are to be caught, where there are as many.
        more: as in `Lineup`; without `hidden` the visible ones come there too.
    """
    more = {"little": (), "names": {}, **more}
    line = Lineup(**{"hidden": more["visible"], "enough": min(enough, len(more["visible"])), **more})

    def probe(answer: Any, args: Mapping[str, Any]) -> Any:
        suspect = line.suspect(args["kind"], args["number"], args["hidden"])
        return outcome(answer, suspect)

    return Exercise(
        name=name,
        cases=functools.partial(_cases, line),
        oracle=lambda *_: None,
        hints=hints,
        probe=probe,
        handed_a_function=True,
        mistakes=(Mistake("never-called", NEVER_CALLED, lambda function: None, FIRST),),
        enough=line.enough,
        lineup=line,
    )


def _cases(line: Lineup, draw: Draw) -> Iterator[Case]:
    """Every suspect once, in an order that is drawn; a right answer comes early, and one late."""
    hidden = draw.kind == "hidden"
    kinds = [(IMPOSTOR, 1 + int(one)) for one in draw.rng.permutation(len(line.rows(hidden)))]
    first, last, *others = (int(one) for one in draw.rng.permutation(len(line.right)))
    for one in others:
        kinds.insert(int(draw.rng.integers(len(kinds))), (RIGHT, 1 + one))
    kinds.insert(int(draw.rng.integers(4)), (RIGHT, 1 + first))
    kinds.insert(len(kinds) - int(draw.rng.integers(4)), (RIGHT, 1 + last))
    styles = tuple(line.right)
    for kind, number in kinds:
        args = {"kind": kind, "number": number, "hidden": hidden}
        args["style"] = styles[number - 1] if kind == RIGHT else ""
        yield Case(f"{kind} {number}", args)
