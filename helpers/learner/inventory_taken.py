"""`inventory`: what you know of attention before the course and after it, and what you gained."""

from typing import Any

from helpers.beside.kernel import in_notebook
from helpers.concept_inventory.forms import form, marked
from helpers.concept_inventory.items import COUNT, Item, read
from helpers.concept_inventory.sheet import Sheet
from helpers.errors import BadArgument
from helpers.learner import progress_record
from helpers.passed import Kept

BY_CHANCE = 10
"""Fewer right answers than this are what one in twenty who only guess would reach, too."""


def inventory(when: str, answers: Any = ...) -> None:
    """Show 24 questions on attention, or keep your answers: `"before"` the course and `"after"` it.

    Args:
        when: `"before"` or `"after"`: the same questions in another order.
        answers: a letter for each question as that form shows them, `-` for none; `...` shows the form.

    Raises:
        UnknownName: when there is no such form.
        BadArgument: when these are not 24 letters from a to d, or `-`.
    """
    form(when)
    if answers is ... or answers is None:
        return _show(Sheet(when))
    if not isinstance(answers, str):
        raise BadArgument(f"the answers are {COUNT} letters in quotes; this is {type(answers).__name__}")
    chosen = marked(when, answers)
    kept = Kept(progress_record.record_file()).inventory
    if kept.get(when) != answers:
        progress_record.inventory_taken(when, answers)
    if when == "before":
        done = sum(one is not None for one in chosen)
        print(
            f"Kept: {done} of {COUNT} answered. Nothing is told now: the same questions come again at the "
            "end of units 06 and 09, and then you see what you gained."
        )
        return None
    return print(told(chosen, _before(kept)))


def _before(kept: dict[str, str]) -> list[int | None] | None:
    try:
        return marked("before", kept["before"])
    except (KeyError, BadArgument):  # none, or one that another version of the course kept
        return None


def told(after: list[int | None], before: list[int | None] | None = None) -> str:
    """What is said of the answers: how many are right, what was gained, and of each other one why.

    Args:
        after: the choice taken in each item, 0 for the right one.
        before: the same before the course, where that is known.
    """
    items, right = read(), sum(one == 0 for one in after)
    lines = [f"{right} of {COUNT} right."]
    if right < BY_CHANCE:
        lines = [f"{right} of {COUNT} right, which guessing can give: read the reasons below with care."]
    elif before is not None:
        lines.append(_gained(before, after))
    for item, chosen in zip(items, after, strict=True):
        if chosen != 0:
            lines += ["", *_reason(item, chosen)]
    return "\n".join(lines)


def _gained(before: list[int | None], after: list[int | None]) -> str:
    first = sum(one == 0 for one in before)
    new = sum(one == 0 != other for one, other in zip(after, before, strict=True))
    lost = sum(other == 0 != one for one, other in zip(after, before, strict=True))
    said = f"Before the course it was {first}: {new} are new"
    return f"{said}, {lost} were right then and not now." if lost else f"{said}."


def _reason(item: Item, chosen: int | None) -> list[str]:
    yours = "You gave no answer." if chosen is None else f"You chose: {item.choices[chosen]}"
    return [item.asks, yours, f"Right: {item.choices[0]}", f"{item.why} (unit {item.place[:2]})"]


def _show(sheet: Sheet) -> None:
    if in_notebook():
        from IPython.display import display

        display(sheet)
    else:
        print(sheet)
