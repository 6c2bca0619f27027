"""How good are the checks (`make teeth`): every bank of answers, against ours and against the nearest peer.

`--write` keeps the figures in `tests/teeth.json`, from which `make sync` writes the pages that show them;
a test fails when the checks do worse than the file says.
"""

import json
import os
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence

os.environ["OMP_NUM_THREADS"] = "1"

from banks import registry
from helpers import CheckFailed
from helpers.beside import probe
from helpers.units import UNIT_OF
from tools import mutants, peer
from tools.measuring import failure, ids, markdown
from tools.shell import ROOT

KEPT = ROOT / "tests" / "teeth.json"
SEEDS = [(seed, sizes) for seed in range(10) for sizes in ("visible", "hidden")]
WRONG_SECONDS = 1.0
"""Some wrong programs never end."""
COUNTS = ("wrong", "rejected", "named", "right", "accepted")
HEAD = (
    "exercise",
    "wrong tried",
    "rejected",
    "named rightly",
    "right tried",
    "accepted",
    "ms, right",
    "ms, wrong",
)


def measure(
    name: str,
    wrong: Sequence[registry.WrongAnswer],
    right: Sequence[registry.Answer],
    seeds: Iterable[tuple[int, str]] = SEEDS,
) -> dict[str, float]:
    """The figures of one exercise; a right answer counts as accepted when every seed accepts it."""
    patience, probe.SECONDS = probe.SECONDS, WRONG_SECONDS
    refused = [failure(name, answer.obj, 7) for answer in wrong]
    probe.SECONDS = patience  # a right answer has a learner's time, however busy the machine
    accepted, times = 0, []
    for answer in right:
        outcomes = [failure(name, answer.obj, *seed) for seed in seeds]
        accepted += all(error is None for error, _ in outcomes)
        times += [took for _, took in outcomes]
    return {
        "wrong": len(wrong),
        "rejected": sum(error is not None for error, _ in refused),
        "named": sum(
            error is not None and ids(error.misconception) == ids(answer.mistake)
            for answer, (error, _) in zip(wrong, refused, strict=True)
        ),
        "right": len(right),
        "accepted": accepted,
        "ms right": round(statistics.median(times), 1),
        "ms wrong": round(statistics.median(took for _, took in refused), 1),
        "ms worst": round(max([took for error, took in refused if not _endless(error)] + times), 1),
    }


def _endless(error: CheckFailed | None) -> bool:
    return error is not None and "still running" in str(error)


def table(figures: Mapping[str, Mapping[str, float]]) -> str:
    """The figures as a Markdown table with a line for each exercise and the totals."""
    rows = [
        [f"`{name}`", *(f"{one[key]:.0f}" for key in COUNTS), f"{one['ms right']}", f"{one['ms wrong']}"]
        for name, one in figures.items()
    ]
    sums = [f"{sum(one[key] for one in figures.values()):.0f}" for key in COUNTS]
    medians = [
        f"{statistics.median(one[key] for one in figures.values()):.1f}" for key in ("ms right", "ms wrong")
    ]
    rows.append(["**all** (median of ms)", *sums, *medians])
    return markdown(HEAD, rows)


def main(words: Sequence[str]) -> int:
    """Print both tables; exit with 1 when a wrong program is accepted or a right one refused."""
    right, wrong = registry.load()
    figures = {}
    for name in UNIT_OF:
        figures[name] = measure(
            name, [a for a in wrong if a.exercise == name], [a for a in right if a.exercise == name]
        )
        print(f"\r{name:<30}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    beside = peer.compare()
    print(table(figures), peer.table(beside), sep="\n\n", flush=True)
    found = mutants.run()
    print(f"\n{found.total} mutants of the reference answers: {found.rejected} rejected.")
    if found.unexplained or found.rejected + len(found.explained) != found.total:
        sys.exit("Some mutants are accepted without a reason, or were not judged: see `make mutants`.")
    if "--write" in words:
        text = json.dumps(
            {"ours": figures, "peer": beside, "mutants": {"total": found.total, "rejected": found.rejected}},
            indent=1,
        )
        KEPT.write_text(text + "\n", "utf-8", newline="\n")
        print("\nKept in tests/teeth.json; `make sync` writes the pages that show it.")
    whole = all(
        one["rejected"] == one["wrong"] and one["accepted"] == one["right"] for one in figures.values()
    )
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
