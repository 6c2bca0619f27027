"""Right answers with one line of a real mistake: what `review` and the ordering of lines ask about.

    python -m tools.wrong_lines [EXERCISE ...]

Small edits of a right answer are tried (`helpers/learner/edits`).  Kept are those whose check names a known
mistake, on two draws the same, and of which no other line could be changed to put them right.  They are
written to `helpers/review/wrong_lines.json`: the line, and what stands there instead.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence

os.environ["OMP_NUM_THREADS"] = "1"

from helpers import answer_text
from helpers.beside import set_up_first
from helpers.exercises import find
from helpers.learner.checking import verdict_of
from helpers.learner.edits import small_edits
from helpers.learner.one_line import searched
from helpers.units import UNIT_OF, VARIABLES
from tools.patience import PATIENCE
from tools.shell import ROOT

FILE = ROOT / "helpers" / "review" / "wrong_lines.json"
SEEDS = (7, 8)
FEWEST = 2
"""An answer of a single line has no line to look for."""


def asked() -> list[str]:
    """The exercises whose answer has several lines that compute."""
    return [
        name
        for name, source in answer_text.texts().items()
        if name in UNIT_OF
        and name not in VARIABLES
        and not find(name).lineup
        and len(answer_text.body_lines(source)) >= FEWEST
    ]


def wrong_lines(name: str) -> Iterator[tuple[int, str]]:
    """Lines of an exercise's answer with a known mistake in them, each mistake once a line."""
    exercise, source, modules = find(name), answer_text.texts()[name], set_up_first.modules()
    known = {one.id for one in exercise.mistakes}
    told: set[tuple[int, str]] = set()
    for edit in small_edits(source):
        edited = edit.applied(source)
        try:
            answer = answer_text.defined(name, edited, modules)
        except Exception:  # an edit can be no program at all
            continue
        ids = set()
        for seed in SEEDS:
            verdict = verdict_of(exercise, answer, seed)
            ids.add(None if verdict.passed else (verdict.misconception, verdict.lines[1:2]))
        if len(ids) > 1 or None in ids:
            continue
        ((mistake, _),) = ids
        if mistake not in known or (edit.line, mistake) in told:
            continue
        found = searched(exercise, answer, edited, SEEDS[0], PATIENCE)
        if found.stopped or set(found.edits) != {edit.line}:
            continue
        told.add((edit.line, mistake))
        yield edit.line, edited.split("\n")[edit.line - 1]


def main(words: Sequence[str]) -> int:
    """Find them for the exercises named, or for all, and write the file."""
    kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name in words or asked():
        kept[name] = list(wrong_lines(name))
        print(f"{name}: {len(kept[name])}", flush=True)
        ordered = {one: kept[one] for one in UNIT_OF if kept.get(one)}
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
