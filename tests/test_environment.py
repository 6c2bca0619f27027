"""environment.yml (Binder, conda) and constraints.txt agree with pyproject.toml; repo2docker takes the first.

Whether conda-forge has these versions cannot be seen from here; only a build on Binder shows it.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
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


def test_a_spec_that_is_none_is_noticed():
    with pytest.raises(AssertionError, match="not a conda spec"):
        parse("numpy >> 1")


def test_conda_installs_everything_so_that_pip_adds_nothing():
    assert set(required("course")) <= set(SPECS)


def test_the_python_is_one_that_pyproject_allows():
    assert lowest(SPECS["python"]) in SpecifierSet(PROJECT["requires-python"])


@pytest.mark.parametrize("name", sorted(required("course")))
def test_every_conda_range_lies_in_pyprojects_and_holds_what_ci_tests(name):
    wanted, conda = required("course")[name], SPECS[name]
    assert lowest(conda) in wanted
    assert pins()[name] in conda
    for one in wanted:  # an upper bound of pyproject binds conda too
        if one.operator in ("<", "=="):
            assert Version(one.version) not in conda or one.operator == "=="


@pytest.mark.parametrize("name", sorted(required("course", "dev")))
def test_every_direct_dependency_is_pinned_within_its_range(name):
    assert pins()[name] in required("course", "dev")[name]


def test_uv_is_pinned_too():
    assert "uv" in pins()  # tools/packages.py installs it


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory):
    """What repo2docker would build; it needs no docker to say so."""
    source = tmp_path_factory.mktemp("binder")
    for name in ("environment.yml", "pyproject.toml", "constraints.txt", "Makefile", "postBuild"):
        shutil.copy2(ROOT / name, source)
    argv = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(source)]
    result = subprocess.run(argv, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout + result.stderr


def test_binder_makes_the_environment_from_the_file(dockerfile):
    assert re.search(r"env update -p \S+ --file \"environment\.yml\"", dockerfile)


def test_binder_copies_the_repository_before_pip_needs_it(dockerfile):
    copied = re.search(r"COPY --chown=\d+:\d+ src/", dockerfile)  # the ids are those of whoever asks
    assert copied
    assert copied.start() < dockerfile.index("env update -p")


def test_binder_sets_jupyterlab_up_last(dockerfile):
    assert dockerfile.index("env update -p") < dockerfile.index("./postBuild")
    assert (ROOT / "postBuild").stat().st_mode & 0o100, "Binder runs it"


def test_binder_takes_the_pinned_python(dockerfile):
    python = re.escape(
        str(lowest(SPECS["python"])).replace(".", "-2e")
    )  # how repo2docker spells 3.11 in a name
    assert re.search(rf"environment-2epy-2d{python}-2d", dockerfile)
