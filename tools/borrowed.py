"""Environments for tools that need PyTorch and do not belong in the course's own: they borrow its PyTorch.

Plain pip makes them: uv does not see packages that a `.pth` file lends, and would fetch PyTorch once more.
"""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

FOLDER = "Scripts" if sys.platform == "win32" else "bin"


def environment(home: Path, *packages: str, options: tuple[str, ...] = ()) -> Path:
    """Make a virtual environment with some packages, on top of this one's, and return its Python.

    Args:
        home: where it stands.
        packages: what pip installs, as one writes it to pip.
        options: of `pip install`.
    """
    venv.create(home, with_pip=False, symlinks=sys.platform != "win32")
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")  # pip looks there too
    command = [sys.executable, "-m", "pip", "--python", str(home / FOLDER / "python")]
    subprocess.run([*command, "install", "--quiet", "--no-compile", *options, *packages], check=True)
    return python(home)


def python(home: Path) -> Path:
    """The Python of such an environment."""
    return home / FOLDER / Path(sys.executable).name
