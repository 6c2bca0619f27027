"""How far the learner is in a unit, and what is next: the last line of a passed check's panel."""

from collections.abc import Sequence

from helpers.offered import number_of, offered
from helpers.passed import passed
from helpers.units import TITLES, UNIT_OF
from helpers.verdict.right import Standing


def standing(name: str) -> Standing | None:
    """Where an exercise's unit stands once it is passed; `None` where the exercise is not offered."""
    there = offered()
    unit = UNIT_OF[name]
    names = there.get(unit, [])
    if name not in names:
        return None
    done = passed(names) | {name}
    following, link = _next(name, names, done), None
    if not following:
        following, link = _next_unit(unit, [*there])
    return Standing(len(done), len(names), following, link)


def _next(name: str, names: Sequence[str], done: set[str]) -> str:
    """The first exercise below that is not passed, else the first above, else `""`."""
    place = names.index(name)
    for where, others in (("further down", names[place + 1 :]), ("further up", names[:place])):
        for one in others:
            if one not in done:
                return f"Next: {number_of(one)} `{one}`, {where}."
    return ""


def _next_unit(unit: str, units: Sequence[str]) -> tuple[str, tuple[str, str] | None]:
    """The unit that comes after, and the words that lead there."""
    later = [one for one in units if one > unit]
    if not later:
        return "That is all of this unit, and it is the last one.", None
    words = f"unit {later[0][:2]}, {TITLES[later[0]]}"
    return f"That is all of this unit. Next: {words}.", (words, f"../{later[0]}/{later[0]}.ipynb")
