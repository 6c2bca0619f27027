"""What a failing check draws in a notebook: the sentences, and yours beside expected as two heat maps.

Plain HTML tables with inline styles: they look right on light and dark pages, survive the cleaning that
JupyterLab gives to an untrusted notebook, and are read aloud as tables.  Nothing is said by colour alone:
numbers stand in the cells, and an entry that differs has a frame and the sign ≠.
"""

import html
from dataclasses import dataclass, replace

import numpy as np

from helpers.exercises.base import Exercise
from helpers.exercises.compare import agree
from helpers.text import digits_apart, number
from helpers.verdict.drawn import WRONG, framed, in_html
from helpers.verdict.judge import Verdict
from helpers.verdict.roster import Roster

LARGEST = 8
"""How many rows and columns of an array are drawn."""

MOST = 200
"""How many entries that differ are asked with how many digits they do."""


@dataclass(frozen=True)
class Panel:
    """A failed check, drawn.

    Attributes:
        title: the first sentence.
        lines: what is said above the picture: the mistake, and what differs in which call.
        hint: what to look at.
        expected: the right array, or `None` where there is nothing to draw.
        got: the learner's array.
        name: what the array is called, such as `"weights"`.
        axes: what its rows and columns are called, such as `("query", "key")`.
        again: how to repeat the call.
        within: so far an entry may lie from the right one and not be marked, besides rounding.
        below: HTML that adds something where scripts run, and nothing where they are stripped.
        label: the words before the hint.
        roster: whom an answer that is a test has met.
    """

    title: str
    lines: tuple[str, ...]
    hint: str
    expected: np.ndarray | None = None
    got: np.ndarray | None = None
    name: str = "result"
    axes: tuple[str, str] = ("row", "column")
    again: str = ""
    within: float = 0.0
    below: str = ""
    label: str = "Hint"
    roster: Roster | None = None

    def __repr__(self) -> str:
        return "\n".join(filter(None, [self.title, *self.lines, f"{self.label}: {self.hint}", self.again]))

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{in_html(line)}</p>" for line in self.lines)
        after = f"<p><b>{in_html(self.label)}:</b> {in_html(self.hint)}</p>"
        after += f'<p style="opacity: 0.8">{in_html(self.again)}</p>' if self.again else ""
        met = self.roster._repr_html_() if self.roster else ""
        title = f"<p><b>✗ {in_html(self.title)}</b></p>"
        return f"{framed(title + said + self._tables() + met + after, WRONG)}{self.below}"

    def _tables(self) -> str:
        if self.expected is None or self.got is None:
            return ""
        right, got = self.expected, self.got
        alike = self.expected.shape == self.got.shape
        wrong = ~agree(right, got, self.within) if alike else np.zeros(got.shape, bool)
        scale = max((np.abs(a[np.isfinite(a)]).max(initial=0) for a in (right, got)), default=0) or 1
        lead, where = _first_block(wrong), ""
        if alike and right.ndim > 2:
            where = f", block {list(lead)} of the leading axes"
        else:
            lead = ()
        corner = _corner(wrong[lead] if lead else wrong)
        none = np.zeros(right.shape, bool)
        digits = digits_apart(zip(right[wrong][:MOST], got[wrong][:MOST], strict=True)) if alike else 4
        drawn = [
            _table(f"Expected {self.name}{where}", right, none, lead, corner, (scale, digits), self.axes),
            _table(f"Your {self.name}{where}", got, wrong, lead, corner, (scale, digits), self.axes),
        ]
        legend = "<p>≠ marks the entries that differ.</p>" if wrong.any() else ""
        gap = "display: inline-block; vertical-align: top; margin: 4px 24px 8px 0"
        return "".join(f'<div style="{gap}">{one}</div>' for one in drawn) + legend


def panel(exercise: Exercise, verdict: Verdict, again: str) -> Panel:
    """The panel of a verdict; `again` says how to repeat the call."""
    problem, lines = verdict.problem, verdict.lines
    name = problem.name.strip("`").removeprefix("the ")
    axes = exercise.axes.get("" if name == "result" else name, ("row", "column"))
    drawn = [a for a in (problem.expected, problem.got) if a is not None and a.ndim]
    right, got = (problem.expected, problem.got) if drawn else (None, None)
    drawing = Panel(lines[0], lines[1:], verdict.hint, right, got, name, axes, again, problem.within)
    return replace(drawing, label=verdict.label, roster=verdict.roster)


def _first_block(wrong: np.ndarray) -> tuple[int, ...]:
    """Leading indices of the first matrix that holds a wrong entry."""
    if wrong.ndim < 3:
        return ()
    found = np.argwhere(wrong)
    return tuple(int(i) for i in (found[0] if len(found) else np.zeros(wrong.ndim, int))[:-2])


def _corner(wrong: np.ndarray) -> tuple[int, int]:
    """First row and column to draw, so that a wrong entry is in sight."""
    found = np.argwhere(np.atleast_2d(wrong)) if wrong.ndim < 3 else ()
    if not len(found):
        return 0, 0
    row, column = (int(i) for i in found[0])
    return (row if row >= LARGEST else 0), (column if column >= LARGEST else 0)


def _table(
    caption: str,
    array: np.ndarray,
    wrong: np.ndarray,
    lead: tuple[int, ...],
    corner: tuple[int, int],
    written: tuple[float, int],
    axes: tuple[str, str],
) -> str:
    shape = array.shape
    if not shape:
        return f"<p>{html.escape(caption)}: the single number {html.escape(_word(array[()], written[1]))}</p>"
    block, marks = (np.atleast_2d(a[lead]) if a.ndim - len(lead) < 3 else None for a in (array, wrong))
    if block is None or marks is None:  # another number of axes than expected: the shape says it
        return f"<p>{html.escape(caption)}: shape {shape}</p>"
    (top, left), flat = corner, array.ndim == 1
    rows = range(top, min(top + LARGEST, block.shape[0]))
    columns = range(left, min(left + LARGEST, block.shape[1]))
    left_out = len(rows) < block.shape[0] or len(columns) < block.shape[1]
    note = f", shape {shape}" + (" (a part of it)" if left_out else "")
    down, across = ("", "entry") if flat else axes
    edge = "padding: 3px 8px; text-align: right; font-weight: normal; opacity: 0.85"
    head = f'<th style="{edge}">{html.escape(f"{down} ╲ {across}" if down else across)}</th>' + "".join(
        f'<th scope="col" style="{edge}">{c}</th>' for c in columns
    )
    body = "".join(
        f'<tr><th scope="row" style="{edge}">{"" if flat else r}</th>'
        + "".join(_cell(block[r, c], bool(marks[r, c]), *written) for c in columns)
        + "</tr>"
        for r in rows
    )
    above = "text-align: left; caption-side: top; white-space: nowrap"
    title = f'<caption style="{above}">{html.escape(caption + note)}</caption>'
    table = "border-collapse: collapse; width: auto; margin: 0"
    return f'<table style="{table}">{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(value: np.generic, wrong: bool, scale: float, digits: int) -> str:
    size = float(value) if np.isfinite(value) and value.dtype.kind != "c" else 0.0
    strength = round(0.4 * min(1.0, abs(size) / scale), 3)
    colour = f"rgba(0, 99, 108, {strength})" if size >= 0 else f"rgba(94, 98, 102, {strength})"
    frame = f"2px solid {WRONG}" if wrong else "1px solid rgba(128, 128, 128, 0.35)"
    style = f"background-color: {colour}; border: {frame}; padding: 3px 8px; text-align: right"
    return f'<td style="{style}">{"≠ " if wrong else ""}{html.escape(_word(value, digits))}</td>'


def _word(value: np.generic, digits: int) -> str:
    if value.dtype.kind != "c" and not np.isfinite(value):
        return {"nan": "NaN", "inf": "∞", "-inf": "−∞"}[str(float(value))]
    return number(value, digits)
