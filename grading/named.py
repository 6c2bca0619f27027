"""What an instructor has named, beside what a class does: see `helpers.named_mistakes`."""

import difflib
from collections.abc import Collection, Iterator

from grading.report import Report
from helpers.named_mistakes import SHOWN, Entries
from helpers.units import UNIT_OF


def told(one: Report, words: Entries) -> dict[str, str]:
    """What is to be said to a submission, by exercise."""
    return {name: words[name, group].text for name, group in one.unnamed.items() if (name, group) in words}


def remarks(words: Entries, reports: Collection[Report], *, all_of_them: bool) -> Iterator[str]:
    """A sentence for each entry that says nothing to anybody: the course names it now, or nobody does it.

    Args:
        words: the entries.
        reports: of the class.
        all_of_them: whether also those are told that nobody makes; else such as look misspelt.
    """
    units = {one.unit for one in reports if not one.reason}
    for name, group in words:
        does = {one.unnamed[name] for one in reports if name in one.unnamed}
        known = [one.mistakes[name] for one in reports if one.named_since.get(name) == group]
        if UNIT_OF[name] not in units or group in does:
            continue
        near = difflib.get_close_matches(group, does, 1, 0.75)
        if known:
            yield (
                f"{SHOWN}: {name} {group}: the course now names this itself as {known[0]}; the entry is not "
                "used any more."
            )
        elif near or all_of_them:
            meant = f": do you mean {near[0]}?" if near else "."
            yield f"{SHOWN}: {name} {group}: no answer of this class does this{meant}"
