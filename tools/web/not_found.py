"""The page for addresses that lead nowhere: one file, since it is shown at any of them."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote

from helpers.units import TITLES

FILE = "404.html"

_PAGE = Template(Path(__file__).with_suffix(".html").read_text("utf-8"))


def page(name: str, home: str, units: Iterable[str], icon: str) -> str:
    """The page; its links are whole addresses, since it may stand in for one in any folder.

    Args:
        name: of the site.
        home: where the site begins, with a slash at its end.
        units: those that are written.
        icon: the tab's, as SVG.
    """
    rows = "\n".join(
        f'<li><a href="{home}notebooks/{unit}/{unit}.html">Unit {unit[:2]}: {escape(TITLES[unit])}</a></li>'
        for unit in units
    )
    return _PAGE.substitute(name=escape(name), home=home, units=rows, icon=quote(icon))


def write(site: Path, name: str, home: str, units: Iterable[str]) -> None:
    """Put it where web servers look for it."""
    icon = (site / "_static" / "favicon.svg").read_text("utf-8")
    (site / FILE).write_text(page(name, home, units, icon), "utf-8")
