"""What tests need beyond Python: brought by a command of its own, else named; and which tests run when."""

import ast
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.conftest import NEEDS_SANDBOX, lanes
from tools import fetch, needs
from tools.shell import ROOT, Stop, call_name

TESTS = sorted((ROOT / "tests").glob("test_*.py"))
SUBJECT = """
import pytest

@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("case", [1, 2])
def test_walls(case):
    pass

@pytest.mark.slow
def test_patience():
    pass

@pytest.mark.nightly
@pytest.mark.parametrize("case", [1, 2, 3])
def test_others(case):
    pass

@pytest.mark.slow
@pytest.mark.nightly
def test_others_for_long():
    pass

def test_softmax():
    pass
"""


def programs(folder, **scripts):
    """A PATH with these programs alone, as shell scripts."""
    for name, text in scripts.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    return str(folder)


def pytest_on(folder, *words, **environ):
    """Run a small file of tests with our conftest on a machine without bubblewrap."""
    (folder / "conftest.py").write_text("from tests.conftest import *  # noqa: F403\n")
    (folder / "test_subject.py").write_text(SUBJECT)
    (folder / "bin").mkdir(exist_ok=True)
    environ = {**os.environ, "PATH": str(folder / "bin"), "PYTHONPATH": str(ROOT), **environ}
    environ.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words, str(folder)]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)


@pytest.mark.slow
def test_what_the_gate_leaves_out_is_what_the_night_runs_and_it_says_so(tmp_path):
    gate = pytest_on(tmp_path, "-vv", "--everything", "-n", "2").stdout
    night = pytest_on(tmp_path, "-vv", "--nightly").stdout
    ran = [set(re.findall(r"(?:PASSED|SKIPPED) .*::(test_\w+)", gate))]
    ran += [set(re.findall(r"::(test_\w+)\S* (?:PASSED|SKIPPED)", night))]
    assert ran == [{"test_walls", "test_patience", "test_softmax"}, {"test_others", "test_others_for_long"}]
    assert set.union(*ran) == set(re.findall(r"def (\w+)", SUBJECT))
    assert "test_subject.py::test_walls (2 cases) needs sandbox" in gate
    assert "left out: 2 tests, for want of bubblewrap" in gate
    assert "bubblewrap libseccomp2" in gate if sys.platform == "linux" else "Linux" in gate
    assert "left to the night: 4 tests" in gate
    assert "test_subject.py::test_others (3 cases)\ntest_subject.py::test_others_for_long\nThey" in gate
    assert call_name("test", "--nightly") in gate
    assert "left to the night" not in night


def test_the_night_runs_a_case_whose_file_does_not_spell_the_mark(tmp_path):
    text = "import pytest\nfrom tests.lanes import at_night\n\n"
    text += '@pytest.mark.parametrize("case", [1, at_night(2)])\ndef test_a(case):\n    pass\n'
    (tmp_path / "test_elsewhere.py").write_text(text)
    night = pytest_on(tmp_path, "-vv", "--nightly").stdout
    assert re.findall(r"test_elsewhere\.py::(\S+) PASSED", night) == ["test_a[2]"]


def asked(*words, **options):
    """What pytest's configuration holds of a command line."""
    return SimpleNamespace(
        getoption=lambda name: options.get(name.lstrip("-")), invocation_params=SimpleNamespace(args=words)
    )


def test_slow_tests_run_when_they_are_asked_for(tmp_path):
    said = pytest_on(tmp_path).stdout
    assert "1 passed, 2 skipped" in said
    assert "The slow tests were not asked for" in said
    every = {"quick", "slow", "nightly"}
    assert lanes(asked(keyword="softmax")) == lanes(asked("tests/test_sync.py::test_a")) == every
    assert lanes(asked("tests", everything=True)) == {"quick", "slow"}


def needs_of_gate_and_night():
    """What the tests need that run with `--everything`, and those at night, as their files say."""
    gate, night = set(), set()
    for text in (path.read_text("utf-8") for path in TESTS):
        body = ast.parse(text).body if "mark.needs(" in text else ()
        short = {ast.unparse(one.targets[0]): one.value for one in body if isinstance(one, ast.Assign)}
        for test in (one for one in body if getattr(one, "name", "").startswith("test_")):
            marks = [ast.Name("pytestmark"), *test.decorator_list]
            said = " ".join(ast.unparse(short.get(ast.unparse(one), one)) for one in marks)
            names = re.findall(r"'(\w+)'", " ".join(re.findall(r"mark\.needs\((.*?)\)", said)))
            (night if "mark.nightly" in said else gate).update(names)
    return gate, night


def test_what_only_the_night_needs_is_what_only_tests_of_the_night_are_marked_with():
    gate, night = needs_of_gate_and_night()
    assert night - gate == {need.name for need in needs.NEEDS if need.nightly}
    assert gate | {"npm"} == set(needs.GATE)


def test_where_nothing_may_be_left_out_a_machine_that_lacks_something_fails_at_once(tmp_path):
    done = pytest_on(tmp_path, "--nothing-left-out")
    assert done.returncode != 0
    assert "bubblewrap" in done.stderr
    assert "nothing may be left out" in done.stderr
    assert "passed" not in done.stdout
    assert "JupyterHub" not in done.stderr, "only the night needs it"


def imported_tests(text):
    """The files of tests that a test's text imports."""
    names = re.findall(r"^from tests import (.+)$", text, re.MULTILINE)
    names = {name.strip() for line in names for name in line.split(",")}
    names |= set(re.findall(r"^from tests\.(\w+) import", text, re.MULTILINE))
    return {name for name in names if (ROOT / "tests" / f"{name}.py").exists()}


def test_a_file_that_imports_the_grader_says_that_it_needs_the_sandbox():
    texts = {path.stem: path.read_text("utf-8") for path in (ROOT / "tests").glob("*.py")}
    wanting = {
        name for name, text in texts.items() if re.search(r"^(from|import) grading\b", text, re.MULTILINE)
    }
    uses = {name: imported_tests(text) for name, text in texts.items()}
    for _ in texts:  # until what imports the importers is in, too
        wanting |= {name for name, others in uses.items() if others & wanting}
    silent = {path.stem for path in TESTS if not NEEDS_SANDBOX.search(texts[path.stem])}
    assert wanting & silent == set()


# Bringing


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine made of shell scripts, whose apt-get notes what it is asked; a log of its own."""
    monkeypatch.setattr(fetch, "ROOT", tmp_path)

    def made(root, apt="exit 0", **others):
        monkeypatch.setattr(needs.os, "geteuid", lambda: 0 if root else 1000)
        noted = tmp_path / "asked"
        (tmp_path / "bin").mkdir()
        scripts = {
            "apt_get": f'echo "$@" >> {noted}\n{apt}',
            "env": '/usr/bin/env "$@"',
            "true": "exit 0",
            **others,
        }
        monkeypatch.setenv("PATH", programs(tmp_path / "bin", **scripts))
        return noted

    needs.is_here.cache_clear()
    yield made
    needs.is_here.cache_clear()


BUBBLEWRAP = [needs.BY_NAME["sandbox"]]
NODE = [needs.BY_NAME["npm"]]
ROOTS = {
    "root": (True, {}, True),
    "sudo without a password": (False, {"sudo": 'shift; exec "$@"'}, True),
    "sudo that asks": (False, {"sudo": "echo a password is required >&2; exit 1"}, False),
    "none": (False, {}, False),
}
unix = pytest.mark.skipif(os.name == "nt", reason="the machine is made of shell scripts")
linux = pytest.mark.skipif(sys.platform != "linux", reason="apt-get is Debian's")


@linux
@pytest.mark.parametrize(("root", "others", "may"), ROOTS.values(), ids=ROOTS)
def test_it_installs_where_it_may_and_else_prints_the_line(machine, capsys, root, others, may):
    asked = machine(root, useradd="exit 0", **others)
    assert needs.users() is may
    assert fetch.main(["sandbox", "firefox"]) == 1, "these scripts bring nothing"
    said = capsys.readouterr()
    assert said.err == ""
    line = "install --yes --no-install-recommends bubblewrap libseccomp2"
    assert asked.exists() is may
    if may:  # what the index may lack is asked for by itself
        lines = asked.read_text().splitlines()
        assert [one.partition("install ")[2].split()[-1] for one in lines if " install " in one] == [
            "libseccomp2",
            "firefox-esr",
        ]
        assert line in asked.read_text()
        assert "Installing what the tests need beside Python: bubblewrap" in said.out
    else:
        assert f"To have it: sudo apt-get {line} firefox-esr\n" in said.out


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("E: Could not get lock /var/lib/dpkg/lock-frontend.", "another program"),
        ("E: Failed to fetch http://x/y.deb  Temporary failure resolving 'x'", "check the connection"),
        ("E: You don't have enough free space: No space left on device", "disk is full"),
        ("E: Unable to locate package bubblewrap", "no package of that name"),
        ("E: dpkg was interrupted, you must manually run 'dpkg --configure -a'", "dpkg --configure -a"),
        ("E: Something new.", "Something new"),
        ("", "setup.log says why"),
    ],
)
def test_the_cause_of_a_failed_installation_is_named(output, says):
    assert says in fetch.why(output)


@unix
def test_a_failed_installation_is_one_sentence(machine):
    machine(True, 'case "$*" in *install*) echo "E: Something new."; exit 100;; esac')
    sentence = fetch.install(BUBBLEWRAP)
    assert sentence == f"Could not install bubblewrap: Something new (the full output is in {fetch.LOG})."
    assert "E: Something new." in (fetch.ROOT / fetch.LOG).read_text()


@unix
def test_what_cannot_be_fetched_is_said_and_what_fetches_it_is_named(machine, monkeypatch, capsys):
    def stop():
        raise Stop("npm could not fetch it")

    machine(False)
    monkeypatch.setitem(fetch.FETCHES, "hub", stop)
    monkeypatch.setattr(needs, "_installed", lambda package: False)
    assert fetch.main(["hub"]) == 1
    said = capsys.readouterr()
    assert said.err == "Could not fetch JupyterHub's proxy: npm could not fetch it\n"
    assert "Node.js, JupyterHub's proxy" in said.out


def test_all_that_npm_and_pip_fetch_is_fetched_and_another_name_is_refused():
    assert fetch.FETCHES.keys() == {need.name for need in needs.NEEDS if need.by}
    assert all(need.by or need.packages or need.how for need in needs.NEEDS)
    with pytest.raises(SystemExit, match="No test needs firefix: there are sandbox, browser"):
        fetch.main(["firefix"])


@unix
def test_the_line_fits_the_system(machine):
    machine(False)
    assert needs.line_for(NODE, "darwin") == "brew install node"
    assert needs.line_for(NODE, "win32") == "winget install OpenJS.NodeJS.LTS"
    assert needs.line_for(NODE, "linux") == ("sudo apt-get install --yes --no-install-recommends nodejs npm")
    assert "Linux" in needs.line_for(BUBBLEWRAP, "darwin")
    line = needs.line_for([needs.BY_NAME[one] for one in ("hub", "users", "pyodide")])
    assert line.startswith("make test-needs ARGS=hub, then be root on Linux, or have a sudo")
    assert ", then set PYODIDE to a folder" in line
