"""Write the page: `python -m grading.analytics`; `make analytics` does the same."""

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grading import report, submission, trouble
from grading.outside.sandbox import ROOT
from helpers import named_mistakes


def main(words: Sequence[str] | None = None) -> int:
    """Write `analytics.html` of the units that were graded.

    Returns:
        0, or 2 when there is nothing to show.
    """
    parser = argparse.ArgumentParser(prog="python -m grading.analytics", description="How the class does.")
    parser.add_argument("units", nargs="*", help="which units; all that were graded by default")
    parser.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    parser.add_argument(
        "--to", type=Path, default=Path("analytics.html"), help="the page, in the course folder"
    )
    parser.add_argument("--names", action="store_true", help="say who made which mistake")
    asked = parser.parse_args(words)
    folder = asked.course.resolve()
    try:
        path = write(folder, asked.units, folder / asked.to, names=asked.names)
    except Exception as error:
        if not trouble.is_expected(error):
            raise
        print(trouble.sentence(error, folder), file=sys.stderr)
        return 2
    print(f"{path} has no names." if not asked.names else f"{path} has names: keep it to yourself.")
    return 0


def write(course: Path, units: Sequence[str], path: Path, *, names: bool = False) -> Path:
    """Write the page, whole or not at all.

    Raises:
        Wrong: when a unit has no marks, or no unit has.
        BadEntry: when what the instructor has named cannot be read.
    """
    from grading.analytics import figures, groups
    from grading.term import settle

    words = named_mistakes.read()
    config = submission.settings(course)
    with settle.settled(config) as (book, now):
        known = [one.name for one in book.assignments]
        for unit in units:
            if unit not in known:
                raise trouble.Wrong(
                    f"The gradebook does not know {unit}; it knows {', '.join(known) or 'no unit'}."
                )
        wanted, late = units or sorted(known), now.lateness
        found = [one for unit in wanted if (one := figures.of_unit(book, course, unit, late.get(unit, {})))]
    if not found:
        raise trouble.Wrong("There are no marks yet: grade first, with `make grade`.")
    unnamed = groups.section(config, [one.unit for one in found], words)
    report.write_whole(path, page(found, names=names, unnamed=unnamed) + "\n")
    print(*unnamed.remarks, sep="\n", end="\n" * bool(unnamed.remarks))
    return path


def page(units: Sequence[Any], *, names: bool = False, unnamed: Any = None) -> str:
    """The page as HTML.

    Args:
        units: the figures of each.
        names: whether to say who made which mistake.
        unnamed: wrong answers that no name of the course fits, see `groups`.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined  # nbconvert brings it

    pages = Environment(
        loader=PackageLoader("grading.analytics", "."), autoescape=True, undefined=StrictUndefined
    )
    made = datetime.datetime.now(datetime.UTC).strftime("%d %B %Y, %H:%M UTC")
    return pages.get_template("page.html.j2").render(units=units, names=names, made=made, unnamed=unnamed)


if __name__ == "__main__":
    sys.exit(main())
