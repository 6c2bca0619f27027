"""The editor of answers: CodeMirror from npm, made into one small script when the site is built.

It works on phones and with screen readers, wraps and indents; a text field does neither.
"""

import shutil
import subprocess
from pathlib import Path

from tools import npm
from tools.shell import ROOT, Stop
from tools.versions import EDITOR

HOME = ROOT / "build" / "editor" / EDITOR[0]
_ENTRY = Path(__file__).with_suffix(".js")
_WORDS = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning")


def fetch() -> Path:
    """Fetch CodeMirror and esbuild from npm, once; later builds take them from build/.

    Raises:
        Stop: when npm is missing or does not bring them.
    """
    npm.install(EDITOR, HOME, "The site")
    return HOME


def put(folder: Path) -> None:
    """Make `editor.js` in a folder, and lay its licence beside it.

    Raises:
        Stop: when it cannot be fetched or made.
    """
    modules = fetch() / "node_modules"
    entry = HOME / _ENTRY.name  # esbuild looks for packages beside what names them
    shutil.copy(_ENTRY, entry)
    words = [modules / ".bin" / "esbuild", entry, *_WORDS, f"--outfile={folder / _ENTRY.name}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stop(f"esbuild could not make the editor: {done.stderr.strip()[-300:]}")
    shutil.copy(modules / "@codemirror" / "view" / "LICENSE", folder / "editor-LICENSE")
