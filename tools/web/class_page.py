"""What the page "The class, now" holds: what codes speak of; the sentences of each unit are a file."""

import json
from pathlib import Path
from typing import Any

from helpers.class_codes.tables import table_of
from helpers.offered import offered
from helpers.views.script import as_json

ALONE = (
    'Reading codes here needs JavaScript. In a notebook of the course <code>class_now(r"""...""")</code> '
    "reads the same ones."
)


def part() -> str:
    """All that the page has below its first words."""
    return (
        '<link rel="stylesheet" href="_static/class/class.css">'
        f'<div id="class-page"><noscript><p>{ALONE}</p></noscript></div>'
        f'<script type="application/json" id="class-course">{as_json(course())}</script>'
        '<script type="module" src="_static/class/page.js"></script>'
    )


def course() -> dict[str, Any]:
    """What it takes to read a code: how those of each unit begin, and how much is said of each exercise."""
    tables = [table_of(unit) for unit in offered()]
    return {
        "units": [
            {
                "unit": one.unit,
                "title": one.title,
                "head": one.head,
                "exercises": [[each.number, each.exercise, len(each.said)] for each in one.exercises],
            }
            for one in tables
        ]
    }


def write(folder: Path) -> None:
    """Write the sentences of each unit, by exercise, in the order that codes count on.

    Args:
        folder: where the page's scripts lie.
    """
    for unit in offered():
        said = [one.said for one in table_of(unit).exercises]
        (folder / f"{unit}.json").write_text(
            json.dumps(said, ensure_ascii=False, separators=(",", ":")), "utf-8"
        )
