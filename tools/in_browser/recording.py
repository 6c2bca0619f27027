"""Record PyTorch's right results for a page's Python: `python -m tools.in_browser.recording FOLDER`.

One file an exercise, read by `helpers/in_browser/recorded.py`: the outlines of all results, and beside them
all their numbers by type, those that come again only once.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from helpers.exercises import find
from helpers.exercises.base import Exercise, MustRaise, draw_cases
from helpers.exercises.oracle import one_thread
from helpers.in_browser.recorded import KINDS, file_of, key, seeds
from helpers.units import UNIT_OF


class _Numbers:
    """The numbers of all results of an exercise: arrays that are equal lie there once."""

    def __init__(self) -> None:
        self._parts: dict[str, list[np.ndarray]] = {kind: [] for kind in KINDS}
        self._ends = dict.fromkeys(KINDS, 0)
        self._known: dict[tuple[str, bytes], int] = {}

    def put(self, array: np.ndarray) -> tuple[str, int]:
        kind = next((kind for kind, type_ in KINDS.items() if array.dtype == type_), None)
        if kind is None:
            raise TypeError(f"A right result is of type {array.dtype}; a recording knows {', '.join(KINDS)}.")
        known = kind, array.tobytes()
        if known not in self._known:
            self._known[known] = self._ends[kind]
            self._ends[kind] += array.size
            self._parts[kind].append(array.ravel())
        return kind, self._known[known]

    def flat(self) -> dict[str, np.ndarray]:
        return {
            kind: np.concatenate([np.empty(0, KINDS[kind]), *parts]) for kind, parts in self._parts.items()
        }


def record(exercise: Exercise, to: Path) -> None:
    """Write the right results of an exercise's checks, for every seed of `seeds`."""
    numbers, outlines = _Numbers(), {}
    with one_thread():
        for seed in seeds(exercise.name):
            for case in draw_cases(exercise, seed):
                args = list(case.args.values())
                outlines[key(args)] = _outline(exercise.oracle(*args), numbers)
    text = np.frombuffer(json.dumps(outlines, separators=(",", ":")).encode(), np.uint8)
    to.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(to, outlines=text, **numbers.flat())


def _outline(result: Any, numbers: _Numbers) -> dict[str, Any]:
    if isinstance(result, np.ndarray):
        kind, start = numbers.put(result)
        return {"array": [kind, start, list(result.shape)]}
    if isinstance(result, np.generic):
        return {"number": list(numbers.put(np.asarray(result)))}
    if isinstance(result, tuple):
        return {"tuple": [_outline(one, numbers) for one in result]}
    if isinstance(result, dict):
        return {"dict": {name: _outline(one, numbers) for name, one in result.items()}}
    if isinstance(result, MustRaise):
        return {"must raise": [result.error, list(result.naming)]}
    return {"plain": result}


def record_all(folder: Path) -> None:
    """Write all of them below a folder."""
    for name in UNIT_OF:
        record(find(name), folder / file_of(name))


def main(words: Sequence[str]) -> int:
    """Write them, and say how large they are."""
    if len(words) != 1:
        print("Name the folder to write to: python -m tools.in_browser.recording FOLDER", file=sys.stderr)
        return 2
    record_all(Path(words[0]))
    sizes = {name: (Path(words[0]) / file_of(name)).stat().st_size for name in UNIT_OF}
    for name, size in sizes.items():
        print(f"{name:26} {size:9,} bytes")
    print(f"{len(sizes)} exercises: {sum(sizes.values()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
