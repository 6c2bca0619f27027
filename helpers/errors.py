"""The errors a learner can meet: each is a sentence, never a traceback through our code."""

import difflib
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

WIDTH = 80
"""Characters in a line of an error: nbgrader's Validate cuts longer ones off."""


class OneSentence:
    """An error that a notebook shows as one sentence: a traceback through our code would say nothing more."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]  # IPython asks for this


class CheckFailed(OneSentence, AssertionError):
    """An exercise is not right yet.

    Attributes:
        exercise: name of the exercise, such as `"softmax"`.
        misconception: short id of the recognised mistake, such as `"softmax-over-queries"`, or `None`.
        hint: one sentence on what to look at next.

    Where the check has drawn a panel, `brief` is what stands below it, and in Validate.
    """

    def __init__(
        self, message: str, exercise: str, misconception: str | None = None, hint: str = "", brief: str = ""
    ) -> None:
        super().__init__(message)
        self.exercise = exercise
        self.misconception = misconception
        self.hint = hint
        self._brief = brief

    def _render_traceback_(self) -> list[str]:
        return ["\n".join(map(_folded, f"CheckFailed: {self._brief or self}".split("\n")))]


def _folded(line: str) -> str:
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False) if line else line


class Interrupted(OneSentence, KeyboardInterrupt):
    """The learner pressed stop while an answer ran; the message says where."""


class BadArgument(OneSentence, ValueError):
    """A function of the course was called with something it cannot use; the message says what it expects."""


class UnknownName(OneSentence, KeyError):
    """There is no exercise or unit of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show the sentence in quotes


def must_be_quoted(call: str, name: Any, space: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse an exercise itself where its name is asked for, as in `check(dot)`.

    Args:
        call: what was called, such as `"check"`.
        name: what was given for a name.
        space: what the notebook calls by which name.
        known: the names there are.

    Raises:
        BadArgument: with the name in quotes.
    """
    known = list(known)
    if name is None or (isinstance(name, str) and name in known):
        return
    own = getattr(name, "__name__", None)
    meant = [one for one in known if space.get(one) is name] or [one for one in known if one == own]
    if meant:
        raise BadArgument(f'write the name in quotes: {call}("{meant[0]}")')
    if not isinstance(name, str):
        raise BadArgument(f'{call} takes a name in quotes, such as {call}("{known[0]}")')


def unknown(kind: str, name: object, known: Iterable[str], names: str = "") -> UnknownName:
    """The error for a name that is not there, with the nearest one that is.

    Args:
        kind: what it should be, such as `"exercise"`.
        name: what was asked for.
        known: the names there are.
        names: how the message lists them, where that is not one after the other.
    """
    known = list(known)
    by_case = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(str(name).casefold(), by_case, n=1)
    meant = f" Do you mean {by_case[near[0]]}?" if near else ""
    names = names or f"The {kind}s are: {', '.join(known)}."
    return UnknownName(f"There is no {kind} {name!r}. {names}{meant}")
