"""What tests need beyond Python: installed where that is allowed, else named, with the line for it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import NEEDS_SANDBOX
from tools import needs
from tools.shell import ROOT

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

def test_softmax():
    pass
"""
on_debian = pytest.mark.skipif(not Path("/usr/bin/apt-get").exists(), reason="there is no apt-get")


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


def test_a_test_that_cannot_run_is_left_out_by_name_with_the_line_that_brings_it(tmp_path):
    done = pytest_on(tmp_path, "-n", "2")
    assert done.returncode == 0
    assert "1 passed, 2 skipped" in done.stdout
    assert "test_subject.py::test_walls (2 cases) needs sandbox" in done.stdout
    assert "left out: 2 tests, for want of bubblewrap" in done.stdout
    assert "bubblewrap libseccomp2" in done.stdout if sys.platform == "linux" else "Linux" in done.stdout


def test_slow_tests_run_when_they_are_asked_for(tmp_path):
    assert "The slow tests were not asked for" in pytest_on(tmp_path).stdout
    for words in (["--everything"], ["-k", "patience or softmax"], ["test_subject.py"]):
        done = pytest_on(tmp_path, *words)
        assert "2 passed" in done.stdout, words
        assert "not asked for" not in done.stdout


def test_where_nothing_may_be_left_out_a_machine_that_lacks_something_fails_at_once(tmp_path):
    done = pytest_on(tmp_path, "--nothing-left-out")
    assert done.returncode != 0
    assert "bubblewrap" in done.stderr
    assert "nothing may be left out" in done.stderr
    assert "passed" not in done.stdout


def _wants_sandbox(path, seen=()):
    """Whether a test file imports the grader, itself or through what it imports of the tests."""
    text = path.read_text("utf-8")
    if re.search(r"^(from|import) grading\b", text, re.MULTILINE):
        return True
    names = re.findall(r"^from tests import (.+)$", text, re.MULTILINE)
    names = {name.strip() for line in names for name in line.split(",")}
    names |= set(re.findall(r"^from tests\.(\w+) import", text, re.MULTILINE))
    others = [ROOT / "tests" / f"{name}.py" for name in names - {*seen}]
    return any(other.exists() and _wants_sandbox(other, (*seen, *names)) for other in others)


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_a_file_that_imports_the_grader_says_that_it_needs_the_sandbox(path):
    said = NEEDS_SANDBOX.search(path.read_text("utf-8"))
    assert said or not _wants_sandbox(path)


@pytest.mark.parametrize(
    ("root", "sudo", "may"), [(True, "exit 1", True), (False, "exit 1", False), (False, "exit 0", True)]
)
def test_users_can_be_made_by_root_or_through_a_sudo_that_asks_nothing(
    tmp_path, monkeypatch, root, sudo, may
):
    monkeypatch.setattr(needs.sys, "platform", "linux")
    monkeypatch.setattr(needs, "_is_root", lambda: root)
    monkeypatch.setenv("PATH", programs(tmp_path, useradd="exit 0", sudo=sudo))
    assert needs.users.__wrapped__() is may


def test_where_users_cannot_be_made_the_line_says_who_could():
    assert "root" in needs.line_for([needs.BY_NAME["users"]])
    assert "npm" in needs.line_for([needs.BY_NAME["hub"], needs.BY_NAME["users"]])
    assert "root" in needs.line_for([needs.BY_NAME["hub"], needs.BY_NAME["users"]])


# Installing


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine made of shell scripts, whose apt-get notes what it is asked; a log of its own."""
    monkeypatch.setattr(needs, "ROOT", tmp_path)

    def made(root, apt="exit 0", **others):
        monkeypatch.setattr(needs, "_is_root", lambda: root)
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

    return made


BUBBLEWRAP = [needs.BY_NAME["sandbox"]]
unix = pytest.mark.skipif(os.name == "nt", reason="the machine is made of shell scripts")


@unix
@pytest.mark.parametrize(
    ("root", "others"),
    [(True, {}), (False, {"sudo": 'shift; exec "$@"'})],
    ids=["root", "sudo without a password"],
)
def test_it_installs_where_it_may_and_says_what(machine, capsys, root, others):
    asked = machine(root, **others)
    assert needs.install(BUBBLEWRAP) == ""
    assert "install --yes --no-install-recommends bubblewrap libseccomp2" in asked.read_text()
    assert "Installing what the tests need beside Python: bubblewrap" in capsys.readouterr().out


def test_what_the_index_may_lack_is_asked_for_by_itself(monkeypatch):
    asked = []
    monkeypatch.setattr(
        needs, "lacking", lambda names: [needs.BY_NAME[one] for one in ("sandbox", "firefox")]
    )
    monkeypatch.setattr(needs, "install", lambda some: asked.append([one.name for one in some]) or "")
    monkeypatch.setattr(needs, "FETCHED", ())
    monkeypatch.setattr(needs.subprocess, "run", lambda *_, **__: None)
    needs.provide(everything=True)
    assert asked == [["sandbox"], ["firefox"]]
    assert "firefox" not in needs.ALL


@unix
@pytest.mark.parametrize(
    "others", [{}, {"sudo": "echo a password is required >&2; exit 1"}], ids=["none", "asks"]
)
def test_without_rights_it_installs_nothing_and_asks_nothing(machine, others):
    asked = machine(False, **others)
    assert needs.install(BUBBLEWRAP) == ""
    assert not asked.exists()


@unix
@pytest.mark.parametrize(
    ("output", "says"),
    [
        (
            "E: Could not get lock /var/lib/dpkg/lock-frontend.",
            "another program",
        ),
        ("E: Failed to fetch http://x/y.deb  Temporary failure resolving 'x'", "check the connection"),
        ("E: You don't have enough free space: No space left on device", "disk is full"),
        ("E: Unable to locate package bubblewrap", "no package of that name"),
        ("E: dpkg was interrupted, you must manually run 'dpkg --configure -a'", "dpkg --configure -a"),
        ("E: Something new.", "Something new;"),
    ],
)
def test_a_failed_installation_is_one_sentence_and_the_next_run_tries_again(machine, output, says):
    machine(
        True,
        f'[ "$1" = update ] || case "$*" in *install*) /bin/cat <<"EOT"\n{output}\nEOT\nexit 100;;\nesac',
    )
    sentence = needs.install(BUBBLEWRAP)
    assert says in sentence
    assert "the same command tries again" in sentence
    assert "\n" not in sentence
    assert output in (needs.ROOT / needs.LOG).read_text()


@pytest.mark.parametrize(
    ("platform", "root", "line"),
    [
        ("darwin", False, "brew install node"),
        ("win32", False, "winget install OpenJS.NodeJS.LTS"),
        pytest.param(
            "linux", True, "apt-get install --yes --no-install-recommends nodejs npm", marks=on_debian
        ),
        pytest.param("linux", False, "sudo apt-get install", marks=on_debian),
    ],
)
def test_the_line_fits_the_system(platform, root, line):
    assert needs.line_for([needs.BY_NAME["npm"]], platform, root).startswith(line)


def test_what_only_linux_has_is_said_elsewhere():
    assert "Linux" in needs.line_for(BUBBLEWRAP, "darwin")
