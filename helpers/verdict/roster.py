"""A table of those that a learner's test has met: who was caught, and what is told of each."""

import html
from dataclasses import dataclass

from helpers.verdict.drawn import in_html


@dataclass(frozen=True)
class Roster:
    """Who was met, one row each.

    Attributes:
        title: what stands above the rows.
        heads: the names of the columns.
        rows: a cell for each column.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        return "\n".join([self.title, *("  ".join(filter(None, row)) for row in self.rows)])

    def _repr_html_(self) -> str:
        cell = "text-align: left; vertical-align: top; padding: 3px 10px"
        head = "".join(f'<th scope="col" style="{cell}">{html.escape(one)}</th>' for one in self.heads)
        body = "".join(f"<tr>{''.join(_cell(one, cell) for one in row)}</tr>" for row in self.rows)
        above = "text-align: left; caption-side: top; white-space: nowrap"
        caption = f'<caption style="{above}">{html.escape(self.title)}</caption>'
        table = "border-collapse: collapse; width: auto; margin: 4px 0"
        return f'<table style="{table}">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(text: str, style: str) -> str:
    """A cell; a few words stay in one line."""
    if len(text) < 12:
        style += "; white-space: nowrap"
    return f'<td style="{style}">{in_html(text)}</td>'
