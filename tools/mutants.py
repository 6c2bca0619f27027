"""Mutate the reference answers with mutmut and see whether the checks reject every mutant (`make mutants`).

A mutant that is accepted must stand in `tests/equivalent_mutants.toml`, with the reason why it is a right
answer all the same.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.units import UNITS
from tools.shell import ROOT

A_TEST = re.compile(r"^def (?:test_|_assert_).*:$", re.MULTILINE)
"""Reference answers that are tests: with other random numbers a test is as good as before, and no mistake."""

EXPLAINED = ROOT / "tests" / "equivalent_mutants.toml"
SETTINGS = """
[tool.mutmut]
source_paths = ["helpers/reference/"]
only_mutate = {files}
also_copy = ["helpers"]
pytest_add_cli_args_test_selection = ["tests/"]
pytest_add_cli_args = ["--assert=plain", "-p", "no:cacheprovider"]
"""
TEST = """
import functools

import pytest

from helpers import check, reference
from helpers.exercises import base
from helpers.units import UNIT_OF
from helpers.verdict import judge

judge.diagnose = lambda *_: None  # the name of a mistake rejects nobody
# every mutant runs in a fork of the process that ran the right answers: what is drawn, and right, is there
base._drawn = functools.lru_cache(maxsize=None)(base._drawn.__wrapped__)


@pytest.mark.parametrize("name", [name for name, unit in UNIT_OF.items() if unit in {units}])
def test_reference(name):
    for seed, sizes in ((1, "visible"), (2, "hidden")):
        check(name, getattr(reference, name), seed=seed, sizes=sizes)
"""

RUN = """
import sys

from mutmut.__main__ import cli
from mutmut.workers import isolation


class Runner(isolation.PytestRunner):
    def run_tests(self, *, mutant_name, tests):
        if mutant_name is None:
            return super().run_tests(mutant_name=None, tests=tests)
        try:
            for test in tests:
                sys.modules["test_reference"].test_reference(test.partition("[")[2].removesuffix("]"))
        except BaseException:
            return 1
        return 0


isolation.PytestRunner = Runner
cli()
"""
"""mutmut, which calls the test itself in the fork of a mutant: a pytest takes longer to start than that."""


@dataclass(frozen=True)
class Outcome:
    """What became of the mutants.

    Attributes:
        by_unit: for each unit how many there are, and how many a check refuses.
        explained: accepted ones that are known to be right answers.
        unexplained: the other accepted ones, as differences.
    """

    by_unit: Mapping[str, Mapping[str, int]]
    explained: tuple[str, ...]
    unexplained: tuple[str, ...]

    @property
    def total(self) -> int:
        """How many there are in all units."""
        return sum(one["total"] for one in self.by_unit.values())

    @property
    def rejected(self) -> int:
        """How many of them a check refuses."""
        return sum(one["rejected"] for one in self.by_unit.values())


def explained() -> dict[tuple[str, str], str]:
    """The reasons by old and new line."""
    entries = tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]
    return {(entry["old"], entry["new"]): entry["why"] for entry in entries}


def run(units: Iterable[str] = UNITS) -> Outcome:
    """Make the mutants of these units in a temporary copy, and check each with these units' exercises."""
    units = list(units)
    told = {"units": units, "files": [f"helpers/reference/unit_{unit}.py" for unit in units]}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(ROOT / "helpers", home / "helpers", ignore=shutil.ignore_patterns("__pycache__"))
        for path in (home / "helpers" / "reference").glob("*.py"):
            path.write_text(A_TEST.sub(r"\g<0>  # pragma: no mutate block", path.read_text("utf-8")), "utf-8")
        (home / "tests").mkdir()
        (home / "tests" / "test_reference.py").write_text(TEST.format_map(told), "utf-8")
        (home / "pyproject.toml").write_text(SETTINGS.format_map(told), "utf-8")
        ran = _python(home, "-c", RUN, "run", "--max-children", str(os.cpu_count() or 1))
        counts = re.findall(r"(\d+)/(\d+) +🎉 (\d+)", ran)
        if not counts or counts[-1][0] != counts[-1][1]:
            sys.exit(f"mutmut did not finish:\n{ran[-2000:]}")
        results = re.findall(
            r"^ +(\S+\.unit_(\w+)\.\S+): (.*)$", _mutmut(home, "results", "--all=1"), re.MULTILINE
        )
        known, right, open_ = explained(), [], []
        accepted = [name for name, _, status in results if status != "killed"]
        for old, new in map(_lines, _shown(home, accepted)):
            (right if (old, new) in known else open_).append(f"- {old}\n+ {new}")
    total = Counter(unit for _, unit, _ in results)
    rejected = Counter(unit for _, unit, status in results if status == "killed")
    by_unit = {unit: {"total": total[unit], "rejected": rejected[unit]} for unit in units}
    return Outcome(by_unit, tuple(right), tuple(open_))


def _mutmut(home: Path, *words: str) -> str:
    return _python(home, "-m", "mutmut", *words)


SHOW = """
import sys
from mutmut.__main__ import cli

for name in sys.argv[1:]:
    print(end={mark!r})
    cli(["show", name], standalone_mode=False)
"""
MARK = "\0"


def _shown(home: Path, names: Sequence[str]) -> list[str]:
    """The differences of these mutants, all from one process: mutmut takes half a second to start."""
    shown = _python(home, "-c", SHOW.format(mark=MARK), *names).split(MARK)[1:]
    if len(shown) != len(names):
        sys.exit(f"mutmut showed {len(shown)} of {len(names)} mutants:\n{shown[-1:]}")
    return shown


def _python(home: Path, *words: str) -> str:
    ours = ("PYTHONPATH", "PYTEST_ADDOPTS")  # for a pytest that runs this, not for mutmut's
    environ = {key: value for key, value in os.environ.items() if key not in ours}
    command = [sys.executable, *words]
    done = subprocess.run(
        command,
        cwd=home,
        env={**environ, "OMP_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return done.stdout + (done.stderr if "run" in words else "")


def _lines(shown: str) -> tuple[str, str]:
    """The old and the new line of a difference."""
    both = re.findall(r"^([-+])(?![-+]) *(.*)$", shown, re.MULTILINE)
    return tuple(" ".join(text.strip() for sign, text in both if sign == wanted) for wanted in "-+")


def main(_: Sequence[str] = ()) -> int:
    """Print the figures; exit with 1 when a mutant is accepted without a reason."""
    found = run()
    print(f"{found.total} mutants of helpers/reference: {found.rejected} rejected by the checks, ", end="")
    print(f"{len(found.explained)} right answers too, {len(found.unexplained)} accepted without a reason.")
    for difference in found.unexplained:
        print(difference)
    return 1 if found.unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
