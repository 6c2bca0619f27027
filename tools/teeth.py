"""How good are the checks (`make teeth`): the banks of answers, and the mutants.

`--write` keeps the figures in `tests/teeth.json`, from which `make sync` writes the pages that show them;
a test fails when the checks do worse than the file says. With names, `--write softmax dot`, only these
exercises are measured, and the mutants of their units; the figures of the others stay.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

from banks import registry
from helpers.beside import probe
from helpers.units import UNIT_OF, UNITS
from tools import mutants
from tools.measuring import failure, ids, markdown
from tools.shell import ROOT, call_name

KEPT = ROOT / "tests" / "teeth.json"
SEEDS = [(seed, sizes) for seed in range(10) for sizes in ("visible", "hidden")]
WRONG_SECONDS = 1.0
"""Some wrong programs never end."""
COUNTS = ("wrong", "rejected", "named", "right", "accepted")
HEAD = ("exercise", "wrong tried", "rejected", "named rightly", "right tried", "accepted")


def measure(
    name: str,
    wrong: Sequence[registry.WrongAnswer],
    right: Sequence[registry.Answer],
    seeds: Iterable[tuple[int, str]] = SEEDS,
) -> dict[str, int]:
    """The figures of one exercise; a right answer counts as accepted when every seed accepts it."""
    patience, probe.SECONDS = probe.SECONDS, WRONG_SECONDS
    refused = [failure(name, answer.obj, 7) for answer in wrong]
    probe.SECONDS = patience  # a right answer has a learner's time, however busy the machine
    return {
        "wrong": len(wrong),
        "rejected": sum(error is not None for error in refused),
        "named": sum(
            error is not None and ids(error.misconception) == ids(answer.mistake)
            for answer, error in zip(wrong, refused, strict=True)
        ),
        "right": len(right),
        "accepted": sum(all(failure(name, answer.obj, *seed) is None for seed in seeds) for answer in right),
    }


def table(figures: Mapping[str, Mapping[str, int]]) -> str:
    """The figures as a Markdown table with a line for each exercise and the totals."""
    rows = [[f"`{name}`", *(f"{one[key]}" for key in COUNTS)] for name, one in figures.items()]
    rows.append(["**all**", *(f"{sum(one[key] for one in figures.values())}" for key in COUNTS)])
    return markdown(HEAD, rows)


def stale(name: str) -> str:
    """What is said where no figures of an exercise are kept, or those of another bank."""
    return f"the kept figures are not those of {name}: run `{call_name('teeth', f'--write {name}')}`"


def keep(ours: Mapping[str, Any], by_unit: Mapping[str, Any]) -> None:
    """Write new figures into the kept ones, in the order of the course; what is no exercise any more goes."""
    kept = json.loads(KEPT.read_text("utf-8"))
    exercises, units = kept["ours"] | ours, kept["mutants"] | by_unit
    new = {
        "ours": {name: exercises[name] for name in UNIT_OF if name in exercises},
        "mutants": {unit: units[unit] for unit in UNITS if unit in units},
    }
    KEPT.write_text(json.dumps(new, indent=1) + "\n", "utf-8", newline="\n")


def main(words: Sequence[str]) -> int:
    """Print the tables of the exercises named, or of all; exit with 1 when one is judged wrongly."""
    asked = [word for word in words if word != "--write"]
    if strangers := [word for word in asked if word not in UNIT_OF]:
        sys.exit(f"There is no exercise {strangers[0]}: the exercises stand in helpers/units.py.")
    names = [name for name in UNIT_OF if name in asked or not asked]
    right, wrong = registry.load()
    figures = {}
    for name in names:
        figures[name] = measure(
            name, [a for a in wrong if a.exercise == name], [a for a in right if a.exercise == name]
        )
        print(f"\r{name:<30}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(table(figures), flush=True)
    found = mutants.run(dict.fromkeys(UNIT_OF[name] for name in names))
    print(f"\n{found.total} mutants of the reference answers: {found.rejected} rejected.")
    if found.unexplained or found.rejected + len(found.explained) != found.total:
        sys.exit("Some mutants are accepted without a reason, or were not judged: see `make mutants`.")
    if "--write" in words:
        keep(figures, found.by_unit)
        print("\nKept in tests/teeth.json; `make sync` writes the pages that show it.")
    whole = all(
        one["rejected"] == one["wrong"] and one["accepted"] == one["right"] for one in figures.values()
    )
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
