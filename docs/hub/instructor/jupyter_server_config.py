"""The settings of the instructor's server: Formgrader's pages run nothing of a learner's."""

import sys
from pathlib import Path

c = get_config()  # noqa: F821 - Jupyter defines it
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `tools`, which is not installed

c.ServerApp.jpserver_extensions = {"tools.safe_formgrader": True}
