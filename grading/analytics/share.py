"""Make texts of what an instructor has named, to send to the course: `python -m grading.analytics.share`.

Of each entry a row for the known mistakes and an entry for the bank, with one answer of the class: without
comments, and refused where a name of the class stands in it. Nothing of a learner's is run.
"""

import argparse
import builtins
import html
import json
import re
import symtable
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template
from typing import Any

from grading import report, submission, trouble
from grading.analytics import groups
from grading.outside.sandbox import ROOT
from helpers import named_mistakes
from helpers.named_mistakes import SHOWN, Named
from helpers.units import UNIT_OF, module_name

FOLDER = "to_send"
GIVEN = {
    "np": "import numpy as np",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "math": "import math",
}
"""What a row may use, beside what it makes itself."""

ROW = Template('''"""A known mistake of `$exercise` that a class made."""

from helpers.exercises.wrong.rows import mistakes, rows


$program


ROWS = rows(
    $row,
    $hint_quoted,
    $make(),
)
MISTAKES = mistakes(None, *ROWS)
''')

BANK = Template('''"""A wrong answer to `$exercise` that a class gave."""

from banks.registry import add_wrong


$program


add_wrong("$exercise", "$id", $make())
''')

ABOUT = Template("""# A mistake in `$exercise` that the course does not name yet

$says

Hint: $hint

Open an issue at the course's repository with this folder, or a pull request. The program is a learner's: read
it before anybody runs it.

1. `row.py`: its function and the three parts of `ROWS` go into the table of `$mistakes`. Where there
   is no such file, `MISTAKES` goes into the record, `$record`: `mistakes=(..., *MISTAKES)`.
2. `bank.py`: its function and its last line go into `$bank`.
3. Put an id that says the mistake in place of `$id`, in both.
4. Run `make fix`, `make teeth ARGS="--write $exercise"`, `make sync` and `make test`.
""")


def main(words: Sequence[str] | None = None) -> int:
    """Write the texts of the entries that are named, or of all.

    Returns:
        0, or 2 when nothing is written.
    """
    parser = argparse.ArgumentParser(prog="python -m grading.analytics.share", description=__doc__)
    parser.add_argument("mistakes", nargs="*", help="such as softmax-k3f9a; all of the file by default")
    parser.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    asked = parser.parse_args(words)
    folder = asked.course.resolve()
    try:
        chosen = _chosen(asked.mistakes)
        told = [line for one in chosen for line in _write(folder, one)]
    except Exception as error:
        if not trouble.is_expected(error):
            raise
        print(trouble.sentence(error, folder), file=sys.stderr)
        return 2
    print(*told, sep="\n")
    return 0


def _chosen(asked: Sequence[str]) -> list[Named]:
    """The entries that are asked for.

    Raises:
        Wrong: when there is none, or none of that name.
        BadEntry: when the file cannot be read.
    """
    known = {f"{one.exercise}-{one.group}": one for one in named_mistakes.read().values()}
    if not known:
        raise trouble.Wrong(f"{SHOWN} names nothing yet: `make analytics` shows what has no name.")
    for word in asked:
        if word not in known:
            raise trouble.Wrong(f"{SHOWN} has no {word}{trouble.meant(word, known)}")
    return [known[word] for word in asked] or list(known.values())


def _write(course: Path, one: Named) -> Iterator[str]:
    """Write the texts of an entry, and say where they lie or why there are none."""
    name, config = f"{one.exercise}-{one.group}", submission.settings(course)
    unit = UNIT_OF[one.exercise]
    people = groups.people(config)
    if found := groups.names_in(one.text, people):
        raise trouble.Wrong(f"{SHOWN}: {name}: {found[0]} is a name of the class: leave it out.")
    read = [report.read(course, unit, student) for student in submission.submitted(config, unit)]
    who = [such for such in read if such and such.unnamed.get(one.exercise) == one.group]
    text = groups.example(config, unit, one.exercise, who, people)
    if not text:
        why = (
            "no answer of this class does this" if not who else "no answer can be shown without a name in it"
        )
        yield f"{name}: nothing is written: {why}."
        return
    place = course / FOLDER / name
    texts = made(one, text)
    for file, content in texts.items():
        report.write_whole(place / file, content)
    lacks = missing(text)
    more = f" First fill in what it uses from elsewhere: {', '.join(lacks)}." if lacks else ""
    yield f"{FOLDER}/{name}/: read the answer in it, then send it as README.md there says.{more}"


def made(one: Named, answer: str) -> dict[str, str]:
    """The texts of an entry, by the names of their files.

    Args:
        one: the entry.
        answer: the source of one answer.
    """
    unit, module = f"unit_{UNIT_OF[one.exercise]}", module_name(one.exercise)
    words = {
        "exercise": one.exercise,
        "id": f"{one.exercise}-{one.group}",
        "program": _program(one, answer),
        "make": _called(one),
        "row": _quoted(f"{one.exercise}-{one.group}: {one.says}"),
        "says": html.escape(one.says, quote=False),
        "hint": html.escape(one.hint, quote=False),
        "hint_quoted": _quoted(one.hint),
        "mistakes": f"helpers/exercises/{unit}/{module}_mistakes.py",
        "record": f"helpers/exercises/{unit}/{module}.py",
        "bank": f"banks/{unit}/{module}.py",
    }
    texts = {"row.py": ROW, "bank.py": BANK, "README.md": ABOUT}
    return {name: text.substitute(words) for name, text in texts.items()}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _called(one: Named) -> str:
    return f"_{module_name(one.exercise)}_{one.group}"


def _program(one: Named, answer: str) -> str:
    """A function that runs the answer's cell among names of its own, and returns what it makes."""
    free = _free(answer)
    lines = [GIVEN[name] for name in free if name in GIVEN]
    others = [name for name in free if name in UNIT_OF]
    lines += [f"from helpers.reference import {', '.join(others)}"] if others else []
    lines += [f"{name} = ...  # FILL IN: it comes from elsewhere in the notebook" for name in missing(answer)]
    body = "\n".join([*lines, *[""] * bool(lines), answer, f"return {one.exercise}"])
    return f"def {_called(one)}():\n" + re.sub(r"^(?=.)", "    ", body, flags=re.MULTILINE)


def missing(answer: str) -> list[str]:
    """What an answer uses that neither Python, nor the set-up cell, nor another exercise gives."""
    return [name for name in _free(answer) if name not in GIVEN and name not in UNIT_OF]


def _free(answer: str) -> list[str]:
    """The names that an answer uses and does not make."""
    top = symtable.symtable(answer, "<answer>", "exec")
    own = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    own |= {one.get_name() for one in top.get_symbols() if one.is_namespace()}
    used = {name for table in _tables(top) for name in _globals(table)}
    return sorted(used - own - set(dir(builtins)))


def _tables(table: Any) -> Iterator[Any]:
    yield table
    for inner in table.get_children():
        yield from _tables(inner)


def _globals(table: Any) -> Iterator[str]:
    for one in table.get_symbols():
        if one.is_global() or (table.get_type() == "module" and one.is_referenced()):
            yield one.get_name()


if __name__ == "__main__":
    sys.exit(main())
