"""Kill the grader at random moments, run it again, and compare the marks with an undisturbed run.

`python -m tests.killing [LEARNERS] [KILLS]` prints what happened; 100 and 20 by default.
"""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import classroom
from tools.patience import LONGEST, until

UNIT = "01_dot_product"


def descendants(pid, depth=99):
    """The processes that a process has started, and those that these have."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (place / "stat").read_text().rsplit(")", 1)[1].split()[:2]
        except (OSError, IndexError):
            continue
        if int(parent) == pid and state != "Z":
            found += [int(place.name), *(descendants(int(place.name), depth - 1) if depth > 1 else ())]
    return found


def run_and_kill(folder, dice):
    """Start the grader; kill it, a worker or its sandbox. Its exit code, `None` where the kill ended it."""
    process = subprocess.Popen(
        classroom.command(folder, UNIT, "--workers", 2),
        env=classroom.environ(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    reports = Path(folder) / "reports" / UNIT
    wanted, moment = _count(reports) + dice.randrange(1, 6), dice.random() / 50
    until(lambda: process.poll() is not None or _count(reports) >= wanted)
    time.sleep(moment)  # within a submission, anywhere
    # the grader, its workers, bubblewrap; what is inside is the submission's own
    victims = [process.pid, *descendants(process.pid, 1)]
    victim = dice.choice(victims) if dice.random() < 0.3 else process.pid
    with contextlib.suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
    code = process.wait(timeout=LONGEST)  # where it was a worker, the grader goes on, or gives up by itself
    return None if code == -signal.SIGKILL else code


def _count(reports):
    return sum(1 for _ in reports.glob("*.json")) if reports.is_dir() else 0


def disturbed_and_not(learners, kills, seed=0):
    """Grade one class twice, once with kills.

    Returns:
        The points of the undisturbed run, those after the kills, and how many kills hit a grader at work.
    """
    dice = random.Random(seed)
    place = Path(tempfile.mkdtemp(prefix="killing-"))
    try:
        calm, wild = place / "calm", place / "wild"
        classroom.open_course(calm, [UNIT])
        classroom.make_class(calm, UNIT, learners)
        shutil.copytree(calm, wild)
        done = classroom.grade(calm, UNIT)
        assert done.returncode == 0, done.stderr
        hit = tried = 0
        while tried < kills or (not hit and tried < 10 * kills):  # whom it hits is chance
            code = run_and_kill(wild, dice)
            hit, tried = hit + (code is None), tried + 1
            if code == 0:  # all were graded: begin again with some of them
                for path in list((wild / "reports" / UNIT).glob("*.json"))[: learners // 2]:
                    path.unlink()
        done = classroom.grade(wild, UNIT)
        assert done.returncode == 0, done.stdout + done.stderr
        return classroom.points(calm, UNIT), classroom.points(wild, UNIT), hit
    finally:
        shutil.rmtree(place, ignore_errors=True)


def main(learners=100, kills=20):
    calm, wild, hit = disturbed_and_not(int(learners), int(kills))
    same = sum(calm[student] == wild.get(student) for student in calm)
    print(f"{learners} learners, {kills} kills, {hit} of them of a grader at work")
    print(f"{same} of {len(calm)} have the marks of an undisturbed run")
    return int(same != len(calm) or calm.keys() != wild.keys())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
