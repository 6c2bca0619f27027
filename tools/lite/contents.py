"""The notebooks of the edition in the browser: the learner's, with what long cells gave."""

import json
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from helpers.in_browser import shown
from helpers.in_browser.names import Names, parsed
from helpers.units import grade_id
from tools.shell import ROOT
from tools.units import written

LONG = {"07-31g": 65, "07-31k": 70, "09-61b": 45}
"""Cells that show what they gave, as a reader would wait too long: seconds on PyTorch's stand-in."""


def recorded(notebook: NotebookNode) -> dict[str, set[str]]:
    """The cells that show what they gave, by id, with the names that they need of such cells before them.

    They are those of `LONG`, and all that use what one of these made; answers and checks are none of them.
    """
    made: set[str] = set()
    found = {}
    for cell in notebook.cells:
        if cell.cell_type != "code" or grade_id(cell) or _asks(cell):
            continue
        names = Names(parsed(cell.source))
        needs = names.read & made
        if cell.id in LONG or needs:
            found[cell.id] = set() if cell.id in LONG else needs
            made |= names.made - names.imported
        else:
            made -= names.made
    return found


def _asks(cell: NotebookNode) -> bool:
    return cell.source.startswith(
        ("hand_in(", "hint(", "others(", "trace(", "reset(", "progress(", "guess = ...")
    )


def write(to: Path, to_record: Path, executed: Path) -> Mapping[str, int]:
    """Write the notebooks below `to` and the recorded outputs below `to_record`.

    Args:
        to: the folder that JupyterLite serves.
        to_record: the site's `lite/`.
        executed: the units' pages as the site's build has executed them: `<unit>/<unit>.ipynb`.

    Returns:
        How many cells show what was recorded, by unit.
    """
    index, counts = {}, {}
    for unit in written():
        name = Path(unit) / f"{unit}.ipynb"
        notebook = nbformat.read(ROOT / "notebooks" / name, 4)
        gave = {
            cell.id: cell.outputs for cell in nbformat.read(executed / name, 4).cells if "outputs" in cell
        }
        found = recorded(notebook)
        for cell in notebook.cells:
            if cell.id not in found:
                continue
            seconds = LONG.get(cell.id)
            cell.outputs = _kept(gave[cell.id], shown.note(seconds))
            digest = shown.digest(cell.source)
            names = Names(parsed(cell.source))
            makes = sorted(names.made - names.imported)
            index[digest] = {"makes": makes, "needs": sorted(found[cell.id]), "seconds": seconds}
            file = to_record / shown.file_of(digest)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"source": cell.source, "outputs": cell.outputs}), "utf-8")
        counts[unit] = len(found)
        (to / name).parent.mkdir(parents=True)
        nbformat.write(notebook, to / name)
    (to_record / shown.INDEX).write_text(json.dumps(index), "utf-8")
    return counts


def _kept(outputs: list[NotebookNode], note: str) -> list[NotebookNode]:
    """The sentence that they are recorded, and the outputs as a kernel displays them."""
    said = {"text/html": f"<p><em>{note}</em></p>", "text/plain": note}
    kept = [nbformat.v4.new_output("display_data", data=said)]
    for one in outputs:
        if one.output_type == "execute_result":
            one = nbformat.v4.new_output("display_data", data=one.data, metadata=one.metadata)
        if one.output_type == "stream" or any(
            not kind.startswith("application/") for kind in one.get("data", ())
        ):
            kept.append(one)
    return kept
