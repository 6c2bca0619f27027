"""Write the page: `python -m grading.alike 05_softmax`; `make alike UNIT=05_softmax` does the same."""

import argparse
import datetime
import math
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from grading import report, submission, trouble
from grading.alike import class_texts, likeness, side_by_side
from grading.course_folder import must_be_a_unit
from grading.lms.lines import plain, say
from grading.outside.sandbox import ROOT
from grading.term import choices, collected

MOST = 60
"""Pairs that stand on the page; who has more of them has another question than who wrote with whom."""


@dataclass(frozen=True)
class Found:
    """What the page shows.

    Attributes:
        unit: which.
        texts: what was compared, and what was not.
        compared: the hand-ins; a group that hands in together is one.
        pairs: those that are listed.
        from_bits: from how much on.
        line_bits: what a line says that two have.
    """

    unit: str
    texts: class_texts.ClassTexts
    compared: int
    pairs: Sequence[likeness.Pair]
    from_bits: float
    line_bits: float


def main(words: Sequence[str] | None = None) -> int:
    """Write `alike.html` of a unit.

    Returns:
        0, or 2 when there is nothing to compare.
    """
    parser = argparse.ArgumentParser(prog="python -m grading.alike", description="Hand-ins that look alike.")
    parser.add_argument("unit", nargs="?", default="", help="which unit")
    parser.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    parser.add_argument("--to", type=Path, default=Path("alike.html"), help="the page, in the course folder")
    asked = parser.parse_args(words)
    folder = asked.course.resolve()
    try:
        found = compare(folder, asked.unit, _together(folder, asked.unit))
        report.write_whole(folder / asked.to, page(found) + "\n")
    except Exception as error:
        if not trouble.is_expected(error):
            raise
        print(plain(trouble.sentence(error, folder)), file=sys.stderr)
        return 2
    say(*said(found))
    print(f"{folder / asked.to} has names and answers: keep it to yourself. No mark changes.")
    return 0


def _together(course: Path, unit: str) -> Collection[Collection[str]]:
    """The groups of `term.toml`, and those in whose name the LMS has hand-ins."""
    of_lms: dict[str, list[str]] = {}
    for student, one in collected.remembered(course, unit).items():
        of_lms.setdefault(one.group or student, []).append(student)
    return [*choices.read(course).groups.get(unit, {}).values(), *of_lms.values()]


def compare(course: Path, unit: str, together: Collection[Collection[str]] = ()) -> Found:
    """Compare what was handed in for a unit.

    Args:
        course: its folder.
        unit: which.
        together: the names of each group that hands in one work, which is not compared with itself.

    Raises:
        Wrong: when there is no such unit, or there are no two hand-ins that can be read.
    """
    config = submission.settings(course)
    must_be_a_unit(course, unit)
    texts = class_texts.read(config, unit)
    if len(texts.hand_ins) < 2:
        there = f"{len(texts.hand_ins)} of {len(texts.hand_ins) + len(texts.left_out)}"
        why = "".join(f" {name}: {reason}" for name, reason in texts.left_out.items())
        raise trouble.Wrong(
            f"Two hand-ins of {unit} are needed to compare; {there} in submitted/ can be read.{why}"
        )
    everybody = likeness.Class(texts.hand_ins, texts.shown, together)
    size, pairs = everybody.size, everybody.pairs()
    return Found(unit, texts, everybody.count, pairs, likeness.enough(size), math.log2(size / 2))


def said(found: Found) -> list[str]:
    """What the terminal says: each pair, where it is alike, and who was left out."""
    lines = [f"{' and '.join(pair.names)}: {', '.join(_where(pair))}" for pair in found.pairs[:MOST]]
    lines += [f"{name} is left out: {reason}" for name, reason in found.texts.left_out.items()]
    one = len(found.pairs) == 1
    lines.append(
        f"{len(found.pairs)} pair{'' if one else 's'} of {found.compared} hand-ins "
        f"{'is' if one else 'are'} worth a look; nothing is concluded."
    )
    return lines


def _where(pair: likeness.Pair) -> list[str]:
    file = ["the whole file"] if pair.same_file else []
    words = [likeness.WORDS] if pair.words else []
    return [*file, *(part.exercise for part in pair.parts), *words]


def page(found: Found) -> str:
    """The page as HTML, in which nothing that a learner wrote is markup."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # nbconvert brings it

    pages = Environment(
        loader=PackageLoader("grading.alike", "."), autoescape=True, undefined=StrictUndefined
    )
    made = datetime.datetime.now(datetime.UTC).strftime("%d %B %Y, %H:%M UTC")
    return pages.get_template("page.html.j2").render(
        found=found,
        groups=side_by_side.groups(found.pairs[:MOST]),
        more=len(found.pairs[MOST:]),
        rows=side_by_side.rows,
        plain=plain,
        kinds=likeness,
        made=made,
    )


if __name__ == "__main__":
    sys.exit(main())
