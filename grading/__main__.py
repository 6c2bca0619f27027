"""Grade a class: `python -m grading 05_softmax`; `make grade UNIT=05_softmax` does the same."""

import argparse
import contextlib
import difflib
import fcntl
import gc
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from grading import trouble
from grading.outside.sandbox import ACCEPT, ROOT
from helpers.units import UNITS


def main(words: Sequence[str] | None = None) -> int:
    """Grade what is new or changed, and show how the class did.

    Returns:
        0 when every submission has a mark, 1 when some have a reason instead, 2 when nothing could be graded.
    """
    asked = _arguments().parse_args(words)
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    os.environ["PATH"] = os.pathsep.join(programs)  # nbgrader starts `alembic` by its name
    folder = asked.course.resolve()
    # jsonschema would compile a grammar of addresses, for more than a second; nobody asks for them here
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    try:
        _must_be_a_unit(folder, asked.unit)
        with _alone(folder):
            from rich.console import Console  # from here on it takes seconds

            from grading import whole_class

            return whole_class.grade(folder, asked, Console())
    except KeyboardInterrupt:
        print("Stopped. What is graded stays graded; the same command goes on from here.", file=sys.stderr)
    except Exception as error:
        if not trouble.is_expected(error):
            traceback.print_exc()  # a mistake of ours
        print(trouble.sentence(error, folder, asked.db or os.environ.get("GRADEBOOK", "")), file=sys.stderr)
    return 2


def _must_be_a_unit(folder: Path, unit: str) -> None:
    """Look at the name before anything is imported.

    Raises:
        Wrong: with the units that there are.
    """
    trees = [tree for tree in (folder / "solutions", folder / "source") if tree.is_dir()]
    units = sorted(
        one.name for tree in trees for one in tree.iterdir() if (one / f"{one.name}.ipynb").exists()
    )
    if unit and (unit in units or not units):
        return
    which = f"There is no unit {unit}" if unit else "Which unit? Name one, as in make grade UNIT=05_softmax"
    near = difflib.get_close_matches(unit, units, 1, 0.5)
    meant = f": did you mean {near[0]}?" if near else "."
    raise trouble.Wrong(f"{which}{meant if unit else '.'} The units are {', '.join(units)}.")


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One grader a course at a time."""
    if not folder.is_dir():
        raise trouble.Wrong(f"There is no folder {folder}.")
    with open(folder / ".grading.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise trouble.Wrong(f"Another grader is at work in {folder}: wait for it, or stop it.") from None
        yield


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected 0 or more; got {text}")
    return int(text)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grading", description="Grade a class.")
    parser.add_argument("unit", nargs="?", default="", help=f"which assignment, such as {list(UNITS)[-1]}")
    parser.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    parser.add_argument(
        "--workers", type=_count, default=0, help="how many processes; one for each core by default"
    )
    parser.add_argument(
        "--scheduler", default="", help="address of a dask scheduler, such as tcp://host:8786"
    )
    parser.add_argument(
        "--wait-for-workers", type=_count, default=5, help="seconds that a scheduler may be without workers"
    )
    parser.add_argument(
        "--db", default="", help="the gradebook, such as postgresql+pg8000://user@host/gradebook"
    )
    parser.add_argument("--all", action="store_true", help="grade again what is graded and unchanged")
    parser.add_argument(ACCEPT, action="store_true", help="run learner code with your own rights")
    return parser


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    gc.set_threshold(50_000)  # what is imported stays, and grading leaves little behind
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr] - learners' names may be anything
    sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.exit(main())
