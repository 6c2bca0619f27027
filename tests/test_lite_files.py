"""The edition in the browser as it was built: the learner's notebooks, and nothing of other servers."""

import json

import nbformat
import pytest

from tools.lite import runtime
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "pyodide"), pytest.mark.slow]


@pytest.fixture(scope="module")
def lite(site):
    return site / "lite"


def test_the_notebooks_are_the_learner_s_with_what_takes_long_filled_in(lite):
    recorded = json.loads((lite / "recorded" / "cells.json").read_text("utf-8"))
    shown = 0
    for path in sorted((ROOT / "notebooks").glob("*/*.ipynb")):
        ours = nbformat.read(lite / "files" / path.relative_to(ROOT / "notebooks"), 4)
        learners = nbformat.read(path, 4)
        for cell in ours.cells:
            shown += bool(cell.get("outputs"))
            if "outputs" in cell:
                cell.outputs = []
        assert ours == learners
    assert 3 <= shown == len(recorded) <= 12


def test_nothing_in_the_edition_names_another_server_s_file(lite):
    told = json.loads((lite / "jupyter-lite.json").read_text("utf-8"))["jupyter-config-data"]
    kernel = told["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    lock = json.loads((lite / runtime.FOLDER / "pyodide-lock.json").read_text("utf-8"))
    places = [one["file_name"] for one in lock["packages"].values()]
    places += [kernel["pyodideUrl"], *map(kernel["loadPyodideOptions"].get, ("lockFileURL", "stdLibURL"))]
    assert [place for place in places if "://" in place or place.startswith("/")] == []
    assert all((lite / runtime.FOLDER / one["file_name"]).is_file() for one in lock["packages"].values())
    assert told["exposeAppInBrowser"] is True
