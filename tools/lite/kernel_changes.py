"""What the edition changes in the scripts of JupyterLite's kernel, and why."""

import re
from pathlib import Path

from tools.shell import Stop
from tools.versions import KERNEL

CHANGES = {
    # As everywhere else, so that JupyterLab and nbgrader start the kernel of a notebook that comes from here.
    r'name:"python",display_name:"Python \(Pyodide\)"': r'name:"python3",display_name:"Python 3 (ipykernel)"',
    # Python has begun by then, see `page/kernel-begins.js`.
    r"this\._pyodide=await (\w+)\(\{indexURL:": r"this._pyodide=await(self.begun||\1)({indexURL:",
}


def make(lite: Path) -> None:
    """Make them in the built `lite/`.

    Raises:
        Stop: when a kernel of another version has nothing of the kind to change.
    """
    scripts = {path: path.read_text("utf-8") for path in (lite / "extensions").rglob("*.js")}
    for old, new in CHANGES.items():
        found = [path for path, text in scripts.items() if re.search(old, text)]
        if not found:
            raise Stop(f"{KERNEL} has no {old}, which the edition in the browser changes.")
        for path in found:
            scripts[path] = re.sub(old, new, scripts[path])
            path.write_text(scripts[path], "utf-8")
