"""Compile what a page's Python imports; run by Pyodide itself, as its Python has another byte code.

Without it a browser compiles all of that at every start: most of the time until the first cell is answered.
Writes `stdlib.zip`, the standard library with byte code in it, and that of packages: `checks.zip` for those
that a check needs, `cells.zip` for what the cells of a page need besides, `later.zip` for those that come
when something is drawn.
"""

import importlib.util
import io
import py_compile
import re
import sys
import zipfile
from pathlib import Path

OUT = Path("/python/packages")
STDLIB, PACKAGES = "/lib/python314.zip/", "/lib/python3.14/site-packages/"
UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH


CHECKS = re.compile(r"(helpers|numpy)/(?!exercises/unit_0[7-9]|plots/|training/|ma/)")
"""What a check on a page needs."""

CELLS = ("helpers/", "numpy/")
"""What the cells of a page need besides, once one runs."""


def use_everything() -> None:
    """What learners do first: set up, check, draw; without NumPy only what needs none."""
    if importlib.util.find_spec("numpy") is None:
        return
    import numpy as np

    import helpers
    from helpers.in_browser import site
    from helpers.learner.checking import find_exercise, verdict_of
    from helpers.learner.standing import standing
    from helpers.on_page import calls, cells
    from helpers.units import UNIT_OF
    from helpers.verdict.can_do import can_do
    from helpers.verdict.panel import panel
    from helpers.verdict.right import right

    site.FOLDER = Path("/python")
    cells.begin("")
    for name in helpers.__all__:
        getattr(helpers, name)
    for name in UNIT_OF:
        find_exercise(name)
    verdict = verdict_of(find_exercise("right_divisor"), "d_k")
    panel(find_exercise("right_divisor"), verdict, "")._repr_html_()
    right(find_exercise("right_divisor"), verdict, [], standing=standing("right_divisor"))._repr_html_()
    can_do("right_divisor")
    calls.check("double", "def double(x):\n    return 3 * x", {}, seed=0)
    helpers.plots.heatmap(np.eye(2)).savefig(io.BytesIO())
    helpers.views.loom()


def compiled(path: str | Path, shown: str) -> bytes:
    """The byte code of a source file."""
    to = Path("/tmp/one.pyc")
    py_compile.compile(str(path), str(to), dfile=shown, doraise=True, invalidation_mode=UNCHECKED)
    return to.read_bytes()


def write_stdlib(files: set[str]) -> None:
    """The standard library; what is compiled needs no source there."""
    own = {file.removeprefix(STDLIB) for file in files if file.startswith(STDLIB)}
    with zipfile.ZipFile("/lib/python314.zip") as old, zipfile.ZipFile(OUT / "stdlib.zip", "w") as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename in own:
                source = Path("/tmp/one.py")
                source.write_bytes(data)
                data = compiled(source, STDLIB + item.filename)
                item = zipfile.ZipInfo(f"{item.filename}c", item.date_time)
            new.writestr(item, data, zipfile.ZIP_DEFLATED)


def write_packages(files: set[str]) -> None:
    """Byte code beside the sources, where Python looks for it."""
    parts = {f"{name}.zip": [] for name in ("checks", "cells", "later")}
    for file in sorted(files):
        inner = file.removeprefix(PACKAGES)
        if inner != file:
            parts[f"{_part(inner)}.zip"].append((file, inner))
    for name, members in parts.items():
        with zipfile.ZipFile(OUT / name, "w") as new:
            for file, inner in members:
                info = zipfile.ZipInfo(importlib.util.cache_from_source(inner), (2020, 1, 1, 0, 0, 0))
                new.writestr(info, compiled(file, file), zipfile.ZIP_DEFLATED)


def _part(inner: str) -> str:
    """The part that the byte code of a file is in."""
    if CHECKS.match(inner):
        return "checks"
    return "cells" if inner.startswith(CELLS) else "later"


def main() -> None:
    """Write all of them."""
    use_everything()
    files = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    if "numpy" not in sys.modules:  # it comes from the CDN, and the helpers could not be imported
        files |= {str(file) for file in Path(PACKAGES, "helpers").rglob("*.py")}
    files = {file for file in files if file.endswith(".py")}
    write_stdlib(files)
    write_packages(files)


main()
