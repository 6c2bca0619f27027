"""A question and its answer as text and as HTML."""

import html
from dataclasses import dataclass

from helpers.offered import number_of
from helpers.questions.question import Code, Question, Shown, Table, number
from helpers.units import UNIT_OF
from helpers.verdict.drawn import RIGHT, WRONG, framed, in_html

LETTERS = "abcd"
ASKING = "#14506e"


@dataclass(frozen=True)
class Part:
    """What stands in a frame of its own: a question, or what is said of an answer.

    Attributes:
        title: the first words.
        lines: sentences.
        shown: what is drawn below them, in order.
        choices: of a question that waits for an answer.
        colour: of the frame.
    """

    title: str
    lines: tuple[str, ...] = ()
    shown: tuple[Shown, ...] = ()
    choices: tuple[Shown, ...] = ()
    colour: str = ASKING

    def text(self) -> str:
        """All of it for a terminal."""
        rows = [" ".join(filter(None, [self.title, *self.lines[:1]])), *self.lines[1:]]
        rows += [_as_text(one) for one in self.shown]
        rows += [f"{LETTERS[place]}) {_as_text(one)}" for place, one in enumerate(self.choices)]
        return "\n".join(rows)

    def html(self) -> str:
        """All of it for a notebook."""
        said = [f"<b>{in_html(self.title)}</b> {in_html(self.lines[0]) if self.lines else ''}".strip()]
        said += [in_html(line) for line in self.lines[1:]]
        body = "".join(f'<p style="margin: 6px 0">{one}</p>' for one in said)
        body += _side_by_side([_as_html(one) for one in self.shown])
        tables = any(isinstance(one, Table) for one in self.choices)
        items = [
            f'<div style="margin: 4px 24px 4px 0"><b>{LETTERS[place]}</b>&ensp;{_as_html(one)}</div>'
            for place, one in enumerate(self.choices)
        ]
        body += _side_by_side(items) if tables else "".join(items)
        return framed(body, self.colour)


@dataclass(frozen=True)
class Sheet:
    """Some parts below each other."""

    parts: tuple[Part, ...]

    def __repr__(self) -> str:
        return "\n\n".join(part.text() for part in self.parts)

    def _repr_html_(self) -> str:
        return "".join(part.html() for part in self.parts)


def asking(question: Question, title: str, below: str) -> Part:
    """A question that waits for an answer."""
    return Part(title, (question.asks, below), question.given, question.choices)


def telling(question: Question, chosen: int) -> Part:
    """What is said of an answer: the reason, the place, and a picture where one helps."""
    right = chosen == question.right
    title = "Right." if right else f"Not this time: {LETTERS[question.right]} is right."
    lines = (question.why, place(question.exercise))
    choices = question.choices
    shown = question.after
    if not right and any(isinstance(one, Table) for one in choices):
        pair = zip(("yours", "the right one"), (choices[chosen], choices[question.right]), strict=True)
        shown += tuple(Table(one.array, name, one.axes) for name, one in pair if isinstance(one, Table))
    return Part(title, lines, shown, colour=RIGHT if right else WRONG)


def place(exercise: str) -> str:
    """Where one can read of it."""
    return f"Read on in unit {UNIT_OF[exercise][:2]}, exercise {number_of(exercise)} `{exercise}`."


def _as_text(shown: Shown) -> str:
    if isinstance(shown, Code):
        return "\n".join(f"    {line}" for line in numbered(shown))
    if not isinstance(shown, Table):
        return shown
    rows = [" ".join(f"{number(one):>6}" for one in row) for row in _rows(shown)]
    return "\n".join([*([f"{shown.name}:"] if shown.name else []), *rows])


def numbered(code: Code) -> list[str]:
    """The lines of a program with their numbers, without its last empty one."""
    return [f"{at:2}  {line}".rstrip() for at, line in enumerate(code.text.rstrip().split("\n"), start=1)]


def _rows(table: Table) -> list[list[object]]:
    array = table.array
    flat = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    return [list(row) for row in flat]


def _as_html(shown: Shown) -> str:
    if isinstance(shown, Code):
        text = html.escape("\n".join(numbered(shown)))
        look = "margin: 4px 0; padding: 6px 10px; overflow: auto; background: rgba(128, 128, 128, 0.1)"
        return f'<pre tabindex="0" style="{look}; color: inherit; line-height: 1.4">{text}</pre>'
    return _table(shown) if isinstance(shown, Table) else in_html(shown)


def _table(table: Table) -> str:
    """Blocks of leading axes below each other, with a line between them."""
    edge = "padding: 2px 8px; text-align: right; border: 1px solid rgba(128, 128, 128, 0.35)"
    array, rows = table.array, _rows(table)
    block = array.shape[-2] if array.ndim > 2 else len(rows)
    body = ""
    for at, row in enumerate(rows):
        line = "; border-top: 3px solid rgba(128, 128, 128, 0.8)" if at and at % block == 0 else ""
        body += "<tr>" + "".join(f'<td style="{edge}{line}">{number(one)}</td>' for one in row) + "</tr>"
    axes = f" ({table.axes[0]} ╲ {table.axes[1]})" if any(table.axes) and array.ndim > 1 else ""
    caption = f'<caption style="text-align: left">{html.escape(table.name + axes)}</caption>'
    look = "display: inline-table; border-collapse: collapse; margin: 0; vertical-align: top"
    return f'<table style="{look}">{caption if table.name or axes else ""}<tbody>{body}</tbody></table>'


def _side_by_side(pieces: list[str]) -> str:
    gap = "display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: flex-start"
    return f'<div style="{gap}">{"".join(pieces)}</div>' if pieces else ""
