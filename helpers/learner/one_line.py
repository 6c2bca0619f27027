"""Whether one line of a wrong answer is enough to put it right: small edits are tried until the check passes.

Which edit it was stays in here: it may be right for a reason that no learner would think of.  That a change of
this line alone is enough is true all the same.
"""

import ast
import contextlib
import inspect
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from helpers import browser
from helpers.beside import probe
from helpers.beside.fresh import keeps, names, reached
from helpers.beside.guard import guard
from helpers.beside.pytorch import pytorch
from helpers.beside.quiet import quiet
from helpers.beside.standard import standard
from helpers.beside.time_limit import TooSlow, time_limit
from helpers.exercises.base import Case, Exercise, draw_cases
from helpers.exercises.oracle import one_thread
from helpers.in_browser.recorded import SEEDS
from helpers.learner.checking import verdict_of
from helpers.learner.small_edits import Edit, small_edits
from helpers.units import VARIABLES
from helpers.verdict.judge import problem_of

SECONDS = 6.0 if browser.HERE else 3.0
"""How long may be searched; after that nothing is said."""

ONE_CALL = 0.5
"""How long one call of an edited answer may take: an edit may loop for ever."""

_FILE = "<one line>"
_ACTS = frozenset(
    "open exec eval input compile globals locals vars setattr delattr breakpoint __import__".split()
)
_ACTS_OF = frozenset("save savez savetxt tofile dump write writelines system popen remove unlink run".split())
_HARMLESS = frozenset(("numpy", "math", "torch"))


@dataclass
class Outcome:
    """What a search came to.

    Attributes:
        edits: by line the first edit that is right, at most two.
        stopped: why nothing can be said all the same, or `""`: "not tried" or "time".
    """

    edits: dict[int, Edit] = field(default_factory=dict)
    stopped: str = ""


def line_to_change(
    exercise: Exercise, answer: Any, source: str, seed: int, seconds: float | None = None
) -> int | None:
    """The one line of an answer of which a small edit was found that makes its check pass.

    Args:
        exercise: the record.
        answer: the function or class.
        source: its code, in as many lines as it is to be counted in: empty ones may stand above.
        seed: of a check that it fails; the edited answer passes three others as well.
        seconds: how long to search; `SECONDS` where it is not given.

    Returns:
        The line's number in `source`, or `None`: where no such edit is found, where there are some in several
        lines, where the time is up, and where the answer acts on more than its arguments.
    """
    found = searched(exercise, answer, source, seed, seconds)
    return next(iter(found.edits)) if len(found.edits) == 1 and not found.stopped else None


def searched(
    exercise: Exercise, answer: Any, source: str, seed: int, seconds: float | None = None
) -> Outcome:
    """As `line_to_change`, with all that was found: it ends at the second line."""
    if exercise.lineup or exercise.name in VARIABLES or not _only_computes(exercise, answer, source):
        return Outcome(stopped="not tried")
    with _undisturbed():
        search = _search(exercise, answer, source, seed)
        if search is None:
            return Outcome(stopped="not tried")
        return search.outcome(time.monotonic() + (SECONDS if seconds is None else seconds))


def passes(exercise: Exercise, answer: Any, seed: int) -> bool:
    """Whether an answer is right, on this draw and on the others that count here."""
    return all(verdict_of(exercise, answer, *draw).passed for draw in _draws(seed))


def _draws(seed: int) -> list[tuple[int, str]]:
    """The check's own draw and three others; a browser has recorded a few, and no hidden sizes."""
    others = [one for one in SEEDS if one != seed][:3]
    last = "visible" if browser.HERE else "hidden"
    return [(seed, "visible"), (others[0], "visible"), (others[1], "visible"), (others[2], last)]


def _only_computes(exercise: Exercise, answer: Any, source: str) -> bool:
    """Whether an answer can be tried many times, and nothing is different afterwards."""
    if threading.current_thread() is not threading.main_thread():  # there no call can be ended
        return False
    plain = _plain(answer)
    functions, own = reached(plain), _functions(plain)
    called = {name for one in functions if one not in own for name in names(one.__code__)}
    # what calls the answer from another cell would call the one without the edit
    if not functions or called & {exercise.name, plain.__name__} or keeps(answer):
        return False
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    return len(tree.body) == 1 and not any(map(_acts, ast.walk(tree)))


def _acts(node: ast.AST) -> bool:
    """Whether a piece of code may do more than compute."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        return not all(one.split(".")[0] in _HARMLESS for one in modules)
    if isinstance(node, ast.Attribute):
        return node.attr in _ACTS_OF
    return isinstance(node, ast.Global | ast.Nonlocal) or (isinstance(node, ast.Name) and node.id in _ACTS)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """The settings of a new kernel, silence past Python, and the learner's random numbers as they were."""
    torch = pytorch()
    luck = random.getstate(), np.random.get_state(), torch.get_rng_state() if torch else None
    with standard(), one_thread():
        try:
            yield
        finally:
            random.setstate(luck[0])
            np.random.set_state(luck[1])
            if torch:
                torch.set_rng_state(luck[2])


def _search(exercise: Exercise, answer: Any, source: str, seed: int) -> "_Search | None":
    """A search where the source is that of the answer, and the answer fails; `None` otherwise."""
    cases = draw_cases(exercise, seed)
    build = _builder(answer, source)
    again = build(source)
    if not _alike(again, answer):
        return None
    verdicts = _verdicts(exercise, answer, cases)
    if all(verdicts) or verdicts != _verdicts(exercise, again, cases):
        return None
    order = sorted(zip(cases, verdicts, strict=False), key=lambda pair: (pair[1], _size(pair[0])))
    noted = set(probe.observe(exercise, answer, cases[:1], ONE_CALL)[0].get("whole_answer", ()))
    return _Search(exercise, source, seed, build, [case for case, _ in order], noted)


def _verdicts(exercise: Exercise, answer: Any, cases: Sequence[Case]) -> list[bool]:
    """Whether each call is right; those after one that does not end are not made."""
    found = []
    for case in cases:
        seen = probe.observe(exercise, answer, [case], ONE_CALL)[0]
        found.append(problem_of(exercise, case, seen) is None)
        if "too_slow" in seen:
            break
    return found


def _size(case: Case) -> int:
    return sum(value.size for value in case.args.values() if isinstance(value, np.ndarray))


@dataclass(frozen=True)
class _Search:
    """What a search works with.

    Attributes:
        exercise: the record.
        source: the answer's code.
        seed: of the check that it fails.
        build: makes an answer of code.
        cases: the calls of that check, first those that fail, the smallest in front.
        noted: the library calls that are the whole answer which it makes anyway.
    """

    exercise: Exercise
    source: str
    seed: int
    build: Callable[[str], Any]
    cases: Sequence[Case]
    noted: set[str]

    def outcome(self, end: float) -> Outcome:
        """The lines with an edit that is right, up to the second."""
        found = Outcome()
        for edit in small_edits(self.source):
            if time.monotonic() > end:
                found.stopped = "time"
            if found.stopped or len(found.edits) > 1:
                break
            if edit.line not in found.edits and self._is_right(edit.applied(self.source)):
                found.edits[edit.line] = edit
        return found

    def _is_right(self, source: str) -> bool:
        answer = self.build(source)
        if answer is None:
            return False
        for case in self.cases:
            seen = probe.observe(self.exercise, answer, [case], ONE_CALL)[0]
            if problem_of(self.exercise, case, seen) is not None:
                return False
        return all(self._passes(answer, *draw) for draw in _draws(self.seed))

    def _passes(self, answer: Any, seed: int, sizes: str) -> bool:
        """The whole check; first without a word on what is wrong, which would take longer than the calls."""
        cases = draw_cases(self.exercise, seed, sizes)
        seen = probe.observe(self.exercise, answer, cases, ONE_CALL)
        if len(seen) < len(cases) or not set(seen[0].get("whole_answer", ())) <= self.noted:
            return False
        pairs = zip(cases, seen, strict=True)
        if any(problem_of(self.exercise, case, one) is not None for case, one in pairs):
            return False
        return verdict_of(self.exercise, answer, seed, sizes).passed


def _builder(answer: Any, source: str) -> Callable[[str], Any]:
    """What makes an answer of its code, with a copy of the names that it knows; `None` where that fails."""
    known = dict(_functions(_plain(answer))[0].__globals__)
    name = _defined(ast.parse(source).body[0])

    def build(code: str) -> Any:
        space = dict(known)
        try:
            with quiet(), guard(), time_limit(ONE_CALL):  # Python warns of code; a decorator may do anything
                exec(compile(code, _FILE, "exec", dont_inherit=True), space)
        except (Exception, SystemExit, TooSlow):
            return None
        return space.get(name)

    return build


def _defined(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) else ""


def _plain(answer: Any) -> Any:
    """An answer without its decorators."""
    return inspect.unwrap(answer) if isinstance(answer, FunctionType) else answer


def _functions(answer: Any) -> list[FunctionType]:
    """A function, or the methods of a class."""
    members = vars(answer).values() if isinstance(answer, type) else [answer]
    return [one for one in members if isinstance(one, FunctionType)]


def _alike(one: Any, other: Any) -> bool:
    """Whether two answers are of the same code."""
    pair = [_functions(_plain(answer)) for answer in (one, other)]
    return type(one) is type(other) and [_outline(f.__code__) for f in pair[0]] == [
        _outline(f.__code__) for f in pair[1]
    ]


def _outline(code: CodeType) -> tuple[Any, ...]:
    inner = tuple(_outline(one) for one in code.co_consts if isinstance(one, CodeType))
    plain = tuple(repr(one) for one in code.co_consts if not isinstance(one, CodeType))
    return code.co_name, code.co_names, code.co_varnames, plain, inner
