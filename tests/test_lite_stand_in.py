"""Units 07 and 09 in a real Chromium, on the stand-in: checks, a changed cell, a training, a long cell."""

import re

import pytest

from helpers.in_browser import shown
from tests.lite_reader import Reader
from tests.sample_learners import SOLUTIONS, read
from tools import opens, real_browser
from tools.lite import contents

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "model", "pyodide"), pytest.mark.nightly]

LONG = "07-31k"
WRONG = "def rotary(x, positions, base=10000.0):\n    return x"


@pytest.fixture
def opened(playwright, site, tmp_path):
    """A unit's notebook after its set-up cell, in a browser that has never been here."""
    one = Reader(playwright, tmp_path / "profile")
    with real_browser.served(site.parent) as address, one.opened() as page:

        def opened(unit):
            page.goto(opens.in_browser(f"{address}/{site.name}/", unit))
            lab = real_browser.Notebook(page)
            said = lab.run("set-up").inner_text()
            assert "A stand-in for PyTorch runs here" in said
            return lab

        yield opened
    assert one.outside == []


def solution(unit, name):
    """A right answer of the course."""
    (source,) = (cell.source for cell in read(SOLUTIONS, unit).cells if cell.id == name)
    return re.sub(r"(?m)^ *### (BEGIN|END) SOLUTION\n?", "", source)


def checked(lab, unit, name, answer=None):
    """What the notebook's own check says of an answer, a right one by default."""
    lab.write(name, answer or solution(unit, name))
    lab.run(name)
    return lab.run(f"{name}-test").inner_text()


def test_unit_07_is_checked_changed_and_trained(opened):
    unit = "07_train_a_transformer"
    lab = opened(unit)
    assert "✓ next_token_loss is right." in checked(lab, unit, "next_token_loss")
    assert "✓ TransformerBlock is right." in checked(lab, unit, "TransformerBlock")

    lab.run("07-03")  # its imports
    lab.write("07-09", "training.show_text(5, seed=3)")
    said = lab.run("07-09").inner_text()
    assert "Error" not in said
    assert len(said.strip().splitlines()) >= 10
    lab.write(
        "07-11", 'Block = yours("TransformerBlock")\ntagger = training.train_tagger(1, 40, block=Block)'
    )
    said = lab.run("07-11")
    assert "TransformerBlock: yours runs." in said.inner_text()
    assert "[####################] 40 of 40 steps, loss " in said.inner_text()
    assert said.locator("img, svg").count() >= 1


def test_a_long_cell_shows_what_it_gave_and_a_changed_one_has_what_it_needs_run_first(opened):
    unit = "07_train_a_transformer"
    lab = opened(unit)
    lab.run("07-03")
    assert shown.note(contents.LONG[LONG]) in lab.run(LONG).inner_text()
    lab.write("07-09", "print(kinds['learned'])")  # what that cell would have made
    said = lab.run("07-09").inner_text()
    assert "An earlier cell was only shown: what makes `kinds` runs now" in said
    assert "It needs sinusoidal, which an earlier cell makes" in said  # that has not run either
    lab.run("07-31j")
    said = lab.run("07-09").inner_text()
    assert "NameError" not in said
    assert said.strip().endswith("None")


def test_unit_09_is_checked(opened):
    unit = "09_efficient_attention"
    lab = opened(unit)
    assert "rotary is not right yet." in checked(lab, unit, "rotary", WRONG)
    assert "✓ rotary is right." in checked(lab, unit, "rotary")
    assert "✓ KVCache is right." in checked(lab, unit, "KVCache")
