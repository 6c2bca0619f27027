"""A unit that is opened and saved, by Validate for instance, keeps its metadata as git has it.

JupyterLab adds the kernel's language and version at every save, and each would be a change of a tracked file.
"""

import json
from pathlib import Path
from typing import Any

TRACKED = ("notebooks", "solutions")
KERNEL = ("kernelspec", "language_info")


def keep(model: dict[str, Any], path: str, contents_manager: Any, **_: Any) -> None:
    """Put back what the file on disk says of the kernel; Jupyter calls this before it writes.

    Args:
        model: what is to be saved; its metadata is changed.
        path: where, from the server's folder.
        contents_manager: the server's own.
    """
    if model.get("type") != "notebook" or path.strip("/").split("/")[0] not in TRACKED:
        return
    try:
        old = json.loads((Path(contents_manager.root_dir) / path.strip("/")).read_text("utf-8"))["metadata"]
    except (OSError, ValueError, KeyError):
        return  # a new notebook, or one that cannot be read: then nothing is there to be kept
    metadata = model["content"]["metadata"]
    for name in KERNEL:
        metadata.pop(name, None)
        if name in old:
            metadata[name] = old[name]
