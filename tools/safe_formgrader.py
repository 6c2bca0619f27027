"""A part of the instructor's Jupyter server: Formgrader's pages run nothing of a learner's.

nbgrader 0.9.6 puts names and ids into its pages as they are, and serves the files that lie beside a
notebook as its own: in either, a script could do what the instructor may.
"""

from html import escape
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader.handlers import SubmissionFilesHandler

FRAMED = "sandbox; frame-ancestors 'self'"
"""What a browser lets a handed-in file do: as a page of nobody's, without scripts and forms."""


class EscapingExporter(HTMLExporter):
    """Makes Formgrader's page of a submission, whose template takes names for HTML."""

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Convert a notebook; what is told of it is text."""
        told = {name: escape(one) if isinstance(one, str) else one for name, one in (resources or {}).items()}
        return super().from_filename(filename, resources=told, **kw)


def _load_jupyter_server_extension(server: Any) -> None:
    """Called by Jupyter in the order of names, so after nbgrader's."""
    settings = server.web_app.settings
    if "nbgrader_jinja2_env" not in settings:  # Formgrader is not here
        return
    settings["nbgrader_jinja2_env"].autoescape = True
    settings["nbgrader_exporter"] = EscapingExporter(config=settings["nbgrader_exporter"].config)
    SubmissionFilesHandler.content_security_policy = FRAMED


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]
