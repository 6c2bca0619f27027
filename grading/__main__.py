"""Grade a class: `python -m grading 05_softmax`; `make grade UNIT=05_softmax` does the same."""

import argparse
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from grading import trouble
from grading.course_folder import alone, must_be_a_unit, units_of
from grading.outside.sandbox import ACCEPT, ROOT
from grading.term import choices
from helpers.units import UNITS


def main(words: Sequence[str] | None = None) -> int:
    """Grade what is new or changed, and show how the class did.

    Returns:
        0 when every submission has a mark, 1 when some have a reason instead, 2 when nothing could be graded.
    """
    asked = _arguments().parse_args(words)
    folder = asked.course.resolve()
    # jsonschema would compile a grammar of addresses, for more than a second; nobody asks for them here
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    try:
        choices.read(folder)
        units = _units(folder, asked.unit)
        with alone(folder):
            from rich.console import Console  # from here on it takes seconds

            from grading import whole_class

            console, outcomes = Console(), []
            for asked.unit in units:
                outcomes.append(whole_class.grade(folder, asked, console))
            if len(units) > 1:
                from grading import summary

                summary.overview(console, outcomes)
            return max(one.code for one in outcomes)
    except KeyboardInterrupt:
        print("Stopped. What is graded stays graded; the same command goes on from here.", file=sys.stderr)
    except Exception as error:
        if not trouble.is_expected(error):
            traceback.print_exc()  # a mistake of ours
        print(trouble.sentence(error, folder, asked.db or os.environ.get("GRADEBOOK", "")), file=sys.stderr)
    return 2


def _units(folder: Path, unit: str) -> list[str]:
    """The unit that was asked for, or all that somebody has handed in; looked at before anything is imported.

    Raises:
        Wrong: with the units that there are.
    """
    units = units_of(folder)
    if unit:
        if units:
            must_be_a_unit(folder, unit)
        return [unit]
    handed_in = [one for one in units if any(folder.glob(f"submitted/*/{one}"))]
    if not handed_in:
        raise trouble.Wrong(f"Nobody has handed in anything: expected {folder}/submitted/<student>/<unit>/.")
    return handed_in


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected 0 or more; got {text}")
    return int(text)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grading", description="Grade a class.")
    parser.add_argument(
        "unit", nargs="?", default="", help=f"which assignment, such as {list(UNITS)[-1]}; all by default"
    )
    parser.add_argument(
        "--student", action="append", default=[], help="one student, who is graded again; may be repeated"
    )
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
    parser.add_argument(
        "--by-hand", action="store_true", help="give what was given by hand again, after an older gradebook"
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
