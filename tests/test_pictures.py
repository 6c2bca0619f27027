"""The README's pictures show what is said today: their words are kept, and compared with what is said now."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from helpers.exercises import find
from helpers.learner.checking import verdict_of
from helpers.verdict.panel import panel
from helpers.verdict.telling import failure, the_same
from helpers.views.trace_page import SUMMARY
from tools import opens, screenshots, sync
from tools.screenshots import plain
from tools.shell import ROOT

KEPT = json.loads(screenshots.WORDS.read_text("utf-8"))
README = (ROOT / "README.md").read_text("utf-8")
STALE = "run `python -m tools.screenshots`: the picture says something else"


def squared(x):
    return x**2


def test_the_failed_check_in_the_picture_says_what_a_failed_check_says_now():
    double = find("double")
    verdict = verdict_of(double, squared, seed=0)
    drawn = panel(double, verdict, the_same("double", 0, "visible"))._repr_html_()
    error = failure(double, verdict, "", drawn=True)
    said = BeautifulSoup(drawn, "html.parser").get_text()
    said += SUMMARY + "".join(error._render_traceback_())
    assert plain(said) == plain(KEPT["failed_check"]), STALE


@pytest.mark.slow
@pytest.mark.needs("browser")
def test_the_loom_in_the_picture_says_what_it_says_now(chromium):
    assert plain(screenshots.loom(chromium, None)) == plain(KEPT["loom"]), STALE


def test_the_readme_begins_with_one_thing_to_press():
    """The first link leads into the course, and stands above all that has to be read."""
    home = opens.site(sync.address(ROOT))
    lines = [line for line in README.splitlines() if line]
    assert lines[0] == "# Attention, step by step"
    assert re.search(r"\]\((.+?)\)", lines[1])[1] == home
    first, words = README.partition(home)[0], len(README.partition("## Start")[0].split())
    assert len(first.split()) < 20
    assert words < 160


def test_the_pictures_of_the_readme_are_there_and_have_words():
    shown = re.findall(r"!\[([^\]]*)\]\((images/[^)]+)\)", README)
    assert {path for _, path in shown} == {f"images/{one.name}" for one in (ROOT / "images").glob("*.png")}, (
        "a picture that is shown nowhere, or one that is missing"
    )
    assert all(len(words.split()) >= 12 for words, _ in shown)


def test_what_the_readme_shows_as_code_is_not_cut_off():
    """GitHub shows about ninety signs of a line; a message of a check is as long as it is."""
    blocks = re.findall(r"(?ms)^```\n(.*?)^```", README)
    long = [line for block in blocks for line in block.splitlines() if len(line) > 84]
    assert [line for line in long if not line.startswith(("Your weights", "On two tokens"))] == []
