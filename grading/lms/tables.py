"""Tables as an LMS writes them: UTF-8 with or without a mark, with commas, semicolons or tabs."""

import contextlib
import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grading import report
from grading.lms.lines import listed
from grading.spreadsheet import begins_a_formula
from grading.trouble import Wrong

LARGEST = 50 * 2**20
_SAVE = "save it as 'CSV UTF-8' in your spreadsheet, or export it again"


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        number: as a spreadsheet counts, the header being 1.
        cells: as they stand.
    """

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table that was read.

    Attributes:
        path: its file.
        header: names of its columns.
        rows: those that hold anything.
    """

    path: Path
    header: tuple[str, ...]
    rows: tuple[Row, ...]

    def get(self, row: Row, *columns: str) -> str:
        """What a row has in the first of these columns that there is, tidied; empty where there is none."""
        for column in columns:
            if column in self.header:
                return tidy(row.cells[self.header.index(column)])
        return ""


def tidy(text: str) -> str:
    """One line of composed characters, without blanks at its ends."""
    text = "".join(" " if unicodedata.category(one) == "Cc" else one for one in text)
    return unicodedata.normalize("NFC", " ".join(text.split()))


def read(path: Path) -> Table:
    """Read a table.

    Raises:
        Wrong: when there is none, naming the row where something is wrong.
    """
    return parse(path, text_of(path))


def text_of(path: Path) -> str:
    """The text of a table's file, in UTF-8, or in UTF-16 as spreadsheet programs write it.

    Raises:
        Wrong: when there is no file, or it holds no such text.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise Wrong(f"{path} is no list of a class: it has more than {LARGEST >> 20} MB.")
        data = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise Wrong(f"There is no file {path}: name the CSV file that your LMS exported.") from None
    if data.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0")):
        raise Wrong(f"{path} is a spreadsheet or a zip, not a CSV file: {_SAVE}.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("utf-16")  # what spreadsheets call "Unicode text"
    if b"\0" in data:
        raise Wrong(f"{path} is in UTF-16, or no text at all; expected UTF-8: {_SAVE}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        seen = data.splitlines()[line - 1].decode("cp1252", "replace").strip()[:60]
        raise Wrong(
            f"{path} is not in UTF-8: line {line} would read '{seen}' in Windows-1252: {_SAVE}."
        ) from None


def parse(path: Path, text: str) -> Table:
    """What stands in a text.

    Raises:
        Wrong: when it is no table.
    """
    if not text.strip():
        raise Wrong(f"{path} is empty: export it again.")
    first = next(line for line in text.splitlines() if line.strip())
    if said := re.fullmatch(r'"?sep=(.)"?[,;\t]*', first.strip()):  # so Excel writes it
        separator = said[1]
    else:
        separator = max(",;\t", key=lambda one: len(next(csv.reader([first], delimiter=one), [])))
    found = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        for number, cells in enumerate(reader, 1):
            found.append(Row(number, tuple(cells)))
    except csv.Error as error:
        raise Wrong(f"{path} cannot be read after row {len(found)} ({error}): export it again.") from None
    found = [row for row in found if any(cell.strip() for cell in row.cells)][1 if said else 0 :]
    if not found:
        raise Wrong(f"{path} is empty: export it again.")
    header = tuple(tidy(cell) for cell in found[0].cells)
    rows = [Row(row.number, row.cells + ("",) * (len(header) - len(row.cells))) for row in found[1:]]
    for row in rows:
        if any(cell.strip() for cell in row.cells[len(header) :]):
            raise Wrong(
                f"Row {row.number} of {path} has {len(row.cells)} cells and the header {len(header)}: "
                "put quotes around a name with a comma, or export it again."
            )
    return Table(path, header, tuple(Row(row.number, row.cells[: len(header)]) for row in rows))


def need(table: Table, what: str, *groups: Sequence[str]) -> None:
    """Insist on columns, of each group on one.

    Args:
        table: what was read.
        what: what kind of table it is, in a sentence.
        groups: names that a column may have.

    Raises:
        Wrong: with the first that is missing.
    """
    for names in groups:
        if not set(names) & set(table.header):
            raise Wrong(
                f"{table.path} looks like {what}, but has no column {' or '.join(names)}; it has "
                f"{listed(filter(None, table.header), 12)}: export it again with that column, in English."
            )


def must_be_whole(table: Table, columns: Iterable[str]) -> None:
    """Look for long numbers that a spreadsheet program has shortened.

    Raises:
        Wrong: with the first, such as 1.23E+11 for 123456789012.
    """
    for column in (one for one in columns if one in table.header):
        for row in table.rows:
            if re.fullmatch(r"\d+([.,]\d+)?E\+\d+", table.get(row, column)):
                raise Wrong(
                    f"Row {row.number} of {table.path} has {table.get(row, column)} in {column}: a "
                    "spreadsheet program has shortened a long number: export the list again, and do not save "
                    "it with one."
                )


def harmless(text: str) -> bool:
    """Whether a spreadsheet takes it for text or a number, not for a formula."""
    return not begins_a_formula(text) or bool(re.fullmatch(r"[+-]?[0-9.]*", text))


def disarmed(text: str) -> str:
    """A cell that no spreadsheet runs: what looks like a formula gets an apostrophe in front."""
    return text if harmless(text) else f"'{text}"


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]], bom: bool = False) -> None:
    """Write a table whole or not at all: UTF-8, with a mark if asked, commas, readable by its owner alone."""
    made = io.StringIO()
    made.write("\N{BYTE ORDER MARK}" if bom else "")
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    report.write_whole(path, made.getvalue())


def number(value: float) -> str:
    """A mark as both import it: a point, no zeros at its end."""
    return f"{value:.10g}"
