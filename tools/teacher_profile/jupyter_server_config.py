"""The server's settings for `make teach`."""

import sys
from pathlib import Path

c = get_config()  # noqa: F821 - Jupyter defines it
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `tools`, which is not installed

c.ServerApp.jpserver_extensions = {"tools.safe_formgrader": True}

c.FileContentsManager.pre_save_hook = "tools.kept_metadata.keep"

# On the terminal only what went wrong, and the address. Not the level of the log itself: Formgrader shows in
# its own windows what the log says of a unit that is graded.
c.JupyterApp.logging_config = {"handlers": {"console": {"level": "ERROR"}}}
