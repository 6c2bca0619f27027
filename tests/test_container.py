"""The container: its file follows the README and the pins, takes no submission along, and says what is wrong.

That an image is built, and marks in it are those outside, is tried by `python -m studies.container_trial`.
"""

import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from grading.outside import sandbox
from tools import environment
from tools.shell import ROOT, Stop, venv_python

pytestmark = [pytest.mark.needs("sandbox")]

FILE = (ROOT / "Containerfile").read_text("utf-8")
GUIDE = (ROOT / "docs" / "container.md").read_text("utf-8")
STEPS = re.findall(r"^([A-Z]+) (.+)$", FILE.replace("\\\n", " "), re.MULTILINE)
PRIVATE = (
    "submitted/ann/05_softmax/05_softmax.ipynb",
    "gradebook.db",
    "reports/05_softmax/ann.json",
    "grades.csv",
    "autograded",
    "feedback",
    "solutions",
    ".venv",
    ".git",
    ".grading-secret",
    "nbgrader_config.py",
)


def steps(instruction):
    return [words for name, words in STEPS if name == instruction]


def sources():
    """What the image is made of: every word of a COPY but the last."""
    return [word for words in steps("COPY") for word in shlex.split(words)[:-1]]


def taken(path):
    """Whether a path of the course folder gets into the build; the last pattern that fits decides."""
    kept = True
    for line in (ROOT / ".containerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        parts = [
            path,
            *(path.rsplit("/", number)[0] for number in range(path.count("/") + 1)),
            path.split("/")[-1],
        ]
        if line and not line.startswith("#") and any(fnmatch.fnmatchcase(part, pattern) for part in parts):
            kept = line.startswith("!")
    return kept


def test_all_that_it_copies_is_tracked_and_gets_past_the_list_of_what_is_left_out():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True
    ).stdout.splitlines()
    assert len(sources()) >= 7
    for source in sources():
        inside = [path for path in tracked if path == source or path.startswith(f"{source}/")]
        assert inside, source
        assert all(map(taken, inside)), source


@pytest.mark.parametrize("path", PRIVATE)
def test_no_submission_and_no_mark_gets_into_the_image(path):
    assert not taken(path)
    assert not any(path == source or path.startswith(f"{source}/") for source in sources())
    assert not any(source in (".", "./", "*") for source in sources())


def test_it_installs_by_the_lines_of_the_readme_with_the_pins():
    readme = (ROOT / "README.md").read_text("utf-8").partition("**Plain pip**")[2].partition("```\n")[2]
    _, torch, course = readme.splitlines()[:3]
    run = " ".join(steps("RUN"))
    assert steps("ARG")[1] == f'TORCH="{torch.removeprefix("uv pip install ")}"'
    assert "uv pip install --no-cache ${TORCH}" in run
    wanted = course.removeprefix("pip install ").replace("[course]", f"[{environment.LENT}]")
    assert f"uv pip install --no-cache --compile-bytecode {wanted}" in run
    assert run.index("${TORCH}") < run.index(wanted)


def test_it_has_what_the_sandbox_needs_and_an_ordinary_user():
    apt = steps("RUN")[0]
    assert all(f" {package} " in apt for package in ("bubblewrap", "libseccomp2", "git", "make"))
    assert steps("USER")[-1] not in ("root", "0")
    assert STEPS.index(("USER", steps("USER")[-1])) > max(
        number for number, (name, _) in enumerate(STEPS) if name in ("RUN", "COPY")
    )


def test_its_python_is_one_that_the_course_runs_on():
    base = steps("ARG")[0].partition("=")[2]
    version = re.search(r"python:(\d+)\.(\d+)-slim", base)
    assert tuple(map(int, version.groups())) >= (3, 11)


def test_the_environment_is_where_the_file_puts_it(monkeypatch, tmp_path):
    place = re.search(r"COURSE_VENV=(\S+)", FILE)[1]
    assert f"python3 -m venv {place}" in FILE
    monkeypatch.setenv("COURSE_VENV", place)
    assert venv_python(tmp_path).parent.parent.as_posix() == place
    for name in environment.PINS:
        assert any(words.split() == [name, f"{place}/"] for words in steps("COPY")), name


# What is said


def lend(folder):
    for name in environment.PINS:
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def test_what_the_container_was_built_for_is_ready_and_nothing_is_installed(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_VENV", str(lend(tmp_path)))
    environment.ensure("grading")
    environment.ensure("course")


@pytest.mark.parametrize("name", environment.PINS)
def test_other_pins_than_the_container_s_are_said(tmp_path, monkeypatch, name):
    monkeypatch.setenv("COURSE_VENV", str(lend(tmp_path)))
    (tmp_path / name).write_text("numpy==1.26.0\n")
    with pytest.raises(Stop, match=rf"another {name} .* build it again .`podman build -t course \.`"):
        environment.ensure("grading")


def test_what_the_container_has_not_got_is_said(tmp_path):
    environ = {**os.environ, "COURSE_VENV": str(lend(tmp_path))}
    done = subprocess.run(
        [sys.executable, "tools/course.py", "test"], cwd=ROOT, env=environ, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "can open the course and grade" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not shutil.which("make"), reason="make is the container's")
def test_without_a_course_folder_it_says_how_to_mount_one(tmp_path):
    line = next(words for words in steps("RUN") if "> Makefile" in words)
    made = subprocess.run(["sh", "-c", line], cwd=tmp_path)
    assert made.returncode == 0
    for words in (["make"], ["make", "grade", "UNIT=05_softmax"]):
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2
        assert 'start the container in the course folder, with -v "$PWD":/course.' in done.stderr


# The guide


def test_every_option_that_the_grader_names_is_explained_in_the_guide():
    named = {
        word for todo in sandbox.CAUSES.values() for word in re.findall(r"--security-opt '?([^`' ]+)", todo)
    }
    assert len(named) >= 5
    rows = [line for line in GUIDE.splitlines() if line.startswith("| `--")]
    for option in named:
        assert any(option in row.split(" | ")[0] for row in rows), option


def test_every_option_of_the_guide_s_commands_is_in_its_table():
    commands = " ".join(re.findall(r"^(?:podman|docker) run (?:.*\\\n)*.*$", GUIDE, re.MULTILINE))
    rows = " ".join(line for line in GUIDE.splitlines() if line.startswith("| `--"))
    used = set(re.findall(r"--(?:security-opt|userns|user)[ =]\S+", commands))
    assert len(used) >= 4
    for option in used:
        assert option in rows, option


def test_the_guide_is_where_the_grader_says_it_is():
    assert (ROOT / sandbox.GUIDE).is_file()
    assert "profile bwrap /usr/bin/bwrap flags=(unconfined) {\n  userns," in GUIDE
