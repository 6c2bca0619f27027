"""environment.yml (Binder, conda) and constraints.txt agree with pyproject.toml; repo2docker takes the first.

Whether conda-forge has these versions cannot be seen from here; only a build on Binder shows it.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
CONDA = [item for item in ENVIRONMENT["dependencies"] if isinstance(item, str)]
PIP_NAMES = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}  # conda's name: the name pip knows


def required(*extras):
    """Return pyproject's requirements by name: the helpers' own and those of some extras."""
    optional = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in optional[extra])]
    requirements = map(Requirement, lines)
    return {canonicalize_name(one.name): one.specifier for one in requirements if one.name != PROJECT["name"]}


def parse(spec):
    """Split `name>=1,<2` or `name=1.2` into pip's name and a specifier; conda's `=1.2` is `==1.2.*`."""
    match = re.fullmatch(r"([a-z0-9][a-z0-9._-]*)((?:[=<>!~]=?[0-9][0-9.]*)(?:,[<>!]=?[0-9][0-9.]*)*)?", spec)
    assert match, f"not a conda spec: {spec!r}"
    version = re.sub(r"^=([0-9.]+)$", r"==\1.*", match[2] or "")
    return PIP_NAMES.get(match[1], match[1]), SpecifierSet(version)


def lowest(specifier):
    """Return the lowest version that a specifier names as allowed."""
    return Version(next(one.version for one in specifier if one.operator in ("==", ">=")).removesuffix(".*"))


def pins():
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [re.fullmatch(r"([\w.-]+)==([\w.]+)", line) for line in lines if not line.startswith("#")]
    assert all(found), "constraints.txt has a line that is not name==version"
    return {canonicalize_name(match[1]): Version(match[2]) for match in found}


SPECS = dict(map(parse, CONDA))


def test_the_file_has_what_conda_and_repo2docker_read_and_no_more():
    assert set(ENVIRONMENT) == {"name", "channels", "dependencies"}
    assert ENVIRONMENT["name"] == PROJECT["name"]
    assert ENVIRONMENT["channels"] == ["conda-forge"]
    assert [item for item in ENVIRONMENT["dependencies"] if not isinstance(item, str)] == [{"pip": ["-e ."]}]
    assert "pip" in CONDA


def test_conda_installs_all_that_pip_would_within_its_ranges_and_those_that_ci_tests():
    wanted = required("course")
    assert set(wanted) <= set(SPECS)
    assert lowest(SPECS["python"]) in SpecifierSet(PROJECT["requires-python"])
    for name, specifier in wanted.items():
        assert lowest(SPECS[name]) in specifier, name
        assert pins()[name] in SPECS[name]
        for one in specifier:  # an upper bound of pyproject binds conda too
            if one.operator == "<":
                assert Version(one.version) not in SPECS[name], name


def test_every_direct_dependency_is_pinned_within_its_range():
    found = pins()
    assert "uv" in found  # tools/packages.py installs it
    assert {name for name, one in required("course", "dev").items() if found[name] not in one} == set()


def test_binder_makes_the_environment_of_the_file_then_sets_jupyterlab_up(tmp_path):
    """By what repo2docker would build; it needs no docker to say so."""
    for name in ("environment.yml", "pyproject.toml", "constraints.txt", "Makefile", "postBuild"):
        shutil.copy2(ROOT / name, tmp_path)
    argv = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(tmp_path)]
    result = subprocess.run(argv, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    dockerfile = result.stdout + result.stderr
    copied = re.search(r"COPY --chown=\d+:\d+ src/", dockerfile)  # the ids are those of whoever asks
    made = re.search(r"env update -p \S+ --file \"environment\.yml\"", dockerfile)
    assert copied.start() < made.start() < dockerfile.index("./postBuild"), "pip needs the copy"
    assert (ROOT / "postBuild").stat().st_mode & 0o100, "Binder runs it"
    python = re.escape(str(lowest(SPECS["python"])).replace(".", "-2e"))  # how repo2docker spells 3.11
    assert re.search(rf"environment-2epy-2d{python}-2d", dockerfile)
