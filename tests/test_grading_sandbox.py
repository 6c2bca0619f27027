"""The walls around learner code: they hold, they are tried at every start, and nothing is graded without."""

import os
import shutil
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from grading.inside import walls
from grading.outside import processes, sandbox
from grading.outside.limits import Limits
from grading.outside.processes import Ended, Gone, Notebook, Warm
from tests import classroom, sample_learners
from tests.killing import descendants
from tools.patience import PATIENCE, until

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "00_start_here"
IMPORTS = "import ctypes, os, threading, time"
LATER = "threading.Timer(1, ctypes.CDLL(None)._exit, [0]).start()"


@pytest.fixture(scope="module")
def warm():
    with Warm().ready() as one:
        yield one


def said(warm, *cells):
    """What the last cell prints, or the error that it stops with."""
    with Notebook(warm, {}) as notebook:
        for cell in cells:
            output = (notebook.run(cell)["outputs"] or [{}])[-1]
        return output.get("text") or f"{output.get('ename')}: {output.get('evalue')}"


def test_nothing_is_reached(warm):
    with warm.session() as session:
        assert not {what: seen for what, seen in session.ask({"do": "walls"}, 30)["walls"].items() if seen}


@pytest.mark.parametrize("hole", ["environment", "walls"])
def test_a_hole_is_noticed(hole, monkeypatch):
    if hole == "environment":
        monkeypatch.setattr(
            sandbox, "ENVIRONMENT", {**walls.ENVIRONMENT, "SECRET_TOKEN": "1"}
        )  # as if it were passed on
    else:
        asked = sandbox.command

        def no_inner_wall(program, hidden=()):
            return asked([*program[:-1], "open"] if program[-1] == "walled" else program, hidden)

        monkeypatch.setattr(sandbox, "command", no_inner_wall)
    one = Warm()
    with pytest.raises(sandbox.NoSandbox, match="holes here") as error:
        one.ready()
    assert ("SECRET_TOKEN" if hole == "environment" else "new process: possible") in str(error.value)


def test_one_submission_leaves_nothing_for_the_next(warm):
    leave = """
    import builtins, os, sys, numpy, helpers
    for place in (".", "/tmp", "/dev/shm", "/submission"):
        try: open(place + "/left", "w").write("left")
        except OSError: pass
    builtins.left = numpy.left = helpers.left = sys.left = 1
    print(os.path.exists("left"))
    """
    look = """
    import builtins, os, sys, numpy, helpers
    places = [place for place in (".", "/tmp", "/dev/shm", "/submission") if os.path.exists(place + "/left")]
    print(places, [hasattr(one, "left") for one in (builtins, numpy, helpers, sys)])
    """
    assert said(warm, textwrap.dedent(leave)) == "True\n"
    assert said(warm, textwrap.dedent(look)) == "[] [False, False, False, False]\n"


def test_every_submission_begins_with_the_same_random_numbers_as_if_seeded_with_0(warm):
    draw = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(2))"
    seed = "import random, numpy, torch\nrandom.seed(0); numpy.random.seed(0); torch.manual_seed(0)"
    assert said(warm, draw) == said(warm, draw) == said(warm, seed, draw)


def test_the_course_is_out_of_sight(tmp_path):
    (tmp_path / "gradebook.db").write_text("marks")
    hidden = [tmp_path, sandbox.ROOT]
    gradebook, root = str(tmp_path / "gradebook.db"), str(sandbox.ROOT)
    look = f"import os; print(os.path.exists({gradebook!r}), os.listdir({root!r}))"
    with Warm(hidden).ready() as one:
        seen = said(one, look)
        assert seen.startswith("False")
        assert "solutions" not in seen
        inside = said(one, f"import os; print(sorted(os.listdir({str(sandbox.ROOT / 'helpers')!r})))")
    assert "'reference'" in inside
    for secret in ("exercises", "verdict", "learner", "blanks.json", "others.json"):
        assert secret not in inside


def test_a_dead_process_costs_one_cell(warm):
    with Notebook(warm, {}) as notebook:
        notebook.run("x = 1")
        with pytest.raises(Ended, match="signal 11"):
            notebook.run("import ctypes; ctypes.string_at(0)")
        assert notebook.run("print(x)")["outputs"][0]["text"] == "1\n"


def test_what_an_earlier_cell_left_running_costs_no_later_cell(warm):
    with Notebook(warm, {}) as notebook:
        notebook.run(IMPORTS)
        notebook.run(LATER)
        assert notebook._session.ends_within(PATIENCE)
        assert notebook.run("time.sleep(0.4); print(2)")["outputs"][0]["text"] == "2\n"


def test_what_an_earlier_cell_left_running_costs_no_cell_that_takes_longer(warm):
    slow = "time.sleep(1.4)"
    with Notebook(warm, {}) as notebook:
        for cell in (IMPORTS, "one = 1", LATER, "three = 3", "four = 4"):
            notebook.run(cell)
        assert notebook.run(f"{slow}; print(one + three + four)")["outputs"][0]["text"] == "8\n"
        with pytest.raises(Ended, match="exit code 7"):
            notebook.run("import ctypes; ctypes.CDLL(None)._exit(7)")
        assert notebook.run("print(one)")["outputs"][0]["text"] == "1\n"


def test_what_ends_a_process_while_its_cells_run_again_costs_no_other_cell(warm):
    with Notebook(warm, {}) as notebook:
        notebook.run(IMPORTS)
        notebook.run(f"if os.path.exists('fuse'): {LATER.replace('(1,', '(0.3,')}")
        notebook.run("time.sleep(1); three = 3")
        notebook._files["fuse"] = b""
        with pytest.raises(Ended, match="exit code 7"):
            notebook.run("ctypes.CDLL(None)._exit(7)")
        assert notebook.run("print(three)")["outputs"][0]["text"] == "3\n"


def test_loops_end():
    limits = Limits(cell_seconds=1, patience=PATIENCE)  # of computing: nothing here waits
    stubborn = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    deaf = """
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except Exception: pass
while True: pass
"""
    with Warm(limits=limits).ready() as one:
        assert said(one, "while True: pass").startswith("TooSlow")
        assert said(one, stubborn).startswith("TooSlow")
        one.limits = replace(limits, patience=1)
        with Notebook(one, {}) as notebook:
            with pytest.raises(Ended, match="could not be interrupted"):
                notebook.run(deaf)
            assert notebook.run("print(2)")["outputs"][0]["text"] == "2\n"


def test_a_warm_process_that_was_killed_is_replaced():
    with Warm().ready() as one:
        kill_warm(one)
        assert said(one, "print(3)") == "3\n"


def test_a_warm_process_killed_under_a_submission_is_not_the_submission_s_fault():
    with Warm().ready() as one:
        with Notebook(one, {}) as notebook:
            notebook.run("x = 1")
            kill_warm(one)
            with pytest.raises(Gone, match="warm process was killed"):
                notebook.run("x")
        assert said(one, "print(3)") == "3\n"


def kill_warm(one):
    one._process.kill()
    one._process.wait()
    until(one._is_gone)  # what is behind bubblewrap dies a moment later


def test_no_process_is_left(warm):
    until(lambda: len(descendants(warm._process.pid)) == 2)  # earlier submissions are gone: bubblewrap and it
    before = descendants(warm._process.pid)
    with Notebook(warm, {}) as notebook:
        notebook.run("import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()")
        assert len(descendants(warm._process.pid)) == len(before) + 2
    until(lambda: descendants(warm._process.pid) == before)


def test_what_was_begun_before_the_walls_stood_ends_too(tmp_path, monkeypatch):
    number = tmp_path / "number"
    begun = ["sh", "-c", f"sleep 600 & echo $! > {number}; wait"]
    monkeypatch.setattr(sandbox, "why_not", str)  # it starts the command too
    monkeypatch.setattr(sandbox, "command", lambda words, hidden: begun)
    with Warm():
        until(lambda: number.exists() and number.read_text().strip())
    until(lambda: not Path("/proc", number.read_text().strip(), "exe").exists())


# As an ordinary user


def test_an_ordinary_user_needs_no_root(tmp_path):
    """The same walls from a user without any right, with the system's Python; needs no packages."""
    # pytest's own folder is for its user alone
    place = Path(f"/tmp/{tmp_path.name}-{os.getpid()}") if os.getuid() == 0 else tmp_path / "plain"
    try:
        for folder in ("grading", "helpers"):
            shutil.copytree(
                sandbox.ROOT / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__")
            )
        (place / "inside.py").write_text(
            textwrap.dedent("""
            import os, socket
            from grading.inside import walls
            ours, theirs = socket.socketpair()
            if os.fork() == 0:
                ours.close()
                try:
                    limits = dict(disk=2**20, memory=2**29, notebook_seconds=10, threads=8)
                    walls.enclose(theirs, limits, True)
                    holes = {what: seen for what, seen in walls.report().items() if seen}
                    os.write(1, repr((os.getpid(), holes)).encode())
                except BaseException as error:
                    os.write(1, repr(error).encode())
                os._exit(0)
            theirs.close()
            ours.recv(10)
            """)
        )
        (place / "outside.py").write_text(
            textwrap.dedent(f"""
            import os, subprocess, sys
            sys.path.insert(0, {str(place)!r})
            from grading.outside import sandbox
            sandbox.INSIDE += ("inside.py",)
            words = sandbox.command(["/usr/bin/python3", {str(place / "inside.py")!r}])
            print(os.getuid(), subprocess.run(words, capture_output=True, text=True))
            """)
        )
        place.chmod(0o755)
        who = {"user": walls.NOBODY, "group": walls.NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        done = subprocess.run(
            ["/usr/bin/python3", place / "outside.py"], capture_output=True, text=True, cwd="/", env={}, **who
        )
    finally:
        shutil.rmtree(place, ignore_errors=True)
    assert not done.stdout.startswith("0 "), "this was to run without root"
    assert "stdout='(1, {})'" in done.stdout, done.stdout + done.stderr


# Fail closed


@pytest.fixture
def no_bubblewrap(tmp_path):
    """An environment in which there is no bubblewrap."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("env", "sh"):
        (programs / name).symlink_to(shutil.which(name))
    return {**classroom.environ(), "PATH": str(programs)}


@pytest.fixture(scope="module")
def small_class(tmp_path_factory):
    folder = classroom.open_course(tmp_path_factory.mktemp("class"), [UNIT])
    classroom.hand_in(folder, UNIT, "ann", classroom.solved(UNIT))
    return folder


def test_without_a_sandbox_nothing_is_graded(small_class, no_bubblewrap):
    words = classroom.command(small_class, UNIT)
    done = subprocess.run(words, env=no_bubblewrap, capture_output=True, text=True)
    assert done.returncode == 2
    for part in ("Nothing was graded", "sudo apt install bubblewrap", "--without-sandbox"):
        assert part in done.stderr
    assert "Traceback" not in done.stderr
    assert not classroom.reports(small_class, UNIT)


def test_nor_by_plain_nbgrader(small_class, no_bubblewrap):
    command = [sys.executable, "-W", "ignore", "-m", "nbgrader", "autograde", UNIT]
    environ = {**sample_learners.environ(small_class), "PATH": no_bubblewrap["PATH"]}
    done = subprocess.run(command, cwd=small_class, env=environ, capture_output=True, text=True)
    assert done.returncode != 0
    assert "Nothing was graded" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(small_class.glob("autograded/*/*/*.ipynb"))


SAID = {
    "unmask=/proc/*": "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    "systempaths=unconfined": "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    "seccomp=unconfined": "bwrap: No permissions to create new namespace, likely because the kernel does not",
    "user.max_user_namespaces": "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user",
    "AppArmor profile": "bwrap: setting up uid map: Permission denied",
    "bubblewrap the one in docs/container.md": "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    "apparmor=unconfined": "bwrap: Failed to make / slave: Permission denied",
    "label=disable": "bwrap: Failed to mount tmpfs: Permission denied",
    "apt install bubblewrap": "bwrap: Unknown option --perms",
}
"""What helps, and what bubblewrap says where it is wanted."""


@pytest.mark.parametrize("helps", SAID)
def test_what_bubblewrap_may_not_do_is_answered_by_what_helps(helps, tmp_path, monkeypatch):
    program = tmp_path / "bwrap"
    program.write_text(f'#!/bin/sh\necho "{SAID[helps]}" >&2; exit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(sandbox.NoSandbox) as error:
        Warm()
    assert helps in str(error.value)
    assert SAID[helps] in str(error.value)
    assert "--without-sandbox" in str(error.value)


def test_namespaces_within_namespaces_that_are_refused_are_answered_too(monkeypatch):
    asked = sandbox.command

    def no_more_of_them(program, hidden=()):
        words = asked(program, hidden)
        return [words[0], "--unshare-user", "--uid", str(walls.NOBODY), "--disable-userns", *words[1:]]

    monkeypatch.setattr(sandbox, "command", no_more_of_them)
    with pytest.raises(sandbox.NoSandbox, match=r"unshare: No space left.*max_user_namespaces"):
        Warm().ready()


def test_the_risk_is_accepted_by_name(small_class, no_bubblewrap):
    words = classroom.command(small_class, UNIT, "--without-sandbox", "--workers", 1)
    done = subprocess.run(words, env=no_bubblewrap, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert classroom.points(small_class, UNIT) == {"ann": {"double": 1.0}}


def test_the_limits_are_said_once():
    assert processes.Limits is Limits
    assert Limits() == Limits(2**30, 30.0, 10.0, 120.0)
