"""A question as plain values, for a page that has no Python."""

from typing import Any

from helpers.questions.question import Code, Question, Shown, Table, number


def as_data(question: Question) -> dict[str, Any]:
    """A question as JSON can hold it.

    A sentence is a text, and lines of a program are `{"code": text}`. A table is `{"table": rows}`, each row
    a list of the texts that a reader sees, with its `name` and its `axes` where it has them; `block` is how
    many rows each block of a stack has.

    Args:
        question: any of them.
    """
    return {
        "kind": question.kind,
        "exercise": question.exercise,
        "seed": question.seed,
        "asks": question.asks,
        "given": [_shown(one) for one in question.given],
        "choices": [_shown(one) for one in question.choices],
        "right": question.right,
        "why": question.why,
        "after": [_shown(one) for one in question.after],
    }


def _shown(shown: Shown) -> Any:
    if isinstance(shown, Code):
        return {"code": shown.text.rstrip()}
    return _table(shown) if isinstance(shown, Table) else shown


def _table(table: Table) -> dict[str, Any]:
    array = table.array
    flat = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    found: dict[str, Any] = {"table": [[number(one) for one in row] for row in flat]}
    if table.name:
        found["name"] = table.name
    if any(table.axes) and array.ndim > 1:
        found["axes"] = list(table.axes)
    if array.ndim > 2:
        found["block"] = int(array.shape[-2])
    return found
