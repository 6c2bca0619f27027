"""Write the skeleton of a new exercise, `make exercise UNIT=05_softmax NAME=log_softmax`; say what is left.

With `OWN=yes` it is an instructor's own, in `own/`, and nothing of the course is changed but the notebook.

Files are only added to, never replaced. Where something is left to write, the skeleton says FILL IN; the test
`test_nothing_is_left_to_fill_in` fails until all of these are gone.
"""

import ast
import keyword
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.units import UNIT_OF, module_name
from tools import skeleton
from tools.shell import ROOT, Stop, call_name
from tools.sync import SET_UP, address

EXAMPLE = call_name("exercise UNIT=05_softmax NAME=log_softmax")
CLASS_EXAMPLE = "helpers/exercises/unit_06_multi_head_attention/multi_head_attention_module.py"
OWN_TESTS = "tests/test_own_exercises.py"
KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
Units = Mapping[str, Sequence[str]]


def asked(words: Sequence[str]) -> tuple[str, str, bool]:
    """The unit, the name and whether it is an own exercise in `UNIT=05_softmax NAME=log_softmax OWN=yes`.

    Raises:
        Stop: when one is missing, or there is something else.
    """
    given = dict(word.partition("=")[::2] for word in words)
    unit, name, own = given.pop("UNIT", ""), given.pop("NAME", ""), given.pop("OWN", "")
    if own not in ("", "yes"):
        raise Stop(f"OWN={own} is not known: OWN=yes makes it your own exercise; else leave it out.")
    if not unit or not name or given:
        raise Stop(f"Which exercise? Name its unit and its function, and no more: `{EXAMPLE}`.")
    return unit, name, own == "yes"


def refuse(unit: str, name: str, units: Units) -> None:
    """Look at the words before anything is written.

    Raises:
        Stop: when they are no unit and no new function; the sentence says what would do.
    """
    if name.isidentifier() and name[0].isupper():
        raise Stop(f"NAME={name} is a class and `make exercise` writes functions: copy {CLASS_EXAMPLE}.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise Stop(
            f"NAME={name} is no name for a function here: use small letters, digits and _, as in a_b2."
        )
    if keyword.iskeyword(name):
        raise Stop(f"NAME={name} is a word of Python: choose another, such as log_softmax.")
    if re.search(rf"^from helpers import .*\b{name}\b", SET_UP, re.MULTILINE):
        raise Stop(f"NAME={name} is what every notebook imports under that name: choose another.")
    for home, names in units.items():
        if name in names:
            raise Stop(f"NAME={name} is an exercise of {home} already: choose another name.")
    if unit not in units:
        _refuse_new_unit(unit, units)


def _refuse_new_unit(unit: str, units: Units) -> None:
    there = f"the units are {', '.join(units)}, and a new one is named like 10_training"
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", unit):
        raise Stop(f"UNIT={unit} is no unit: {there}.")
    if any(known.startswith(unit[:3]) for known in units):
        raise Stop(f"UNIT={unit} has the number of another unit: {there}.")


def known_units(root: Path) -> Units:
    """`UNITS` as the file of a course has it, with an instructor's own exercises."""
    units = ast.literal_eval(_table((root / "helpers/units.py").read_text("utf-8"), "UNITS"))
    for unit, names in units.items():
        own = [path.stem for path in sorted((root / "own" / f"unit_{unit}").glob("[a-z]*.py"))]
        theirs = {module_name(name) for name in names}
        units[unit] = (*names, *(one for one in own if one not in theirs and not one.endswith("_mistakes")))
    return units


def _table(text: str, name: str) -> ast.expr:
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(one, ast.Name) and one.id == name for one in targets):
            return node.value  # type: ignore[attr-defined] - an assignment has one
    raise LookupError(f"no {name} = ... in the source")


def with_entry(text: str, table: str, entry: str, key: str = "") -> str:
    """Source code with one more entry at the end of a dict literal, or of the tuple under one of its keys."""
    node = _table(text, table)
    if key:
        node = next(value for one, value in zip(node.keys, node.values, strict=True) if one.value == key)
    lines = text.encode().splitlines(keepends=True)  # ast counts in bytes
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset - 1
    before, after = text.encode()[:end].decode().rstrip(), text.encode()[end:].decode()
    return f"{before}{'' if before.endswith(',') else ','}\n{entry}\n{after}"


def plan(root: Path, unit: str, name: str, own: bool = False) -> dict[Path, str]:
    """Every file to write, with what it will hold; nothing is written.

    Raises:
        Stop: when a file that would be new exists.
    """
    units = known_units(root)
    refuse(unit, name, units)
    if own and unit not in units:
        raise Stop(f"UNIT={unit} is a new unit, and OWN=yes adds to one that is there: {', '.join(units)}.")
    words = {"unit": unit, "name": name, "number": unit[:2], "chapter": int(unit[:2])}
    words |= {"place": len(units.get(unit, ())) + 1, "seed": 1000 + zlib.crc32(name.encode()) % 9000}
    before = [*units][-1]
    words |= {"here": _link(unit), "before": before, "back": _link(before)}
    if own:
        new, more = _own_files(root, words), dict([_notebook(root, words)])
    else:
        new, more = _new_files(root, words), dict(_grown_files(root, words, unit not in units))
    for path in new:
        if path.exists():
            there = path.relative_to(root).as_posix()
            raise Stop(f"{there} exists and is left as it is: move it away, or choose another name.")
    return more | new


def _own_files(root: Path, words: Mapping[str, object]) -> dict[Path, str]:
    """The record, with its mistakes in it, for an instructor's own folder; `test_dot` is a test of `dot`."""
    path = root / "own" / f"unit_{words['unit']}" / f"{words['name']}.py"
    tested = str(words["name"]).removeprefix("test_")
    if tested != words["name"] and tested in UNIT_OF:
        from helpers.exercises import find  # PyTorch comes with it

        mistake = find(tested).mistakes[0].id
        return {path: skeleton.TEST_RECORD.substitute(words, tested=tested, mistake=mistake)}
    return {path: skeleton.OWN_RECORD.substitute(words)}


def _new_files(root: Path, words: Mapping[str, object]) -> dict[Path, str]:
    home = f"unit_{words['unit']}"
    records, bank = root / "helpers/exercises" / home, root / "banks" / home
    new = {
        records / f"{words['name']}.py": skeleton.RECORD,
        records / f"{words['name']}_mistakes.py": skeleton.MISTAKES,
        bank / f"{words['name']}.py": skeleton.BANK,
    }
    inits = {records / "__init__.py": skeleton.RECORDS_INIT, bank / "__init__.py": skeleton.BANK_INIT}
    new |= {path: text for path, text in inits.items() if not path.exists()}
    return {path: text.substitute(words) for path, text in new.items()}


def _grown_files(root: Path, words: Mapping[str, object], is_new: bool) -> Iterator[tuple[Path, str]]:
    unit, name = str(words["unit"]), str(words["name"])
    units = root / "helpers/units.py"
    entry = f'"{unit}": ("{name}",),' if is_new else f'"{name}"'
    listed = with_entry(units.read_text("utf-8"), "UNITS", entry, "" if is_new else unit)
    if is_new:
        listed = with_entry(listed, "TITLES", skeleton.TITLE.substitute(words))
        for file, (table, more) in skeleton.TABLES.items():
            yield root / file, with_entry((root / file).read_text("utf-8"), table, more.substitute(words))
        yield from _linked(root, words)
    yield units, listed
    able = root / "helpers/verdict/can_do.py"
    yield able, with_entry(able.read_text("utf-8"), "CAN_DO", skeleton.CAN_DO.substitute(words))
    reference = root / f"helpers/reference/unit_{unit}.py"
    head = reference.read_text("utf-8") if reference.exists() else skeleton.REFERENCE_HEAD.substitute(words)
    yield reference, head + skeleton.REFERENCE.substitute(words)
    yield _notebook(root, words)


def _linked(root: Path, words: Mapping[str, object]) -> Iterator[tuple[Path, str]]:
    """The notebook of the unit before a new one, whose last cell now leads on to it."""
    path = root / f"solutions/{words['before']}/{words['before']}.ipynb"
    if not path.exists():
        return  # an instructor has taken it out
    book = nbformat.read(path, as_version=4)
    links = r"(?m)^(?=\*\*Back:)"
    book.cells[-1].source = re.sub(links, f"**Next:** {words['here']}. ", book.cells[-1].source, count=1)
    yield path, nbformat.writes(book, indent=1) + "\n"


def _link(unit: str) -> str:
    """A unit as another one links to it."""
    return f"[unit {unit[:2]}, {unit[3:].replace('_', ' ')}](../{unit}/{unit}.ipynb)"


def _notebook(root: Path, words: Mapping[str, object]) -> tuple[Path, str]:
    """The solution notebook with the cells of the exercise."""
    unit = words["unit"]
    path = root / f"solutions/{unit}/{unit}.ipynb"
    book = nbformat.read(path, as_version=4) if path.exists() else new_unit(words, address(root))
    return path, nbformat.writes(with_exercise(book, words), indent=1) + "\n"


def new_unit(words: Mapping[str, object], home: str) -> nbformat.NotebookNode:
    """The notebook of a new unit, with everything but its exercises."""
    cells = []
    filled = {**words, "set_up": SET_UP.replace("{address}", home)}
    for number, text in enumerate((*skeleton.BEFORE, *skeleton.AFTER), start=1):
        new = new_markdown_cell if text.startswith("#") else new_code_cell
        cells.append(new(skeleton.Template(text).substitute(filled), id=f"{words['number']}-{number:02}"))
        if text == "$set_up":
            cells[-1].id, cells[-1].metadata = "set-up", _graded("set-up", locked=True)
    return new_notebook(cells=cells, metadata=KERNEL)


def with_exercise(book: nbformat.NotebookNode, words: Mapping[str, object]) -> nbformat.NotebookNode:
    """The notebook with the four cells of one more exercise, below those it has."""
    tests = [at for at, cell in enumerate(book.cells, 1) if cell.metadata.get("nbgrader", {}).get("grade")]
    at = tests[-1] if tests else len(skeleton.BEFORE)
    name = str(words["name"])
    told = {
        "task": (new_markdown_cell, skeleton.TASK, _graded(f"{name}-task", locked=True)),
        "": (new_code_cell, skeleton.ANSWER, _graded(name, solution=True)),
        "free": (new_code_cell, skeleton.FREE, {}),
        "test": (new_code_cell, skeleton.TEST, _graded(f"{name}-test", grade=True, locked=True, points=1)),
    }
    book.cells[at:at] = [
        new(text.substitute(words), id=f"{name}-{part}".rstrip("-"), metadata=metadata)
        for part, (new, text, metadata) in told.items()
    ]
    return book


def _graded(grade_id: str, **what: object) -> dict[str, dict[str, object]]:
    plain = {"grade": False, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return {"nbgrader": {**plain, "grade_id": grade_id, **what}}


def write(root: Path, unit: str, name: str, own: bool = False) -> list[Path]:
    """Write the skeleton and return its files, in the order in which they are best filled in.

    Raises:
        Stop: when the words will not do, or a file is in the way; nothing is written then.
    """
    planned = plan(root, unit, name, own)
    for path, text in planned.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    tidy = [sys.executable, "-m", "ruff", "format", "--quiet", *planned]
    subprocess.run(tidy, cwd=root, check=True)
    return sorted(planned, key=lambda path: _order(path.relative_to(root).as_posix()))


def _order(path: str) -> int:
    order = ("solutions/", "helpers/reference/", "helpers/exercises/", "own/", "banks/", "")
    return next(place for place, start in enumerate(order) if path.startswith(start))


def left(path: Path) -> list[str]:
    """What a file still asks for: the line or the cell, and what stands there."""
    if path.suffix == ".ipynb":
        cells = nbformat.read(path, as_version=4).cells
        lines = [(f"cell {cell.id}", line) for cell in cells for line in cell.source.splitlines()]
    else:
        lines = [(f"line {n}", line) for n, line in enumerate(path.read_text("utf-8").splitlines(), start=1)]
    return [f"{place}: {line.strip()}" for place, line in lines if skeleton.MARK.search(line)]


def then(name: str, own: bool = False) -> list[str]:
    """The lines to type when nothing is left to fill in."""
    if own:
        return [call_name("notebooks"), call_name("test", OWN_TESTS)]
    measured = call_name("teeth", f"--write {name}")
    return [call_name("fix"), measured, call_name("notebooks"), call_name("test")]


def main(words: Sequence[str], root: Path = ROOT) -> int:
    """Write the skeleton; print what to fill in and where, and what to run then."""
    try:
        unit, name, own = asked(words)
        written = write(root, unit, name, own)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    print(f"The skeleton of {name} is written. What is left, in this order:\n")
    for path in filter(left, written):
        print(path.relative_to(root).as_posix(), *(f"  {line}" for line in left(path)), sep="\n")
    print("\nThen run", ", ".join(f"`{line}`" for line in then(name, own)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
