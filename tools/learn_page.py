"""JupyterLab's page `/learn`: the unit that was saved last is open, and the file browser lists all units.

JupyterLab itself opens a notebook's own folder, where there is that notebook alone. Its address has a word
for another folder, but the server cannot print an address with both that word and a token.
"""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join
from tornado.web import authenticated

from tools import working_copy

PATH = "/learn"


def unit_address(folder: str, unit: str) -> str:
    """Return where JupyterLab shows a unit, and in the file browser the folder of units."""
    return f"/lab/tree/{quote(f'{folder}/{unit}/{unit}.ipynb')}?file-browser-path=/{quote(folder)}"


class LearnHandler(JupyterHandler):
    """Sends the browser on to the unit that was saved last."""

    @authenticated
    def get(self) -> None:
        """Look which unit that is now, so that the address stays right for days, and hand the token on."""
        root = Path(self.serverapp.root_dir)
        unit = working_copy.latest(root / "notebooks", root / "work")
        token = self.get_argument("token", "")
        address = unit_address("work", unit) + (f"&token={quote(token)}" if token else "")
        self.redirect(url_path_join(self.base_url, address))


def _load_jupyter_server_extension(serverapp: Any) -> None:
    """Add the page; the server calls this by its name."""
    page = url_path_join(serverapp.base_url, PATH)
    serverapp.web_app.add_handlers(".*$", [(page, LearnHandler)])
