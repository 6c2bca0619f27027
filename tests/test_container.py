"""The container: its file follows the README and the pins, takes no submission along, and says what is wrong.

That an image is built, and marks in it are those outside, is tried by `python -m studies.container_trial`.
"""

import fnmatch
import re
import shlex
import shutil
import subprocess

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


def test_no_submission_and_no_mark_gets_into_the_image():
    for path in PRIVATE:
        assert not taken(path)
        assert not any(path == source or path.startswith(f"{source}/") for source in sources()), path
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


def test_it_has_a_python_what_the_sandbox_needs_and_an_ordinary_user():
    version = re.search(r"python:(\d+)\.(\d+)-slim", steps("ARG")[0])
    assert tuple(map(int, version.groups())) >= (3, 11)
    apt = steps("RUN")[0]
    assert all(f" {package} " in apt for package in ("bubblewrap", "libseccomp2", "git", "make"))
    assert steps("USER")[-1] not in ("root", "0")
    assert STEPS.index(("USER", steps("USER")[-1])) > max(
        number for number, (name, _) in enumerate(STEPS) if name in ("RUN", "COPY")
    )


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


def test_other_pins_or_less_than_the_container_has_are_said_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_VENV", str(lend(tmp_path)))
    for extra in ("grading", "course"):  # ready, and nothing is installed
        environment.ensure(extra)
    with pytest.raises(Stop, match=r"^This container can open the course and grade[^\n]*$"):
        environment.ensure("dev")
    for name in environment.PINS:
        (lend(tmp_path) / name).write_text("numpy==1.26.0\n")
        with pytest.raises(Stop, match=rf"another {name} .* build it again .`podman build -t course \.`"):
            environment.ensure("grading")


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


def test_every_option_that_the_grader_names_or_the_guide_uses_is_in_its_table():
    told = " ".join(sandbox.CAUSES.values())
    named = set(re.findall(r"--security-opt '?([^`' ]+)", told))
    commands = " ".join(re.findall(r"^(?:podman|docker) run (?:.*\\\n)*.*$", GUIDE, re.MULTILINE))
    used = set(re.findall(r"--(?:security-opt|userns|user)[ =]\S+", commands))
    assert (len(named), len(used)) >= (5, 4)
    rows = " ".join(line.rpartition(" | ")[0] for line in GUIDE.splitlines() if line.startswith("| `--"))
    assert [option for option in named | used if option not in rows] == []


def test_the_guide_is_where_the_grader_says_it_is():
    assert (ROOT / sandbox.GUIDE).is_file()
    assert "profile bwrap /usr/bin/bwrap flags=(unconfined) {\n  userns," in GUIDE
