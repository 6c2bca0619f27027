"""Pages of the site, as tests of it read them."""

import pytest
from bs4 import BeautifulSoup

from helpers.units import UNITS
from tests.lanes import at_night

UNIT_PAGES = [f"notebooks/{unit}/{unit}.html" for unit in UNITS]

narrow_and_wide = pytest.mark.parametrize(
    ("width", "dark"),
    [
        (390, False),
        (1280, True),
        at_night(390, True),
        at_night(1280, False),
    ],
)
"""Every width and both colours; the other two pairs at night."""


def soup(folder, page):
    return BeautifulSoup((folder / page).read_text("utf-8"), "html.parser")
