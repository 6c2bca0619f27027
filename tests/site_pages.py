"""Pages of the site, as tests of it read them."""

from bs4 import BeautifulSoup

from helpers.units import UNITS

UNIT_PAGES = [f"notebooks/{unit}/{unit}.html" for unit in UNITS]


def soup(folder, page):
    return BeautifulSoup((folder / page).read_text("utf-8"), "html.parser")
