"""A recording, made fit to be sent to the side of the verdict: no more than a page without scripts shows."""

from collections.abc import Iterator
from typing import Any

from helpers.beside.tracing import Recording

MOST, BYTES = 400, 2 * 2**20
"""So many arrays are sent, of so many bytes in all; where there are more, nothing is told of the call."""

_MAPS = ("rows", "columns", "low", "high")
"""What of an array is for a page on which one can step through the lines; so are the numbers of a map."""


def sendable(found: Recording | None) -> dict[str, Any]:
    """A recording as a message; one without a recording where there is none, or too much of it.

    Arrays of steps that were not kept stay behind.  A part of the others alone would make it look as if the
    rest were no stages.
    """
    if found is None:
        return {"recording": None}
    arrays = []
    for what in _values(found.data):
        for name in (*_MAPS, "numbers") if what.get("shape") else _MAPS:
            what.pop(name, None)
        if "at" in what:
            arrays.append(found.arrays[what["at"]])
            what["at"] = len(arrays) - 1
    if len(arrays) > MOST or sum(one.nbytes for one in arrays) > BYTES:
        return {"recording": None}
    return {"recording": found.data, "arrays": arrays}


def _values(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All values that a recording tells of, in order."""
    told = [one["what"] for given in data["given"].values() for one in given]
    for step in data["steps"]:
        told += [one["what"] for one in step["makes"]]
        told += [step["returns"]] if "returns" in step else []
    for what in told:
        yield what
        yield from what.get("items", ())
