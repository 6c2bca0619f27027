"""`others`: right answers in other styles beside the learner's own, once that has passed."""

import ast
import functools
import html
import inspect
import json
import linecache
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from types import CodeType, FunctionType
from typing import Any

from helpers import own
from helpers.beside import set_up_first
from helpers.errors import must_be_quoted
from helpers.exercises import find
from helpers.learner import large_inputs, timing
from helpers.passed import passed
from helpers.units import UNIT_OF, VARIABLES, module_name


def others(name: str) -> "Others | None":
    """Show three right answers in other styles: what each does differently, and how long it takes.

    Args:
        name: the exercise; its own answer is looked up in the notebook.

    Returns:
        What a notebook draws; before the exercise is passed nothing, but a sentence is printed.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
        BadArgument: when the name is not in quotes.
        MissingPackage: when this kernel has no PyTorch.
        Interrupted: when the learner presses stop.
    """
    space = sys._getframe(1).f_globals
    must_be_quoted("others", name, space, UNIT_OF)
    find(name)
    if said := _not_now(name):
        return print(said)
    return _shown(name, space)


def _not_now(name: str) -> str:
    """Why nothing is shown, in one sentence, or `""`."""
    if "NBGRADER_EXECUTION" in os.environ:
        return f"{name}: other answers are not shown where nbgrader runs the notebook."
    if name in VARIABLES:
        return f"The answer to {name} is a value, so there are no other styles to show."
    if name not in _kept() or module_name(name) in own.modules(UNIT_OF[name]):
        return f"There are no other answers to show for {name}."
    if name not in passed([name]):
        return f"Come back to others({name!r}) when your own answer has passed its check."
    return ""


@functools.cache
def _kept() -> Mapping[str, list[dict[str, str]]]:
    return json.loads((resources.files("helpers") / "others.json").read_text("utf-8"))


@dataclass(frozen=True)
class One:
    """An answer that is shown.

    Attributes:
        title: whose it is.
        says: what it does, or what is to be said of it.
        source: its code, or `""`.
        took: how long it takes, in words, or `""`.
    """

    title: str
    says: str
    source: str
    took: str

    @property
    def heading(self) -> str:
        """Whose it is and how long it takes, where that is known."""
        return ": ".join(filter(None, [self.title, self.took]))


@dataclass(frozen=True)
class Others:
    """What `others` shows.

    Attributes:
        title: the first sentence.
        about: what was measured.
        answers: the learner's own, then the others.
    """

    title: str
    about: str
    answers: tuple[One, ...]

    def __repr__(self) -> str:
        parts = [f"{self.title}\n{self.about}"]
        for one in self.answers:
            code = "".join(f"    {line}\n" if line else "\n" for line in one.source.splitlines())
            parts.append("\n".join(filter(None, [one.heading, one.says, code.rstrip()])))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        frame = "border-left: 4px solid #00838F; padding: 2px 12px; max-width: 70em"
        said = f"<p><b>{html.escape(self.title)}</b></p><p>{html.escape(self.about)}</p>"
        return f'<div style="{frame}">{said}{"".join(map(_block, self.answers))}</div>'


def _block(one: One) -> str:
    line = "1px solid rgba(128, 128, 128, 0.35)"
    took = f'<span style="white-space: nowrap">{html.escape(one.took)}</span>' if one.took else ""
    parts = [f"<b>{html.escape(one.title)}{':' if took else ''}</b> {took}".rstrip()]
    said = f'<p style="margin: 0 0 4px">{parts[0]}</p>'
    said += f'<p style="margin: 0 0 4px">{html.escape(one.says)}</p>' if one.says else ""
    code = (
        # with tabindex, arrow keys scroll it where it is wider than the page
        f'<pre tabindex="0" role="region" aria-label="{html.escape(one.title)}, the code" style="margin: 0; '
        f"padding: 6px 10px; overflow: auto; max-height: 30em; white-space: pre; color: inherit; "
        f"background: rgba(128, 128, 128, 0.1); border: {line}; font-family: ui-monospace, monospace; "
        f'font-size: 13px; line-height: 1.4">{html.escape(one.source.rstrip())}</pre>'
        if one.source
        else ""
    )
    return f'<div style="margin: 12px 0">{said}{code}</div>'


def _shown(name: str, space: Mapping[str, Any]) -> Others:
    from helpers.beside.probe import interrupted
    from helpers.beside.standard import standard
    from helpers.exercises.oracle import one_thread

    try:
        with standard(), one_thread():
            shown = [_own(name, space)]
            for number, one in enumerate(_kept()[name], start=1):
                took = timing.in_words(_time(name, functools.partial(made, one["source"])))
                shown.append(One(f"Another way, {number}", one["says"], one["source"], took))
            on = large_inputs.in_words(name, large_inputs.large(name))
    except KeyboardInterrupt as stop:
        raise interrupted(name, stop) from None
    about = f"Each time is the median of a few calls, just now and here{f', with {on}' if on else ''}."
    return Others(f"{name}: yours, and other right answers", about, tuple(shown))


def _own(name: str, space: Mapping[str, Any]) -> One:
    answer = space.get(name)
    if answer is None or answer is ...:
        return One("Yours", f"It is passed, but this kernel does not know {name} yet: run its cell.", "", "")
    source = source_of(answer, space)
    took = timing.in_words(_time(name, lambda: answer))
    return One("Yours", "" if source else "Its code is not at hand.", source, took)


def _time(name: str, get: Callable[[], Any]) -> float | None:
    """How long an answer takes on the large input; `None` where it cannot take it."""
    try:
        call = large_inputs.calls(name, get(), large_inputs.large(name))
    except Exception:  # a class that cannot be made, a signature of its own
        return None
    return timing.seconds(call)


def made(source: str) -> Any:
    """What an answer's source defines, with the names of the set-up cell."""
    space = {"__name__": "another answer", **set_up_first.modules()}
    exec(compile(source, "<another answer>", "exec"), space)
    return space[ast.parse(source).body[-1].name]  # type: ignore[attr-defined]


def source_of(answer: Any, space: Mapping[str, Any]) -> str:
    """The code of what a notebook's cell defines: a function or class, or a line that names a lambda.

    `""` where it is not at hand, or is not of this notebook.
    """
    for code in _codes(answer, space):
        text = "".join(linecache.getlines(code.co_filename))
        try:
            body = ast.parse(text).body
        except SyntaxError:  # a cell with magics
            continue
        for node in body:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
            if first <= code.co_firstlineno <= (node.end_lineno or first):
                return "".join(text.splitlines(keepends=True)[first - 1 : node.end_lineno])
    return ""


def _codes(answer: Any, space: Mapping[str, Any]) -> Iterator[CodeType]:
    """The code of a function, or of a class's methods, where it was written in this notebook."""
    for one in vars(answer).values() if isinstance(answer, type) else [answer]:
        if isinstance(one, FunctionType) and one.__globals__ is space:
            bare = inspect.unwrap(one)  # what a decorator was put on
            yield bare.__code__ if isinstance(bare, FunctionType) else one.__code__
