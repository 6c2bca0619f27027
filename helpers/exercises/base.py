"""The records an exercise is made of: its cases, its oracle, its known mistakes and its hints.

The record of an exercise is one file, named after it. What is long or stands on the other side of the wall has
a file of its own: many known mistakes in `<exercise>_mistakes.py` beside it, the right answer in
`helpers/reference/`, a special way to call the learner's in `helpers/beside/probes/`, the task in the unit's
notebook, and the programs that the check is tried on in `banks/`.
"""

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from helpers.beside.probes.base import Case, call
from helpers.errors import BadArgument
from helpers.exercises.compare import Difference

# Distinct primes, so that no two axes can be confused; hidden tests draw from other numbers.
SIZES = {"visible": (2, 3, 5, 7, 11), "hidden": (3, 5, 7, 11, 13)}


@dataclass(frozen=True)
class Mistake:
    """A wrong program that people really write.

    Attributes:
        id: short name, the same for the same misconception in every exercise.
        says: what the learner did and why it matters, in the learner's words.
        answer: the wrong program itself, in the same form as a right answer.
        hint: what to look at, without giving the code away.
        steps: which steps of a right answer it replaces, where it is made so; the others are right.
    """

    id: str
    says: str
    answer: Any
    hint: str
    steps: frozenset[str] = frozenset()


def replaceable(make: Callable[..., Any]) -> Callable[..., Any]:
    """Let wrong answers be combined: `make(**steps)` builds a right answer with some steps replaced.

    What it builds remembers its steps, so that two mistakes in different steps make a third answer.
    """

    @functools.wraps(make)
    def build(**steps: Any) -> Any:
        answer = make(**steps)
        answer.made_of = (build, steps)
        return answer

    return build


def combined(one: Mistake, other: Mistake) -> Any:
    """The answer that makes both mistakes, or `None` where they do not fit together."""
    (build, steps), (also, more) = (getattr(m.answer, "made_of", (None, {})) for m in (one, other))
    if build is None or build is not also or one.id == other.id or steps.keys() & more.keys():
        return None
    return build(**steps, **more)


class Draw:
    """Fresh random inputs from one seed: sizes that are all different, arrays of either float width."""

    def __init__(self, seed: int, sizes: str = "visible") -> None:
        if sizes not in SIZES:
            raise BadArgument(f"sizes: expected one of {', '.join(SIZES)}; got {sizes!r}")
        self.rng = np.random.default_rng(seed)
        self.kind = sizes
        self._pool = SIZES[sizes]

    def sizes(self, count: int) -> list[int]:
        """`count` different primes, in random order."""
        return [int(size) for size in self.rng.permutation(self._pool)[:count]]

    def normal(self, *shape: int, dtype: type = np.float64, scale: float = 1.0) -> np.ndarray:
        """Normal numbers of the given shape with standard deviation `scale`."""
        return (scale * self.rng.standard_normal(shape)).astype(dtype)

    def mask(self, *shape: int) -> np.ndarray:
        """A boolean array, about two thirds `True`, with at least one `True` and one `False` in each row."""
        allowed = self.rng.random(shape) < 0.66
        allowed[..., 0] |= ~allowed.any(axis=-1)
        allowed[..., -1] &= ~allowed.all(axis=-1)
        return allowed


@dataclass(frozen=True)
class MustRaise:
    """What an oracle returns where the right answer is to raise.

    Attributes:
        error: the name of the exception, such as `"ValueError"`.
        naming: texts its message must hold, such as both sizes that do not fit.
    """

    error: str
    naming: tuple[str, ...] = ()


@dataclass(frozen=True)
class Woven:
    """What of an exercise the loom shows (`helpers.views.loom`), below a check that fails.

    Attributes:
        stages: the stage of the loom that a result is, by its name in `parts`, or `""` for the only one.
        until: the last stage of the loom.
        begins: makes of a call's arguments what the loom begins with, by the names of its stages.
        note: a sentence on what stands under another name there.
    """

    stages: Mapping[str, str]
    until: str
    begins: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    note: str = ""


@dataclass(frozen=True, eq=False)
class Exercise:
    """The record of one exercise: what its check, its hints and its panels need.

    Attributes:
        name: the name the learner defines.
        cases: draws the calls to make, from plain and small to random and batched.
        oracle: takes a case's arguments and returns the right result: from PyTorch, by hand or by a property.
        hints: the ladder, from a question to nearly the answer.
        mistakes: what people get wrong, recognised by behaving the same on the same inputs.
        parts: names of the results when a tuple is returned.
        axes: what the rows and columns of a result are called, by its name in `parts`, or `""` for the only one.
        whole_answer: library calls that would be the whole answer.
        probe: runs beside the learner's code: `probe(answer, args)` returns arrays, numbers or strings.
        judge: compares in a way of its own: `judge(right, args, got)` returns what is wrong, or `None`.
        tensors: the answer works on PyTorch tensors, not NumPy arrays; it stands in `IN_PYTORCH` of `units.py` too.
        handed_a_function: the answer is called with a function; where probe and answer are in different
            processes, the probe stays with the verdict, and that function with it.
        woven: which stages of attention its results are, where they are some.
        riddles: of an answer that finds faults in functions, what is told of one that it overlooks, by kind;
            `""` for a kind without a fault.
        enough: how many impostors an answer that is a test has to catch; 0 for any other answer.
        lineup: whom such a test meets.
    """

    name: str
    cases: Callable[[Draw], Iterable[Case]]
    oracle: Callable[..., Any]
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...] = ()
    parts: tuple[str, ...] = ()
    axes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    whole_answer: tuple[str, ...] = ()
    probe: Callable[[Any, Mapping[str, Any]], Any] = call
    judge: Callable[[Any, Mapping[str, Any], Any], Difference | None] | None = None
    tensors: bool = False
    handed_a_function: bool = False
    woven: Woven | None = None
    riddles: Mapping[str, str] = field(default_factory=dict)
    enough: int = 0
    lineup: Any = None


@functools.lru_cache(maxsize=64)  # draws are kept by the record
def asking(exercise: Exercise, caught: int | None) -> Exercise:
    """The record of a test that has to catch so many impostors.

    Raises:
        BadArgument: where the answer is no test, or there are not so many.
    """
    if caught is None:
        return exercise
    if not exercise.enough:
        raise BadArgument(f"caught belongs to exercises whose answer is a test; {exercise.name} is none")
    if isinstance(caught, bool) or not isinstance(caught, int) or not 0 < caught <= 10:
        raise BadArgument(f"caught: expected a whole number from 1 to 10; got {caught!r}")
    return replace(exercise, enough=caught)


def draw_cases(exercise: Exercise, seed: int, sizes: str = "visible") -> list[Case]:
    """The calls of one check: the exercise's cases, then one from the middle with other numbers, then as it was.

    These two find answers that keep state between calls, by the sizes or the arguments of an earlier one.
    """
    return list(_drawn(exercise, seed, sizes))


@functools.lru_cache(maxsize=64)  # a class is graded on the same few draws, and what is known of them is kept
def _drawn(exercise: Exercise, seed: int, sizes: str) -> tuple[Case, ...]:
    cases = list(exercise.cases(Draw(seed, sizes)))
    if exercise.tensors:
        cases = [replace(case, args={name: _long(one) for name, one in case.args.items()}) for case in cases]
    again = cases[len(cases) // 2]
    return (
        *cases,
        *_with_other_numbers(again),
        Case(f"{again.says}, called a second time", again.args, again=True),
    )


def _with_other_numbers(case: Case) -> Iterable[Case]:
    """The same sizes with other numbers, where there are arrays in which numbers can change places."""
    args = {name: _moved(value, place) for place, (name, value) in enumerate(case.args.items(), start=1)}
    if any(_differ(value, args[name]) for name, value in case.args.items()):
        yield Case(f"{case.says}, with other numbers", args, renewed=True)


def _long(value: Any) -> Any:
    """Whole numbers in 64 bits, as PyTorch asks for tokens; where a browser's Python runs, NumPy's have 32."""
    if isinstance(value, dict):
        return {key: _long(one) for key, one in value.items()}
    whole = isinstance(value, np.ndarray) and value.dtype.kind == "i"
    return value.astype(np.int64) if whole and value.dtype != np.int64 else value


def _moved(value: Any, place: int) -> Any:
    """An array with its numbers in other places, also each of a dict; anything else as it is."""
    if isinstance(value, dict):
        return {key: _moved(one, place + i) for i, (key, one) in enumerate(value.items())}
    return _shifted(value, place) if isinstance(value, np.ndarray) else value


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return any(_differ(one[key], other[key]) for key in one)
    return isinstance(one, np.ndarray) and not np.array_equal(one, other)


def _shifted(array: np.ndarray, places: int) -> np.ndarray:
    """Rows moved on, or the numbers of a single row: what is in a row may have to stay together.

    Each array of a call is moved further than the one before: moved alike, two vectors have the same product.
    """
    axis = -2 if array.ndim > 1 and array.shape[-2] > 1 else -1
    return np.roll(array, places % array.shape[axis] or 1, axis)
