"""Generate `notebooks/` from `solutions/` (`make notebooks`), and write the units that have changed.

nbgrader makes all units each time, in another folder: its start takes two seconds, a unit less than a
tenth of one. So nobody has to guess what has changed, and nothing is left stale.
"""

import sys
import tempfile
from pathlib import Path

from tools import sync
from tools.shell import ROOT, run, venv_python


def files(folder: Path) -> dict[Path, bytes]:
    """Every file below a folder, by its relative path, without what JupyterLab keeps beside notebooks."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts)
    return {path.relative_to(folder): path.read_bytes() for path in found}


def put(made: Path, kept: Path) -> list[str]:
    """Give the units of `made` in `kept` what they hold there; return the files that were not like that."""
    new = files(made)
    units = {path.parts[0] for path in new}
    old = {path: text for path, text in files(kept).items() if path.parts[0] in units}
    changed = [path for path in new | old if new.get(path) != old.get(path)]
    for path in changed:
        (kept / path).parent.mkdir(parents=True, exist_ok=True)
        if path in new:
            (kept / path).write_bytes(new[path])
        else:
            (kept / path).unlink()
    return sorted(path.as_posix() for path in changed)


def main() -> int:
    """Bring the solutions up to date, generate, and keep the blank answers that `reset` puts back."""
    sync.main([])
    with tempfile.TemporaryDirectory() as made:
        generate = [
            venv_python(),
            "-m",
            "nbgrader",
            "generate_assignment",
            "*",
            "--no-db",
            "--log-level=WARN",
        ]
        if code := run([*generate, f"--CourseDirectory.release_directory={made}"]):
            return code
        changed = put(Path(made), ROOT / "notebooks")
    print(f"Changed in notebooks/: {', '.join(changed)}." if changed else "notebooks/ is up to date.")
    return sync.main([])


if __name__ == "__main__":
    sys.exit(main())
