"""Right answers with one line of a real mistake in them.

`wrong_lines.json` has the lines; `python -m studies.wrong_lines` finds them anew.  Somebody has read each and
marked those that are worth asking about: the fault is one of an idea, and needs it to be seen.
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from helpers import answer_text

SEED = 7
"""The draw on which it is seen what a check says of a wrong line: one that a browser has recorded."""


@dataclass(frozen=True)
class WrongLine:
    """A right answer with one wrong line.

    Attributes:
        exercise: whose answer it is.
        line: its number, from 1.
        text: what stands there.
        worth_asking: whether a reader found it so.
    """

    exercise: str
    line: int
    text: str
    worth_asking: bool

    @property
    def source(self) -> str:
        """The whole answer with the wrong line."""
        lines = answer_text.texts()[self.exercise].split("\n")
        lines[self.line - 1] = self.text
        return "\n".join(lines)

    @property
    def right(self) -> str:
        """The line as it should read."""
        return answer_text.texts()[self.exercise].split("\n")[self.line - 1]


@functools.cache
def asked() -> Mapping[str, tuple[WrongLine, ...]]:
    """Those that are worth asking about, by exercise."""
    worth = {name: tuple(one for one in lines if one.worth_asking) for name, lines in kept().items()}
    return {name: lines for name, lines in worth.items() if lines}


@functools.cache
def kept() -> Mapping[str, tuple[WrongLine, ...]]:
    """All wrong lines, by exercise."""
    found = json.loads((resources.files("helpers.questions") / "wrong_lines.json").read_text("utf-8"))
    return {
        name: tuple(WrongLine(name, *one) for one in lines)
        for name, lines in found.items()
        if name in answer_text.texts()
    }
