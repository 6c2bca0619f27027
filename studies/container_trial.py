"""Build the container, grade three made-up learners inside and outside, and compare the marks.

`python -m studies.container_trial podman` takes two minutes; `--base IMAGE` builds on another image, and
what stands after `--` goes to the engine (`--runtime=runc`, for example).
"""

import argparse
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests import classroom

UNIT = "05_softmax"
OPTIONS = {
    "podman": ["--userns=keep-id:uid=1000,gid=1000", "--security-opt", "unmask=/proc/*"],
    "docker": ["--security-opt", "seccomp=unconfined", "--security-opt", "systempaths=unconfined"],
}
"""As in docs/container.md."""


def timed(words: Sequence[str]) -> int:
    """Run a command, print the seconds it took, and return its exit code."""
    start = time.monotonic()
    done = subprocess.run(words, cwd=classroom.ROOT)
    print(f"{time.monotonic() - start:.0f} s, exit code {done.returncode}: {' '.join(words)}", flush=True)
    return done.returncode


def course_folder(folder: Path) -> Path:
    """A clone of the course as it is committed, with a class that has handed in; written to by anybody."""
    subprocess.run(["git", "clone", "--quiet", str(classroom.ROOT), str(folder)], check=True)
    classroom.make_class(folder, UNIT, 3)
    return folder


def main() -> int:
    """Build, grade and compare; the exit code is 1 where something failed or a mark differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=OPTIONS)
    parser.add_argument("--base", default="", help="an image to build on, with Python, venv and pip")
    parser.add_argument("--built", action="store_true", help="there is an image `course` already")
    parser.add_argument("words", nargs="*", help="for the engine, after --")
    asked = parser.parse_args()
    engine = [asked.engine, *asked.words]
    base = ["--build-arg", f"BASE={asked.base}"] if asked.base else []
    if not asked.built and timed([*engine, "build", *base, "-t", "course", "-f", "Containerfile", "."]):
        return 1
    with tempfile.TemporaryDirectory() as place:
        outside = course_folder(Path(place) / "outside")
        inside = shutil.copytree(outside, Path(place) / "inside")
        Path(place).chmod(0o755)
        subprocess.run(["chmod", "-R", "a+rwX", inside], check=True)
        mounted = ["--rm", *OPTIONS[asked.engine], "-v", f"{inside}:/course"]
        if timed([*engine, "run", *mounted, "course", "make", "grade", f"UNIT={UNIT}"]):
            return 1
        classroom.grade(outside, UNIT)
        marks = classroom.points(outside, UNIT)
        same = marks == classroom.points(inside, UNIT)
    print(f"{sum(map(len, marks.values()))} marks, {'the same inside' if same else 'OTHERS inside'}")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
