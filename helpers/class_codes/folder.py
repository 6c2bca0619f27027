"""The file in which a hub gathers the codes of a class: everybody adds lines, only the instructor reads."""

import os
from pathlib import Path

VARIABLE = "CLASS_FOLDER"


def file_of_the_class() -> Path | None:
    """Where the codes go; `None` where nobody has asked for them."""
    folder = os.environ.get(VARIABLE)
    return Path(folder) / "codes.txt" if folder else None
