"""How mistakes are named, kept and compared: known mistakes can be rewritten and nothing is lost unseen.

    python -m tools.naming snapshot FILE [EXERCISE ...]    what is said of every wrong program of the bank
    python -m tools.naming compare OLD NEW                 two snapshots side by side
    python -m tools.naming observe FILE [EXERCISE ...]     what every known mistake does, kept as plain values
    python -m tools.naming records FILE [EXERCISE ...]     such kept mistakes, as this checkout names them

A snapshot is JSON.  Observations are a pickle: read only those that you have made yourself.
"""

import json
import os
import pickle
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

from banks import registry
from helpers.beside import probe
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.units import UNIT_OF
from helpers.verdict.judge import judge
from tools.measuring import failure, ids

SEEDS = ((7, "visible"), (7, "hidden"))
SECONDS = 1.0
"""Some wrong programs never end."""


def snapshot(names: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """What is said of every wrong program of the bank, by exercise and draw, and its CPU milliseconds."""
    probe.SECONDS = SECONDS
    _, wrong = registry.load()
    return {
        f"{name} {seed} {sizes}": [_said(answer, seed, sizes) for answer in wrong if answer.exercise == name]
        for name in names
        for seed, sizes in SEEDS
    }


def _said(answer: registry.WrongAnswer, seed: int, sizes: str) -> dict[str, Any]:
    start = time.process_time()
    failed = failure(answer.exercise, answer.obj, seed, sizes)
    took = 1000 * (time.process_time() - start)
    program = f"{answer.mistake} ({answer.note or getattr(answer.obj, '__name__', answer.obj)})"
    return {
        "program": program.split(" at 0x")[0],
        "mistake": answer.mistake,
        "id": failed and failed.misconception,
        "says": failed and str(failed),
        "hint": failed and failed.hint,
        "ms": round(took, 1),
    }


def compare(old: dict[str, list[dict]], new: dict[str, list[dict]]) -> Iterator[str]:
    """Lines about two snapshots: figures by exercise, then every program of which something else is said."""
    for draw in [draw for draw in old if draw in new]:
        before, after = (sum(_rightly(one) for one in kept[draw]) for kept in (old, new))
        slow, fast = (sorted(one["ms"] for one in kept[draw])[len(kept[draw]) // 2] for kept in (old, new))
        fell = "   FELL" if after < before else ""
        yield f"{draw}: {before} -> {after} of {len(new[draw])} named rightly, {slow} -> {fast} ms{fell}"
    for draw in [draw for draw in old if draw in new]:
        for one, other in zip(old[draw], new[draw], strict=True):
            if ids(one["id"]) != ids(other["id"]):
                yield f"\n{draw}: {one['program']}\n  id   {one['id']}\n  now  {other['id']}"
            if _sentence(one) != _sentence(other) or one["hint"] != other["hint"]:
                was, now = (f"{_sentence(kept)}\n       {kept['hint']}" for kept in (one, other))
                yield f"\n{draw}: {one['program']}\n  said {was}\n  now  {now}"


def _rightly(one: dict[str, Any]) -> bool:
    return one["id"] is not None and ids(one["id"]) == ids(one["mistake"])


def _sentence(one: dict[str, Any]) -> str:
    return "\n".join((one["says"] or "").split("\n")[1:2])


def observe(names: Sequence[str]) -> dict[str, list[tuple[str, str, list]]]:
    """What every known mistake does on the cases of both draws: its id, its sentence, its observations."""
    return {
        f"{name} {seed} {sizes}": [
            (one.id, one.says, probe.observe(find(name), one.answer, cases, SECONDS))
            for one in find(name).mistakes
        ]
        for name in names
        for seed, sizes in SEEDS
        for cases in [draw_cases(find(name), seed, sizes)]
    }


def records(kept: dict[str, list[tuple[str, str, list]]], names: Sequence[str]) -> Iterator[str]:
    """Lines about kept mistakes that are named otherwise now, then how many keep their id and sentence."""
    for draw, known in kept.items():
        name, seed, sizes = draw.split()
        if name not in names:
            continue
        cases, count = draw_cases(find(name), int(seed), sizes), Counter()
        for id, says, seen in known:
            verdict = judge(find(name), cases, seen)
            sentence = next(iter(verdict.lines[1:2]), "")
            count["id"] += verdict.misconception == id
            count["sentence"] += sentence == says
            if verdict.misconception != id:
                yield f"\n{draw}: {id}, now {verdict.misconception}\n  said {says}\n  now  {sentence}"
            elif sentence != says:
                yield f"\n{draw}: {id}\n  said {says}\n  now  {sentence}"
        counts = f"{count['id']} keep their id, {count['sentence']} their sentence"
        yield f"\n{draw}: of {len(known)} mistakes {counts}"


def main(words: Sequence[str]) -> int:
    """Do what the first word says; see the top of this file."""
    if len(words) < 2 or words[0] not in ("snapshot", "compare", "observe", "records"):
        sys.exit(__doc__)
    command, file, names = words[0], Path(words[1]), words[2:] or list(UNIT_OF)
    if command == "snapshot":
        file.write_text(json.dumps(snapshot(names), indent=1) + "\n", "utf-8")
    elif command == "compare":
        print(*compare(*(json.loads(Path(one).read_text("utf-8")) for one in words[1:3])), sep="\n")
    elif command == "observe":
        file.write_bytes(pickle.dumps(observe(names)))
    else:
        print(*records(pickle.loads(file.read_bytes()), names), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
