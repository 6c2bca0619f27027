"""Read what a learner handed in, whatever became of it.

Code and text of the cells are all that counts; outputs, stray keys and wrong types are left behind. What
cannot be read is refused in one sentence.
"""

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.corpus.words import generate_corpus_id

from grading.handed_in import plain
from helpers.errors import OneSentence

LARGEST = 100 * 2**20
MOST_CELLS, MOST_TEXT = 2000, 5 * 2**20
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Unreadable(OneSentence, ValueError):
    """A submission that is no notebook; the message says what it is instead."""


def read(path: Path, root: Path | None = None) -> Any:
    """The notebook in a file, in nbformat 4, with sources and nbgrader's metadata alone.

    Args:
        path: the file.
        root: a folder above it, from which on no link is followed; its own where there is none.

    Raises:
        Unreadable: when it is a link, too large, not JSON or not a notebook.
    """
    name = path.name
    mode = os.lstat(path).st_mode
    if not stat.S_ISREG(mode):
        raise Unreadable(
            f"{name} is {'a link' if stat.S_ISLNK(mode) else 'no plain file'}: ask for the notebook itself."
        )
    size = path.stat().st_size
    if size > LARGEST:
        raise Unreadable(
            f"{name} has {size / 2**20:.0f} MB, of {LARGEST // 2**20} at most: ask for it without outputs."
        )
    try:
        content = json.loads(plain.read(path, root or path.parent, LARGEST).decode("utf-8-sig"))
    except plain.NotPlain as error:
        raise Unreadable(f"{name} was swapped while it was read ({error}): ask for it again.") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{name} is not text, as a notebook is: ask for it again.") from None
    except RecursionError:
        raise Unreadable(f"{name} is nested too deep to be a notebook: ask for it again.") from None
    except ValueError as error:
        what = "is empty" if size == 0 else f"is not JSON, as a notebook is ({error})"
        raise Unreadable(f"{name} {what}: ask for it again.") from None
    try:
        return _notebook(name, content)
    except RecursionError:
        raise Unreadable(f"{name} is nested too deep to be a notebook: ask for it again.") from None


def _notebook(name: str, content: Any) -> Any:
    if isinstance(content, dict) and "worksheets" in content:
        content = _from_version_3(name, content)
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        raise Unreadable(f"{name} is JSON, but no notebook (it has no list of cells): ask for the notebook.")
    made = [one for one in map(_cell, cells[:MOST_CELLS]) if one is not None]
    text = sum(len(cell.source) for cell in made)
    if len(cells) > MOST_CELLS or text > MOST_TEXT:
        raise Unreadable(
            f"{name} has {len(cells):,} cells of {MOST_CELLS:,} at most, with {text:,} characters of "
            f"{MOST_TEXT:,}: ask for the course's own notebook."
        )
    seen: set[str] = set()
    for cell in made:
        if cell.id in seen:
            cell.id = generate_corpus_id()
        seen.add(cell.id)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = nbformat.from_dict({"kernelspec": kernel, "language_info": {"name": "python"}})
    return NotebookNode(cells=made, metadata=metadata, nbformat=4, nbformat_minor=5)


def _from_version_3(name: str, content: dict[str, Any]) -> Any:
    try:
        return nbformat.convert(nbformat.from_dict({"nbformat": 3, "nbformat_minor": 0, **content}), 4)
    except Exception:
        raise Unreadable(
            f"{name} is a notebook of an old format, and damaged: ask for it again, saved by JupyterLab."
        ) from None


def _cell(cell: Any) -> Any:
    if not isinstance(cell, dict):
        return None
    source, metadata, name = cell.get("source", ""), cell.get("metadata"), cell.get("id")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    if not isinstance(source, str):
        return None
    source = source.encode("utf-8", "replace").decode().replace("\x00", "")
    noted = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    made = new_cell(cell.get("cell_type"), source)
    if isinstance(noted, dict):
        plain = {key: value for key, value in noted.items() if isinstance(value, str | int | float)}
        made.metadata.nbgrader = NotebookNode(plain)
    if isinstance(name, str) and _ID.fullmatch(name):
        made.id = name
    return made


def new_cell(kind: Any, source: str) -> NotebookNode:
    """A cell without outputs; `raw` where the kind is none that nbformat knows."""
    made = NotebookNode(id=generate_corpus_id(), cell_type="raw", metadata=NotebookNode(), source=source)
    if kind in ("code", "markdown"):
        made.cell_type = kind
    if kind == "code":
        made.update(execution_count=None, outputs=[])
    return made
