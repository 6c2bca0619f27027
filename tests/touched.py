"""Which exercises a change touches: what was not pushed yet, or not committed, as git tells it.

The quick tests check the known mistakes of these; `--everything` checks all.
"""

import re
import subprocess
from functools import cache

import pytest

from helpers.units import UNIT_OF, UNITS, module_name
from tools.shell import ROOT

SHARED = re.compile(r"(helpers/(exercises|verdict|beside|reference)|banks)/|helpers/(text|arrays)\.py")
"""What checks are made of; outside the folder of a unit it is every exercise's."""


def exercises(files):
    """The exercises whose check, known mistakes or bank may be others after a change of these files."""
    names = {module_name(name): name for name in UNIT_OF}
    found = set()
    for path in filter(SHARED.match, files):
        *_, unit, file = f"/{path}".rsplit("/", 2)
        stem = file.removesuffix(".py").removesuffix("_mistakes")
        of_unit = next((one for one in UNITS if f"unit_{one}" in (unit, stem)), None)
        if stem in names and unit.startswith(("unit_", "probes")):
            found.add(names[stem])
        else:
            found |= set(UNITS[of_unit] if of_unit else UNIT_OF)
    return found


@cache
def changed():
    """The files that git finds changed, or new; `None` where there is no git to ask."""
    for base in ("@{upstream}", "origin/main", "HEAD"):
        found = _git("merge-base", "HEAD", base)
        if found is not None:
            new = _git("ls-files", "--others", "--exclude-standard") or []
            return [*(_git("diff", "--name-only", *found) or []), *new]
    return None


def _git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else None


def each(which=lambda _: True):
    """A parameter for each exercise, or for some; those that no change touches are slow tests."""
    files = changed()
    quick = set(UNIT_OF) if files is None else exercises(files)
    marks = {name: () if name in quick else pytest.mark.slow for name in UNIT_OF if which(name)}
    return pytest.mark.parametrize("name", [pytest.param(name, marks=mark) for name, mark in marks.items()])
