"""Kernels that meet nobody: they listen on files, since Jupyter chooses a port before it takes it."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

from tools.patience import PATIENCE


@contextlib.contextmanager
def on_files() -> Iterator[dict[str, str]]:
    """What a `KernelManager` is told; Windows has ports alone."""
    with tempfile.TemporaryDirectory() as folder:  # a short name: a socket's may have a hundred characters
        yield {} if os.name == "nt" else {"transport": "ipc", "ip": f"{folder}/kernel"}


@contextlib.contextmanager
def client(notebook: NotebookNode, place: Path, **options: Any) -> Iterator[NotebookClient]:
    """What executes a notebook in a kernel that works in a folder, however busy the machine is."""
    waits = dict.fromkeys(("timeout", "startup_timeout", "iopub_timeout"), PATIENCE)
    with on_files() as told:
        config, resources = Config({"KernelManager": told}), {"metadata": {"path": str(place)}}
        yield NotebookClient(notebook, config=config, resources=resources, **waits, **options)
