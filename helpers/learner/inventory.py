"""`inventory`: what you know of attention, asked once more, and why of each answer that is not right."""

from typing import Any

from helpers.beside.kernel import in_notebook
from helpers.concept_inventory.items import Item, questions
from helpers.concept_inventory.sheet import LETTERS, NO_ANSWER, Sheet
from helpers.errors import BadArgument


def inventory(answers: Any = None, *, until: str | None = None) -> None:
    """Show 24 questions on attention; with your answers, say which are right, and why of the others.

    Args:
        answers: a letter for each question in the order in which they are shown, `-` for none. Capitals and
            blanks are fine. `None` or `...` shows the questions.
        until: ask only what this unit and earlier ones explain, such as `"06_multi_head_attention"`.

    Raises:
        UnknownName: when no unit of that name explains a question; the message lists those that do.
        BadArgument: when these are not as many letters as questions, each from a to d or `-`.
    """
    shown = questions(until)
    if answers is None or answers is ...:
        return _show(Sheet(until))
    return print(_told(shown, _letters(answers, len(shown))))


def _letters(answers: Any, count: int) -> str:
    if not isinstance(answers, str):
        raise BadArgument(
            f'inventory takes your answers as {count} letters in quotes, such as "abdc-...", '
            f"and got {type(answers).__name__}."
        )
    letters = "".join(answers.split()).lower()
    for place, letter in enumerate(letters, 1):
        if letter not in LETTERS + NO_ANSWER:
            raise BadArgument(
                f"inventory takes the letters a, b, c, d, and - for no answer; letter {place} is {letter!r}."
            )
    if len(letters) != count:
        raise BadArgument(
            f"inventory takes {count} letters, one for each question and - for no answer; "
            f"it got {len(letters)}."
        )
    return letters


def _told(shown: list[tuple[Item, list[str]]], letters: str) -> str:
    """How many answers are right, and of each other one why."""
    lines, right = [], 0
    for (item, choices), letter in zip(shown, letters, strict=True):
        chosen = None if letter == NO_ANSWER else choices[LETTERS.index(letter)]
        if chosen == item.choices[0]:
            right += 1
        else:
            lines += ["", *_reason(item, chosen)]
    return "\n".join([f"{right} of {len(shown)} right.", *lines])


def _reason(item: Item, chosen: str | None) -> list[str]:
    yours = "You gave no answer." if chosen is None else f"You chose: {chosen}"
    return [item.asks, yours, f"Right: {item.choices[0]}", f"{item.why} (unit {item.place[:2]})"]


def _show(sheet: Sheet) -> None:
    if in_notebook():
        from IPython.display import display

        display(sheet)
    else:
        print(sheet)
