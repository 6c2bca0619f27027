"""Lines of a right answer to be put in order, among them some of real mistakes."""

import itertools
import random
from dataclasses import dataclass
from html import escape
from typing import Any

from helpers.views.script import as_json, shared

PRACTICE = "This is for practice: it changes no mark."
_PRE = ' style="white-space:pre-wrap;overflow-wrap:anywhere"'


@dataclass(frozen=True)
class Line:
    """A line of the right answer.

    Attributes:
        text: with its indentation.
        fixed: whether it stays in its place: `def`, `class` and what describes them.
        parent: the line in whose block it stands, from 0; -1 where it stands in none.
        after: the lines that have to stand above it.
    """

    text: str
    fixed: bool
    parent: int = -1
    after: tuple[int, ...] = ()

    @property
    def indent(self) -> int:
        """Spaces before it."""
        return len(self.text) - len(self.text.lstrip())


@dataclass(frozen=True)
class Mistake:
    """A line of a real mistake, and what the check says of the answer that has it."""

    text: str
    says: str


class Order:
    """What a notebook shows, a terminal prints, and an exported page keeps.

    Args:
        name: the exercise.
        answer: the lines of its right answer, in order.
        mistakes: lines that do not belong there.
        dice: shuffles them.

    Attributes:
        data: what the script gets.
    """

    def __init__(
        self, name: str, answer: tuple[Line, ...], mistakes: list[Mistake], dice: random.Random
    ) -> None:
        self.name, self.mistakes = name, len(mistakes)
        runs = [list(run) for _, run in itertools.groupby(range(len(answer)), lambda k: answer[k].fixed)]
        moved = [
            {"k": k, "text": one.text, "parent": one.parent, "after": one.after}
            for k, one in enumerate(answer)
            if not one.fixed
        ]
        moved += [{"text": one.text, "wrong": one.says} for one in mistakes]
        dice.shuffle(moved)
        rows, rest = [], iter(moved)
        for run in runs:
            fixed = answer[run[0]].fixed
            rows += (
                [{"fixed": [[k, answer[k].text] for k in run]}] if fixed else itertools.islice(rest, len(run))
            )
        self.data = {
            "title": f"Put the lines in order: {name}",
            "note": f"{self._task()} {PRACTICE}",
            "fixed": "",
            "rows": [*rows, *rest],
        }

    def _task(self) -> str:
        count = self.mistakes
        wrong = (
            "one of them holds a real mistake and stays"
            if count == 1
            else f"{count} hold real mistakes and stay"
        )
        return (
            f"Put these lines in order, between those that are given; {wrong} out."
            if count
            else ("Put these lines in order, between those that are given.")
        )

    def _texts(self) -> tuple[str, str]:
        """The lines that are given, and the others with numbers."""
        given = [text for row in self.data["rows"] for _, text in row.get("fixed", ())]
        moved = [row["text"] for row in self.data["rows"] if "text" in row]
        return "\n".join(given), "\n".join(f"{at:2}  {text}" for at, text in enumerate(moved, 1))

    @property
    def html(self) -> str:
        """All of it in one piece: as text, which a script replaces by something to move."""
        given, moved = map(escape, self._texts())
        words = (
            f"<p><b>{escape(self.data['title'])}</b><br>{escape(self.data['note'])}</p>"
            f"<p>Given:</p><pre{_PRE}>{given}</pre><p>To be put in order:</p><pre{_PRE}>{moved}</pre>"
        )
        run = f"show(document.currentScript, {as_json(self.data)})"
        script = f'<script>(() => {{ "use strict";\n{shared("order")}\n{run}; }})();</script>'
        return f'<div class="attention-view">{words}{script}</div>'

    def __repr__(self) -> str:
        given, moved = self._texts()
        return f"{self.data['title']}\n{self.data['note']}\n\nGiven:\n{given}\n\nTo be put in order:\n{moved}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}
