"""Pages of the site, as tests of it read them."""

import pytest
from bs4 import BeautifulSoup

from helpers.units import UNITS

UNIT_PAGES = [f"notebooks/{unit}/{unit}.html" for unit in UNITS]

narrow_and_wide = pytest.mark.parametrize(
    ("width", "dark"),
    [
        (390, False),
        (1280, True),
        pytest.param(390, True, marks=pytest.mark.nightly),
        pytest.param(1280, False, marks=pytest.mark.nightly),
    ],
)
"""Every width and both colours; the other two pairs at night."""


def soup(folder, page):
    return BeautifulSoup((folder / page).read_text("utf-8"), "html.parser")
